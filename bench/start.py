"""How soon a kernel of this environment is of use: gridcell's, as pip installed it, beside ipykernel with numba.

usage: PYTHON bench/start.py [--rounds N]      prints JSON: for each of the two, the least of N kernels

PYTHON is of an environment with gridcell and ipykernel, and numba where there is one for it. The two take turns, so
that what else the machine does meets both.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import sys
import tempfile

from session import CellError, Session
from suites import FIRST_JIT

COMMANDS = {"gridcell": ["-m", "gridcell", "kernel", "-f"], "ipykernel": ["-m", "ipykernel_launcher", "-f"]}


def write_specs(folder):
    for name, words in COMMANDS.items():
        spec = {"argv": [sys.executable, *words, "{connection_file}"], "display_name": name, "language": "python"}
        place = folder / "kernels" / name
        place.mkdir(parents=True)
        (place / "kernel.json").write_text(json.dumps(spec))


def one_kernel(name, has_numba):
    with Session(name) as session:
        info, result = session.first_times()
        figures = {"info_s": info, "result_s": result, "rss_bytes": session.memory()[1]}
        if has_numba:
            try:
                figures["jitted_s"] = session.seconds(FIRST_JIT)
            except CellError as error:
                figures["error"] = str(error)
        return figures


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    has_numba = importlib.util.find_spec("numba") is not None
    found = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        write_specs(pathlib.Path(folder))
        os.environ["JUPYTER_PATH"] = folder
        for _ in range(rounds):
            for name in COMMANDS:
                found[name].append(one_kernel(name, has_numba or name == "gridcell"))
    best = {name: {key: min(one[key] for one in all_of_it if key in one) for key in all_of_it[0]}
            for name, all_of_it in found.items()}
    if has_numba:
        import numba
        best["ipykernel"]["numba"] = numba.__version__
    print(json.dumps(best))


if __name__ == "__main__":
    main()
