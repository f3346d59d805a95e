"""Lists the functions of LLVM's C API that a static library calls, as LLVM_CALL(name) lines.

usage: list_llvm_calls.py NM LIBRARY OUTPUT      OUTPUT stays as it is where it says the same already
"""
import pathlib
import subprocess
import sys


def main(nm, library, output):
    listed = subprocess.run([nm, "-u", library], capture_output=True, text=True, check=True).stdout
    names = {words[-1] for words in map(str.split, listed.splitlines()) if words}
    text = "".join(f"LLVM_CALL({name})\n" for name in sorted(names) if name.startswith("LLVM"))
    output = pathlib.Path(output)
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


main(*sys.argv[1:])
