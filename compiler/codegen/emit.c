// SPDX-License-Identifier: MIT
// The dispatch on operations: which room emits an instruction.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/line_hook.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/calls/call.h"
#include "compiler/codegen/calls/generator.h"
#include "compiler/codegen/calls/llvm_text.h"
#include "compiler/codegen/calls/objmode.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/emit.h"
#include "compiler/codegen/loops/iter.h"
#include "compiler/codegen/loops/parallel_for.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/callable.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/compare.h"
#include "compiler/codegen/values/constant.h"
#include "compiler/codegen/values/math.h"
#include "compiler/codegen/values/number.h"
#include "compiler/codegen/values/row.h"
#include "compiler/codegen/values/text.h"

#include <assert.h>
#include <string.h>

void emit_phi(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct leaf_list *list = type_leaves(body->gen, instr->type);
    for (size_t i = 0; i < list->len; i++)
        out[i] = LLVMBuildPhi(
                body->gen->builder, type_llvm(body->gen, list->items[i].type), "");
}

static void emit_arg(struct body *body, const struct ir_instr *instr, value *out)
{
    assert(instr->index >= 0 && (size_t)instr->index < body->ir->param_count);
    size_t at = 0;
    for (int i = 0; i < instr->index; i++)
        at += type_leaf_count(body->gen, body->ir->params[i]);
    size_t count = type_leaf_count(body->gen, instr->type);
    memcpy(out, body->args + at, count * sizeof *out);
}

// The operands' leaves in a row, as tuples, closures and iterators of several are.
static void emit_tuple(struct body *body, const struct ir_instr *instr, value *out)
{
    for (size_t i = 0; i < instr->operand_count; i++) {
        size_t count = type_leaf_count(body->gen, instr->operands[i]->type);
        memcpy(out, operand(body, instr, i), count * sizeof *out);
        out += count;
    }
}

static void emit_tuple_get(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *tuple = instr->operands[0]->type;
    value *from = operand(body, instr, 0);
    if (tuple->kind == TYPE_TUPLE || tuple->kind == TYPE_EXTENSION ||
            tuple->kind == TYPE_CLOSURE || tuple->kind == TYPE_CHOICE)
        for (int i = 0; i < instr->index; i++)
            from += type_leaf_count(body->gen, tuple->tuple.items[i]);
    else // dim3, slice, range, complex: all leaves are alike
        from += instr->index;
    memcpy(out, from, type_leaf_count(body->gen, instr->type) * sizeof *out);
}

static void emit_select(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t count = type_leaf_count(body->gen, instr->type);
    assert(instr->operand_count == 3 && instr->operands[1]->type == instr->type);
    value condition = operand(body, instr, 0)[0];
    for (size_t i = 0; i < count; i++)
        out[i] = value_select(body->gen, condition, operand(body, instr, 1)[i],
                operand(body, instr, 2)[i]);
}

// Negative ones count from the end.
static void emit_tuple_index(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->operands[0]->type->kind == TYPE_INT && instr->immediate >= 0);
    value index = operand(body, instr, 0)[0], len = value_i64(gen, instr->immediate);
    value is_negative =
            LLVMBuildICmp(gen->builder, LLVMIntSLT, index, value_i64(gen, 0), "");
    out[0] = value_select(
            gen, is_negative, LLVMBuildAdd(gen->builder, index, len, ""), index);
    if (gen->target->kind == TARGET_GPU)
        return;
    value is_outside = LLVMBuildICmp(gen->builder, LLVMIntUGE, out[0], len, "");
    control_raise_if(
            body, is_outside, ERROR_INDEX, "tuple index out of range", instr->span);
}

static void emit_constant(struct body *body, const struct ir_instr *instr, value *out)
{
    value_constant(body, &instr->constant, out);
}

