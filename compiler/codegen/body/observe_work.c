// SPDX-License-Identifier: MIT
// What the lines of an observed kernel compute, by the operations of their IR: as the
// source has it, ahead of what LLVM makes of it. Accesses are told where they happen
// (observe.c); the arithmetic of addresses is not counted.
#include "compiler/codegen/body/observe.h"

#include <assert.h>
#include <string.h>

#include "compiler/support/libdevice.h"
#include "compiler/types/functions.h"
#include "compiler/types/intrinsics.h"

// How many operations a complex one is made of.
enum { COMPLEX_SUM = 2, COMPLEX_PRODUCT = 6, COMPLEX_QUOTIENT = 11 };

static enum observed_class float_class(int bits)
{
    return bits <= 16 ? CLASS_FP16 : bits == 32 ? CLASS_FP32 : CLASS_FP64;
}

static bool is_float(const struct type *type)
{
    return type && (type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX);
}

static bool is_whole(const struct type *type)
{
    return type && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
}

// Instructions and operations on a type of numbers.
static void add_operations(struct observed_work *work, const struct type *type,
        int instructions, int operations)
{
    if (is_float(type)) {
        enum observed_class class =
                float_class(type->kind == TYPE_COMPLEX ? type->bits / 2 : type->bits);
        work->instructions[class] += instructions;
        work->flops[class - CLASS_FP16] += operations;
    } else if (is_whole(type)) {
        work->instructions[CLASS_INTEGER] += instructions;
        work->integers += operations;
    }
}

// A function that the special function units begin, however many steps it takes.
static void add_special(struct observed_work *work, const struct type *type)
{
    work->instructions[CLASS_SPECIAL]++;
    add_operations(work, type, 0, 1);
}

static bool is_product(const struct ir_instr *instr)
{
    return instr->op == IR_BINARY && instr->binary == BINARY_MUL &&
           instr->type->kind == TYPE_FLOAT;
}

// Whether it is one instruction with the product that it adds.
static bool is_fused(const struct ir_instr *instr)
{
    assert(instr->op == IR_BINARY && instr->operand_count == 2);
    for (size_t i = 0; i < instr->operand_count; i++)
        if (is_product(instr->operands[i]) && instr->operands[i]->block == instr->block)
            return true;
    return false;
}

static void add_binary(struct observed_work *work, const struct ir_instr *instr)
{
    const struct type *type = instr->type;
    bool is_complex = type->kind == TYPE_COMPLEX;
    switch (instr->binary) {
    case BINARY_POW:
        if (is_float(type))
            add_special(work, type);
        else
            add_operations(work, type, 1, 1);
        return;
    case BINARY_MATMUL:
        return; // a call
    case BINARY_ADD:
    case BINARY_SUB:
        if (is_complex)
            add_operations(work, type, COMPLEX_SUM, COMPLEX_SUM);
        else
            add_operations(work, type, !is_fused(instr), 1);
        return;
    case BINARY_MUL:
        if (is_complex) // of four products two are fused with sums
            add_operations(work, type, COMPLEX_PRODUCT - 2, COMPLEX_PRODUCT);
        else
            add_operations(work, type, 1, 1);
        return;
    default:
        add_operations(work, type, is_complex ? COMPLEX_QUOTIENT : 1,
                is_complex ? COMPLEX_QUOTIENT : 1);
        return;
    }
}

static void add_cast(struct observed_work *work, const struct ir_instr *instr)
{
    const struct type *from = instr->operands[0]->type, *to = instr->type;
    bool is_number = (is_float(from) || is_whole(from)) && (is_float(to) || is_whole(to));
    if (is_number && from != to && (is_float(from) || is_float(to)) &&
            instr->operands[0]->op != IR_CONST)
        work->instructions[CLASS_CONVERSION]++;
}

static void add_libdevice(struct observed_work *work, const struct ir_instr *instr)
{
    const struct libdevice *function = &libdevice_functions[instr->immediate];
    const struct type *type = libdevice_type(function->signature[0]);
    if (strstr(function->symbol, "_fma"))
        add_operations(work, type, 1, 2);
    else if (is_float(type))
        add_special(work, type);
    else
        add_operations(work, type, 1, 1);
}

