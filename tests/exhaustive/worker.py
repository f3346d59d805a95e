# SPDX-License-Identifier: MIT
"""A process of another interpreter that runs cases: what ends it, or what it does not return from, costs one case.

usage: worker.py    JSON lines {case, seed} in; out comes, pickled, what the numba of this interpreter does
"""
import json
import pathlib
import pickle
import select
import subprocess
import sys
import tempfile

PATIENCE_SECONDS = 60


class Worker:
    """Such a process, started anew after each that it did not survive."""

    def __init__(self, python):
        self.python, self.process, self.asked = python, None, 0

    def start(self):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([self.python, str(pathlib.Path(__file__))], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors)

    def stop(self):
        process, self.process = self.process, None
        if process:
            process.kill()
            process.communicate()

    def last_words(self):
        """The end of what it wrote; the file closes with the next process."""
        self.errors.seek(0)
        return " / ".join(self.errors.readlines()[-6:])

    def ask(self, case, seed):
        """The answer, or (kind, words) of how the process ended."""
        if self.asked % 3000 == 2999:
            self.stop()  # what was compiled stays in memory
        self.asked += 1
        if not self.process:
            self.start()
        self.process.stdin.write(json.dumps({"case": str(case), "seed": seed}).encode() + b"\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], PATIENCE_SECONDS)[0]:
            self.stop()
            return "hang", f"no answer within {PATIENCE_SECONDS} s"
        size = self.process.stdout.readline()
        if not size:
            status, words = self.process.wait(), self.last_words()
            self.stop()
            return "crash", f"the process ended with status {status}: {words}"
        return pickle.loads(self.process.stdout.read(int(size)))


def main():
    import areas
    import cases
    import judge
    import numba  # noqa: F401: the first case should not pay for it
    known = areas.areas()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    for line in sys.stdin:
        asked = json.loads(line)
        case = cases.find(known[asked["case"].split(" :: ")[0]], asked["case"])
        answer = pickle.dumps(judge.ask(case, asked["seed"]))
        answers.write(b"%d\n" % len(answer) + answer)
        answers.flush()


if __name__ == "__main__":
    main()
