// SPDX-License-Identifier: MIT
// The white-list that stands before LLVM's NVPTX code generator, which aborts the process
// on what it cannot select. tests/unit/nvptx_intrinsics.txt lists what is let through; a
// test compiles all of it.
#include <string.h>

#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "compiler/backends/gpu/module/ptx_module.h"
#include "compiler/types/intrinsics.h"

enum { NEVER = 1 << 20 }; // a capability that no device has

struct check {
    int cc;
    LLVMValueRef instruction;
    struct error *err;
};

static bool reject(struct check *check, const char *why)
{
    struct str place = {0};
    ptx_describe(&place, check->instruction);
    error_set(check->err, ERROR_NVVM, SPAN_NONE, "%s for compute capability %d.%d: %s",
            why, check->cc / 10, check->cc % 10, str_text(&place));
    str_finish(&place);
    return false;
}

// By what NVPTX's instruction selection has patterns for, and not by what LLVM allows.
static bool is_known_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128;
    case LLVMPointerTypeKind: {
        unsigned space = LLVMGetPointerAddressSpace(type);
        return space <= 5 && space != 2;
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return is_known_type(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        if (LLVMIsOpaqueStruct(type))
            return false;
        for (unsigned i = 0, n = LLVMCountStructElementTypes(type); i < n; i++) {
            if (!is_known_type(LLVMStructGetTypeAtIndex(type, i)))
                return false;
        }
        return true;
    case LLVMFunctionTypeKind:
        return true; // of a callee; its arguments are operands
    default:
        return false;
    }
}

// Intrinsics of LLVM itself, by prefix.
static const char *const GENERAL[] = {"llvm.abs.", "llvm.smax.", "llvm.smin.",
        "llvm.umax.", "llvm.umin.", "llvm.scmp.", "llvm.ucmp.", "llvm.bitreverse.",
        "llvm.bswap.", "llvm.ctlz.", "llvm.cttz.", "llvm.ctpop.", "llvm.fshl.",
        "llvm.fshr.", "llvm.sadd.with.overflow.", "llvm.uadd.with.overflow.",
        "llvm.ssub.with.overflow.", "llvm.usub.with.overflow.",
        "llvm.smul.with.overflow.", "llvm.umul.with.overflow.", "llvm.sadd.sat.",
        "llvm.uadd.sat.", "llvm.ssub.sat.", "llvm.usub.sat.", "llvm.fptosi.sat.",
        "llvm.fptoui.sat.", "llvm.ceil.", "llvm.floor.", "llvm.trunc.", "llvm.rint.",
        "llvm.nearbyint.", "llvm.round.", "llvm.roundeven.", "llvm.fabs.",
        "llvm.copysign.", "llvm.minnum.", "llvm.maxnum.", "llvm.minimum.",
        "llvm.maximum.", "llvm.sqrt.", "llvm.fma.", "llvm.fmuladd.", "llvm.memcpy.",
        "llvm.memset.", "llvm.memmove.", "llvm.expect.", "llvm.assume", "llvm.lifetime.",
        "llvm.dbg.", "llvm.invariant.", "llvm.is.constant.", "llvm.is.fpclass.",
        "llvm.ptrmask.", "llvm.trap", "llvm.donothing", "llvm.sideeffect",
        "llvm.experimental.noalias.scope.", "llvm.vector.reduce.add.",
        "llvm.vector.reduce.mul.", "llvm.vector.reduce.and.", "llvm.vector.reduce.or.",
        "llvm.vector.reduce.xor.", "llvm.vector.reduce.smax.", "llvm.vector.reduce.smin.",
        "llvm.vector.reduce.umax.", "llvm.vector.reduce.umin.",
        "llvm.vector.reduce.fadd.", "llvm.vector.reduce.fmul.",
        "llvm.vector.reduce.fmax.", "llvm.vector.reduce.fmin."};

