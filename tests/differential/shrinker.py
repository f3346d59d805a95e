"""Makes the program of a finding small: a shorter list of choices, or one of smaller numbers, that still differs
in the same way."""
import os
import signal
import time

from cases import Case

SECONDS_FOR_ONE = 20  # that a candidate may take before it counts as hung


def size(case):
    taken = case.choices.taken
    return len(taken), sum(taken)


def smaller_spans(case):
    """Lists without a statement or an expression, or with the simplest in its place."""
    taken = case.choices.taken
    for begin, end in sorted(set(case.choices.spans), key=lambda span: span[0] - span[1]):
        if end > begin:
            yield taken[:begin] + taken[end:]
            yield taken[:begin] + [0] + taken[end:]
            if any(taken[begin:end]):
                yield taken[:begin] + [0] * (end - begin) + taken[end:]


def smaller_numbers(case):
    taken = case.choices.taken
    for place, value in enumerate(taken):
        for less in (0, value // 2, value - 1):
            if 0 <= less < value:
                yield taken[:place] + [less] + taken[place + 1:]


def shrunk(case, still_differs, until):
    """The smallest case that was found before the time `until`."""
    progress = True
    while progress and time.time() < until:
        progress = False
        for candidates in (smaller_spans, smaller_numbers):
            again = True
            while again and time.time() < until:
                again = False
                for choices in candidates(case):
                    if time.time() > until:
                        break
                    smaller = attempt(case.kind, choices)
                    if smaller and size(smaller) < size(case) and still_differs(smaller):
                        case, again, progress = smaller, True, True
                        break
    return case


def attempt(kind, choices):
    try:
        return Case(kind, replayed=choices)
    except (RecursionError, IndexError, ValueError, KeyError, AssertionError):
        return None


def class_of(case):
    """In this process: what the difference is called, if there is one."""
    try:
        found = case.difference()
    except Exception as error:  # the reference does not run: no program that a generator may write
        return f"the reference fails: {type(error).__name__}"
    return found[0] if found else None


def class_in_child(case, seconds=SECONDS_FOR_ONE):
    """The same in a child, whose death or silence is a class, too."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(seconds)
        name = class_of(case)
        os.write(writing, (name or "")[:500].encode())
        os._exit(0)
    os.close(writing)
    name = os.read(reading, 1000).decode()
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGALRM:
        return "hangs"
    return f"dies: {status}" if status else name or None
