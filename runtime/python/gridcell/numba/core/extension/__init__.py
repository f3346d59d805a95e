# SPDX-License-Identifier: MIT
"""Types that programs add with numba.extending: registry.py has the types and their models, calls.py what
implements calls and attributes, boxing.py the way between Python and compiled code, pythonapi.py what
generators call of Python's C API."""
