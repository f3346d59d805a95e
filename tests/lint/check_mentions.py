"""Files of the tree that documents and comments name are there: `kernel/session/shell.c`, or a part of a
path that ends in a file's name, such as `session/shell.c`. `*` stands for any letters."""
import fnmatch
import pathlib
import re
import sys

import tree

MENTION = re.compile(r"(?<![\w./~<>{}$@-])((?:[\w*-]+/)*[\w*]+\.(?:c|h|def|build))(?![\w/])")
COMMENT = re.compile(r"//.*|^\s*#(?!\s*include).*|\"\"\".*", re.MULTILINE)
# what others call theirs: headers of C, of Python, of CUDA; names that stand for any file
FOREIGN = re.compile(r"^(Python|cuda\w*|nv\w+|math|complex|stdlib|libc|x|foo|file|lib|user_code|\w*_fp16|\w*_bf16)\.(c|h)$"
                     r"|test_<|^py_\*\.c$")


def mentions(path, text):
    """Line and name of each file that a text names."""
    for number, line in enumerate(text.splitlines(), 1):
        part = line if path.suffix == ".md" else " ".join(COMMENT.findall(line))
        for match in MENTION.finditer(part):
            if not FOREIGN.search(match[1]):
                yield number, match[1]


def is_there(name, paths):
    return any(fnmatch.fnmatchcase(path, name) or fnmatch.fnmatchcase(path, "*/" + name) for path in paths)


def main(root):
    files = tree.project_files(root)
    paths = [str(path) for path in files]
    findings = [(path, line, f"names {name}, which is not there")
                for path in files
                if path.suffix in (".md", ".c", ".h", ".def") and path.parts[:2] != ("tests", "lint")
                for line, name in mentions(path, tree.text_of(root, path)) if not is_there(name, paths)]
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]))
