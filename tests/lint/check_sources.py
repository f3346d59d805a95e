"""Every C source is part of the build, opens with its licence and a comment that says what it
answers for; shell scripts in scripts/ can be executed."""
import json
import os
import pathlib
import sys

import tree


def opening_fault(lines):
    if not lines or "SPDX-License-Identifier: MIT" not in lines[0]:
        return "does not open with its SPDX line"
    if len(lines) < 2 or not lines[1].startswith("//"):
        return "does not say, below the SPDX line, what it answers for"
    return None


def main(root, build):
    compiled = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve()
                for entry in json.loads((build / "compile_commands.json").read_text())}
    findings = []
    for path in tree.project_files(root):
        if path.suffix in (".c", ".h"):
            fault = opening_fault(tree.text_of(root, path).splitlines())
            if fault:
                findings.append((path, 1, fault))
        if path.parts[:2] == ("runtime", "host") and path.name != "py_enter.h":
            findings += [(path, number, "enters Python by something else than py_enter(), which holds the fault gate")
                         for number, line in enumerate(tree.text_of(root, path).splitlines(), 1)
                         if "PyGILState_Ensure(" in line]
        if path.suffix == ".c" and path.parts[0] in tree.LAYERS and root / path not in compiled:
            findings.append((path, 1, "is in no meson.build"))
        if tree.text_of(root, path).startswith("#!") and not os.access(root / path, os.X_OK):
            findings.append((path, 1, "has a #! line but is not executable"))
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
