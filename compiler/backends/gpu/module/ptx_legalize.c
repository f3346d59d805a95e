// SPDX-License-Identifier: MIT
// Rewrites what neither route to PTX takes into what both take: `fence` and ordered
// atomic accesses become relaxed ones between memory barriers, libm's intrinsics become
// calls of libdevice.
//
// Barriers around a relaxed access say the same on every architecture, at some cost.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/backends/gpu/module/ptx_module.h"

static void build_membar(LLVMBuilderRef builder, LLVMModuleRef module)
{
    static const char name[] = "llvm.nvvm.membar.sys";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef membar = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(membar), membar, NULL, 0, "");
}

// The C API tells no synchronisation scope but one thread's, so each fence is the
// system's.
static void rewrite_fence(
        LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef fence)
{
    assert(LLVMIsAFenceInst(fence));
    LLVMPositionBuilderBefore(builder, fence);
    if (!LLVMIsAtomicSingleThread(fence))
        build_membar(builder, module);
    LLVMInstructionEraseFromParent(fence);
}

// Release is a barrier before the store, acquire one behind the load; what is
// sequentially consistent has both.
static void rewrite_access(
        LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef access)
{
    assert(LLVMIsALoadInst(access) || LLVMIsAStoreInst(access));
    LLVMAtomicOrdering ordering = LLVMGetOrdering(access);
    if (ordering <= LLVMAtomicOrderingMonotonic)
        return;
    bool is_total = ordering == LLVMAtomicOrderingSequentiallyConsistent;
    bool is_store = LLVMIsAStoreInst(access) != NULL;
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    if (is_store || is_total) {
        LLVMPositionBuilderBefore(builder, access);
        build_membar(builder, module);
    }
    if (!is_store || is_total) {
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(access));
        build_membar(builder, module);
    }
}

static void legalize_block(
        LLVMBuilderRef builder, LLVMModuleRef module, LLVMBasicBlockRef block)
{
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        if (opcode == LLVMFence)
            rewrite_fence(builder, module, i);
        else if (opcode == LLVMLoad || opcode == LLVMStore)
            rewrite_access(builder, module, i);
    }
}

// An intrinsic of LLVM and the libdevice function of the same signature ("f" ends the
// name of the float32 one).
struct math_function {
    const char *intrinsic, *libdevice;
};

static const struct math_function LIBM_FUNCTIONS[] = {{"sin", "sin"}, {"cos", "cos"},
        {"tan", "tan"}, {"asin", "asin"}, {"acos", "acos"}, {"atan", "atan"},
        {"sinh", "sinh"}, {"cosh", "cosh"}, {"tanh", "tanh"}, {"exp", "exp"},
        {"exp2", "exp2"}, {"exp10", "exp10"}, {"log", "log"}, {"log2", "log2"},
        {"log10", "log10"}, {"pow", "pow"}, {"ldexp", "ldexp"}};

static const struct math_function NVVM_FUNCTIONS[] = {{"fabs", "fabs"},
        {"floor", "floor"}, {"ceil", "ceil"}, {"trunc", "trunc"}, {"rint", "rint"},
        {"nearbyint", "nearbyint"}, {"roundeven", "rint"}, {"round", "round"},
        {"minnum", "fmin"}, {"maxnum", "fmax"}, {"copysign", "copysign"},
        {"powi", "powi"}};

static void libdevice_name(char *out, size_t size, const char *stem, bool is_single)
{
    snprintf(out, size, "__nv_%s%s", stem, is_single ? "f" : "");
}

static bool starts_with_part(const char *name, const char *part)
{
    size_t len = strlen(part);
    return strncmp(name, part, len) == 0 && name[len] == '.';
}

// Whether `name` is "llvm.INTRINSIC.f32..." or ".f64..."; then its libdevice name.
static bool find_function(const char *name, const struct math_function *functions,
        size_t count, char *out, size_t size)
{
    if (!str_starts_with(name, "llvm."))
        return false;
    name += strlen("llvm.");
    for (size_t i = 0; i < count; i++) {
        if (!starts_with_part(name, functions[i].intrinsic))
            continue;
        const char *type = name + strlen(functions[i].intrinsic);
        bool is_single = starts_with_part(type, ".f32") || strcmp(type, ".f32") == 0;
        if (!is_single && !starts_with_part(type, ".f64") && strcmp(type, ".f64") != 0)
            return false;
        libdevice_name(out, size, functions[i].libdevice, is_single);
        return true;
    }
    return false;
}

static LLVMValueRef declare_function(
        LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    return function ? function : LLVMAddFunction(module, name, type);
}

static void replace_functions(
        LLVMModuleRef module, const struct math_function *functions, size_t count)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t len;
        char name[64];
        if (!find_function(
                    LLVMGetValueName2(f, &len), functions, count, name, sizeof name))
            continue;
        LLVMReplaceAllUsesWith(
                f, declare_function(module, name, LLVMGlobalGetValueType(f)));
        LLVMDeleteFunction(f);
    }
}

