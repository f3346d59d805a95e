# SPDX-License-Identifier: MIT
"""Magics that show what a jitted function became: %cfg %llvm %asm %types %ptx %sass %occupancy.

Each takes the name of a jitted function or kernel (an expression is fine), which must have been
compiled: called once, or declared with a signature.
"""
import re

import _gridcell_kernel as kernel
from IPython.core.error import UsageError


def _object(line, magic):
    text = line.strip()
    if not text:
        raise UsageError(f"%{magic} takes a jitted function: %{magic} f")
    try:
        found = eval(text, kernel.state("user_ns"))
    except Exception as error:
        raise UsageError(f"%{magic} {text}: {type(error).__name__}: {error}") from None
    if not hasattr(found, "inspect_llvm"):
        raise UsageError(f"%{magic} {text}: {type(found).__name__} is no jitted function; @njit, "
                         "@jit and @cuda.jit make them")
    if _is_device_function(found):
        _check_device_function(found, text, magic)
    elif not found.signatures:
        raise UsageError(f"{text} has not been compiled yet: call it once, then %{magic} shows what "
                         "it became")
    return found


def _is_device_function(function):
    return bool(getattr(function, "targetoptions", {}).get("device"))


def _check_device_function(function, text, magic):
    """It has code of its own once compile_device() has made it."""
    if magic not in ("llvm", "asm", "ptx"):
        raise UsageError(f"%{magic} shows kernels; {text} is a device function, which becomes a part of the kernels that "
                         f"call it: of itself there is %llvm and %ptx, after {text}.compile_device((types))")
    if not function.overloads:
        raise UsageError(f"{text} is a device function, which becomes a part of the kernels that call it: %{magic} shows "
                         f"them, and {text} by itself after {text}.compile_device((types)), for instance "
                         f"{text}.compile_device((numba.float32,))")


def _is_kernel(function):
    return hasattr(function, "inspect_sass")


def _device():
    from numba import cuda
    return cuda.get_current_device()


def _heading(function, types):
    names = ", ".join(map(str, getattr(types, "args", types)))
    return f"{function.py_func.__name__}({names})"


def _show_each(function, texts, language):
    """Prints each version's text under its argument types."""
    from IPython.display import display
    for types, text in texts.items():
        plain = f"{_heading(function, types)}\n\n{text}"
        display({"text/plain": plain, "text/html": _page(_heading(function, types), text, language)},
                raw=True)


def _page(heading, text, language):
    import html
    lines = []
    for line in text.splitlines():
        code, mark, note = line.partition({"llvm": ";", "ptx": "//", "asm": "#"}.get(language, "\0"))
        shown = re.sub(r"^(\s*)([\w.%@]+:)", r"\1<b>\2</b>", html.escape(code))
        lines.append(shown + (f'<i style="opacity:.6">{html.escape(mark + note)}</i>' if mark else ""))
    return (f"<details open><summary><code>{html.escape(heading)}</code></summary>"
            f'<pre style="max-height:40em;overflow:auto">{chr(10).join(lines)}</pre></details>')


def cfg(line):
    """%cfg f: the control-flow graph of each compiled version, as a picture."""
    from IPython.display import display
    function = _object(line, "cfg")
    for types, graph in function.inspect_cfg().items():
        print(_heading(function, types))
        display(graph)


def llvm(line):
    """%llvm f: the optimised LLVM IR of each compiled version."""
    function = _object(line, "llvm")
    _show_each(function, function.inspect_llvm(), "llvm")


def asm(line):
    """%asm f: the CPU's assembly of each compiled version (of a kernel on a GPU: PTX)."""
    function = _object(line, "asm")
    is_host = _is_kernel(function) and not _is_device_function(function) and _device().is_emulated
    options = {"host": True} if is_host else {}
    _show_each(function, function.inspect_asm(**options), "asm")


def types(line):
    """%types f: the source of each compiled version with the types of what it computes."""
    _object(line, "types").inspect_types()


def _kernel_object(line, magic):
    found = _object(line, magic)
    if not _is_kernel(found):
        raise UsageError(f"%{magic} takes a CUDA kernel (@cuda.jit); for CPU code there is %asm")
    return found


def ptx(line):
    """%ptx k: the PTX of each compiled version of a kernel; for a plain GPU where there is none."""
    function = _kernel_object(line, "ptx")
    _show_each(function, function.inspect_asm(), "ptx")


def sass(line):
    """%sass k: the GPU's machine code of a kernel, by the CUDA toolkit's tools."""
    function = _kernel_object(line, "sass")
    try:
        _show_each(function, function.inspect_sass(), "sass")
    except RuntimeError as error:
        raise UsageError(str(error)) from None


def occupancy(line):
    """%occupancy k [threads]: how full a multiprocessor gets, by block size."""
    words = line.split()
    only = int(words.pop()) if len(words) > 1 and words[-1].isdigit() else None
    function = _kernel_object(" ".join(words), "occupancy")
    device = _device()
    most = device.MAX_THREADS_PER_MULTIPROCESSOR
    for types, version in function.overloads.items():
        print(f"{_heading(function, types)} on {device.name}")
        print(f"  {version.regs_per_thread} registers and {version.local_mem_per_thread} bytes of "
              f"local memory a thread, {version.shared_mem_per_block} bytes of shared memory a block, "
              f"at most {version.max_threads_per_block} threads a block")
        print("  threads  blocks at once  of the threads")
        sizes = [only] if only else [32, 64, 128, 192, 256, 384, 512, 768, 1024]
        for threads in sizes:
            if threads > version.max_threads_per_block:
                print(f"  {threads:7}  too many for this kernel")
                continue
            blocks = function._blocks_at_once(version._index, threads, 0)
            share = min(1.0, blocks * threads / most)
            print(f"  {threads:7}  {blocks:14}  {share:7.0%} {'#' * round(share * 30)}")
