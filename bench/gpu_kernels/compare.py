"""Times the kernels of this folder on a GPU: gridcell as it is and by each of its routes to PTX, numba-cuda, and nvcc's
code of the same algorithms, each in processes of its own, one after another. Prints the median time of each kernel on
the device, ratios, the time that compiling took, and geometric means.

usage: compare.py --package FOLDER [--only REGEX] [--rounds N] [--seconds S] [--contender NAME]... [--json FILE]
                  [--ptx FOLDER]
       FOLDER       where gridcell's package lies (build-release/python)
       --only       the kernels whose name or theme this regular expression finds
       --seconds    no contender begins a kernel once its share of so many seconds is gone; 230 unless told
       --contender  these alone, of: gridcell nvvm nvptx numba nvcc
       --json       writes all figures
       --ptx        writes the PTX of each contender, a folder for each"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda asks for a name that NumPy 2.5 dropped

HERE = pathlib.Path(__file__).resolve().parent
CONTENDERS = ("nvcc", "gridcell", "nvvm", "nvptx", "numba")
ROUTES = {"gridcell": "", "nvvm": "nvvm", "nvptx": "nvptx"}  # what GRIDCELL_PTX is for ours
PATIENCE_SECONDS = 60  # for one kernel
FLAGS = ("-O3", "-arch=native", "--std=c++17")


def nvcc(arguments):
    done = subprocess.run(["nvcc", *FLAGS, *map(str, arguments)], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"nvcc {arguments}\n{done.stderr[-3000:]}")


def build_natively(folder, ptx_folder):
    """A cubin of each theme, and its PTX if that is asked for."""
    jobs = []
    for source in sorted(HERE.glob("*.cu")):
        jobs.append(("-cubin", "-o", folder / f"{source.stem}.cubin", source))
        if ptx_folder:
            jobs.append(("-ptx", "-o", ptx_folder / f"{source.stem}.ptx", source))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(nvcc, jobs))


def command(contender, package, cubins, ptx_folder, names):
    """What starts a worker, and its environment."""
    worker = [str(HERE / "worker.py"), "nvcc" if contender == "nvcc" else "numba", "--names", ",".join(names),
              "--cubins", str(cubins)]
    if ptx_folder and contender != "nvcc":
        worker += ["--ptx", str(ptx_folder)]
    environment = {**os.environ, "CUDA_CACHE_DISABLE": "1"}
    if contender in ROUTES:
        environment.update(GRIDCELL_PTX=ROUTES[contender], GRIDCELL_DEVICE="cuda",
                           GRIDCELL_CACHE_DIR=str(cubins / contender),
                           PYTHONPATH=":".join(filter(None, [str(package), os.environ.get("PYTHONPATH")])))
        return [sys.executable, "-m", "gridcell", *worker], environment
    return [sys.executable, *worker], environment


def lines_until(process, deadline):
    """The worker's objects, until it ends, keeps silent too long or the time is gone."""
    pending = b""
    while True:
        wait = min(PATIENCE_SECONDS, deadline - time.monotonic())
        if wait <= 0 or not select.select([process.stdout], [], [], wait)[0]:
            return
        read = os.read(process.stdout.fileno(), 1 << 16)
        if not read:
            return
        *whole, pending = (pending + read).split(b"\n")
        for text in whole:
            if text.startswith(b"{"):
                yield json.loads(text)


def run_once(contender, start, names, deadline, found):
    """Measures `names` in one process, or as many as it gets through; false if it did not come to the first."""
    arguments, environment = start(contender, names)
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=errors)
        begun, has_begun = None, False
        for line in lines_until(process, deadline):
            begun, has_begun = line.get("begins"), True
            if "name" in line:
                found.setdefault(line.pop("name"), []).append(line)
        process.kill()
        process.wait()
        if begun:
            found.setdefault(begun, []).append({"failure": "the process ended, or gave no answer in its time"})
        if not has_begun:
            errors.seek(0)
            print(f"# {contender}: no kernel begun\n{errors.read().decode()[-2000:]}", file=sys.stderr)
    return has_begun