void ptx_legalize(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
                b = LLVMGetNextBasicBlock(b))
            legalize_block(builder, module, b);
    }
    LLVMDisposeBuilder(builder);
    replace_functions(
            module, LIBM_FUNCTIONS, sizeof LIBM_FUNCTIONS / sizeof *LIBM_FUNCTIONS);
}

// Calls a libdevice function of `arity` arguments of one type, those of `call`.
static LLVMValueRef build_libdevice(LLVMBuilderRef builder, LLVMModuleRef module,
        const char *stem, LLVMValueRef call, unsigned arity)
{
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
    LLVMTypeRef type = LLVMTypeOf(arguments[0]), params[] = {type, type};
    char name[64];
    libdevice_name(name, sizeof name, stem, LLVMGetTypeKind(type) == LLVMFloatTypeKind);
    LLVMTypeRef function_type = LLVMFunctionType(type, params, arity, false);
    LLVMValueRef function = declare_function(module, name, function_type);
    return LLVMBuildCall2(builder, function_type, function, arguments, arity, "");
}

// llvm.{minimum,maximum}: as fmin and fmax, but a NaN where there is one. PTX's min and
// max order -0.0 before 0.0, as these do.
static LLVMValueRef build_minimum(
        LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef call)
{
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    bool is_max = str_starts_with(name, "llvm.maximum.");
    LLVMValueRef number =
            build_libdevice(builder, module, is_max ? "fmax" : "fmin", call, 2);
    LLVMValueRef sum = LLVMBuildFAdd(builder, a, b, "");
    LLVMValueRef is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, a, b, "");
    return LLVMBuildSelect(builder, is_nan, sum, number, "");
}

// llvm.{l,ll}{rint,round}.INT.FLOAT
static LLVMValueRef build_round_to_int(
        LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef call)
{
    const char *stem = strstr(name, "rint") ? "rint" : "round";
    LLVMValueRef rounded = build_libdevice(builder, module, stem, call, 1);
    return LLVMBuildFPToSI(builder, rounded, LLVMTypeOf(call), "");
}

// Calls assembly with the call's own arguments.
static LLVMValueRef build_assembly(LLVMBuilderRef builder, LLVMValueRef call,
        const char *text, const char *constraints)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef arguments[4];
    for (unsigned i = 0; i < count && i < 4; i++)
        arguments[i] = LLVMGetOperand(call, i);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, text, strlen(text), constraints,
            strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef result = LLVMBuildCall2(builder, type, assembly, arguments, count, "");
    LLVMContextRef context = LLVMGetTypeContext(type);
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAddCallSiteAttribute(result, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(context, convergent, 0));
    return result;
}

static LLVMValueRef build_nanosleep(
        LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef call)
{
    return build_assembly(builder, call, "nanosleep.u32 $0;", "r");
}

static LLVMValueRef build_barrier(
        LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef call)
{
    return build_assembly(builder, call, "bar.sync $0, $1;", "r,r,~{memory}");
}

typedef LLVMValueRef build_replacement(LLVMBuilderRef builder, LLVMModuleRef module,
        const char *name, LLVMValueRef call);

static const struct {
    const char *prefix;
    bool is_math; // defined for float32 and float64
    build_replacement *build;
} REPLACEMENTS[] = {{"llvm.minimum.", true, build_minimum},
        {"llvm.maximum.", true, build_minimum}, {"llvm.lrint.", true, build_round_to_int},
        {"llvm.llrint.", true, build_round_to_int},
        {"llvm.lround.", true, build_round_to_int},
        {"llvm.llround.", true, build_round_to_int},
        {"llvm.nvvm.nanosleep", false, build_nanosleep},
        {"llvm.nvvm.barrier", false, build_barrier}};

static bool is_replaceable(size_t index, const char *name, LLVMValueRef call)
{
    if (!REPLACEMENTS[index].is_math)
        return strcmp(name, REPLACEMENTS[index].prefix) == 0;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0)));
    return str_starts_with(name, REPLACEMENTS[index].prefix) &&
           (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind);
}

static void rewrite_call(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t len;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
    for (size_t i = 0; i < sizeof REPLACEMENTS / sizeof *REPLACEMENTS; i++) {
        if (!is_replaceable(i, name, call))
            continue;
        LLVMPositionBuilderBefore(builder, call);
        LLVMValueRef replacement = REPLACEMENTS[i].build(builder, module, name, call);
        LLVMReplaceAllUsesWith(call, replacement);
        LLVMInstructionEraseFromParent(call);
        return;
    }
}

// Declarations that nothing uses any more would still be read, and refused.
static void remove_replaced(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

// The nearest to a relaxed atomic access that libnvvm has.
static void make_volatile(LLVMValueRef access)
{
    if (LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic)
        return;
    LLVMSetOrdering(access, LLVMAtomicOrderingNotAtomic);
    LLVMSetVolatile(access, true);
}

void ptx_legalize_for_nvvm(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef next;
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                    make_volatile(i);
                else if (LLVMIsACallInst(i))
                    rewrite_call(builder, module, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
    remove_replaced(module);
    replace_functions(
            module, NVVM_FUNCTIONS, sizeof NVVM_FUNCTIONS / sizeof *NVVM_FUNCTIONS);
}
