"""Measures what a call costs by the type of its arguments, beside numba: from Python, from Python where a function has
a dozen versions, and between jitted functions. Two processes by turns; least times.

usage: compare.py --package FOLDER [--peer PYTHON] [NAME...]
       FOLDER   where gridcell's package lies (build-release/python)
       --peer   a Python with numba, this one unless told
       NAME     of arguments.py, all unless told"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 3
PLACES = ("from Python", "of a dozen", "jitted")


def start(python, package):
    environment = dict(os.environ)
    environment.pop("PYTHONPATH", None)
    command = [python, str(HERE / "worker.py")]
    if package:
        environment |= {"PYTHONPATH": str(package), "GRIDCELL_DEVICE": "emulator"}
        command = [python, "-m", "gridcell", *command[1:]]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(worker, name):
    worker.stdin.write(json.dumps([name]) + "\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())[name]


def least(answers):
    """The least of each place; a text where there is no answer."""
    failed = [answer for answer in answers if isinstance(answer, str)]
    return failed[0] if failed else [min(times) for times in zip(*answers)]


def shown(name, ours, peer):
    if isinstance(ours, str) or isinstance(peer, str):
        return f"{name:<24}ours: {ours if isinstance(ours, str) else 'yes'}; numba: {peer if isinstance(peer, str) else 'yes'}"
    columns = "".join(f"{mine * 1e9:>10.0f}{other * 1e9:>9.0f}{mine / other:>7.2f}" for mine, other in zip(ours, peer))
    return f"{name:<24}{columns}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--peer", default=sys.executable)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    workers = start(sys.executable, options.package.resolve()), start(options.peer, None)
    known = [json.loads(worker.stdout.readline()) for worker in workers][0]
    print(f"{'nanoseconds':<24}" + "".join(f"{place:>10}{'numba':>9}{'':>7}" for place in PLACES))
    ratios = [[] for _ in PLACES]
    for name in options.names or known:
        answers = [(ask(workers[0], name), ask(workers[1], name)) for _ in range(ROUNDS)]
        ours, peer = (least(side) for side in zip(*answers))
        print(shown(name, ours, peer), flush=True)
        if not isinstance(ours, str) and not isinstance(peer, str):
            for place, mine, other in zip(ratios, ours, peer):
                place.append(mine / other)
    print(f"{'geometric mean':<24}" + "".join(f"{statistics.geometric_mean(place):>26.2f}" for place in ratios if place))
    for worker in workers:
        worker.communicate()


if __name__ == "__main__":
    main()
