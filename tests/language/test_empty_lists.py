"""Lists without items, whose type nobody knows: each function computes or refuses, and never fails inside."""
import numpy as np
import pytest
from numba import njit

FUNCTIONS = """concatenate hstack vstack dstack column_stack stack array asarray sum mean median max argmin sort unique cumsum
prod any diff ravel transpose where nonzero dot histogram2d select piecewise zeros full repeat tile roll take delete
append insert searchsorted interp bincount cov outer kron diag tril meshgrid percentile partition isin union1d polyfit
trapezoid convolve linalg.norm linalg.inv broadcast_to reshape moveaxis allclose""".split()


@pytest.mark.parametrize("arguments", ["[]", "[], []", "[], 1", "[[]]", "[[], []]"])
@pytest.mark.filterwarnings("ignore")
def test_empty_lists_as_arguments(arguments, make):
    for name in FUNCTIONS:
        f = njit(make(f"def f():\n    return np.{name}({arguments})\n", np=np))
        try:
            f()
        except Exception as error:
            assert str(error) and "internal" not in str(error), f"np.{name}({arguments}): {error}"


# what is put into a slice tells what the list holds, at the same depth
STARTS = {"[]": ["2", "[2]", "{2: 2.5}", "(2, [3])"], "[[]]": ["[2]"], "[[], []]": ["[2.5]"], "[[v for c in range(3)]]": ["[2 for c in range(2)]"],
          "[{}]": ["{2: 2.5}"], "[set()]": ["{2}"], "[[[]]]": ["[[2]]"]}
SLICES = ["k[0:1]", "k[:]", "k[::-1]", "k[v:]", "k[slice(0, 1)]", "k[:][:]", "(k if v else k)[:1]"]


@pytest.mark.parametrize("start", STARTS)
def test_what_slices_of_empty_lists_hold(start, make):
    for item in STARTS[start]:
        for text in SLICES:
            f = make(f"def f(v):\n    k = {start}\n    m = {text}\n    m.append({item})\n    m.append(m[-1])\n    return m\n")
            if start == "[]" or "{" not in item:
                assert njit(f)(5)[-1] == f(5)[-1], (item, text)
            else:
                compiled = njit(make(f"def f(v):\n    k = {start}\n    m = {text}\n    m.append({item})\n    return len(m), len(m[-1])\n"))
                assert compiled(5)[1] == 1, (item, text)
