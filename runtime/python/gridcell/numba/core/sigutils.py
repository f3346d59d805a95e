# SPDX-License-Identifier: MIT
"""Signatures, as numba.core.sigutils reads them."""
from gridcell import _gridcell as _extension
from numba.core.decorators import parse_signature


def is_signature(sig):
    """Whether the value may be a signature: a str, a tuple or a Signature."""
    return isinstance(sig, (str, tuple, _extension.Signature))


def normalize_signature(sig):
    """(types of the arguments, return type or None); TypeError for what is no signature."""
    parsed = parse_signature(sig)
    return tuple(parsed.args), parsed.return_type
