# SPDX-License-Identifier: MIT
"""The driver side of numba.cuda: devices, memory, arrays, streams, errors."""


def __getattr__(name):
    if name in ("enums", "error", "libs", "linkable_code", "log", "modules", "nvrtc"):
        import importlib
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
