"""Functions of vectorize and guvectorize for the device, and configured launches, in pickles."""
import pickle

import numpy as np
import pytest

from numba import cuda, guvectorize, vectorize


@vectorize(["float64(float64)"], target="cuda")
def doubled(x):
    return x * 2


def of_closure(factor, kind):
    if kind == "vectorize":
        return vectorize(["int64(int64)", "float64(float64)"], target="cuda")(lambda x: x * factor)

    def scale(x, out):
        for i in range(x.shape[0]):
            out[i] = x[i] * factor
    return guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", target="cuda")(scale)


@pytest.mark.parametrize("kind", ["vectorize", "guvectorize"])
def test_closures_travel_twice(kind):
    made = of_closure(3, kind)
    made.max_blocksize = 64
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(made))))
    np.testing.assert_array_equal(again(np.arange(5.0)), np.arange(5.0) * 3)
    assert (again.max_blocksize, again.types) == (64, made.types)


def test_by_name():
    assert pickle.loads(pickle.dumps(doubled)) is doubled


def test_callbacks_stay_here():
    launch = cuda.jit(lambda x: None)[1, 1]
    pickle.dumps(launch)
    launch.pre_launch_callbacks.append(lambda kernel, configuration: None)
    with pytest.raises(pickle.PicklingError, match="pre-launch callbacks"):
        pickle.dumps(launch)
