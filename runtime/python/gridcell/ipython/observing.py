# SPDX-License-Identifier: MIT
"""%xray and %%xray: the launches of a statement or cell, with what each line of their kernels costs."""
import re

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_USE = "%xray [-d GPU] [-o] kernel[grid, block](arguments), or %%xray over a cell of launches"


def _options(line):
    """(name of a GPU or None, whether the results are returned, the statement)."""
    device, is_returned, rest = None, False, line.strip()
    while True:
        option = re.match(r"(?:(-o)|(?:-d|--device)(?:\s+|=)(\S+))(?:\s+|$)", rest)
        if not option:
            break
        is_returned = is_returned or bool(option[1])
        device = option[2] or device
        rest = rest[option.end():]
    if re.match(r"--?[a-z]", rest):
        raise UsageError(f"%xray has no option {rest.split()[0]}; it is {_USE}")
    return device, is_returned, rest


def xray(line, cell=None):
    """%xray [-d GPU] [-o] launch: what each line of a kernel costs memory and warps; %%xray: of each launch
    of a cell. -d: whose occupancy is told; -o: returns the result, of several launches a list."""
    from IPython.display import display
    from gridcell.cuda.observing import Observing
    device, is_returned, statement = _options(line)
    code = "\n".join(part for part in (statement, cell) if part)
    if not code.strip():
        raise UsageError(f"there is no launch: {_USE}")
    try:
        observing = Observing(device)
    except (RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from None
    is_done = False
    try:
        with observing:
            kernel.run_cell(code)
        is_done = True
    finally:
        if is_done or any(result.is_interrupted for result in observing.results):
            for result in observing.results:
                display(result)
    if not observing.results:
        raise UsageError(f"no kernel was launched: {_USE}")
    if is_returned:
        return observing.results[0] if len(observing.results) == 1 else observing.results
