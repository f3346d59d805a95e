# SPDX-License-Identifier: MIT
"""numba.typed.listobject: what makes a typed list in compiled code."""


def new_list(item, allocated=0):
    """In compiled code a typed list of the type's items; a plain list where nothing is compiled."""
    return []


new_list.__gridcell_builtin__ = "typed.listobject.new_list"