static void emit_cast(struct body *body, const struct ir_instr *instr, value *out)
{
    if (!narrow_cast(body, instr, out))
        cast_value(body, instr->operands[0]->type, instr->type, operand(body, instr, 0),
                out, instr->span);
}

// What an operation says of a value that its first leaf is already.
static void emit_first(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = operand(body, instr, 0)[0];
}

static void emit_bits(struct body *body, const struct ir_instr *instr, value *out)
{
    LLVMTypeRef wanted = type_llvm(body->gen, instr->type);
    out[0] = LLVMBuildBitCast(body->gen->builder, operand(body, instr, 0)[0], wanted, "");
}

static void emit_print(struct body *body, const struct ir_instr *instr, value *out)
{
    body->gen->target->print(body, instr);
}

static void emit_name(struct body *body, const struct ir_instr *instr, value *out)
{
    line_hook_assigned(body, instr);
}

static void emit_breakpoint(struct body *body, const struct ir_instr *instr, value *out)
{
    line_hook_stop(body);
}

static const char no_random[] = "the random module is not available in CUDA kernels";
static const char no_rows[] =
        "lists, dicts, sets and objects cannot be used in CUDA kernels";

static emitter emit_primitive;

static void emit_binary(struct body *body, const struct ir_instr *instr, value *out)
{
    if (!bounds_wrap(body, instr, out))
        arith_binary(body, instr, out);
}

static emitter *const operations[IR_OP_COUNT] = {
#define OPERATION(name, emit) [IR_##name] = emit,
#include "compiler/codegen/emitters.def"
};

static const struct {
    emitter *emit;
    const char *host_only; // what a user of it on a device is told; NULL: it is there
    bool is_cuda;          // and not on the host
} primitives[] = {
#define PRIMITIVE(name, emit) [PRIMITIVE_##name] = {emit, NULL, false},
#define HOST_PRIMITIVE(name, emit, refusal) [PRIMITIVE_##name] = {emit, refusal, false},
#define CUDA_PRIMITIVE(name, emit) [PRIMITIVE_##name] = {emit, NULL, true},
#include "compiler/codegen/emitters.def"
};

enum {
    EMITTED_PRIMITIVES = 0
#define PRIMITIVE(name, emit) +1
#define HOST_PRIMITIVE(name, emit, refusal) +1
#define CUDA_PRIMITIVE(name, emit) +1
#include "compiler/codegen/emitters.def"
};
_Static_assert((int)EMITTED_PRIMITIVES == PRIMITIVE_ATOMIC_CAS + 1,
        "each primitive has its row, but for the regular intrinsics, which come last");

static void emit_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct target *target = body->gen->target;
    if (ir_intrinsic(instr->primitive)) {
        intrinsic_primitive(body, instr, out);
        return;
    }
    assert(primitives[instr->primitive].emit);
    const char *host_only = primitives[instr->primitive].host_only;
    if (host_only && target->kind != TARGET_HOST)
        codegen_fail(body->gen, ERROR_UNSUPPORTED, instr->span, "%s", host_only);
    else if (primitives[instr->primitive].is_cuda && !target->geometry)
        codegen_fail(body->gen, ERROR_UNSUPPORTED, instr->span,
                "%s is only available in CUDA kernels and device functions",
                ir_primitive_name(instr->primitive));
    else
        primitives[instr->primitive].emit(body, instr, out);
}

// An array's dense stride is a constant wherever the array comes from: an argument, a
// tuple, a list, an attribute. A phi has to stay one, for what comes in.
void emit_value(struct body *body, const struct ir_instr *instr, value *out)
{
    assert(!ir_is_terminator(instr->op));
    if (operations[instr->op])
        operations[instr->op](body, instr, out);
    else
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span,
                "an instruction of the Python level reached code generation");
    bool is_array = instr->type && instr->type->kind == TYPE_ARRAY;
    if (is_array && instr->op != IR_PHI && !codegen_failed(body->gen))
        array_fix_dense_stride(body, instr->type, out);
}
