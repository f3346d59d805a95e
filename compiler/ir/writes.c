// SPDX-License-Identifier: MIT
// Whether a function can write to the array that a parameter brings, or to fields of
// objects.
#include "compiler/ir/ir.h"

#include <stdlib.h>

#include "base/memory.h"

enum { DEEPEST = 8 }; // calls below the function that are looked into

static bool is_read_only_use(enum ir_primitive primitive)
{
    switch (primitive) {
    case PRIMITIVE_ARRAY_LOAD:
    case PRIMITIVE_ARRAY_SHAPE:
    case PRIMITIVE_ARRAY_STRIDES:
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
    case PRIMITIVE_CUDA_CACHED_LOAD:
        return true;
    default:
        return false;
    }
}

// Whether the primitive's result is another view of its first operand's memory.
static bool is_view(enum ir_primitive primitive)
{
    switch (primitive) {
    case PRIMITIVE_ARRAY_VIEW:
    case PRIMITIVE_ARRAY_TRANSPOSE:
    case PRIMITIVE_ARRAY_RESHAPE:
    case PRIMITIVE_ARRAY_BROADCAST:
    case PRIMITIVE_ARRAY_FIELD:
    case PRIMITIVE_ARRAY_REAL:
    case PRIMITIVE_ARRAY_IMAG:
        return true;
    default:
        return false;
    }
}

// Flows forward from the parameter to all that may share its memory, through views, phis
// and calls, and stops at the first write. Recursion ends by the depth, which a chain of
// the library's functions does not reach.
static bool is_written(const struct ir_function *function, size_t param, int depth);

// What an instruction does with a value of the parameter's memory at an operand.
// A wrong "no" would let the caller copy less, or the GPU load through its read-only
// cache, while somebody writes: what is not known is a write.
enum use { USE_READ, USE_ALIAS, USE_WRITE };

static enum use use_of(const struct ir_instr *instr, size_t operand, int depth)
{
    switch (instr->op) {
    case IR_PHI:
    case IR_CAST:
    case IR_GETITER:
    case IR_ITERNEXT:
        return USE_ALIAS;
    case IR_PAIR_FIRST: // iterating gives numbers, or views
        return type_is_number(instr->type) ? USE_READ : USE_ALIAS;
    case IR_PAIR_SECOND:
    case IR_COMPARE:
        return USE_READ;
    case IR_PRIMITIVE:
        if (is_read_only_use(instr->primitive) && operand == 0)
            return USE_READ;
        if (instr->primitive == PRIMITIVE_ARRAY_COPY_INTO && operand == 1)
            return USE_READ;
        return is_view(instr->primitive) && operand == 0 ? USE_ALIAS : USE_WRITE;
    case IR_CALL_DIRECT: {
        bool may_return_it = instr->type && instr->type->kind != TYPE_NONE &&
                             !type_is_number(instr->type);
        if (is_written(instr->callee, operand, depth + 1))
            return USE_WRITE;
        return may_return_it ? USE_ALIAS : USE_READ;
    }
    case IR_RETURN: // its callers look at what they do with the result
        return depth ? USE_READ : USE_WRITE;
    default:
        return USE_WRITE; // not known: to be on the safe side
    }
}

// One pass over the function; true when more values turned out to share the memory.
static bool spread(
        const struct ir_function *function, bool *shares, bool *is_found, int depth)
{
    bool grows = false;
    vec_each (block, &function->blocks) {
        ir_each_instr(instr, *block)
        {
            for (size_t i = 0; i < instr->operand_count; i++) {
                if (!instr->operands[i] || !shares[instr->operands[i]->id])
                    continue;
                enum use use = use_of(instr, i, depth);
                *is_found = *is_found || use == USE_WRITE;
                grows = grows || (use == USE_ALIAS && !shares[instr->id]);
                shares[instr->id] = shares[instr->id] || use == USE_ALIAS;
            }
        }
    }
    return grows;
}

static bool is_written(const struct ir_function *function, size_t param, int depth)
{
    if (depth > DEEPEST || !function->is_resolved)
        return true;
    bool *shares = memory_zalloc((size_t)function->next_id + 1);
    bool is_found = false;
    vec_each (block, &function->blocks)
        ir_each_instr(
                instr, *block) if (instr->op == IR_ARG && (size_t)instr->index == param)
                shares[instr->id] = true;
    while (!is_found && spread(function, shares, &is_found, depth))
        ;
    free(shares);
    return is_found;
}

bool ir_param_is_written(const struct ir_function *function, size_t param)
{
    return is_written(function, param, 0);
}

static bool may_change_fields(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CALL_DIRECT:
        ir_note_fields(instr->callee);
        return instr->callee->fields != FIELDS_STAY;
    case IR_PRIMITIVE:
        return instr->primitive == PRIMITIVE_CALL_VALUE ||
               (instr->primitive == PRIMITIVE_CELL_SET &&
                       !type_is_number(instr->operands[1]->type));
    case IR_PARALLEL_FOR:
    case IR_OBJMODE:
    case IR_YIELD:
    case IR_ITERNEXT: // of a generator, whose body runs
        return instr->op != IR_ITERNEXT || type_asks_generator(instr->operands[0]->type);
    default:
        return false;
    }
}

void ir_note_fields(struct ir_function *function)
{
    if (function->fields != FIELDS_UNKNOWN || !function->is_resolved)
        return;
    function->fields = FIELDS_CHANGE; // for calls of itself
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (may_change_fields(instr)) return;
    function->fields = FIELDS_STAY;
}
