"""Every header compiles alone and says #pragma once. The flags are those of a source file that
sits nearest to the header."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

import tree


def compile_flags(root, build):
    """Maps each compiled source, relative to the root, to its preprocessor flags."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        words = words[1:] if pathlib.Path(words[0]).name == "ccache" else words
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        kept, take_next = [words[0]], False
        for word in words[1:]:
            if take_next or word.startswith(("-I", "-D", "-isystem", "-std")):
                kept.append(word)
            take_next = word in ("-I", "-D", "-isystem")
        flags[source.relative_to(root)] = kept
    return flags


def flags_for(header, flags):
    """Those of the source with the most in common: its Python side or not, then its folder."""
    def nearness(source):
        shared = len(os.path.commonprefix([source.parts, header.parts]))
        return (tree.sees_python(source) == tree.sees_python(header), shared)
    return flags[max(sorted(flags), key=nearness)]


def header_fault(root, build, header, flags):
    if "#pragma once" not in tree.text_of(root, header):
        return "has no #pragma once"
    command = [*flags_for(header, flags), "-x", "c", "-fsyntax-only", "-Wall", "-Werror", "-"]
    result = subprocess.run(command, cwd=build, input=f'#include "{header}"\n', text=True,
                            capture_output=True)
    return result.stderr.strip() if result.returncode else None


def main(root, build):
    flags = {source: words for source, words in compile_flags(root, build).items()
             if source.parts[0] in tree.LAYERS}
    headers = [path for path in tree.c_files(root, (".h",))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = pool.map(lambda header: header_fault(root, build, header, flags), headers)
    tree.finish([(header, 1, fault) for header, fault in zip(headers, faults) if fault])


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
