// SPDX-License-Identifier: MIT
// What can be raised, with which arguments, and from which cause.
#include "compiler/typing/infer/infer.h"
#include "compiler/types/source.h"

// A function of Python's or a library's, whatever programs register for it.
static bool is_overloaded(const struct type *type)
{
    return type->kind == TYPE_DISPATCHER && type->source && type->source->is_overloaded;
}

// The arguments of an exception become Python objects, which these kinds cannot.
static bool check_raised(struct infer *in, const struct ir_instr *raise)
{
    static const enum type_kind refused[] = {TYPE_EXCEPTION, TYPE_CAUGHT, TYPE_METHOD,
            TYPE_MODULE, TYPE_FUNCTION, TYPE_ENUMERATE, TYPE_ZIP, TYPE_INDICES,
            TYPE_VIEWS, TYPE_FLAT, TYPE_ITERATOR, TYPE_FOREIGN};
    for (size_t i = 0; i < raise->operand_count; i++) {
        const struct type *type = raise->operands[i]->type;
        for (size_t k = 0; type && k < sizeof refused / sizeof *refused; k++)
            if (type->kind == refused[k] || is_overloaded(type))
                return error_set(in->err, ERROR_UNSUPPORTED, raise->span,
                        "an argument of an exception cannot be of type %s.%s", type->name,
                        type->kind == TYPE_CAUGHT
                                ? " Its text is str(e); `raise ... from e` keeps it."
                                : "");
    }
    return true;
}

bool infer_check_raise(struct infer *in, const struct ir_instr *last)
{
    if (last->op == IR_RERAISE && last->operands[0]->type != type_caught)
        return error_set(in->err, ERROR_UNSUPPORTED, last->span,
                "what a compiled function raises must be an exception class, a call of "
                "one, or an exception that it caught.");
    return last->op != IR_RAISE || check_raised(in, last);
}

bool infer_check_chain(struct infer *in, const struct ir_instr *chain)
{
    return !chain->operand_count || !chain->operands[0]->type ||
           chain->operands[0]->type == type_caught ||
           error_set(in->err, ERROR_UNSUPPORTED, chain->span,
                   "the cause of an exception must be an exception class, a call of "
                   "one, an exception that was caught, or None.");
}
