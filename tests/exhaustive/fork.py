# SPDX-License-Identifier: MIT
"""Work of many pieces in child processes: a piece that ends its process, or does not end, is a failure of that piece."""
import argparse
import dataclasses
import mmap
import multiprocessing
import multiprocessing.connection
import os
import time

PIECES = 40  # of a child: its memory goes with it
PATIENCE_SECONDS = 120
NOTE_BYTES = 4096


@dataclasses.dataclass
class Lost:
    """A piece that has no result."""
    kind: str   # crash, hang
    note: str   # what it said last of what it is at
    words: str


class Child:
    """A process that works on a range of pieces, one after the other."""

    def __init__(self, pieces, function):
        self.pieces, self.done, self.heard = pieces, 0, time.monotonic()
        self.note = mmap.mmap(-1, NOTE_BYTES)
        self.pipe, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(target=self.work, args=(function, theirs))
        self.process.start()
        theirs.close()

    def work(self, function, pipe):
        global noted
        noted = self.note
        for piece in self.pieces:
            pipe.send(function(piece))
        os._exit(0)  # nothing of the parent's is to be ended twice

    @property
    def at(self):
        return self.pieces[self.done]

    @property
    def rest(self):
        return self.pieces[self.done + 1:]

    @property
    def is_done(self):
        return self.done == len(self.pieces)

    def hear(self):
        """The next result, or None where the process has ended."""
        try:
            result = self.pipe.recv()
        except EOFError:
            return None
        self.done, self.heard = self.done + 1, time.monotonic()
        return result

    def end(self, kind):
        """Of a piece that it does not return from."""
        if kind == "hang":
            self.process.kill()
        self.process.join()
        self.pipe.close()
        text = bytes(self.note).split(b"\0")[0].decode(errors="replace")
        if kind == "hang":
            return Lost(kind, text, f"no answer within {PATIENCE_SECONDS} s")
        return Lost(kind, text, f"the process ended: {self.process.exitcode}")


noted = None


def note(text):
    """What the piece is at: said of it if it is lost."""
    if noted:
        line = text.encode()[:NOTE_BYTES - 1]
        noted[:len(line) + 1] = line + b"\0"


def results(ranges, function, jobs):
    """(piece, function(piece) or Lost) of the pieces of all ranges, as they come; `jobs` ranges are worked on at a time."""
    waiting, children = iter(ranges), []
    while True:
        while len(children) < jobs and (pieces := next(waiting, None)) is not None:
            children.append(Child(pieces, function))
        if not children:
            return
        ready = multiprocessing.connection.wait([child.pipe for child in children], 1)
        for child in list(children):
            ended = None
            if child.pipe in ready:
                result = child.hear()
                if result is not None:
                    yield child.pieces[child.done - 1], result
                    continue
                ended = "crash"
            elif time.monotonic() - child.heard > PATIENCE_SECONDS:
                ended = "hang"
            if ended:
                children.remove(child)
                if child.is_done:
                    child.end(ended)
                    continue
                piece, rest = child.at, child.rest
                yield piece, child.end(ended)
                if rest:
                    children.append(Child(rest, function))


def each(pieces, function, jobs=1):
    """Prints what function(piece) finds: (lines, compared, refused). Gives how many of each."""
    totals = [0, 0, 0]
    ranges = [range(len(pieces))[at:at + PIECES] for at in range(0, len(pieces), PIECES)]
    for number, result in results(ranges, lambda number: function(pieces[number]), jobs):
        found, compared, refused = ([f"{result.kind}: {result.note} {result.words}"], 0, 0) if isinstance(result, Lost) else result
        for line in found[:3]:
            print(line if "::" in line else f"{pieces[number]} :: {line}", flush=True)
        totals = [totals[0] + len(found), totals[1] + compared, totals[2] + refused]
    return totals


def add_shares(parser):
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="the I-th of N parts of the whole")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time; 0: as many as there are CPUs")


def shares_of(options):
    """(first piece, step between pieces, processes at a time)"""
    part, parts = map(int, options.shard.split("/"))
    return part - 1, parts, options.jobs or len(os.sched_getaffinity(0))


def options_of(words, name, count, *, has_kernels=True):
    """The command line of the programs beside run: which of the pieces, and how many."""
    parser = argparse.ArgumentParser(description=words.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(f"--{name}", type=int, default=count)
    add_shares(parser)
    if has_kernels:
        parser.add_argument("--kernels", action="store_true")
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    options = parser.parse_args()
    options.first, options.step, options.jobs = shares_of(options)
    return options
