// SPDX-License-Identifier: MIT
// One compilation by LLVM's NVPTX code generator: math linked in, optimised, checked,
// emitted.
#include "compiler/backends/gpu/nvptx/nvptx.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "compiler/backends/gpu/module/ptx_module.h"

static pthread_once_t target_once = PTHREAD_ONCE_INIT;

// The target's tables are the process's; LLVM has no lock of its own for this.
static void initialize_target(void)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

// What LLVM 19 knows, and the PTX version that we let it write: the first for the
// architecture, and 6.0 at least, which brought the warp-synchronous instructions.
static const struct architecture {
    int cc, ptx_version;
} ARCHITECTURES[] = {{90, 78}, {89, 78}, {87, 74}, {86, 71}, {80, 70}, {75, 63}, {72, 61},
        {70, 60}, {62, 60}, {61, 60}, {60, 60}, {53, 60}, {52, 60}, {50, 60}};

// A device runs the PTX of any architecture before its own.
static const struct architecture *choose_architecture(int cc, int max_ptx_version)
{
    for (size_t i = 0; i < sizeof ARCHITECTURES / sizeof *ARCHITECTURES; i++) {
        const struct architecture *candidate = &ARCHITECTURES[i];
        if (candidate->cc <= cc &&
                (!max_ptx_version || candidate->ptx_version <= max_ptx_version))
            return candidate;
    }
    return NULL;
}

static LLVMTargetMachineRef create_machine(const struct architecture *architecture,
        const struct ptx_options *options, struct error *err)
{
    assert(architecture);
    int version = architecture->ptx_version;
    if (options->has_variables && version < PTX_WITH_VARIABLES)
        version = PTX_WITH_VARIABLES;
    LLVMTargetRef target = NULL;
    char *message = NULL, name[16], features[16];
    pthread_once(&target_once, initialize_target);
    if (LLVMGetTargetFromTriple(PTX_TRIPLE, &target, &message)) {
        error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "LLVM: %s", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    snprintf(name, sizeof name, "sm_%d", architecture->cc);
    snprintf(features, sizeof features, "+ptx%d", version);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, PTX_TRIPLE, name,
            features,
            options->optimization ? LLVMCodeGenLevelAggressive : LLVMCodeGenLevelNone,
            LLVMRelocDefault, LLVMCodeModelDefault);
    if (!machine)
        error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "LLVM has no target machine %s",
                name);
    return machine;
}

static LLVMModuleRef prepare(
        LLVMModuleRef module, LLVMTargetMachineRef machine, struct error *err)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    char *text = LLVMCopyStringRepOfTargetData(layout);
    LLVMModuleRef prepared = ptx_module_prepare(module, text, err);
    LLVMDisposeMessage(text);
    LLVMDisposeTargetData(layout);
    return prepared;
}

// libdevice asks by __nvvm_reflect("__CUDA_FTZ"), which this flag answers.
static void set_reflect_flag(LLVMModuleRef module, bool flush_denormals)
{
    static const char name[] = "nvvm-reflect-ftz";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, name, sizeof name - 1,
            LLVMValueAsMetadata(LLVMConstInt(i32, flush_denormals, false)));
}

static void set_attribute(LLVMValueRef function, const char *name, const char *value)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
            context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(
            function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

// nvcc and libnvvm fuse multiplications with additions unless told not to; LLVM fuses
// those that allow it.
static void allow_contraction(LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef i = LLVMGetFirstInstruction(block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
            if (opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul)
                LLVMSetFastMathFlags(
                        i, LLVMGetFastMathFlags(i) | LLVMFastMathAllowContract);
        }
    }
}

