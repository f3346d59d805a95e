// SPDX-License-Identifier: MIT
// The SSA form built by hand: its text, and what the verifier refuses.
#include "test.h"

#include "compiler/ir/ir.h"

static struct ir_instr *add(struct ir_block *block, enum ir_op op,
        const struct type *type, struct ir_instr *first, struct ir_instr *second)
{
    size_t count = second ? 2 : first ? 1 : 0;
    struct ir_instr *instr = ir_instr_create(block->function, op, count, SPAN_NONE);
    instr->type = type;
    if (first)
        instr->operands[0] = first;
    if (second)
        instr->operands[1] = second;
    ir_append(block, instr);
    return instr;
}

static void jump(struct ir_block *from, struct ir_block *to)
{
    add(from, IR_JUMP, NULL, NULL, NULL)->targets[0] = to;
    vec_push(&to->predecessors, from);
}

static void branch(struct ir_block *from, struct ir_instr *condition,
        struct ir_block *then, struct ir_block *otherwise)
{
    struct ir_instr *instr = add(from, IR_BRANCH, NULL, condition, NULL);
    instr->targets[0] = then;
    instr->targets[1] = otherwise;
    vec_push(&then->predecessors, from);
    vec_push(&otherwise->predecessors, from);
}

static const struct type *one_int[1];

static struct ir_function *create(void)
{
    types_init();
    one_int[0] = type_int64;
    struct ir_function *function = ir_function_create("f");
    static const char *names[] = {"x"};
    function->params = one_int;
    function->param_names = names;
    function->param_count = 1;
    function->returns = type_int64;
    function->is_resolved = true;
    return function;
}

// x if x < 3 else 3, with the phi's operands in `phi`
static struct ir_function *create_choice(struct ir_instr **phi)
{
    struct ir_function *function = create();
    struct ir_block *entry = ir_block_create(function), *then = ir_block_create(function);
    struct ir_block *otherwise = ir_block_create(function),
                    *end = ir_block_create(function);
    struct ir_instr *x = add(entry, IR_ARG, type_int64, NULL, NULL);
    x->variable = "x";
    struct ir_instr *three = add(entry, IR_CONST, type_int64, NULL, NULL);
    three->constant = (struct constant){.type = type_int64, .integer = 3};
    struct ir_instr *is_less = add(entry, IR_COMPARE, type_bool, x, three);
    is_less->compare = COMPARE_LT;
    branch(entry, is_less, then, otherwise);
    jump(then, end);
    jump(otherwise, end);
    *phi = add(end, IR_PHI, type_int64, x, three);
    add(end, IR_RETURN, NULL, *phi, NULL);
    return function;
}

TEST(text)
{
    struct ir_instr *phi;
    struct ir_function *function = create_choice(&phi);
    struct str text = {0};
    ir_print(function, &text);
    CHECK_STR(str_text(&text), "function f(x: int64) -> int64\n"
                               "b0:\n"
                               "    x = arg(0, name=x)  :: int64\n"
                               "    $1 = const(int, 3)  :: int64\n"
                               "    $2 = compare <(x, $1)  :: bool\n"
                               "    branch $2, b1, b2\n"
                               "b1:\n"
                               "    jump b3\n"
                               "b2:\n"
                               "    jump b3\n"
                               "b3:\n"
                               "    $6 = phi(b1: x, b2: $1)  :: int64\n"
                               "    return $6\n");
    str_finish(&text);
    ir_function_destroy(function);
}

static void print_constant(struct constant constant, const char *expected)
{
    struct str text = {0};
    constant_print(&constant, &text);
    CHECK_STR(str_text(&text), expected);
    str_finish(&text);
}

TEST(constants)
{
    types_init();
    print_constant(
            (struct constant){.type = type_float64, .real = 0.1}, "const(float, 0.1)");
    print_constant(
            (struct constant){.type = type_float64, .real = 2}, "const(float, 2.0)");
    print_constant((struct constant){.type = type_float64, .real = 1e300},
            "const(float, 1e+300)");
    print_constant((struct constant){.type = type_uint64, .integer = -1},
            "const(int, 18446744073709551615)");
    print_constant(
            (struct constant){.type = type_bool, .integer = 1}, "const(bool, True)");
    print_constant((struct constant){.type = type_none}, "const(NoneType, None)");
}

static void check_refused(struct ir_function *function, const char *part)
{
    struct error err = {0};
    CHECK(!ir_verify(function, &err));
    CHECK_INT(err.kind, ERROR_INTERNAL);
    CHECK_CONTAINS(err.message, part);
    ir_function_destroy(function);
}

TEST(valid)
{
    struct ir_instr *phi;
    struct error err = {0};
    struct ir_function *function = create_choice(&phi);
    CHECK(ir_verify(function, &err));
    CHECK_STR(err.message, "");
    ir_function_destroy(function);
}

TEST(refused)
{
    struct ir_instr *phi;
    struct ir_function *function = create_choice(&phi);
    phi->operand_count = 1;
    check_refused(function, "phi does not match its predecessors");

    function = create_choice(&phi);
    phi->type = type_float64;
    check_refused(function, "operand type differs");

    function = create_choice(&phi);
    function->blocks.items[0]->first->index = 1;
    check_refused(function, "no such parameter");

    function = create_choice(&phi);
    function->blocks.items[0]->last->operand_count = 0;
    check_refused(function, "wrong number of operands");

    function = create_choice(&phi);
    phi->id = 0;
    check_refused(function, "id is another instruction's");

    function = create_choice(&phi);
    function->blocks.items[1]->last->targets[0] = function->blocks.items[2];
    vec_push(&function->blocks.items[2]->predecessors, function->blocks.items[1]);
    check_refused(function, "predecessor leads elsewhere");

    function = create_choice(&phi);
    function->blocks.items[3]->last->op = IR_JUMP;
    function->blocks.items[3]->last->operand_count = 0;
    function->blocks.items[3]->last->targets[0] = function->blocks.items[0];
    vec_push(&function->blocks.items[0]->predecessors, function->blocks.items[3]);
    check_refused(function, "an edge leads to the entry");

    function = create_choice(&phi);
    phi->operands[0] = phi->next;
    check_refused(function, "operand has no result");

    function = create_choice(&phi);
    function->returns = type_float64;
    check_refused(function, "not the return type");

    function = create_choice(&phi);
    ir_remove(function->blocks.items[1]->last);
    check_refused(function, "empty block");

    function = create_choice(&phi);
    function->blocks.items[0]->first->next->next->operands[0] = phi;
    check_refused(function, "does not dominate");

    function = create();
    ir_block_create(function);
    add(function->blocks.items[0], IR_ARG, type_int64, NULL, NULL);
    check_refused(function, "no terminator");
}

TEST(order_and_edit)
{
    struct ir_instr *phi;
    struct ir_function *function = create_choice(&phi);
    struct ir_block *lost = ir_block_create(function);
    add(lost, IR_RETURN, NULL, function->blocks.items[0]->first, NULL);
    ir_order_blocks(function);
    CHECK_INT(function->blocks.len, 4);
    CHECK_INT(function->blocks.items[3]->id, 3);
    struct ir_instr *none = ir_instr_create(function, IR_CONST, 0, SPAN_NONE);
    ir_insert_before(phi->next, none);
    CHECK(phi->next == none && none->next->previous == none && none->block == phi->block);
    ir_remove(none);
    CHECK(phi->next->op == IR_RETURN && !none->block);
    ir_function_destroy(function);
}
