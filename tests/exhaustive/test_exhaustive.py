# SPDX-License-Identifier: MIT
"""A sample of the enumeration, the same in every run: tests/exhaustive/run makes the whole of it."""
import itertools
import pathlib

import pytest

import differences
import judge

judge.use_gridcell()

import areas
import cases

SEED = 1
# one of each class that the whole has found, and no sample need find again
KNOWN = """
functions :: a.flat[1] = b.flat[0]; return a :: F:uint64, 2d:int8
functions :: a.flat[1] = b.flat[0]; return a :: strided:float32, 1d:int32
ufuncs of one :: np.reciprocal(a) :: 2d:bool
ufuncs of one :: np.reciprocal(a) :: strided:complex64
ufuncs of one :: np.conjugate(a) :: 2d:bool
ufuncs of one :: np.sinc(a) :: 1d:complex64
functions :: np.ediff1d(a, 1, 2) :: python:float
functions :: np.setdiff1d(a, [0, 1]) :: scalar:float64
functions :: np.setxor1d(a, b) :: 2d:float32, F:float32
functions :: np.isclose(a, b) :: 1d:int64, broadcast:int8
functions :: np.delete(a, b) :: broadcast:float32, strided:bool
functions :: np.array([a[0], b[0]]) :: F:complex128, 1d:bool
functions :: np.clip(a, b, b) :: 1d:float32, broadcast:uint64
functions :: np.reshape(a, -1) :: scalar:int16
functions :: np.expand_dims(a, -1) :: scalar:uint32
functions :: np.digitize(a, [5, 2, 0], right=True) :: 0d:complex64
functions :: np.array_equiv(a, a) :: scalar:int16
methods :: a.conjugate() :: F:bool
sums :: np.gradient(a) :: python:bool
sums :: np.gradient(a, axis=0) :: F:bool
sums :: np.trapezoid(a, b) :: broadcast:uint16, empty:float32
sums :: np.average(a, weights=b) :: strided:float32, strided:int32
sums :: np.cov(a, ddof=0) :: 0d:bool
sums :: np.einsum('i,i->i', a, b) :: strided:int16, 1d:uint8
methods of ufuncs :: np.logical_and.accumulate(a) :: strided:complex64
scalar functions :: math.ulp(a) :: python:float
scalar functions :: math.comb(a, b) :: python:bool, scalar:uint64
sums :: np.correlate(a, b) :: strided:uint8, 1d:bool
sums :: np.corrcoef(a) :: python:int
functions :: np.take(a, b) :: F:int8, 1d:bool
functions :: np.pad(a, 1, mode='edge') :: scalar:int32
vectorized :: a ** b :: scalar:float64, scalar:uint64
operators :: a ** b :: python:float, scalar:uint64
ufuncs of two :: np.heaviside(a, b) :: 1d:uint16, 1d:int16
ufuncs of two :: np.heaviside(a, b) :: 2d:float32, literal:255
sums :: np.trapezoid(a, b) :: F:uint8, 2d:uint64
functions :: np.repeat(a, b) :: hollow:int32, empty:float32
functions :: np.clip(a, 1, None) :: scalar:uint64
functions :: np.percentile(a, [10, 50]) :: python:float
ufuncs of two :: np.power(a, b) :: 1d:int64, scalar:complex64
in-place :: a **= b; return a :: 2d:complex64, python:float
vectorized :: np.sinh(a) :: 2d:uint8
""".strip().splitlines()
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


def judged_text(text):
    return judge.judged(cases.find(areas.areas()[text.split(" :: ")[0]], text), SEED)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", KNOWN)
def test_known(text):
    verdict = judged_text(text)
    assert not verdict or verdict[2], verdict


def test_differences_are_found():
    """A harness that compares nothing finds nothing."""
    import numpy as np

    from outcomes import OfLargest, Raised, difference, outcome
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
    each, largest = np.array([0.0, 4]), OfLargest(1)
    assert difference((np.array([1.0, 2 + 1e-15]), ()), (np.array([1.0, 2]), ()), each) is None
    assert difference((np.array([1 + 1e-15, 2]), ()), (np.array([1.0, 2]), ()), each)[0] == "value"
    assert difference((np.array([1e-15, 8]), ()), (np.array([0.0, 8]), ()), largest) is None
    assert difference((np.array([1e-14, 8]), ()), (np.array([0.0, 8]), ()), largest)[0] == "value"
    long, longer = (outcome(lambda: 10**digits, ()) for digits in (5000, 6000))
    assert difference(long, long) is None and difference(long, longer) and difference((1, ()), long)


def test_each_rule_has_its_reason():
    """A whole run tells by their reasons which rules no case needs any more."""
    assert len({rule.reason for rule in differences.RULES}) == len(differences.RULES)


@pytest.mark.filterwarnings("ignore")
def test_each_rule_explains_a_case(monkeypatch):
    """explained.txt has a case for each: a rule that no case needs would hide the next defect."""
    monkeypatch.setattr("numba.config.OPT", 0)  # as most of the whole: some differ only so
    verdicts = {text: judged_text(text) for text in pathlib.Path(__file__).with_name("explained.txt").read_text().splitlines()}
    assert not [text for text, verdict in verdicts.items() if verdict and not verdict[2]]
    # in values alone some differ by the processor, whose loops NumPy chooses
    needed = {rule.reason for rule in differences.RULES if rule.since <= judge.NUMPY and rule.kinds != "value"}
    assert not needed - {reason for verdict in verdicts.values() if verdict for reason in verdict[2]}
