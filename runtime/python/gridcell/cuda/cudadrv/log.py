# SPDX-License-Identifier: MIT
"""The driver's log: logger `numba.cuda.cudadrv.driver`.

NUMBA_CUDA_LOG_LEVEL names the level from which on it writes to stderr (by default CRITICAL). On a
GPU, calls of the driver are noted at DEBUG, with NUMBA_CUDA_LOG_API_ARGS=1 as they are written in
the source; what fails is noted at ERROR on either device. A program that has set up logging itself
gets all of it through its own handlers.
"""
import logging

from numba.core import config

NAME = "numba.cuda.cudadrv.driver"
_FORMAT = "== CUDA [%(relativeCreated)d] %(levelname)5s -- %(message)s"


def make_logger():
    """The logger, with a handler unless there is one already."""
    logger = logging.getLogger(NAME)
    if logger.hasHandlers():
        return logger
    level = getattr(logging, str(config.CUDA_LOG_LEVEL).upper(), None)
    if isinstance(level, int):
        logger.setLevel(level)
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
    else:
        logger.setLevel(logging.CRITICAL)
        logger.addHandler(logging.NullHandler())
    return logger


logger = make_logger()


def note_call(call, result):
    """Called with the text of a call of the driver, and the code that it returned."""
    name, _, arguments = call.partition("(")
    shown = f"{name}({arguments}" if config.CUDA_LOG_API_ARGS else name
    logger.debug("driver api: %s%s", shown, f" results in {result}" if result else "")


def start():
    """Has calls of the driver noted, where somebody reads them."""
    from gridcell import _gridcell
    _gridcell.cuda_log_calls(logger.isEnabledFor(logging.DEBUG))


start()
