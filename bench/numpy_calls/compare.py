"""Measures NumPy's functions in compiled code beside numba and NumPy, call by call, in two processes by turns.
Prints the calls that take more than 1.1 times what the better of the two takes, the worst first, and geometric
means by area.

usage: compare.py --package FOLDER [--seed N] [--seconds S] [--whole] [--only REGEX]
       FOLDER     where gridcell's package lies (build-release/python)
       --seconds  draws cases by the seed until so many seconds have gone, 600 unless told
       --whole    every case instead, which takes days
       --only     the cases whose area, text and operands this regular expression finds"""
import argparse
import collections
import dataclasses
import itertools
import pathlib
import sys
import time

import cases

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pairs import Worker, environments, in_words, mean  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE_SECONDS = 120
SLOW = 1.1
NOISE_SECONDS = 2e-7  # of a call; less is no difference


@dataclasses.dataclass
class Row:
    case: cases.Case
    ours: float
    numba: float
    numpy: float
    compile_seconds: float
    numba_compile_seconds: float

    @property
    def ratio(self):
        return self.ours / min(time for time in (self.numba, self.numpy) if time)

    def is_slow(self):
        best = min(time for time in (self.numba, self.numpy) if time)
        return self.ours > SLOW * best and self.ours - best > NOISE_SECONDS


def least(answers, key):
    return min((answer[key] for answer in answers if answer.get(key)), default=None)


def answer(worker, case):
    """The times of a case, or those of the last one again (None)."""
    if case is None and not worker.process:
        return {"failure": "gone"}
    return worker.ask({"case": case}) or {"failure": "the process ended, or gave no answer"}


def measured(case, ours, peer):
    """A Row, or the words of what was not compiled."""
    asked = dataclasses.asdict(case)
    first = answer(ours, asked), answer(peer, asked)
    again = answer(ours, None), answer(peer, None)
    mine, others = (first[0], again[0]), (first[1], again[1])
    run, numba, numpy = least(mine, "run"), least(others, "run"), least(others, "numpy")
    if not run:
        # what NumPy refuses as well is no case
        return first[0].get("failure") if numpy else None
    return Row(case, run, numba, numpy, first[0]["compile"], first[1].get("compile")) if numba or numpy else None


def print_slow(rows):
    for row in sorted((row for row in rows if row.is_slow()), key=lambda row: -row.ratio):
        print(f"{row.ratio:>7.2f}{in_words(row.ours):>10}{in_words(row.numba):>10}{in_words(row.numpy):>10}"
              f"  {row.case.area}: {row.case}")


def print_means(rows):
    areas = collections.defaultdict(list)
    for row in rows:
        areas[row.case.area].append(row)
        areas["all"].append(row)
    print(f"\n{'area':<18}{'cases':>6}{'slow':>6}{'of numba':>10}{'of numpy':>10}{'compile':>10}")
    for area, found in areas.items():
        compiled = [row.compile_seconds / row.numba_compile_seconds for row in found if row.numba]
        print(f"{area:<18}{len(found):>6}{sum(row.is_slow() for row in found):>6}"
              f"{mean([row.ours / row.numba for row in found if row.numba]):>10}"
              f"{mean([row.ours / row.numpy for row in found if row.numpy]):>10}{mean(compiled):>10}")


def rows_of(chosen, ours, peer, seconds):
    """The rows of the cases that there is time for; refusals of ours are said at once."""
    until, seen, refused = time.monotonic() + seconds, set(), set()
    for case in chosen:
        if time.monotonic() > until:
            return
        if case in seen:
            continue
        seen.add(case)
        row = measured(case, ours, peer)
        if isinstance(row, str):
            if case.text not in refused:
                print(f"# not compiled: {case}: {row}", flush=True)
            refused.add(case.text)
        elif row:
            yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--cases", type=int, help="so many at most")
    options = parser.parse_args()
    if cases.unmeasured():
        print("# not measured:", " ".join(cases.unmeasured()))
    chosen = cases.whole(options.only) if options.whole else cases.drawn(options.seed, options.only)
    seconds = float("inf") if options.whole else options.seconds
    theirs = environments(options.package.resolve())
    ours, peer = (Worker([sys.executable, str(HERE / "worker.py"), task], environment, PATIENCE_SECONDS)
                  for task, environment in zip(("ours", "peer"), theirs))
    try:
        rows = list(itertools.islice(rows_of(chosen, ours, peer, seconds), options.cases))
    finally:
        ours.stop()
        peer.stop()
    print_slow(rows)
    print_means(rows)


if __name__ == "__main__":
    main()
