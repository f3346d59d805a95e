"""Runs generated programs in a child process, and reduces those that fail.

usage: campaign.py [--seed N] [--time SECONDS] [--count PROGRAMS] [--keep-going]
"""
import argparse
import json
import pathlib
import random
import select
import subprocess
import sys
import tempfile
import time
import warnings

import features
import generate
import indices
import mutate
import overflow

PATIENCE_SECONDS = 5
REDUCTION_SECONDS = 20


class Child:
    """A process for programs, started anew after each that it did not survive."""

    def __init__(self):
        self.process = None

    def start(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("child.py"))], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"the child does not start:\n{self.last_words()}")

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.errors.close()
            self.process = None

    def last_words(self):
        self.errors.seek(0)
        return "\n".join(self.errors.read().splitlines()[-12:])

    def verdict(self, source, calls, patience=PATIENCE_SECONDS):
        """The child's answer, or what became of the child."""
        if not self.process:
            self.start()
        self.process.stdin.write(json.dumps({"source": source, "calls": calls}) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], patience)[0]:
            self.stop()
            return {"wrong": f"no answer within {patience} s", "kind": "hang"}
        line = self.process.stdout.readline()
        if not line:
            status = self.process.wait()
            words = self.last_words()
            self.stop()
            return {"wrong": f"the process ended with status {status}\n{words}", "kind": "crash"}
        answer = json.loads(line)
        answer.setdefault("kind", kind_of(answer.get("wrong", "")))
        return answer


def kind_of(wrong):
    for word in ("unclean", "leak", "outside a call", "result"):
        if word in wrong:
            return word
    return ""


def check(child, source, calls):
    """The verdict; a slow answer is asked for again with more patience: the machine may be busy."""
    answer = child.verdict(source, calls)
    if answer["kind"] == "hang":
        answer = child.verdict(source, calls, 10 * PATIENCE_SECONDS)
    return answer


def reduced(child, source, calls, kind):
    """A smaller program that fails in the same way."""
    until = time.monotonic() + REDUCTION_SECONDS
    head = source.split("\n")[0] + "\n" if source.startswith("#") else ""
    for call in calls:
        if child.verdict(source, [call]).get("kind") == kind:
            calls = [call]
            break
    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for text in mutate.reductions(source):
            smaller = head + text
            if time.monotonic() > until:
                break
            if len(smaller) >= len(source) or "def f" not in smaller or "def helper" not in smaller or (
                    "seed(" in source and "seed(" not in smaller):
                continue
            answer = child.verdict(smaller, calls)
            if "wrong" in answer and answer["kind"] == kind:
                source, progress = smaller, True
                break
    return source, calls


def programs(seed):
    """Endless (source, calls): each of the generators in turn, and a mutation of what it gave."""
    chance = random.Random(seed)
    while True:
        for generator in (generate, features, indices):
            source, calls = generator.program(chance)
            yield source, calls
            yield mutate.mutated(source, chance), calls
        yield overflow.program(chance)


def failures(seed, count=None, seconds=None, counts=None):
    """Yields a report of each program that fails."""
    child, until = Child(), time.monotonic() + (seconds or 1e9)
    counts = counts if counts is not None else {}
    try:
        for number, (source, calls) in enumerate(programs(seed)):
            if number == count or time.monotonic() > until:
                return
            answer = check(child, source, calls)
            counts["programs"] = number + 1
            counts["decided"] = counts.get("decided", 0) + (answer.get("decided", 0) > 0)
            if "wrong" in answer:
                source, calls = reduced(child, source, calls, answer["kind"])
                last = child.verdict(source, calls).get("wrong", answer["wrong"])
                yield f"seed {seed}, program {number}: {last}\n{source}\ncalls: {', '.join(calls)}\n"
    finally:
        child.stop()


def main(arguments):
    warnings.simplefilter("ignore")  # of the compiler of Python, about odd literals
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--count", type=int)
    parser.add_argument("--keep-going", action="store_true", help="report more than the first failure")
    options = parser.parse_args(arguments)
    found, counts = 0, {}
    for report in failures(options.seed, options.count, options.time, counts):
        found += 1
        print(report, flush=True)
        if not options.keep_going:
            break
    print(f"seed {options.seed}: {counts.get('programs', 0)} programs, "
          f"{counts.get('decided', 0)} with a result to compare, {found} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
