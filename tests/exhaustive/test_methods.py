# SPDX-License-Identifier: MIT
"""A sample of the methods and operators of Python's types; methods.py tries all of them."""
import random

import methods
import pools

SEED, FORMS, CALLS = 3, 240, 12


def test_sample():
    found, compared = [], 0
    for form in random.Random(SEED).sample(pools.FORMS, FORMS):
        wrong, count, _ = methods.failures_of(form, CALLS, SEED)
        found += wrong
        compared += count
    assert not found, "\n".join(found)
    assert compared > FORMS * 6  # most forms are compiled, and have many values


def test_differences_are_found():
    """A harness that compares nothing finds nothing."""
    assert not methods.same(1, True) and not methods.same(1, 1.0) and not methods.same([1], (1,))
    assert not methods.same({1: 2, 3: 4}, {3: 4, 1: 2}) and methods.same(float("nan"), float("nan"))
    form = pools.Form("a = 2; x.append(a)", ("ints",))
    assert methods.outcome(methods.function_of(form), ([1],)) == ((None, [1, 2]), [1, 2])
    failing = pools.Form("x[7]", ("ints",))
    assert methods.outcome(methods.function_of(failing), ([1],)) == (IndexError, None)
    assert not failing.allows(IndexError, KeyError)
