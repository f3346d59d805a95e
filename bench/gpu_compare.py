"""Runs bench/gpu_worker.py under gridcell and under numba-cuda in turn, with the driver itself and CuPy as
floors, and prints medians.

usage: gpu_compare.py PACKAGE_FOLDER [--floor PROGRAM] [--rounds N]
"""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

from compare import print_rows

HERE = pathlib.Path(__file__).parent


def measure(command, **variables):
    """One fresh process; a dict of row -> (unit, value)."""
    environment = dict(os.environ, **variables)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def contenders(package, floor):
    """Name -> what measures it."""
    worker = str(HERE / "gpu_worker.py")
    path = ":".join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    yield "ours", lambda: measure([sys.executable, "-m", "gridcell", worker],
                                  GRIDCELL_DEVICE="cuda", PYTHONPATH=path)
    yield "peer", lambda: measure([sys.executable, worker])
    if floor:
        yield "driver", lambda: measure([floor])
    if importlib.util.find_spec("cupy"):
        yield "CuPy", lambda: measure([sys.executable, str(HERE / "gpu_cupy.py")])


def beside(values, other):
    """The rows that `other` has too, with it as the peer."""
    return {row: {"ours": measured["ours"], "peer": measured[other]}
            for row, measured in values.items() if other in measured}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--floor")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    values, units = {}, {}
    for _ in range(options.rounds):
        for name, measured in contenders(options.package, options.floor):
            for row, (unit, value) in measured().items():
                values.setdefault(row, {}).setdefault(name, []).append(value)
                units[row] = unit
    for other, title in ("peer", "numba-cuda"), ("driver", "the driver"), ("CuPy", "CuPy"):
        rows = beside(values, other)
        if rows:
            print(f"{'beside ' + title:<42}{'ours':>12}{title:>12}{'ratio':>8}")
            print_rows(rows, units)


main()
