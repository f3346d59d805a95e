"""%conda, %mamba, %micromamba and %uv: package managers aimed at the kernel's own environment."""
import os
import shlex
import shutil
import sys

import _gridcell_kernel as kernel

NOTE = "Note: you may need to restart the kernel to use updated packages."
WITH_PREFIX = {"install", "list", "remove", "uninstall", "update", "upgrade"}
WITH_YES = {"install", "remove", "uninstall", "update", "upgrade", "create"}


def _run_conda(program, line):
    if not os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        raise ValueError("The python kernel does not appear to be a conda environment.  "
                         "Please use ``%pip install`` instead.")
    path = os.environ.get(f"{program.upper()}_EXE") or shutil.which(program)
    if path is None:
        raise ValueError(f"the program {program} was not found")
    words = shlex.split(line)
    command = words[0] if words else ""
    options = []
    if command in WITH_YES and not {"-y", "--yes"} & set(words):
        options.append("--yes")
    if command in WITH_PREFIX and not {"-n", "--name", "-p", "--prefix"} & set(words):
        options += ["--prefix", sys.prefix]
    kernel.get_ipython().system(shlex.join([path, command, *options, *words[1:]]))
    print("\n" + NOTE)


def conda(line):
    _run_conda("conda", line)


def mamba(line):
    _run_conda("mamba", line)


def micromamba(line):
    _run_conda("micromamba", line)


def uv(line):
    """The uv of this environment, or the one on PATH."""
    kernel.get_ipython().system(f"{shlex.quote(sys.executable)} -m uv {line}")
    print(NOTE)
