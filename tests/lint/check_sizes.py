"""No file is longer than 600 lines and no function longer than 100: longer ones are more than one thing."""
import pathlib
import re
import sys

import tree

FILE_LINES, FUNCTION_LINES = 600, 100
FUNCTION_NAME = re.compile(r"^[A-Za-z_].*?\b(\w+)\s*\(")


def functions(lines):
    """Name, first line and length of each function: by the house style its braces stand in the
    first column, below the line that names it."""
    name, start = None, 0
    for number, line in enumerate(lines, 1):
        match = FUNCTION_NAME.match(line)
        if match and not line.rstrip().endswith(";"):
            name, start = match.group(1), number
        elif line.startswith("}") and name:
            yield name, start, number - start + 1
            name = None


def main(root):
    findings = []
    for path in tree.project_files(root):
        if path.suffix not in (".c", ".h", ".py"):
            continue
        lines = tree.text_of(root, path).splitlines()
        sizes = [(1, len(lines), FILE_LINES, "the file")]
        if path.suffix == ".c":
            sizes += [(line, length, FUNCTION_LINES, name)
                      for name, line, length in functions(lines)]
        for line, length, limit, what in sizes:
            if length > limit:
                findings.append((path, line, f"{what} has {length} lines, of at most {limit}"))
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]))
