// SPDX-License-Identifier: MIT
// Intrinsics that LLVM 7 lacks, said with the instructions that it has.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static LLVMValueRef argument(LLVMValueRef call, unsigned index)
{
    return LLVMGetOperand(call, index);
}

// "  %t.N = OPCODE T a, " with the second operand left to the caller.
static unsigned begin_binary(
        struct llvm7_writer *writer, const char *opcode, LLVMValueRef left)
{
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "%s ", opcode);
    llvm7_typed_value(writer, left);
    llvm7_print(writer, ", ");
    return temp;
}

static unsigned binary(struct llvm7_writer *writer, const char *opcode, LLVMValueRef left,
        LLVMValueRef right)
{
    unsigned temp = begin_binary(writer, opcode, left);
    llvm7_value(writer, right);
    llvm7_print(writer, "\n");
    return temp;
}

static unsigned binary_text(struct llvm7_writer *writer, const char *opcode,
        LLVMValueRef left, const char *right)
{
    unsigned temp = begin_binary(writer, opcode, left);
    llvm7_splat(writer, LLVMTypeOf(left), right);
    llvm7_print(writer, "\n");
    return temp;
}

// As binary, of two temporaries of `type`.
static unsigned binary_temps(struct llvm7_writer *writer, const char *opcode,
        LLVMTypeRef type, unsigned left, unsigned right)
{
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "%s ", opcode);
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u, %%t.%u\n", left, right);
    return temp;
}

// As binary, of a temporary and a value of `type`.
static unsigned binary_mixed(struct llvm7_writer *writer, const char *opcode,
        unsigned left, LLVMValueRef right)
{
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "%s ", opcode);
    llvm7_type(writer, LLVMTypeOf(right));
    llvm7_print(writer, " %%t.%u, ", left);
    llvm7_value(writer, right);
    llvm7_print(writer, "\n");
    return temp;
}

// "select COND %t.condition, T " with the two values left to the caller.
static void begin_select(
        struct llvm7_writer *writer, LLVMTypeRef type, unsigned condition)
{
    llvm7_print(writer, "select ");
    llvm7_condition_type(writer, type);
    llvm7_print(writer, " %%t.%u, ", condition);
}

static void copy_result(
        struct llvm7_writer *writer, LLVMValueRef call, LLVMValueRef value)
{
    llvm7_result(writer, call);
    llvm7_print(writer, "bitcast ");
    llvm7_typed_value(writer, value);
    llvm7_print(writer, " to ");
    llvm7_type(writer, LLVMTypeOf(call));
    llvm7_print(writer, "\n");
}

static void result_select(struct llvm7_writer *writer, LLVMValueRef call,
        unsigned condition, unsigned when_true, unsigned when_false)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    llvm7_result(writer, call);
    begin_select(writer, type, condition);
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u, ", when_true);
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u\n", when_false);
}

// llvm.{s,u}{min,max}.T
static void write_min_max(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    char comparison[16];
    snprintf(comparison, sizeof comparison, "icmp %c%s", name[5],
            name[7] == 'a' ? "gt" : "lt");
    unsigned chosen = binary(writer, comparison, argument(call, 0), argument(call, 1));
    llvm7_result(writer, call);
    begin_select(writer, LLVMTypeOf(call), chosen);
    llvm7_typed_value(writer, argument(call, 0));
    llvm7_print(writer, ", ");
    llvm7_typed_value(writer, argument(call, 1));
    llvm7_print(writer, "\n");
}

static void write_abs(struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned negated = llvm7_temp(writer);
    llvm7_print(writer, "sub ");
    llvm7_type(writer, type);
    llvm7_print(writer, " ");
    llvm7_splat(writer, type, "0");
    llvm7_print(writer, ", ");
    llvm7_value(writer, argument(call, 0));
    llvm7_print(writer, "\n");
    unsigned is_negative = binary_text(writer, "icmp slt", argument(call, 0), "0");
    llvm7_result(writer, call);
    begin_select(writer, type, is_negative);
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u, ", negated);
    llvm7_typed_value(writer, argument(call, 0));
    llvm7_print(writer, "\n");
}

// llvm.u{add,sub}.sat.T: the wrapped result, unless it wrapped.
static void write_unsigned_saturating(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    bool is_add = name[6] == 'a';
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned wrapped =
            binary(writer, is_add ? "add" : "sub", argument(call, 0), argument(call, 1));
    unsigned did_wrap =
            is_add ? binary_mixed(writer, "icmp ult", wrapped, argument(call, 1))
                   : binary(writer, "icmp ult", argument(call, 0), argument(call, 1));
    llvm7_result(writer, call);
    begin_select(writer, type, did_wrap);
    llvm7_type(writer, type);
    llvm7_print(writer, " ");
    llvm7_splat(writer, type, is_add ? "-1" : "0");
    llvm7_print(writer, ", ");
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u\n", wrapped);
}

