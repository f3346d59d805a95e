"""Runs Python source in another process that has what the tests have."""
import os
import pathlib
import subprocess
import sys

from common import BUILD

# the source is kept in linecache, where compiled functions look for theirs
LOADER = """
import linecache, sys
sys.path.insert(0, {here!r})
source = "import pickle, sys\\nfrom common import *\\n" + {source!r}
linecache.cache["<child>"] = (len(source), None, source.splitlines(True), "<child>")
exec(compile(source, "<child>", "exec"))
"""


def run(source, data=b"", **environment):
    """What the source printed; `data` is what it reads from sys.stdin.buffer."""
    here = str(pathlib.Path(__file__).resolve().parent)
    done = subprocess.run([sys.executable, "-c", LOADER.format(here=here, source=source)], input=data,
                          capture_output=True, timeout=120,
                          env={**os.environ, "GRIDCELL_BUILD": str(BUILD), **environment})
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
