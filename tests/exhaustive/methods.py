#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every method and operator of str, bytes, list, dict, set and tuple, beside CPython on edge arguments.

usage: methods.py [--seed S] [--calls N] [--shard I/N] [--jobs J] [TEXT...]

A form is code over x and arguments. It is compiled for the types of its pools, and called with values of
them: all combinations, or with --calls a sample of as many. Value, type, what became of a container, and
the class of an error must be CPython's. With TEXT, only forms that contain one of the texts.
"""
import itertools
import linecache
import pathlib
import random
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import interpreter  # noqa: F401, I001
import fork
import judge
from pools import FORMS, POOLS

judge.use_gridcell()

from numba import njit
from numba.core.errors import NumbaError
from numba.typed import Dict

def function_of(form):
    """def f(x, a, ...) of an expression, or of lines of which the last is what it gives."""
    head, _, tail = form.code.rpartition("; ")
    result = f"({tail}), x" if form.has_state else tail
    body = "\n".join([*head.split("; "), f"return {result}"]).strip()
    source = f"def f({', '.join(form.names)}):\n{textwrap.indent(body, '    ')}\n"
    name = f"<form {hash(form.code)}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    namespace = {}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]


def plain(value):
    if isinstance(value, Dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    return value


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):  # in order
        return same(list(a.items()), list(b.items()))
    return a == b or a != a and b != b


def outcome(f, args):
    copies = [value.copy() if hasattr(value, "copy") else value for value in args]
    try:
        return plain(f(*copies)), copies[0]
    except NumbaError as error:
        if "internal" in str(error):
            return AssertionError, str(error)
        return NumbaError, None
    except Exception as error:  # whichever it is, the other must raise it too
        return type(error), None


def combinations(form, calls, chance):
    pools = [POOLS[name] for name in form.pools]
    whole = list(itertools.product(*pools))
    return whole if not calls or calls >= len(whole) else chance.sample(whole, calls)


def failures_of(form, calls, seed):
    """What is wrong with a form: lines of text; and how many calls were compared, and refused."""
    f, found, compared, refused = function_of(form), [], 0, 0
    compiled = njit(f)
    for args in combinations(form, calls, random.Random(f"{seed} {form}")):
        result, after = outcome(compiled, args)
        if result is NumbaError:  # the same for all arguments of these types
            refused += 1
            continue
        expected, after_expected = outcome(f, args)
        compared += 1
        is_same = same(result, expected) and (isinstance(result, type) or same(after, after_expected))
        if not is_same and not form.allows(result, expected):
            found.append(f"{form.code} :: {args!r:.200} :: {result!r:.200} and not {expected!r:.200}"
                         + (f" :: {after!r:.60}" if result is AssertionError else ""))
    return found, compared, refused


def main():
    options = fork.options_of(__doc__, "calls", 0, has_kernels=False)
    forms = [form for form in FORMS if not options.texts or any(text in form.code for text in options.texts)]
    totals = fork.each(forms[options.first::options.step],
                       lambda form: failures_of(form, options.calls, options.seed), options.jobs)
    print(f"{len(forms)} forms, {totals[1]} calls compared, {totals[2]} refused, {totals[0]} wrong")
    return 1 if totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
