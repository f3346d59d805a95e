# SPDX-License-Identifier: MIT
"""What `gridcell tutorial` does: copies the notebooks out, and opens JupyterLab on them.

usage: gridcell tutorial [--no-lab] [FOLDER [OPTION OF JUPYTERLAB]...]
"""
import importlib.util
import os
import shlex
import shutil
import sys

NOTEBOOKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "notebooks")
USUAL_FOLDER = "gridcell-tutorial"


def _notebooks():
    """Where each lies, and its path below the folder of all."""
    for folder, folders, names in os.walk(NOTEBOOKS):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield path, os.path.relpath(path, NOTEBOOKS)


def _is_same(path, other):
    with open(path, "rb") as ours, open(other, "rb") as theirs:
        return ours.read() == theirs.read()


def _copy(source, target):
    """Whether it was copied: what is there already, even a link that leads nowhere, stays as it is."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    try:
        copy = open(target, "xb")
    except FileExistsError:
        return False
    try:
        with copy, open(source, "rb") as notebook:
            shutil.copyfileobj(notebook, copy)
    except BaseException:
        os.unlink(target)  # half a notebook would be taken for the user's own
        raise
    return True


def copy_out(folder):
    """Copies the notebooks that are not in the folder yet, and says what it did with each."""
    for source, name in _notebooks():
        target = os.path.join(folder, name)
        if _copy(source, target):
            print(f"copied {target}")
        elif not os.path.isfile(target) or not _is_same(source, target):
            print(f"kept   {target}, which is not as gridcell has it (in another FOLDER it will be)")


def _knows_kernel():
    from jupyter_client.kernelspec import KernelSpecManager
    return "gridcell" in KernelSpecManager().find_kernel_specs()


def _missing():
    """The packages that the notebooks and their front end need and this environment has not."""
    return [name for name in ("jupyterlab", "matplotlib") if importlib.util.find_spec(name) is None]


def open_lab(folder, options):
    """Becomes JupyterLab, if this environment has it; a line of what to do if it or Matplotlib is missing."""
    missing = _missing()
    if missing:
        print(f"not in this environment: {shlex.quote(sys.executable)} -m pip install {' '.join(missing)}")
    if "jupyterlab" in missing:
        return 0
    if not _knows_kernel():
        print("Jupyter does not know the kernel yet: gridcell install --user")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", os.path.abspath(folder), *options])


def main(arguments):
    opens = arguments[:1] != ["--no-lab"]
    folder, *options = arguments[not opens:] or [USUAL_FOLDER]
    if folder.startswith("-"):
        print(f"gridcell: error: tutorial: what is '{folder}'? See gridcell tutorial --help", file=sys.stderr)
        return 2
    try:
        copy_out(folder)
    except OSError as error:
        print(f"gridcell: error: tutorial: {error.filename or folder}: {error.strerror}", file=sys.stderr)
        return 2
    return open_lab(folder, options) if opens else 0