// `op` of %t.left and the same number in each lane.
static unsigned binary_splat(struct llvm7_writer *writer, const char *op,
        LLVMTypeRef type, unsigned left, const char *number)
{
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "%s ", op);
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u, ", left);
    llvm7_splat(writer, type, number);
    llvm7_print(writer, "\n");
    return temp;
}

// llvm.s{add,sub}.sat.T: on overflow the sign of the wrapped result is the wrong one, and
// (wrapped >> (width - 1)) ^ minimum is the bound of the other.
static void write_signed_saturating(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    bool is_add = name[6] == 'a';
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned width = LLVMGetIntTypeWidth(llvm7_scalar(type));
    if (width > 64) {
        llvm7_fail(writer, "saturating arithmetic of this width");
        return;
    }
    unsigned wrapped =
            binary(writer, is_add ? "add" : "sub", argument(call, 0), argument(call, 1));
    unsigned changed = binary_mixed(writer, "xor", wrapped, argument(call, 0));
    unsigned other = is_add ? binary_mixed(writer, "xor", wrapped, argument(call, 1))
                            : binary(writer, "xor", argument(call, 0), argument(call, 1));
    unsigned both = binary_temps(writer, "and", type, changed, other);
    unsigned overflowed = binary_splat(writer, "icmp slt", type, both, "0");
    char shift[8], minimum[32];
    snprintf(shift, sizeof shift, "%u", width - 1);
    snprintf(minimum, sizeof minimum, "%lld", (long long)(INT64_MIN >> (64 - width)));
    unsigned sign = binary_splat(writer, "ashr", type, wrapped, shift);
    unsigned bound = binary_splat(writer, "xor", type, sign, minimum);
    result_select(writer, call, overflowed, bound, wrapped);
}

// llvm.{s,u}cmp.T.U: -1, 0 or 1 as (a > b) - (a < b).
static void write_compare(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned wide[2];
    for (int i = 0; i < 2; i++) {
        char comparison[16];
        snprintf(comparison, sizeof comparison, "icmp %c%s", name[5], i ? "lt" : "gt");
        unsigned bit = binary(writer, comparison, argument(call, 0), argument(call, 1));
        wide[i] = llvm7_temp(writer);
        llvm7_print(writer, "zext ");
        llvm7_condition_type(writer, type);
        llvm7_print(writer, " %%t.%u to ", bit);
        llvm7_type(writer, type);
        llvm7_print(writer, "\n");
    }
    llvm7_result(writer, call);
    llvm7_print(writer, "sub ");
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u, %%t.%u\n", wide[0], wide[1]);
}

// The double 2^exponent, negated or not, as LLVM text; exact in float too.
static void power_of_two(char *text, size_t size, unsigned exponent, bool is_negative)
{
    uint64_t bits = ((uint64_t)exponent + 1023) << 52 | (uint64_t)is_negative << 63;
    snprintf(text, size, "0x%016llX", (unsigned long long)bits);
}

static unsigned select_text(struct llvm7_writer *writer, LLVMTypeRef type,
        unsigned condition, const char *when_true, unsigned when_false)
{
    unsigned temp = llvm7_temp(writer);
    begin_select(writer, type, condition);
    llvm7_type(writer, type);
    llvm7_print(writer, " ");
    llvm7_splat(writer, type, when_true);
    llvm7_print(writer, ", ");
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u\n", when_false);
    return temp;
}

// llvm.fpto{s,u}i.sat.INT.FLOAT: the bounds outside the integer's range, 0 for a NaN.
static void write_saturating_cast(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    bool is_signed = name[9] == 's';
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef value = argument(call, 0);
    unsigned width = LLVMGetIntTypeWidth(llvm7_scalar(type));
    LLVMTypeKind source = LLVMGetTypeKind(llvm7_scalar(LLVMTypeOf(value)));
    if (width > 64 || (source != LLVMFloatTypeKind && source != LLVMDoubleTypeKind)) {
        llvm7_fail(writer, "saturating conversion of these types");
        return;
    }
    char low[24] = "0.0", high[24], minimum[32] = "0", maximum[32] = "-1";
    power_of_two(high, sizeof high, is_signed ? width - 1 : width, false);
    if (is_signed) {
        power_of_two(low, sizeof low, width - 1, true);
        snprintf(minimum, sizeof minimum, "%lld", (long long)(INT64_MIN >> (64 - width)));
        snprintf(maximum, sizeof maximum, "%lld", (long long)(INT64_MAX >> (64 - width)));
    }
    unsigned cast = llvm7_temp(writer);
    llvm7_print(writer, is_signed ? "fptosi " : "fptoui ");
    llvm7_typed_value(writer, value);
    llvm7_print(writer, " to ");
    llvm7_type(writer, type);
    llvm7_print(writer, "\n");
    unsigned is_low = binary_text(writer, "fcmp ult", value, low);
    unsigned chosen = select_text(writer, type, is_low, minimum, cast);
    unsigned is_high = binary_text(writer, "fcmp oge", value, high);
    chosen = select_text(writer, type, is_high, maximum, chosen);
    unsigned is_nan = binary(writer, "fcmp uno", value, value);
    llvm7_result(writer, call);
    begin_select(writer, type, is_nan);
    llvm7_type(writer, type);
    llvm7_print(writer, " ");
    llvm7_splat(writer, type, "0");
    llvm7_print(writer, ", ");
    llvm7_type(writer, type);
    llvm7_print(writer, " %%t.%u\n", chosen);
}

