"""Includes follow the arrow base <- compiler <- runtime <- kernel, where the kernel sees only base;
Python's headers are seen by base/py.* and py_*.c alone."""
import pathlib
import re
import sys

import tree

MAY_INCLUDE = {
    "base": {"base"},
    "compiler": {"base", "compiler"},
    "runtime": {"base", "compiler", "runtime"},
    "kernel": {"base", "kernel", "kernelspec"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def include_fault(path, bracket, target):
    layer = path.parts[0]
    if target == "Python.h":
        return None if str(path) == "base/py.h" else "Python.h is included by base/py.h only"
    if target.startswith("numpy/"):
        return None if tree.sees_python(path) else "NumPy's headers belong in py_*.c"
    if bracket == "<":
        return None
    folder = target.split("/")[0]
    if folder not in tree.LAYERS and folder not in MAY_INCLUDE[layer]:
        return f'"{target}" is not written from the root of the tree'
    if folder not in MAY_INCLUDE[layer]:
        return f"{layer}/ must not include {folder}/"
    if tree.sees_python(pathlib.Path(target)) and not tree.sees_python(path):
        return f"{target} brings Python's API: only base/py.* and py_*.c may include it"
    return None


def main(root):
    findings = []
    for path in tree.c_files(root, (".c", ".h", ".def")):
        for number, line in enumerate(tree.text_of(root, path).splitlines(), 1):
            match = INCLUDE.match(line)
            fault = match and include_fault(path, *match.groups())
            if fault:
                findings.append((path, number, fault))
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]))