def run(contender, start, names, deadline):
    """Name -> the figures of each round."""
    found, left = {}, list(names)
    while left and time.monotonic() < deadline and run_once(contender, start, left, deadline, found):
        left = [name for name in left if name not in found]
    return found


def median(rounds, what):
    values = [figures[what] for figures in rounds if what in figures]
    return statistics.median(values) if values else None


def microseconds(value):
    return f"{value * 1e6:10.1f}" if value else f"{'-':>10}"


def ratio(value, other):
    return value / other if value and other else None


def in_words(value):
    return f"{value:9.2f}" if value else f"{'-':>9}"


def report(names, figures):
    """Prints the table: ours is the faster of the two routes in no column, each route stands for itself."""
    times = {name: {who: median(figures[who].get(name, []), "seconds") for who in figures} for name in names}
    compiled = {name: {who: median(figures[who].get(name, []), "compile") for who in figures} for name in names}
    ours = [who for who in ROUTES if who in figures]
    pairs = [(who, other) for who in ours for other in ("numba", "nvcc") if other in figures]
    print(f"{'microseconds on the device':<27}" + "".join(f"{who:>10}" for who in figures)
          + "".join(f"{who + '/' + other:>12}" for who, other in pairs))
    for name in names:
        row = times[name]
        print(f"{name:<27}" + "".join(microseconds(row[who]) for who in figures)
              + "".join(f"   {in_words(ratio(row[who], row[other]))}" for who, other in pairs))
    for who, other in pairs:
        summary(f"{who} / {other}, device time", names, times, who, other)
    for who in ours:
        if "numba" in figures:
            summary(f"{who} / numba, compile and first launch", names, compiled, who, "numba")
    if {"nvvm", "nvptx"} <= figures.keys():
        summary("nvptx / nvvm, device time", names, times, "nvptx", "nvvm")
    for who in figures:
        for name, rounds in figures[who].items():
            for failure in {found["failure"] for found in rounds if "failure" in found}:
                print(f"# {who}, {name}: {' '.join(failure.split())}")


def summary(title, names, table, who, other):
    ratios = sorted((table[name][who] / table[name][other], name) for name in names
                    if table[name][who] and table[name][other])
    if ratios:
        mean = statistics.geometric_mean(value for value, _ in ratios)
        worst = ", ".join(f"{name} {value:.2f}" for value, name in reversed(ratios[-6:]))
        print(f"{title}: geometric mean of {len(ratios)} {mean:.3f}; the largest: {worst}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=230)
    parser.add_argument("--contender", action="append", choices=CONTENDERS)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--ptx", type=pathlib.Path)
    return parser.parse_args()


def all_names(pattern):
    """Asks the set in this process, which needs numba or gridcell, and no GPU."""
    sys.path.insert(0, str(HERE.parent))
    import gpu_kernels
    return [case.name for case in gpu_kernels.CASES if re.search(pattern, f"{case.theme}.{case.name}")]


def main():
    options = parse()
    begin = time.monotonic()
    contenders = [who for who in CONTENDERS if not options.contender or who in options.contender]
    names = all_names(options.only)
    if not names:
        sys.exit(f"no kernel's name has {options.only!r}")
    figures = {who: {} for who in contenders}
    with tempfile.TemporaryDirectory() as folder:
        cubins = pathlib.Path(folder)
        ptx_folders = {who: options.ptx / who if options.ptx else None for who in contenders}
        for ptx_folder in filter(None, ptx_folders.values()):
            ptx_folder.mkdir(parents=True, exist_ok=True)
        if "nvcc" in contenders:
            build_natively(cubins, ptx_folders["nvcc"])

        def start(who, wanted):
            return command(who, options.package, cubins, ptx_folders[who], wanted)
        turns = [who for _ in range(options.rounds) for who in contenders]
        for turn, who in enumerate(turns):
            now = time.monotonic()
            share = (begin + options.seconds - now) / (len(turns) - turn)
            for name, rounds in run(who, start, names, now + share).items():
                figures[who].setdefault(name, []).extend(rounds)
            print(f"# {who}: {time.monotonic() - now:.0f} s", file=sys.stderr, flush=True)
    report(names, figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
