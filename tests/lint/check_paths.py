"""The tree names no folder of a particular machine and no host of a package archive."""
import pathlib
import re
import sys

import tree

MACHINE = re.compile(r"(?<![\w./~$}-])/(?:home|root|work|farm|mnt|Users|srv)/(?!user/)[\w.-]+")
HOST = re.compile(r"\b(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|deb\.debian|debian|ubuntu|anaconda)"
                  r"\.(?:org|com)\b")
TEXT = {".c", ".h", ".def", ".py", ".sh", ".md", ".txt", ".json", ".ipynb", ".build", ".options",
        ".toml", ".ini", ".cfg", ".js", ".css", ".svg", ".html", ""}


def main(root):
    findings = []
    for path in tree.project_files(root):
        if path.suffix not in TEXT or path.parts[:2] == ("tests", "lint"):
            continue
        for number, line in enumerate(tree.text_of(root, path).splitlines(), 1):
            for match in (MACHINE.search(line), HOST.search(line)):
                if match:
                    findings.append((path, number, f"names {match.group()}"))
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]))
