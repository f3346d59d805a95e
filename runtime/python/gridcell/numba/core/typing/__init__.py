# SPDX-License-Identifier: MIT
from numba.core.typing.context import BaseContext, Context
from numba.core.typing.templates import Signature, signature


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
