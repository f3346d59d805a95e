# SPDX-License-Identifier: MIT
"""A sample of the enumeration, the same in every run: tests/exhaustive/run makes the whole of it."""
import itertools

import pytest

import judge

judge.use_gridcell()

import areas
import cases

SEED = 1
CASES = 960  # of all areas together: some 25 seconds


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("area", areas.areas())
def test_sample(area):
    known = areas.areas()
    found = []
    for case in itertools.islice(cases.shuffled(known[area], SEED), CASES // len(known)):
        verdict = judge.judged(case, SEED)
        if verdict and verdict[2] is None:
            found.append(f"{verdict[0]}: {case}: {verdict[1]}")
    assert not found, "\n".join(found)


def test_differences_are_found():
    """A harness that compares nothing finds nothing."""
    import numpy as np

    from outcomes import Raised, difference
    nan = np.float64("nan")
    assert difference((nan, ()), (nan, ())) is None
    assert difference((0.0, ()), (np.float64(-0.0), ()))[0] == "value"
    assert difference((np.zeros(2), ()), (np.zeros(2, np.float32), ()))[0] == "dtype"
    assert difference((np.zeros(2), ()), (np.zeros(3), ()))[0] == "shape"
    assert difference((1, (np.zeros(1),)), (1, (np.ones(1),)))[0] == "value"
    assert difference(Raised(IndexError("x")), Raised(ValueError("x")))[0] == "error"
    assert difference((1, ()), Raised(ValueError("x")))[0] == "accepted"
    assert difference(Raised(ValueError("x")), (1, ()))[0] == "raised"
    assert difference(Raised(TypeError("internal: x")), Raised(TypeError("x")))[0] == "internal"
    assert difference((np.nextafter(1.0, 2), ()), (1.0, ()), ulps=1) is None
    assert difference((1.001, ()), (1.0, ()), ulps=1)[0] == "value"
