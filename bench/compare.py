"""Runs the suites on gridcell and its peer in turn and prints a row per measurement.

usage: compare.py --gridcell EXE [--rounds N] [--only ours|peer] [--function NAME]... [SUITE...]
"""
import argparse
import contextlib
import functools
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

UNITS = {"s": ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")),
         "B": ((1 << 20, "MiB"), (1 << 10, "KiB")), "%": ((1, "%"),), "": ((1, ""),)}
CONTENDERS = ("ours", "peer")


def write_kernelspecs(folder, gridcell, contenders):
    """Both kernels, in the same Python environment."""
    if "ours" in contenders:
        subprocess.run([gridcell, "install", "--prefix", folder, "--name", "ours",
                        "--python", sys.executable], check=True, stdout=subprocess.DEVNULL)
    peer = folder / "share/jupyter/kernels/peer"
    peer.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (peer / "kernel.json").write_text(json.dumps(
        {"argv": argv, "display_name": "ipykernel", "language": "python"}))
    os.environ["JUPYTER_PATH"] = str(folder / "share/jupyter")


def collect(suite, contender, values, units):
    """One round of one contender; a failure ends the round and is said once."""
    from session import Session
    try:
        with Session(contender) as session:
            for row, unit, value in suite(session):
                measured = value if isinstance(value, dict) else {contender: value}
                for side, number in measured.items():
                    values.setdefault(row, {}).setdefault(side, []).append(number)
                units[row] = unit
    except Exception as error:  # a broken contender must not hide the other's figures
        print(f"# {contender}: {type(error).__name__}: {error}", file=sys.stderr)


def in_words(value, unit):
    if value is None:
        return "-"
    if math.isinf(value):
        return "no answer"
    for scale, name in UNITS[unit]:
        if value >= scale or (scale, name) == UNITS[unit][-1]:
            return f"{value / scale:.3g} {name}"


def ratio_in_words(ratio):
    return f"{ratio:.2f}" if ratio >= 0.005 else f"{ratio:.1g}"


def print_rows(values, units):
    groups = {}  # what stands before a colon in a row's name -> the ratios of those rows
    for row, measured in values.items():
        middle = {side: statistics.median(found) for side, found in measured.items()}
        ratio = middle["ours"] / middle["peer"] if middle.get("ours") and middle.get("peer") else None
        if ratio and ":" in row:
            groups.setdefault(row.partition(":")[0], []).append(ratio)
        print(f"{row:<42}{in_words(middle.get('ours'), units[row]):>12}"
              f"{in_words(middle.get('peer'), units[row]):>12}{ratio_in_words(ratio) if ratio else '-':>8}", flush=True)
    for group, ratios in groups.items():
        if len(ratios) == 1:
            continue
        print(f"{group}, geometric mean of {len(ratios)} ratios {statistics.geometric_mean(ratios):.3g}, "
              f"the largest {max(ratios):.2g}", flush=True)


def main():
    from suites import SUITES
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gridcell", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=CONTENDERS)
    parser.add_argument("--function", action="append", help="of the suite compiler, these alone")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    options = parser.parse_args()
    unknown = set(options.suites) - set(SUITES)
    if unknown:
        parser.error(f"no such suite: {' '.join(sorted(unknown))}; there are: {' '.join(SUITES)}")
    SUITES["compiler"] = functools.partial(SUITES["compiler"], names=options.function)
    contenders = (options.only,) if options.only else CONTENDERS
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ.update(HOME=str(folder), GRIDCELL_DEVICE="emulator")
        write_kernelspecs(folder, options.gridcell.resolve(), contenders)
        print(f"{'name':<42}{'ours':>12}{'peer':>12}{'ratio':>8}")
        for name in options.suites or SUITES:
            values, units = {}, {}
            for index in range(options.rounds):
                order = contenders if index % 2 == 0 else contenders[::-1]
                for contender in order:
                    collect(SUITES[name], contender, values, units)
            print_rows(values, units)


if __name__ == "__main__":
    main()
