// SPDX-License-Identifier: MIT
// Prints the SSA form as text, at any level.
#include "compiler/ir/ir.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/source.h"

static const char *const unary_text[] = {"-", "+", "~", "not"};
static const char *const binary_text[] = {
        "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"};
static const char *const compare_text[] = {
        "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};

const char *ir_binary_text(enum ir_binary binary)
{
    return binary_text[binary];
}

// Names are the user's where there is one, with the version where it has several, so that
// the dump reads like the source; nameless values go by their id, which is unique.
static void print_value(const struct ir_instr *value, struct str *out)
{
    if (!value)
        str_append(out, "?");
    else if (value->variable && value->version == 0)
        str_append(out, value->variable);
    else if (value->variable)
        str_printf(out, "%s.%d", value->variable, value->version);
    else
        str_printf(out, "$%d", value->id);
}

static void print_operands(const struct ir_instr *instr, size_t first, struct str *out)
{
    for (size_t i = first; i < instr->operand_count; i++) {
        if (i > first)
            str_append(out, ", ");
        print_value(instr->operands[i], out);
    }
}

// Shortest text that reads back as the same number, with a point as Python prints it.
static void print_real(double real, struct str *out)
{
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, real);
        if (strtod(text, NULL) == real)
            break;
    }
    str_append(out, text);
    if (!strpbrk(text, ".en"))
        str_append(out, ".0");
}

static void print_integer(const struct constant *constant, struct str *out)
{
    if (constant->type->is_signed)
        str_printf(out, "int, %" PRId64, constant->integer);
    else
        str_printf(out, "int, %" PRIu64, (uint64_t)constant->integer);
}

static void print_tuple(const struct constant *constant, struct str *out)
{
    str_append(out, "tuple");
    for (size_t i = 0; i < constant->tuple.len; i++) {
        str_append(out, ", ");
        constant_print(&constant->tuple.items[i], out);
    }
}

// For reports, which leave the machine.
static _Thread_local bool hides_values;

static void print_constant_value(const struct constant *constant, struct str *out)
{
    switch (constant->type->kind) {
    case TYPE_NONE:
        str_append(out, "NoneType, None");
        break;
    case TYPE_BOOL:
        str_printf(out, "bool, %s", constant->integer ? "True" : "False");
        break;
    case TYPE_INT:
        print_integer(constant, out);
        break;
    case TYPE_FLOAT:
        str_append(out, "float, ");
        print_real(constant->real, out);
        break;
    case TYPE_COMPLEX:
        str_append(out, "complex, ");
        print_real(constant->complex_parts[0], out);
        str_append(out, ", ");
        print_real(constant->complex_parts[1], out);
        break;
    case TYPE_STRING:
        str_printf(out, "str, %s", constant->string.text);
        break;
    case TYPE_TUPLE:
        print_tuple(constant, out);
        break;
    case TYPE_FUNCTION:
    case TYPE_MODULE:
        str_append(out, constant->name);
        break;
    case TYPE_DISPATCHER:
        str_append(out, constant->source->name);
        break;
    case TYPE_EXCEPTION:
        str_append(out, constant->exception.name);
        break;
    default:
        str_append(out, constant->type->name);
    }
}

void constant_print(const struct constant *constant, struct str *out)
{
    if (!constant->type) {
        str_append(out, "undefined");
        return;
    }
    str_append(out, "const(");
    if (hides_values)
        str_append(out, constant->type->name);
    else
        print_constant_value(constant, out);
    str_append(out, ")");
}

static void print_call(const struct ir_instr *instr, struct str *out)
{
    str_append(out, "call ");
    print_value(instr->operands[0], out);
    str_append(out, "(");
    size_t first_keyword = instr->operand_count - instr->call.keyword_count;
    for (size_t i = 1; i < instr->operand_count; i++) {
        if (i > 1)
            str_append(out, ", ");
        if (i >= first_keyword)
            str_printf(out, "%s=", instr->call.keywords[i - first_keyword]);
        print_value(instr->operands[i], out);
    }
    str_append(out, ")");
}

static void print_phi(const struct ir_instr *instr, struct str *out)
{
    str_append(out, "phi(");
    for (size_t i = 0; i < instr->operand_count; i++) {
        if (i)
            str_append(out, ", ");
        if (instr->block && i < instr->block->predecessors.len)
            str_printf(out, "b%d: ", instr->block->predecessors.items[i]->id);
        print_value(instr->operands[i], out);
    }
    str_append(out, ")");
}

static void print_primitive(const struct ir_instr *instr, struct str *out)
{
    str_append(out, ir_primitive_name(instr->primitive));
    if (instr->immediate)
        str_printf(out, " #%d", instr->immediate);
    if (instr->immediate_shape) {
        str_append(out, " #[");
        for (int i = 0; i < instr->type->array.ndim; i++)
            str_printf(out, "%s%" PRId64, i ? ", " : "", instr->immediate_shape[i]);
        str_append(out, "]");
    }
    str_append(out, "(");
    print_operands(instr, 0, out);
    str_append(out, ")");
}