static void add_primitive(struct observed_work *work, const struct ir_instr *instr)
{
    enum ir_primitive primitive = instr->primitive;
    const struct type *type = instr->operand_count ? instr->operands[0]->type : NULL;
    switch (primitive) {
    case PRIMITIVE_MATH_FMA:
        add_operations(work, type, 1, 2);
        break;
    case PRIMITIVE_MATH_ISNAN:
    case PRIMITIVE_MATH_ISINF:
    case PRIMITIVE_MATH_ISFINITE:
    case PRIMITIVE_MATH_FABS:
    case PRIMITIVE_MATH_LDEXP:
    case PRIMITIVE_MATH_COPYSIGN:
    case PRIMITIVE_MATH_RINT:
    case PRIMITIVE_MATH_TRUNC:
    case PRIMITIVE_MATH_CEIL:
    case PRIMITIVE_MATH_FLOOR:
    case PRIMITIVE_ABS:
    case PRIMITIVE_MIN:
    case PRIMITIVE_MAX:
        add_operations(work, type, 1, is_whole(type));
        break;
    case PRIMITIVE_DIVIDE:
        add_operations(work, type, 1, 1);
        break;
    case PRIMITIVE_CUDA_GRID:
        add_operations(work, type_int64, instr->immediate, 2 * instr->immediate);
        break;
    case PRIMITIVE_CUDA_GRID_SIZE:
        add_operations(work, type_int64, instr->immediate, instr->immediate);
        break;
    case PRIMITIVE_ATOMIC_ADD:
    case PRIMITIVE_ATOMIC_SUB:
        add_operations(work, type->element, 0, 1);
        break;
    case PRIMITIVE_CUDA_SYNCTHREADS:
    case PRIMITIVE_CUDA_SYNCWARP:
    case PRIMITIVE_CUDA_WARP:
    case PRIMITIVE_CUDA_SYNCGRID:
    case PRIMITIVE_SELECT:
        work->instructions[CLASS_CONTROL]++;
        break;
    case PRIMITIVE_CUDA_LIBDEVICE:
        add_libdevice(work, instr);
        break;
    default:
        if (primitive <= PRIMITIVE_MATH_LGAMMA)
            add_special(work, type);
        else if (ir_intrinsic(primitive) && ir_is_pure_intrinsic(primitive))
            add_operations(work, instr->type, 1, is_whole(instr->type));
        break;
    }
}

static void add(struct observed_work *work, const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_BINARY:
        add_binary(work, instr);
        break;
    case IR_UNARY:
        if (instr->unary != UNARY_POSITIVE)
            add_operations(work, instr->type, 1, is_whole(instr->type));
        break;
    case IR_COMPARE:
        add_operations(
                work, instr->operands[0]->type, 1, is_whole(instr->operands[0]->type));
        break;
    case IR_CAST:
        add_cast(work, instr);
        break;
    case IR_ITERNEXT: // the next number, and whether it is one too far
        add_operations(work, type_int64, 2, 2);
        break;
    case IR_PRIMITIVE:
        add_primitive(work, instr);
        break;
    case IR_BRANCH:
    case IR_CALL_DIRECT:
        work->instructions[CLASS_CONTROL]++;
        break;
    default:
        break;
    }
}

static bool is_any(const struct observed_work *work)
{
    static const struct observed_work none;
    return memcmp(work->instructions, none.instructions, sizeof none.instructions) ||
           memcmp(work->flops, none.flops, sizeof none.flops) || work->integers;
}

static struct observed_work *work_of(
        struct codegen *gen, int part, const char *file, int32_t line)
{
    vec_each (work, &gen->observed_works)
        if (work->part == part && work->line == line)
            return work;
    vec_push(&gen->observed_works,
            (struct observed_work){.part = part, .file = file, .line = line});
    return &vec_last(&gen->observed_works);
}

static bool is_listed(const struct codegen *gen, int part)
{
    vec_each (work, &gen->observed_works)
        if (work->part == part)
            return true;
    return false;
}

void observe_list_work(struct codegen *gen, int part, const struct ir_block *block,
        const char *file, int32_t line)
{
    assert(part >= 0 && part < gen->observed_part_count && block->first);
    if (is_listed(gen, part))
        return;
    for (const struct ir_instr *instr = block->first; instr; instr = instr->next) {
        struct observed_work one = {0};
        add(&one, instr);
        if (!is_any(&one))
            continue;
        struct observed_work *work =
                work_of(gen, part, file, line == OWN_LINES ? instr->span.line : line);
        for (int i = 0; i < CLASS_COUNT; i++)
            work->instructions[i] += one.instructions[i];
        for (int i = 0; i < 3; i++)
            work->flops[i] += one.flops[i];
        work->integers += one.integers;
    }
}
