// SPDX-License-Identifier: MIT
// Builds resolved IR by hand, for tests: each function appends one instruction to `at`,
// the current block of the function `f`. Include it once, after test.h.
#pragma once

#include "compiler/backends/backend.h"
#include "compiler/compile.h"
#include "compiler/compiler.h"

__attribute__((constructor)) static void init(void)
{
    types_init(); // before the first use of a type in an argument
}

static struct ir_function *f;
static struct ir_block *at;

static inline const struct type *last_type(struct ir_instr *instr)
{
    return instr->type;
}

static inline struct ir_instr *make(enum ir_op op, const struct type *type, size_t count,
        struct ir_instr *const *operands)
{
    struct ir_instr *instr =
            ir_instr_create(f, op, count, (struct span){.file = "t", .line = 1});
    instr->type = type;
    for (size_t i = 0; i < count; i++)
        instr->operands[i] = operands[i];
    ir_append(at, instr);
    return instr;
}

#define OPERANDS(...)                                                                    \
    sizeof((struct ir_instr *[]){__VA_ARGS__}) / sizeof(struct ir_instr *),              \
            (struct ir_instr *[])                                                        \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

static inline void start(const char *name, size_t count, const struct type *const *params,
        const struct type *returns)
{
    f = ir_function_create(name);
    f->symbol = f->qualname = name;
    f->params = arena_array(&f->arena, const struct type *, count + 1);
    f->param_names = arena_array(&f->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        f->params[i] = params[i];
        f->param_names[i] = arena_printf(&f->arena, "%c", (char)('a' + i));
    }
    f->param_count = count;
    f->returns = returns;
    f->is_resolved = true;
    at = ir_block_create(f);
}

#define PARAMS(...)                                                                      \
    sizeof((const struct type *[]){__VA_ARGS__}) / sizeof(struct type *),                \
            (const struct type *[])                                                      \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

static inline struct ir_instr *arg(int index)
{
    struct ir_instr *instr = make(IR_ARG, f->params[index], 0, NULL);
    instr->index = index;
    instr->variable = f->param_names[index];
    return instr;
}

static inline struct ir_instr *constant(struct constant number)
{
    struct ir_instr *instr = make(IR_CONST, number.type, 0, NULL);
    instr->constant = number;
    return instr;
}

static inline struct ir_instr *integer(int64_t number)
{
    return constant((struct constant){.type = type_int64, .integer = number});
}

static inline struct ir_instr *real(double number)
{
    return constant((struct constant){.type = type_float64, .real = number});
}

static inline struct ir_instr *none(void)
{
    return constant((struct constant){.type = type_none});
}

static inline struct ir_instr *binary(
        enum ir_binary operation, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *instr = make(IR_BINARY, last_type(a), OPERANDS(a, b));
    instr->binary = operation;
    return instr;
}

static inline struct ir_instr *compare(
        enum ir_compare operation, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *instr = make(IR_COMPARE, type_bool, OPERANDS(a, b));
    instr->compare = operation;
    return instr;
}

static inline struct ir_instr *cast(struct ir_instr *a, const struct type *to)
{
    return make(IR_CAST, to, OPERANDS(a));
}

static inline struct ir_instr *primitive(enum ir_primitive name, const struct type *type,
        size_t count, struct ir_instr *const *operands)
{
    struct ir_instr *instr = make(IR_PRIMITIVE, type, count, operands);
    instr->primitive = name;
    return instr;
}

static inline struct ir_instr *tuple(size_t count, struct ir_instr *const *items)
{
    const struct type *types[8];
    for (size_t i = 0; i < count; i++)
        types[i] = items[i]->type;
    return make(IR_BUILD_TUPLE, type_tuple(types, count), count, items);
}

static inline void give(struct ir_instr *result)
{
    make(IR_RETURN, NULL, OPERANDS(result));
}

static inline void jump(struct ir_block *to)
{
    struct ir_instr *instr = make(IR_JUMP, NULL, 0, NULL);
    instr->targets[0] = to;
    vec_push(&to->predecessors, at);
}

static inline void branch(
        struct ir_instr *condition, struct ir_block *yes, struct ir_block *no)
{
    struct ir_instr *instr = make(IR_BRANCH, NULL, OPERANDS(condition));
    instr->targets[0] = yes;
    instr->targets[1] = no;
    vec_push(&yes->predecessors, at);
    vec_push(&no->predecessors, at);
}

// for item in iterable: opens the body with its item; `loop_end` closes it.
struct loop {
    struct ir_block *head, *body, *exit;
    struct ir_instr *item;
};

static inline struct ir_instr *phi(const struct type *type, struct ir_instr *first)
{
    return make(IR_PHI, type, OPERANDS(first, first));
}

static inline struct loop loop_start(struct ir_instr *iterable,
        const struct type *item_type, struct ir_instr **carried)
{
    struct loop loop = {ir_block_create(f), ir_block_create(f), ir_block_create(f), NULL};
    struct ir_instr *iterator =
            make(IR_GETITER, type_iterator(iterable->type), OPERANDS(iterable));
    jump(loop.head);
    at = loop.head;
    if (carried)
        *carried = phi((*carried)->type, *carried);
    struct ir_instr *next = make(IR_ITERNEXT, item_type, OPERANDS(iterator));
    struct ir_instr *has_item = make(IR_PAIR_SECOND, type_bool, OPERANDS(next));
    branch(has_item, loop.body, loop.exit);
    at = loop.body;
    loop.item = make(IR_PAIR_FIRST, item_type, OPERANDS(next));
    return loop;
}

static inline void loop_end(
        struct loop *loop, struct ir_instr *carried, struct ir_instr *next)
{
    jump(loop->head);
    if (carried)
        carried->operands[1] = next;
    at = loop->exit;
}

static inline struct ir_instr *range(
        struct ir_instr *from, struct ir_instr *to, struct ir_instr *step)
{
    return primitive(PRIMITIVE_RANGE, type_range(type_int64), OPERANDS(from, to, step));
}

static inline struct compiled *build(enum compile_kind kind, enum target_kind target)
{
    struct error err = {0};
    struct compile_options options = {
            .kind = kind, .target = target, .opt_level = 3, .compute_major = 9};
    struct compiled *compiled = compile_resolved(f, &options, &err);
    if (!compiled)
        TEST_FAIL("%s: %s", f->name, err.message);
    return compiled;
}

static inline void drop(struct compiled *compiled, struct ir_function *function)
{
    compiled_destroy(compiled);
    ir_function_destroy(function);
}
