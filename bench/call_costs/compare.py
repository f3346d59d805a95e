"""Measures what a call costs by the type of its arguments, beside numba: from Python, from Python where a function has
a dozen versions, and between jitted functions. Two processes by turns; least times.

usage: compare.py --package FOLDER [--peer PYTHON] [NAME...]
       FOLDER   where gridcell's package lies (build-release/python)
       --peer   a Python with numba, this one unless told
       NAME     of arguments.py, all unless told"""
import argparse
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pairs import Worker, environments  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 3
PATIENCE_SECONDS = 120
PLACES = ("from Python", "of a dozen", "jitted")


def worker_of(python, package):
    """Call costs are those of a process that was started with the package in the place of numba."""
    ours, peer = environments(package)
    command = [python, *(["-m", "gridcell"] if package else []), str(HERE / "worker.py")]
    return Worker(command, ours if package else peer, PATIENCE_SECONDS)


def ask(worker, name):
    answers = worker.ask([name])
    return answers[name] if answers else "the process ended, or gave no answer"


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
    workers = worker_of(sys.executable, options.package.resolve()), worker_of(options.peer, None)
    known = [worker.ask([]) for worker in workers][0]
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
        worker.stop()


if __name__ == "__main__":
    main()
