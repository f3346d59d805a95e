# SPDX-License-Identifier: MIT
"""What NUMBA_DUMP_BYTECODE, _IR, _CFG, _LLVM, _OPTIMIZED, _ASSEMBLY and NUMBA_PARALLEL_DIAGNOSTICS print of
each compilation of a jitted function."""
from . import config


def show(dispatcher, args):
    """Prints what is asked for of the code that `dispatcher` has just compiled for the types `args`."""
    config.refresh()
    if config.DUMP_BYTECODE:
        import dis
        _print("bytecode", dispatcher, dis.Bytecode(dispatcher.py_func).dis())
    if config.DUMP_IR or config.DUMP_SSA:
        _print("IR DUMP:", dispatcher, dispatcher.get_annotation_info(args)[args]["text"])
    if config.DUMP_CFG:
        _print("CFG", dispatcher, str(dispatcher.inspect_cfg(args)))
    if config.DUMP_LLVM or config.DUMP_FUNC_OPT or config.DUMP_OPTIMIZED:
        _print("LLVM DUMP", dispatcher, dispatcher.inspect_llvm(args))
    if config.DUMP_ASSEMBLY:
        _print("ASSEMBLY", dispatcher, dispatcher.inspect_asm(args))
    if config.PARALLEL_DIAGNOSTICS and dispatcher.targetoptions.get("parallel"):
        dispatcher.parallel_diagnostics(args, config.PARALLEL_DIAGNOSTICS)


def _print(title, dispatcher, text):
    print(f"{title} {dispatcher.__name__}".center(80, "-"), text, "=" * 80, sep="\n")
