# SPDX-License-Identifier: MIT
"""Work of many pieces in child processes: a piece that ends its process is a failure, not the end."""
import argparse
import multiprocessing
import os

PIECES = 40  # of a child: its memory goes with it


def _work(pieces, function, pipe):
    for number, piece in enumerate(pieces):
        pipe.send((number, None))
        pipe.send((number, function(piece)))
    pipe.close()
    os._exit(0)  # nothing of the parent's is to be ended twice


def _run(pieces, function):
    """(number, result or None where the child ended) of the pieces that were begun."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_work, args=(pieces, function, theirs))
    child.start()
    theirs.close()
    begun = None
    while True:
        try:
            number, result = ours.recv()
        except EOFError:
            break
        begun = number if result is None else None
        if result is not None:
            yield number, result
    child.join()
    if begun is not None:
        yield begun, ([f"the process ended: {child.exitcode}"], 0, 0)


def each(pieces, function):
    """Prints what function(piece) finds: (lines, compared, refused). Gives how many of each."""
    totals, at = [0, 0, 0], 0
    while at < len(pieces):
        last = at
        for number, (found, compared, refused) in _run(pieces[at:at + PIECES], function):
            for line in found[:3]:
                print(line if "::" in line else f"{pieces[at + number]} :: {line}", flush=True)
            totals = [totals[0] + len(found), totals[1] + compared, totals[2] + refused]
            last = at + number
        at = last + 1
    return totals


def options_of(words, name, count):
    """The command line of those that have kernels: which of the pieces, and how many."""
    parser = argparse.ArgumentParser(description=words.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    options = parser.parse_args()
    options.part, options.parts = map(int, options.part.split("/"))
    return options
