"""Runs bench/gpu_worker.py under gridcell and under numba-cuda in turn, and prints medians.

usage: gpu_compare.py PACKAGE_FOLDER [--rounds N]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

from compare import print_rows

WORKER = pathlib.Path(__file__).with_name("gpu_worker.py")


def measure(package):
    """One fresh process; a dict of row -> (unit, value). `package` None: numba-cuda."""
    environment = dict(os.environ, GRIDCELL_DEVICE="cuda")
    environment["PYTHONPATH"] = ":".join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, *(["-m", "gridcell"] if package else []), str(WORKER)]
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    contenders = {"ours": options.package, "peer": None}
    print(f"{'name':<42}{'ours':>12}{'peer':>12}{'ratio':>8}")
    values, units = {}, {}
    for _ in range(options.rounds):
        for name, package in contenders.items():
            for row, (unit, value) in measure(package).items():
                values.setdefault(row, {}).setdefault(name, []).append(value)
                units[row] = unit
    print_rows(values, units)


main()
