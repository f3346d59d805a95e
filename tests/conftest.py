"""Where the build is, for every Python suite.

scripts/test says so through the environment; a plain `pytest tests/...` takes build/, installs the
kernelspec of its executable under build/prefix, and keeps away from a real GPU.
"""
import collections
import os
import pathlib
import subprocess
import sys
import zlib

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


def sample(cases):
    """Cases in which every value of each parameter stands; the same ones in every run."""
    met, kept = set(), []
    for case in sorted(cases, key=lambda case: zlib.crc32(case.name.encode())):
        values = {(name, id(value)) for name, value in case.callspec.params.items()}
        if not values <= met:
            met |= values
            kept.append(case)
    return kept


def pytest_collection_modifyitems(config, items):
    """Whole tables of cases take hours in all: a run in passing tries a sample of them."""
    if os.environ.get("GRIDCELL_TESTS") == "whole":
        return
    tables = collections.defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            tables[item.path, item.originalname].append(item)
    left_out = {case for cases in tables.values() for case in cases} - {case for cases in tables.values() for case in sample(cases)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def gridcell():
    """Path of the executable under test."""
    return str(BUILD / "gridcell")


@pytest.fixture(scope="session")
def package_path():
    """Folder to put on PYTHONPATH for `import gridcell` in an ordinary interpreter."""
    return str(BUILD / "python")


@pytest.fixture
def at_once():
    """at_once(call): what the call gave in each of four threads that began it together, or its exception."""
    import threading

    def run(call):
        gate, results = threading.Barrier(4), []

        def work():
            gate.wait()
            try:
                results.append(call())
            except Exception as error:
                results.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield run
    sys.setswitchinterval(before)