static void write_expect(struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    copy_result(writer, call, argument(call, 0));
}

static void write_is_constant(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    llvm7_result(writer, call);
    llvm7_print(writer, "bitcast i1 false to i1\n");
}

static void write_pointer_mask(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    LLVMValueRef pointer = argument(call, 0), mask = argument(call, 1);
    unsigned bits = llvm7_temp(writer);
    llvm7_print(writer, "ptrtoint ");
    llvm7_typed_value(writer, pointer);
    llvm7_print(writer, " to ");
    llvm7_type(writer, LLVMTypeOf(mask));
    llvm7_print(writer, "\n");
    unsigned masked = binary_mixed(writer, "and", bits, mask);
    llvm7_result(writer, call);
    llvm7_print(writer, "inttoptr ");
    llvm7_type(writer, LLVMTypeOf(mask));
    llvm7_print(writer, " %%t.%u to ", masked);
    llvm7_type(writer, LLVMTypeOf(call));
    llvm7_print(writer, "\n");
}

static void write_trap(struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    llvm7_declare(writer, "llvm.trap", "declare void @llvm.trap()");
    llvm7_print(writer, "  call void @llvm.trap()\n");
}

static void write_barrier(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    LLVMValueRef number = argument(call, 0);
    if (LLVMIsAConstantInt(number) && !LLVMConstIntGetZExtValue(number)) {
        llvm7_declare(writer, "llvm.nvvm.barrier0", "declare void @llvm.nvvm.barrier0()");
        llvm7_print(writer, "  call void @llvm.nvvm.barrier0()\n");
        return;
    }
    llvm7_declare(writer, "llvm.nvvm.bar.sync", "declare void @llvm.nvvm.bar.sync(i32)");
    llvm7_print(writer, "  call void @llvm.nvvm.bar.sync(");
    llvm7_typed_value(writer, number);
    llvm7_print(writer, ")\n");
}

static const struct {
    const char *prefix;
    void (*write)(struct llvm7_writer *writer, const char *name, LLVMValueRef call);
} REWRITES[] = {
        {"llvm.smax.", write_min_max},
        {"llvm.smin.", write_min_max},
        {"llvm.umax.", write_min_max},
        {"llvm.umin.", write_min_max},
        {"llvm.abs.", write_abs},
        {"llvm.uadd.sat.", write_unsigned_saturating},
        {"llvm.usub.sat.", write_unsigned_saturating},
        {"llvm.sadd.sat.", write_signed_saturating},
        {"llvm.ssub.sat.", write_signed_saturating},
        {"llvm.scmp.", write_compare},
        {"llvm.ucmp.", write_compare},
        {"llvm.fptosi.sat.", write_saturating_cast},
        {"llvm.fptoui.sat.", write_saturating_cast},
        {"llvm.expect.", write_expect},
        {"llvm.is.constant.", write_is_constant},
        {"llvm.ptrmask.", write_pointer_mask},
        {"llvm.ubsantrap", write_trap},
        {"llvm.nvvm.barrier.cta.sync.aligned.all", write_barrier},
};

bool llvm7_rewrite_intrinsic(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call)
{
    for (size_t i = 0; i < sizeof REWRITES / sizeof *REWRITES; i++) {
        if (str_starts_with(name, REWRITES[i].prefix)) {
            REWRITES[i].write(writer, name, call);
            return true;
        }
    }
    return false;
}

bool llvm7_is_rewritten(const char *name)
{
    for (size_t i = 0; i < sizeof REWRITES / sizeof *REWRITES; i++) {
        if (str_starts_with(name, REWRITES[i].prefix))
            return true;
    }
    return false;
}

bool llvm7_is_dropped(const char *name)
{
    static const char *const prefixes[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.assume",
            "llvm.invariant.", "llvm.experimental.noalias.scope", "llvm.sideeffect",
            "llvm.donothing", "llvm.prefetch", "llvm.var.annotation", "llvm.pseudoprobe"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts_with(name, prefixes[i]))
            return true;
    }
    return false;
}

LLVMTypeRef llvm7_intrinsic_pointee(const char *name, LLVMTypeRef result)
{
    static const char *const prefixes[] = {
            "llvm.nvvm.atomic.", "llvm.nvvm.ldg.global.", "llvm.nvvm.ldu.global."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts_with(name, prefixes[i]))
            return result;
    }
    return NULL;
}
