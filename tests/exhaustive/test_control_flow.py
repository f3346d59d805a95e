# SPDX-License-Identifier: MIT
"""A sample of the nests of statements; control_flow.py tries all of them."""
import random

import control_flow
import pytest

SEED, NESTS, KERNELS = 5, 120, 30
# a way out of a loop leads through a `finally` that assigns
KNOWN = [(("if", "while true", "except and finally"), "continue"), (("for", "finally of failed", "try with finally"), "continue"),
         (("for with else", "try with finally", "while-else"), "continue"), (("except all", "for", "try with finally"), "return"),
         (("case", "while", "except and finally"), "break")]


def sample(count, is_wanted):
    wanted = [nest for nest in control_flow.nests() if is_wanted(*nest)]
    return random.Random(SEED).sample(wanted, count)


@pytest.mark.parametrize("nests, judge", [
    (KNOWN, control_flow.failures_of), (sample(NESTS, lambda places, leaf: True), control_flow.failures_of),
    (sample(KERNELS, control_flow.is_for_kernels), control_flow.in_kernel)], ids=["known", "functions", "kernels"])
def test_nests(nests, judge):
    found, compared = [], 0
    for nest in nests:
        wrong, count, _ = judge(nest)
        found += wrong
        compared += count
    assert not found, "\n".join(found)
    assert compared > 3 * len(nests)


def test_differences_are_found():
    """A nest whose places are in another order does other things."""
    one = control_flow.function_of(("for", "if", "try"), "assign")
    other = control_flow.function_of(("if", "for", "try"), "assign")
    assert any(control_flow.outcome(one, c) != control_flow.outcome(other, c) for c in range(4))
    failing = control_flow.function_of(("if", "if", "if"), "fail")
    assert IndexError in [control_flow.outcome(failing, c)[0] for c in range(4)]
