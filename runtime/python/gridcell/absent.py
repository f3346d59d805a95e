# SPDX-License-Identifier: MIT
"""Modules and names of numba that are parts of its own compiler, which gridcell does not have.

Importing one raises ImportError with the reason, as a program that asks may have another way. The
module is looked up only when nothing of the name exists.
"""
_ELSEWHERE = "; GRIDCELL_NUMBA=system runs the numba of the environment."
_BUILDER = ("works on numba's own compiler and its builders of llvmlite's code, which gridcell does not have. "
            "numba.extending.overload, overload_method, overload_attribute and intrinsic implement functions, "
            "typeof_impl, register_model, lower_builtin, box and unbox make types, ctypes functions call C" + _ELSEWHERE)
_FORM = ("works on the intermediate code of numba's compiler and its passes, which gridcell does not have: its "
         "compiler is its own. inspect_types(), inspect_llvm() and inspect_asm() show what it makes" + _ELSEWHERE)
_LIBRARY = ("is where numba implements Python and NumPy for its compiler; gridcell has its own implementation, "
            "under the names of Python and NumPy alone" + _ELSEWHERE)
_TOOL = "is a tool of numba's own for its developers, which gridcell does not have" + _ELSEWHERE

_MODULES = {
    _BUILDER: """
        core.callwrapper core.cpu_options core.datamodel.packer
        core.debuginfo core.descriptors core.environment core.externals core.fastmathpass
        core.funcdesc core.generators core.intrinsics core.itanium_mangler core.llvm_bindings
        core.lowering core.options core.optional core.pylowering core.removerefctpass
        core.runtime.nrtopt
        core.targetconfig core.typing.bufproto core.typing.builtins
        core.typing.cmathdecl core.typing.collections core.typing.dictdecl
        core.typing.enumdecl core.typing.listdecl core.typing.mathdecl core.typing.npdatetime
        core.typing.setdecl core.unsafe.eh experimental.jitclass._box
        experimental.jitclass.base experimental.jitclass.overloads experimental.function_type
        np.npyfuncs np.npyimpl np.ufunc.ufunc_base np.ufunc.ufuncbuilder np.ufunc.wrappers np.ufunc_db
        pycc.cc pycc.compiler pycc.decorators pycc.llvm_types pycc.platform""",
    _FORM: """
        core.analysis core.annotations core.byteflow core.compiler_machinery core.consts
        core.controlflow core.inline_closurecall core.interpreter core.ir_utils core.object_mode_passes
        core.postproc core.rewrites core.ssa core.transforms core.typed_passes core.typeinfer
        core.untyped_passes np.ufunc.array_exprs parfors.array_analysis
        parfors.ir_utils parfors.parfor_lowering parfors.parfor_lowering_utils stencils.stencilparfor""",
    _LIBRARY: """
        _helperlib cext cpython.builtins cpython.cmathimpl cpython.enumimpl cpython.hashing
        cpython.heapq cpython.iterators cpython.mathimpl cpython.numbers cpython.printimpl
        cpython.randomimpl cpython.rangeobj cpython.setobj cpython.slicing cpython.tupleobj
        cpython.unicode_support misc.literal misc.mergesort misc.quicksort misc.timsort
        np.math np.npdatetime np.npdatetime_helpers np.polynomial np.random
        typed.dictimpl typed.setobject typed.typedobjectutils""",
    _TOOL: """
        cloudpickle core.tracing misc.appdirs misc.cffiimpl misc.coverage_support misc.dump_style
        misc.findlib
        misc.firstlinefinder misc.gdb_hook misc.gdb_print_extension misc.help misc.inspection misc.llvm_pass_timings
        misc.init_utils misc.memoryutils misc.numba_entry misc.numba_gdbinfo misc.POST np.ufunc._num_threads
        np.ufunc.sigparse runtests
        tests""",
}
_NAMES = {
    _BUILDER: """
        BaseRegistryLoader Purpose ReduceMixin Registry RegistryLoader
        TargetDescriptor TargetRegistry fold_arguments
        typeof_impl typeof_meminfo box unbox NativeValue models register_model
        make_attribute_wrapper type_callable structref_is GUVectorize Vectorize GUFuncBuilder UFuncBuilder
        ParallelGUFuncBuilder ParallelUFuncBuilder UfuncLowererBase Codegen CPUCodegen CodeLibrary
        JITCPUCodegen AOTCPUCodegen""",
    _FORM: """
        CompileResult LiftedCode LiftedLoop LiftedWith ObjModeLiftedWith OmittedArg compile_internal
        compile_result DEFAULT_FLAGS Parfor ParforPass PreParforPass ParforDiagnostics LoopNest""",
    _TOOL: """
        gdb gdb_breakpoint gdb_init termcolor new_error_context NOPColorScheme WarningsFixer""",
}
_modules = {name: reason for reason, text in _MODULES.items() for name in text.split()}
_names = {name: reason for reason, text in _NAMES.items() for name in text.split()}


def refuse_module(name):
    """Raises ModuleNotFoundError for a module of numba's compiler, or one within it."""
    parts = name.split(".")[1:]
    for count in range(len(parts), 0, -1):
        reason = _modules.get(".".join(parts[:count]))
        if reason:
            raise ModuleNotFoundError(f"{name} {reason}", name=name)


def refuse_name(module, name):
    """Raises ImportError for a name of numba's compiler, AttributeError for any other."""
    reason = _names.get(name)
    if reason:
        raise ImportError(f"{module}.{name} {reason}", name=module)
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def refuse_all(module, reason):
    """The __getattr__ of a module of numba's compiler that has no more names than it defines."""
    def refuse(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"{module}.{name} {reason}")
    return refuse
