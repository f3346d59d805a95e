"""Measures whole programs beside numba, each in a process of its own on either side, by turns. Results are checked
against plain Python on small arguments, and against the peer's on those that are timed. Prints what is wrong or refused,
each program with its times, what takes more than 1.1 times numba's time or more memory, and geometric means by style and
area.

usage: compare.py --package FOLDER [--peer PYTHON] [--seed N] [--seconds S] [--only REGEX] [--turns N]
       FOLDER     where gridcell's package lies (build-release/python)
       --peer     a Python with numba, this one unless told
       --seconds  takes programs in an order by the seed until so many seconds have gone; all of them unless told
       --only     the programs whose area, style, name and mode this regular expression finds
       --turns    of runs on either side, 3 unless told"""
import argparse
import dataclasses
import pathlib
import random
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SLOW, PATIENCE_SECONDS, NOISE_KIBIBYTES = 1.1, 120, 512

sys.path.append(str(HERE.parent))
import programs  # noqa: E402
from pairs import Worker, environments, in_words, mean  # noqa: E402


@dataclasses.dataclass
class Row:
    label: str
    keys: tuple  # that means are taken by
    ours: dict
    peer: dict

    def ratio(self, what):
        return max(self.ours[what], 1) / max(self.peer[what], 1) if what == "kibibytes" else self.ours[what] / self.peer[what]

    def is_large(self):
        more = self.ours["kibibytes"] - self.peer["kibibytes"]
        return more > NOISE_KIBIBYTES and self.ratio("kibibytes") > 1.05


def agree(a, b, tolerance):
    def is_close(x, y):
        return not isinstance(x, str) and (x != x and y != y or abs(x - y) <= tolerance * (1 + abs(x) + abs(y)))
    return len(a) == len(b) and all(x == y or is_close(x, y) for x, y in zip(a, b))


def measured_by(workers, asked, turns):
    """What each worker found, with the least of its times; runs of the two take turns."""
    found = [worker.ask(asked) or {"failure": "the process ended, or gave no answer"} for worker in workers]
    for _ in range(turns):
        for worker, known in zip(workers, found):
            if "failure" not in known:
                run = worker.ask(None) or {"failure": "the process ended, or gave no answer"}
                known |= {"run": min(run["run"], known.get("run", run["run"]))} if "run" in run else run
    return found


def trouble_of(program, ours, peer):
    """Words for what is not as it should be, or None."""
    for side, found in (("ours", ours), ("numba", peer)):
        if "failure" in found:
            return f"{side}: {found['failure']}"
        if not found["is_right"]:
            return f"{side}: another result than plain Python's"
    if not agree(ours["digest"], peer["digest"], max(program.tolerance, 1e-6)):
        return "another result than numba's"
    return None


def rows_of(chosen, make_workers, seconds, turns):
    until = time.monotonic() + seconds
    for program, mode in chosen:
        if time.monotonic() > until:
            return
        label = f"{program.area}: {program.name} ({program.style}, {mode})"
        workers = make_workers()
        try:
            ours, peer = measured_by(workers, (program.name, mode), turns)
        finally:
            for worker in workers:
                worker.stop()
        trouble = trouble_of(program, ours, peer)
        if trouble:
            print(f"# {label}: {trouble}", flush=True)
        if "run" in ours and "run" in peer:
            row = Row(label, (f"area: {program.area}", f"style: {program.style}", f"mode: {mode}", "all"), ours, peer)
            print_row(row)
            yield row


def print_row(row):
    print(f"{row.ratio('run'):>6.2f}{in_words(row.ours['run']):>10}{in_words(row.peer['run']):>10}"
          f"{row.ratio('compile'):>7.3f}{in_words(row.ours['compile']):>10}{in_words(row.peer['compile']):>10}"
          f"{row.ours['kibibytes']:>9}{row.peer['kibibytes']:>9}  {row.label}", flush=True)


def print_found(title, rows):
    print(f"\n{title}" if rows else f"\nnone: {title}")
    for row in rows:
        print_row(row)


def print_means(rows):
    print(f"\n{'':<22}{'programs':>9}{'slow':>6}{'run':>7}{'largest':>9}{'compile':>9}{'peak':>7}")
    for key in sorted({key for row in rows for key in row.keys}):
        found = [row for row in rows if key in row.keys]
        ratios = [row.ratio("run") for row in found]
        print(f"{key:<22}{len(found):>9}{sum(ratio > SLOW for ratio in ratios):>6}{mean(ratios):>7}{max(ratios):>9.2f}"
              f"{mean([row.ratio('compile') for row in found]):>9}{mean([row.ratio('peak') for row in found]):>7}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", required=True, type=pathlib.Path)
    parser.add_argument("--peer", default=sys.executable)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--only", default="")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    chosen = [(program, mode) for program in programs.load() for mode in program.modes
              if re.search(options.only, f"{program.area} {program.style} {program.name} {mode}")]
    if options.seconds != float("inf"):
        random.Random(options.seed).shuffle(chosen)
    of_ours, of_peer = environments(options.package.resolve())

    def make_workers():
        return [Worker([python, str(HERE / "worker.py"), task], environment, PATIENCE_SECONDS)
                for python, task, environment in ((sys.executable, "ours", of_ours), (options.peer, "peer", of_peer))]

    print(f"{'run':>6}{'ours':>10}{'numba':>10}{'compile':>7}{'ours':>10}{'numba':>10}{'KiB':>9}{'numba':>9}")
    rows = list(rows_of(chosen, make_workers, options.seconds, options.turns))
    print_found(f"slower than {SLOW} of numba:",
                sorted((row for row in rows if row.ratio("run") > SLOW), key=lambda row: -row.ratio("run")))
    print_found("more memory than numba:", [row for row in rows if row.is_large()])
    print_means(rows)


if __name__ == "__main__":
    main()
