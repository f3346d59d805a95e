"""Where the build is, for every Python suite.

scripts/test says so through the environment; a plain `pytest tests/...` takes build/, installs the
kernelspec of its executable under build/prefix, and keeps away from a real GPU.
"""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", ROOT / "build"))


def pytest_configure(config):
    os.environ.setdefault("GRIDCELL_DEVICE", "emulator")
    os.environ.setdefault("GRIDCELL_HISTORY", ":memory:")
    if "JUPYTER_PATH" in os.environ or not (BUILD / "gridcell").exists():
        return
    prefix = BUILD / "prefix"
    subprocess.run([BUILD / "gridcell", "install", "--prefix", prefix, "--python", sys.executable],
                   check=False, stdout=subprocess.DEVNULL)
    os.environ["JUPYTER_PATH"] = str(prefix / "share/jupyter")


@pytest.fixture(scope="session")
def gridcell():
    """Path of the executable under test."""
    return str(BUILD / "gridcell")


@pytest.fixture(scope="session")
def package_path():
    """Folder to put on PYTHONPATH for `import gridcell` in an ordinary interpreter."""
    return str(BUILD / "python")
