# SPDX-License-Identifier: MIT
from numba.core.typing.templates import Signature, signature