// Intrinsics of the target that no row of compiler/types/intrinsics.def names, by what
// follows "llvm.nvvm.", with the first capability that has them. A name that ends in '*'
// stands for all that begin so. The first match counts.
static const struct {
    const char *name;
    int cc;
} TARGET[] = {{"read.ptx.sreg.cluster*", 90}, {"read.ptx.sreg.nclusterid*", 90},
        {"read.ptx.sreg.is_explicit*", 90}, {"read.ptx.sreg.*", 0}, {"barrier0*", 0},
        {"barrier.n", 0}, {"barrier", 0}, {"barrier.cta.*", 0}, {"barrier.sync", 0},
        {"barrier.sync.cnt", 0}, {"bar.warp.sync", 0}, {"shfl.sync.*", 0}, {"vote.*", 0},
        {"match.*", 70}, {"redux.sync.*", 80}, {"nanosleep", 70}, {"atomic.load.*", 0},
        {"atomic.inc.gen.i.cta.i64*", NEVER}, {"atomic.inc.gen.i.sys.i64*", NEVER},
        {"atomic.dec.gen.i.cta.i64*", NEVER}, {"atomic.dec.gen.i.sys.i64*", NEVER},
        {"atomic.*", 60}, {"ldg.global.*", 0}, {"ldu.global.*", 0}, {"isspacep.*", 0},
        {"reflect*", 0}, {"fma.rn.f16", 53}, {"fma.rn.f", 0}, {"fma.rz.f", 0},
        {"fma.rm.f", 0}, {"fma.rp.f", 0}, {"fma.rn.ftz.f", 0}, {"fma.rz.ftz.f", 0},
        {"fma.rm.ftz.f", 0}, {"fma.rp.ftz.f", 0}, {"fma.rn.d", 0}, {"fma.rz.d", 0},
        {"fma.rm.d", 0}, {"fma.rp.d", 0}, {"fmin.f", 0}, {"fmin.ftz.f", 0}, {"fmin.d", 0},
        {"fmax.f", 0}, {"fmax.ftz.f", 0}, {"fmax.d", 0}, {"add.r*", 0}, {"mul.r*", 0},
        {"mul24.*", 0}, {"mulhi.*", 0}, {"div.*", 0}, {"rcp.*", 0}, {"sqrt.*", 0},
        {"rsqrt.*", 0}, {"sin.approx.*", 0}, {"cos.approx.*", 0},
        {"ex2.approx.f16*", NEVER}, {"ex2.approx.d", NEVER}, {"lg2.approx.d", NEVER},
        {"ex2.approx.*", 0}, {"lg2.approx.*", 0}, {"saturate.*", 0}, {"fabs.*", 0},
        {"floor.*", 0}, {"ceil.*", 0}, {"trunc.*", 0}, {"round.*", 0}, {"sad.*", 0},
        {"prmt", 0}, {"d2*", 0}, {"f2i.*", 0}, {"f2ui.*", 0}, {"f2ll.*", 0},
        {"f2ull.*", 0}, {"f2h.rn", 0}, {"i2*", 0}, {"ui2*", 0}, {"ll2*", 0}, {"ull2*", 0},
        {"lohi.i2d", 0}, {"bitcast.*", 0}};

static bool is_general(const char *name)
{
    for (size_t i = 0; i < sizeof GENERAL / sizeof *GENERAL; i++) {
        if (str_starts_with(name, GENERAL[i]))
            return true;
    }
    return false;
}

static bool matches(const char *name, const char *pattern)
{
    size_t len = strlen(pattern);
    return pattern[len - 1] == '*' ? strncmp(name, pattern, len - 1) == 0
                                   : strcmp(name, pattern) == 0;
}

static bool is_of_target(const char *name, int cc)
{
    int of_row = intrinsic_capability(name);
    if (of_row >= 0)
        return cc >= of_row;
    if (!str_starts_with(name, "llvm.nvvm."))
        return false;
    name += strlen("llvm.nvvm.");
    for (size_t i = 0; i < sizeof TARGET / sizeof *TARGET; i++) {
        if (matches(name, TARGET[i].name))
            return cc >= TARGET[i].cc;
    }
    return false;
}