// Gives each instruction of the module to `rewrite`, which may replace it.
static void rewrite_all(LLVMModuleRef module,
        void (*rewrite)(LLVMBuilderRef builder, LLVMValueRef instruction))
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef i = LLVMGetFirstInstruction(block), next;
            for (; i; i = next) {
                next = LLVMGetNextInstruction(i);
                rewrite(builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

// LLVM makes a loop of counting with a limit, for which devices have an instruction; from
// LLVM 21 on it knows, and has no intrinsic for it.
static void count_at_once(LLVMBuilderRef builder, LLVMValueRef update)
{
    static const char *const names[] = {
            "llvm.nvvm.atomic.load.inc.32", "llvm.nvvm.atomic.load.dec.32"};
    if (LLVMGetInstructionOpcode(update) != LLVMAtomicRMW)
        return;
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(update);
    bool is_down = operation == LLVMAtomicRMWBinOpUDecWrap;
    if (!is_down && operation != LLVMAtomicRMWBinOpUIncWrap)
        return;
    unsigned id = LLVMLookupIntrinsicID(names[is_down], strlen(names[is_down]));
    if (!id)
        return;
    LLVMValueRef operands[] = {LLVMGetOperand(update, 0), LLVMGetOperand(update, 1)};
    LLVMTypeRef pointer = LLVMTypeOf(operands[0]);
    LLVMModuleRef module = LLVMGetGlobalParent(
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(update)));
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(module, id, &pointer, 1);
    LLVMPositionBuilderBefore(builder, update);
    LLVMReplaceAllUsesWith(update, LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee),
                                           callee, operands, 2, ""));
    LLVMInstructionEraseFromParent(update);
}

static void apply_options(LLVMModuleRef module, const struct ptx_options *options)
{
    set_reflect_flag(module, options->flush_denormals);
    ptx_limit_kernels(module, options);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (options->flush_denormals)
            set_attribute(f, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
        if (options->approximate_divide && options->approximate_sqrt)
            set_attribute(f, "unsafe-fp-math", "true");
        if (!options->separate_multiply_add)
            allow_contraction(f);
    }
}

// Only where the space of an address is known is its alignment, by which the backend
// makes one access of several.
static bool optimize(
        LLVMModuleRef module, LLVMTargetMachineRef machine, int level, struct error *err)
{
    char passes[128];
    snprintf(passes, sizeof passes, "globaldce,default<O%d>%s",
            level < 0   ? 0
            : level > 3 ? 3
                        : level,
            level > 0 ? ",function(infer-address-spaces,infer-alignment)" : "");
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(err, ERROR_NVVM, SPAN_NONE, "LLVM could not optimise the module: %s",
            message);
    LLVMDisposeErrorMessage(message);
    return false;
}

// LLVM writes "x is neither -1 nor -2" as x < 2^64 - 2 without sign. Where such a test
// ends a loop, ptxas (13.0) takes the bound for a signed one when it unrolls, and runs
// too many turns. x + 2 > 1 says the same, with numbers of one sign.
static void move_bounds_from_end(LLVMBuilderRef builder, LLVMValueRef compare)
{
    if (!LLVMIsAICmpInst(compare))
        return;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    LLVMValueRef number = LLVMGetOperand(compare, 0), bound = LLVMGetOperand(compare, 1);
    bool is_below = predicate == LLVMIntULT;
    if ((!is_below && predicate != LLVMIntUGT) || !LLVMIsAConstantInt(bound))
        return;
    LLVMTypeRef type = LLVMTypeOf(number);
    long long count = -LLVMConstIntGetSExtValue(bound) - !is_below; // of the last numbers
    if (count <= 0 || count > INT16_MAX)
        return;
    LLVMPositionBuilderBefore(builder, compare);
    LLVMValueRef moved = LLVMBuildAdd(
                         builder, number, LLVMConstInt(type, (uint64_t)count, false), ""),
                 least = LLVMConstInt(type, (uint64_t)count - is_below, false),
                 other = LLVMBuildICmp(
                         builder, is_below ? LLVMIntUGT : LLVMIntULT, moved, least, "");
    LLVMReplaceAllUsesWith(compare, other);
    LLVMInstructionEraseFromParent(compare);
}

// The bits of a float16, by way of a move.
static LLVMValueRef bits_of_half(LLVMBuilderRef builder, LLVMValueRef half)
{
    static const char code[] = "mov.b16 $0, $1;", constraints[] = "=h,h";
    LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetTypeContext(LLVMTypeOf(half))),
                type = LLVMFunctionType(i16, &i16, 1, false);
    LLVMValueRef move = LLVMGetInlineAsm(type, code, sizeof code - 1, constraints,
            sizeof constraints - 1, false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef bits = LLVMBuildBitCast(builder, half, i16, "");
    return LLVMBuildCall2(builder, type, move, &bits, 1, "");
}