static void print_raise(const struct ir_instr *instr, struct str *out)
{
    str_printf(out, "raise %s", instr->raise.class->exception.name);
    if (instr->raise.message)
        str_printf(out, "(\"%s\")", instr->raise.message);
    if (instr->operand_count) {
        str_append(out, " from ");
        print_operands(instr, 0, out);
    }
}

// The operator, and what stands before the operands in parentheses.
static void print_operation(const struct ir_instr *instr, struct str *out)
{
    str_append(out, ir_op_name(instr->op));
    switch (instr->op) {
    case IR_UNARY:
        str_printf(out, " %s", unary_text[instr->unary]);
        break;
    case IR_BINARY:
    case IR_INPLACE:
        str_printf(out, " %s%s", binary_text[instr->binary],
                instr->op == IR_INPLACE                 ? "="
                : instr->immediate == DIVISION_AS_NUMPY ? " as numpy"
                                                        : "");
        break;
    case IR_COMPARE:
        str_printf(out, " %s", compare_text[instr->compare]);
        break;
    case IR_GETATTR:
    case IR_SETATTR:
        str_printf(out, " .%s", instr->attribute);
        break;
    case IR_TUPLE_GET:
        str_printf(out, " %d", instr->index);
        break;
    case IR_UNPACK:
        str_printf(out, " %d of %d", instr->index, instr->count);
        break;
    case IR_CALL_DIRECT:
        str_printf(out, " %s", instr->callee->symbol);
        break;
    default:
        break;
    }
    str_append(out, "(");
    print_operands(instr, 0, out);
    str_append(out, ")");
}

static void print_const(const struct ir_instr *instr, struct str *out)
{
    if (instr->origin)
        str_printf(out, "global(%s: ", instr->origin);
    constant_print(&instr->constant, out);
    if (instr->origin)
        str_append(out, ")");
}

static void print_arg(const struct ir_instr *instr, struct str *out)
{
    str_printf(out, "arg(%d, name=%s)", instr->index,
            instr->variable ? instr->variable : "");
}

static void print_jump(const struct ir_instr *instr, struct str *out)
{
    str_printf(out, "jump b%d", instr->targets[0]->id);
}

static void print_guard(const struct ir_instr *instr, struct str *out)
{
    str_printf(out, "guard b%d, b%d", instr->targets[0]->id, instr->targets[1]->id);
}

static void print_branch(const struct ir_instr *instr, struct str *out)
{
    str_append(out, "branch ");
    print_value(instr->operands[0], out);
    str_printf(out, ", b%d, b%d", instr->targets[0]->id, instr->targets[1]->id);
}

static void print_return(const struct ir_instr *instr, struct str *out)
{
    str_append(out, "return ");
    print_operands(instr, 0, out);
}

static void print_body(const struct ir_instr *instr, struct str *out)
{
    static void (*const printers[IR_OP_COUNT])(const struct ir_instr *, struct str *) = {
            [IR_CONST] = print_const,
            [IR_ARG] = print_arg,
            [IR_CALL] = print_call,
            [IR_PHI] = print_phi,
            [IR_PRIMITIVE] = print_primitive,
            [IR_RAISE] = print_raise,
            [IR_JUMP] = print_jump,
            [IR_GUARD] = print_guard,
            [IR_BRANCH] = print_branch,
            [IR_RETURN] = print_return,
    };
    if (printers[instr->op])
        printers[instr->op](instr, out);
    else
        print_operation(instr, out);
}

void ir_print_instr(const struct ir_instr *instr, struct str *out)
{
    if (ir_has_result(instr->op)) {
        print_value(instr, out);
        str_append(out, " = ");
    }
    print_body(instr, out);
    if (instr->type)
        str_printf(out, "  :: %s", instr->type->name);
}

static void print_header(const struct ir_function *function, struct str *out)
{
    str_printf(out, "function %s(", function->qualname);
    for (size_t i = 0; i < function->param_count; i++)
        str_printf(out, "%s%s: %s", i ? ", " : "", function->param_names[i],
                function->params[i]->name);
    str_printf(out, ") -> %s%s%s\n", function->returns ? function->returns->name : "?",
            function->may_raise ? " may_raise" : "",
            function->has_barrier ? " has_barrier" : "");
}

void ir_print(const struct ir_function *function, struct str *out)
{
    print_header(function, out);
    vec_each (block, &function->blocks) {
        str_printf(out, "b%d:\n", (*block)->id);
        ir_each_instr(instr, *block)
        {
            str_append(out, "    ");
            ir_print_instr(instr, out);
            str_append(out, "\n");
        }
    }
}

void ir_print_shape(const struct ir_function *function, struct str *out)
{
    hides_values = true;
    ir_print(function, out);
    hides_values = false;
}

void ir_print_instr_shape(const struct ir_instr *instr, struct str *out)
{
    hides_values = true;
    ir_print_instr(instr, out);
    hides_values = false;
}