static unsigned scalar_width(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static LLVMTypeRef operand_type(LLVMValueRef instruction, unsigned index)
{
    return LLVMTypeOf(LLVMGetOperand(instruction, index));
}

// What becomes a call of a run-time library that GPUs do not have.
static bool needs_runtime_call(const char *name, LLVMValueRef call)
{
    bool is_multiply = str_starts_with(name, "llvm.smul.with.overflow.") ||
                       str_starts_with(name, "llvm.umul.with.overflow.");
    bool is_cast = str_starts_with(name, "llvm.fpto");
    if (is_multiply)
        return scalar_width(operand_type(call, 0)) > 64;
    return is_cast && scalar_width(LLVMTypeOf(call)) > 64;
}

static bool check_call(struct check *check)
{
    LLVMValueRef callee = LLVMGetCalledValue(check->instruction);
    if (!LLVMIsAFunction(callee))
        return true; // indirect, or assembly that ptxas reads
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    if (!str_starts_with(name, "llvm."))
        return true;
    bool is_known = LLVMGetIntrinsicID(callee) != 0 &&
                    (is_general(name) || is_of_target(name, check->cc));
    if (!is_known)
        return reject(check, "intrinsic that NVPTX lacks");
    if (needs_runtime_call(name, check->instruction))
        return reject(check, "operation that NVPTX lacks");
    return true;
}

static bool check_address_cast(struct check *check)
{
    unsigned from = LLVMGetPointerAddressSpace(operand_type(check->instruction, 0));
    unsigned to = LLVMGetPointerAddressSpace(LLVMTypeOf(check->instruction));
    return from == 0 || to == 0 || reject(check, "cast between two address spaces");
}

static bool check_atomic(struct check *check, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        if (width == 8 || width == 16 || width == 32 || width == 64)
            return true;
        break;
    }
    default:
        break;
    }
    return reject(check, "atomic access of this type");
}

static bool check_access(struct check *check, LLVMTypeRef type)
{
    if (LLVMGetOrdering(check->instruction) == LLVMAtomicOrderingNotAtomic)
        return true;
    return check_atomic(check, type);
}

static bool check_cast_width(struct check *check, LLVMTypeRef integer)
{
    return scalar_width(integer) <= 64 || reject(check, "conversion that NVPTX lacks");
}

static bool check_opcode(struct check *check)
{
    LLVMValueRef instruction = check->instruction;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMCall:
        return check_call(check);
    case LLVMAddrSpaceCast:
        return check_address_cast(check);
    case LLVMAtomicRMW:
        return check_atomic(check, LLVMTypeOf(instruction));
    case LLVMAtomicCmpXchg:
        return check_atomic(check, operand_type(instruction, 1));
    case LLVMLoad:
        return check_access(check, LLVMTypeOf(instruction));
    case LLVMStore:
        return check_access(check, operand_type(instruction, 0));
    case LLVMFPToSI:
    case LLVMFPToUI:
        return check_cast_width(check, LLVMTypeOf(instruction));
    case LLVMSIToFP:
    case LLVMUIToFP:
        return check_cast_width(check, operand_type(instruction, 0));
    case LLVMAlloca:
        return LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) ||
               reject(check, "stack memory of varying size");
    case LLVMFence:
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
    case LLVMResume:
    case LLVMLandingPad:
    case LLVMCleanupRet:
    case LLVMCatchRet:
    case LLVMCatchPad:
    case LLVMCleanupPad:
    case LLVMCatchSwitch:
        return reject(check, "instruction that NVPTX lacks");
    default:
        return true;
    }
}

static bool check_instruction(struct check *check)
{
    LLVMValueRef instruction = check->instruction;
    if (!is_known_type(LLVMTypeOf(instruction)))
        return reject(check, "type that NVPTX lacks");
    for (int i = 0, n = LLVMGetNumOperands(instruction); i < n; i++) {
        if (!is_known_type(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i))))
            return reject(check, "type that NVPTX lacks");
    }
    return check_opcode(check);
}

bool nvptx_check(LLVMModuleRef module, int cc, struct error *err)
{
    struct check check = {.cc = cc, .err = err};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef i = LLVMGetFirstInstruction(block);
            for (; i; i = LLVMGetNextInstruction(i)) {
                check.instruction = i;
                if (!check_instruction(&check))
                    return false;
            }
        }
    }
    return true;
}
