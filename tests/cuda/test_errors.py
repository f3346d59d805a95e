"""What kernels cannot do is said with what to do instead."""
import math

from common import cuda, np, raises
from numba.core import errors


def plain(a):
    return a


def missing(function, *texts):
    """A kernel that calls the function does not compile, for a reason that the texts are part of."""
    @cuda.jit
    def kernel(a):
        function(a)

    with raises(errors.TypingError, *texts):
        kernel[1, 1](np.zeros(3))


def device(function):
    return cuda.jit(device=True)(function)


def test_names_that_do_not_exist():
    missing(device(lambda a: cuda.syncthread()), "Did you mean 'syncthreads'?")
    missing(device(lambda a: math.nothing_like_it()), "There is no such name in it.")


def test_what_only_the_host_has():
    refused = "not available in CUDA code: on the CPU it allocates memory"
    missing(device(lambda a: np.linalg.inv(a)), refused, "np.linalg.inv(a)")
    missing(device(lambda a: np.random.random()), refused, "numba.cuda.random")
    missing(device(lambda a: a.sort()), refused)
    missing(device(lambda a: open("x")), "call it on the host and pass its result as an argument")
    missing(device(lambda a: [a[0]]), "use an array or a tuple")
    missing(plain, "put @cuda.jit(device=True) above the\ndefinition of function")


def test_arguments():
    @cuda.jit
    def kernel(a):
        pass

    with raises(errors.TypingError, "Kernels take numbers, arrays", "argument 0: Cannot determine"):
        kernel[1, 1](object())
    with raises(TypeError, "a launch is kernel[griddim, blockdim, stream, sharedmem]"):
        kernel[1]
