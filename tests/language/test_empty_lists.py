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
