"""What every lint needs: the project's files, and reporting findings as file:line: text."""
import pathlib
import subprocess
import sys

LAYERS = ("base", "compiler", "runtime", "kernel")


def project_files(root):
    """Paths, relative to `root`, of the files that belong to the project."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        paths = [pathlib.Path(line) for line in listed.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(root) for path in root.rglob("*")
                 if not any(part.startswith((".venv", "build", ".git")) or part == "__pycache__"
                            for part in path.relative_to(root).parts)]
    return sorted(path for path in paths if (root / path).is_file())


def c_files(root, suffixes=(".c", ".h")):
    """The C files of the four layers."""
    return [path for path in project_files(root)
            if path.parts[0] in LAYERS and path.suffix in suffixes]


def sees_python(path):
    """Whether a C file may use Python's C API."""
    return path.name.startswith("py_") or str(path) in ("base/py.c", "base/py.h")


def text_of(root, path):
    return (root / path).read_text(encoding="utf-8", errors="replace")


def finish(findings):
    """Prints the findings and ends with status 1 when there are any."""
    for path, line, message in findings:
        print(f"{path}:{line}: {message}")
    sys.exit(1 if findings else 0)