static bool is_half(LLVMValueRef number)
{
    return LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMHalfTypeKind;
}

// A register of 16 bits is a float16 to ptxas (13.0) when one was computed in it, and
// what st.u8 writes of it is the number as an integer, not its lower byte. A move makes
// it bits. Bytes are written where the address of a float16 is not aligned, and where a
// program looks at its bits.
static void separate_bits_of_halves(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMValueRef from =
            LLVMGetNumOperands(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMBitCast && is_half(from) &&
            LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMIntegerTypeKind) {
        LLVMPositionBuilderBefore(builder, instruction);
        LLVMReplaceAllUsesWith(instruction, bits_of_half(builder, from));
        LLVMInstructionEraseFromParent(instruction);
    } else if (opcode == LLVMStore && is_half(from) &&
               LLVMGetAlignment(instruction) < 2) {
        LLVMPositionBuilderBefore(builder, instruction);
        LLVMSetOperand(instruction, 0, bits_of_half(builder, from));
    }
}

static bool emit(LLVMModuleRef module, LLVMTargetMachineRef machine,
        const struct ptx_options *options, struct str *ptx, struct error *err)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(
                machine, module, LLVMAssemblyFile, &message, &buffer)) {
        error_set(err, ERROR_NVVM, SPAN_NONE, "LLVM could not write PTX: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    struct str text = {0};
    str_append_bytes(&text, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    bool is_done = !err->kind && (options->has_foreign_code ||
                                         ptx_check_externals(str_text(&text), err));
    if (is_done)
        str_append_bytes(ptx, text.text, text.len);
    str_finish(&text);
    return is_done;
}

// LLVM's own handler prints an error and ends the process.
static void take_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *data)
{
    if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(diagnostic);
    error_set(data, ERROR_NVVM, SPAN_NONE, "LLVM: %s", text);
    LLVMDisposeMessage(text);
}

static bool compile_with(LLVMTargetMachineRef machine, LLVMModuleRef module,
        const struct architecture *architecture, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMDiagnosticHandler handler = LLVMContextGetDiagnosticHandler(context);
    void *handler_data = LLVMContextGetDiagnosticContext(context);
    LLVMContextSetDiagnosticHandler(context, take_diagnostic, err);
    LLVMModuleRef prepared = prepare(module, machine, err);
    bool is_done = prepared && nvptx_link_math(prepared, err);
    if (is_done) {
        apply_options(prepared, options);
        rewrite_all(prepared, count_at_once);
        is_done = optimize(prepared, machine, options->optimization, err);
        rewrite_all(prepared, move_bounds_from_end);
        rewrite_all(prepared, separate_bits_of_halves);
        is_done = is_done && nvptx_check(prepared, architecture->cc, err) &&
                  emit(prepared, machine, options, ptx, err);
    }
    if (prepared)
        LLVMDisposeModule(prepared);
    LLVMContextSetDiagnosticHandler(context, handler, handler_data);
    return is_done;
}

bool nvptx_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    struct error failure = {
            0}; // diagnostics need a place even when the caller gives none
    const struct architecture *architecture =
            choose_architecture(cc, options->max_ptx_version);
    if (!architecture)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "no PTX for compute capability %d.%d that a driver of PTX %d.%d takes",
                cc / 10, cc % 10, options->max_ptx_version / 10,
                options->max_ptx_version % 10);
    if (options->as_ltoir)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "LTO-IR comes from libnvvm alone; GRIDCELL_PTX=nvptx is without it");
    LLVMTargetMachineRef machine = create_machine(architecture, options, &failure);
    if (machine) {
        compile_with(machine, module, architecture, options, ptx, &failure);
        LLVMDisposeTargetMachine(machine);
    }
    if (failure.kind)
        return error_set(err, failure.kind, failure.span, "%s", failure.message);
    return true;
}
