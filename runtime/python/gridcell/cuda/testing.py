# SPDX-License-Identifier: MIT
"""numba.cuda.testing: what tests of CUDA code take from there."""
import contextlib
import io
import unittest

from numba import config, cuda

__all__ = ["CUDATestCase", "ContextResettingTestCase", "captured_stdout", "skip_if_nvjitlink_missing",
           "skip_on_cudasim", "skip_unless_cc_32", "skip_unless_cc_50", "skip_unless_cc_53",
           "skip_unless_cc_60", "skip_unless_cc_75", "skip_unless_cc_80", "skip_unless_cc_90",
           "skip_unless_cudasim", "skip_unless_conda_cudatoolkit", "unittest", "xfail_unless_cudasim"]


class CUDATestCase(unittest.TestCase):
    """A test that needs a device. Warnings of low occupancy and of copies are off meanwhile."""

    def setUp(self):
        self._settings = {name: getattr(config, name) for name in
                          ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY")}
        for name in self._settings:
            setattr(config, name, 0)

    def tearDown(self):
        for name, value in self._settings.items():
            setattr(config, name, value)


class ContextResettingTestCase(CUDATestCase):
    """Ends the context after each test."""

    def tearDown(self):
        super().tearDown()
        cuda.close()


def skip_on_cudasim(reason):
    """Skips a test where NUMBA_ENABLE_CUDASIM is set."""
    return unittest.skipIf(config.ENABLE_CUDASIM, reason)


def skip_unless_cudasim(reason):
    return unittest.skipUnless(config.ENABLE_CUDASIM, reason)


def xfail_unless_cudasim(test):
    return test if config.ENABLE_CUDASIM else unittest.expectedFailure(test)


def _skip_unless_cc(*capability):
    def decorate(test):
        found = cuda.is_available() and cuda.get_current_device().compute_capability >= capability
        return unittest.skipUnless(found, "requires CC >= {}.{}".format(*capability))(test)
    return decorate


skip_unless_cc_32 = _skip_unless_cc(3, 2)
skip_unless_cc_50 = _skip_unless_cc(5, 0)
skip_unless_cc_53 = _skip_unless_cc(5, 3)
skip_unless_cc_60 = _skip_unless_cc(6, 0)
skip_unless_cc_75 = _skip_unless_cc(7, 5)
skip_unless_cc_80 = _skip_unless_cc(8, 0)
skip_unless_cc_90 = _skip_unless_cc(9, 0)


def _loads(library):
    from numba.cuda.cudadrv.libs import open_cudalib
    try:
        open_cudalib(library)
    except OSError:
        return False
    return True


def skip_unless_conda_cudatoolkit(reason):
    return unittest.skipUnless(_loads("nvvm"), reason)


def skip_if_nvjitlink_missing(reason):
    return unittest.skipUnless(_loads("nvJitLink"), reason)


@contextlib.contextmanager
def captured_stdout():
    """What Python code prints within the block, as a StringIO."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        yield text
