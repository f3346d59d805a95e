// SPDX-License-Identifier: MIT
// Lowers a prange loop to PARALLEL_FOR: its body becomes a function of a part of the
// range, which shares the variables of this one, and returns what its turns add up to:
//
//   body(start, stop, step, used...):  total = identity(total); for i in range(...): ...
//                                      return (total...,)
//   combine(total, part, ...):         total += part; return (total...,)
#include "compiler/ir/lower/lower.h"
#include "compiler/ir/lower/parallel.h"

#include <string.h>

#include "compiler/frontend/source.h"

bool lower_is_prange(const struct ast_node *node)
{
    if (node->kind != AST_CALL || node->call.function->kind != AST_CONSTANT)
        return false;
    const struct constant *constant = &node->call.function->constant.value;
    return constant->type == type_function && !strcmp(constant->name, "numba.prange") &&
           !node->call.keyword_count && node->call.args.len >= 1 &&
           node->call.args.len <= 3;
}

struct builder {
    struct lowering *lw;
    const struct ast_node *loop;
    const struct parallel_plan *plan;
    struct arena *arena; // of the function's source, as the new trees stay
    struct source *body, *combine;
    int *results; // locals that the body returns
    size_t result_count;
    int *used; // locals that the body takes
    size_t used_count;
};

// --- Making trees

static struct ast_node *new_node(const struct builder *b, enum ast_kind kind)
{
    struct ast_node *node = arena_new(b->arena, struct ast_node);
    node->kind = kind;
    node->span = b->loop->span;
    return node;
}

static struct ast_node *local_node(const struct builder *b, int local)
{
    struct ast_node *node = new_node(b, AST_LOCAL);
    node->local = local;
    return node;
}

static struct ast_list new_list(const struct builder *b, size_t len)
{
    return (struct ast_list){
            .items = arena_array(b->arena, struct ast_node *, len + 1), .len = len};
}

static struct ast_node *builtin_node(const struct builder *b, const char *name)
{
    struct ast_node *node = new_node(b, AST_CONSTANT);
    node->constant.value = (struct constant){.type = type_function, .name = name};
    node->constant.origin = name;
    return node;
}

static struct ast_node *call_node(const struct builder *b, struct ast_node *function,
        struct ast_node *const *args, size_t count)
{
    struct ast_node *node = new_node(b, AST_CALL);
    node->call.function = function;
    node->call.args = new_list(b, count);
    memcpy(node->call.args.items, args, count * sizeof *args);
    return node;
}

static struct ast_node *assign_node(
        const struct builder *b, int local, struct ast_node *value)
{
    struct ast_node *node = new_node(b, AST_ASSIGN);
    node->assign.targets = new_list(b, 1);
    node->assign.targets.items[0] = local_node(b, local);
    node->assign.value = value;
    return node;
}

static struct ast_node *return_node(const struct builder *b, const int *locals)
{
    struct ast_node *node = new_node(b, AST_RETURN), *tuple = new_node(b, AST_TUPLE);
    tuple->items = new_list(b, b->result_count);
    for (size_t i = 0; i < b->result_count; i++)
        tuple->items.items[i] = local_node(b, locals[i]);
    node->value = tuple;
    return node;
}

// Owned by the outer source, as inner functions are. Its parts are typed and emitted like
// a function of the user's; only errors name it, so its name tells where it comes from.
static struct source *new_source(const struct builder *b, const char *what)
{
    struct source *outer = b->lw->source;
    struct source *source = source_create(outer->name);
    vec_push(&outer->inner, source);
    source->name = arena_printf(&source->arena, "%s.%s", outer->name, what);
    source->qualname = outer->qualname;
    source->module = outer->module;
    source->file = outer->file;
    source->options = outer->options;
    source->is_loop_part = true;
    source->options.parallel = false; // a prange inside runs turn after turn
    source->first_line = source->last_line = b->loop->span.line;
    return source;
}

// --- The body

enum { BOUND_COUNT = 3 };
static const char *const bound_names[BOUND_COUNT] = {"start", "stop", "step"};

// Each reduction starts from what changes nothing, unless it can start from anything.
// Threads begin with a neutral element each, of the type that the total has: 0, 1, or for
// max, min, & and | the first total itself, which may be counted twice without harm.
static struct ast_node *start_node(const struct builder *b, int local)
{
    enum parallel_operator kind = b->plan->variables[local].kind;
    const char *name = kind == REDUCE_MUL ? "parallel.one" : "parallel.zero";
    if (b->plan->variables[local].role != PARALLEL_REDUCTION || kind == REDUCE_CALL ||
            kind == REDUCE_AND || kind == REDUCE_OR)
        return NULL;
    struct ast_node *value = local_node(b, local);
    return assign_node(b, local, call_node(b, builtin_node(b, name), &value, 1));
}

static struct ast_node *part_loop(const struct builder *b, const int *bounds)
{
    struct ast_node *loop = arena_new(b->arena, struct ast_node);
    struct ast_node *args[BOUND_COUNT];
    *loop = *b->loop;
    size_t count = b->loop->block.test->call.args.len == 3 ? 3 : 2;
    for (size_t i = 0; i < count; i++)
        args[i] = local_node(b, bounds[i]);
    loop->block.test = call_node(b, builtin_node(b, "builtins.range"), args, count);
    return loop;
}

static void make_params(struct source *source, const char *const *names, size_t count)
{
    source->param_count = count;
    source->params = arena_array(&source->arena, struct source_param, count + 1);
    for (size_t i = 0; i < count; i++)
        source->params[i].name = names[i];
}

static void make_body(struct builder *b)
{
    const struct ast_function *outer = b->lw->ast;
    size_t count = b->used_count + BOUND_COUNT, locals = outer->local_count;
    struct ast_function *ast = arena_new(b->arena, struct ast_function);
    int *param_locals = arena_array(b->arena, int, count);
    const char **names = arena_array(b->arena, const char *, count);
    ast->local_count = locals + BOUND_COUNT;
    ast->locals = arena_array(b->arena, const char *, ast->local_count);
    memcpy(ast->locals, outer->locals, locals * sizeof *ast->locals);
    ast->functions = arena_array(b->arena, const struct ast_node *, ast->local_count + 1);
    memcpy(ast->functions, outer->functions, locals * sizeof *ast->functions);
    ast->cells = arena_array(b->arena, bool, ast->local_count + 1);
    memcpy(ast->cells, outer->cells, locals);
    for (size_t i = 0; i < count; i++) {
        param_locals[i] = i < BOUND_COUNT ? (int)(locals + i) : b->used[i - BOUND_COUNT];
        names[i] = i < BOUND_COUNT ? bound_names[i] : outer->locals[param_locals[i]];
        ast->locals[param_locals[i]] = names[i];
    }
    ast->param_locals = param_locals;
    ast->span = b->loop->span;
    ast->body = new_list(b, b->result_count + 2);
    size_t at = 0;
    for (size_t i = 0; i < b->result_count; i++)
        if ((ast->body.items[at] = start_node(b, b->results[i])))
            at++;
    ast->body.items[at++] = part_loop(b, param_locals);
    ast->body.items[at++] = return_node(b, b->results);
    ast->body.len = at;
    b->body->ast = ast;
    make_params(b->body, names, count);
}

// --- Combining

static struct ast_node *combine_node(const struct builder *b, size_t i)
{
    const struct parallel_variable *variable = &b->plan->variables[b->results[i]];
    static const enum ir_binary ops[] = {[REDUCE_ADD] = BINARY_ADD,
            [REDUCE_MUL] = BINARY_MUL,
            [REDUCE_AND] = BINARY_AND,
            [REDUCE_OR] = BINARY_OR,
            [REDUCE_XOR] = BINARY_XOR};
    int total = (int)(2 * i), part = total + 1;
    struct ast_node *operands[2] = {local_node(b, total), local_node(b, part)};
    if (variable->role == PARALLEL_LAST)
        return assign_node(b, total, operands[1]);
    if (variable->kind == REDUCE_CALL) {
        struct ast_node *function = new_node(b, AST_CONSTANT);
        *function = *variable->call;
        return assign_node(b, total, call_node(b, function, operands, 2));
    }
    struct ast_node *node = new_node(b, AST_AUGMENTED);
    node->binary.op = ops[variable->kind];
    node->binary.left = operands[0];
    node->binary.right = operands[1];
    return node;
}

static void make_combine(struct builder *b)
{
    size_t count = b->result_count;
    struct ast_function *ast = arena_new(b->arena, struct ast_function);
    ast->local_count = 2 * count;
    ast->locals = arena_array(b->arena, const char *, 2 * count + 1);
    ast->functions = arena_array(b->arena, const struct ast_node *, 2 * count + 1);
    int *totals = arena_array(b->arena, int, count + 1);
    ast->body = new_list(b, count + 1);
    ast->span = b->loop->span;
    for (size_t i = 0; i < count; i++) {
        const char *name = b->lw->ast->locals[b->results[i]];
        ast->locals[2 * i] = name;
        ast->locals[2 * i + 1] = arena_printf(b->arena, "%s.part", name);
        totals[i] = (int)(2 * i);
        ast->body.items[i] = combine_node(b, i);
    }
    ast->body.items[count] = return_node(b, totals);
    b->combine->ast = ast;
    make_params(b->combine, ast->locals, 2 * count);
}

// --- The instruction

// Whether it is {...}, dict(...), Dict() or Dict.empty(...).
static bool makes_dict(const struct ir_instr *value)
{
    if (value->op != IR_CALL)
        return value->op == IR_BUILD_DICT;
    const struct ir_instr *callee = value->operands[0];
    if (callee->op == IR_GETATTR && !strcmp(callee->attribute, "empty"))
        callee = callee->operands[0];
    return callee->op == IR_CONST && callee->constant.type == type_function &&
           (!strcmp(callee->constant.name, "builtins.dict") ||
                   !strcmp(callee->constant.name, "typed.Dict"));
}

// An item of an array has a place of its own, whoever writes to it; a dict that grows
// moves all it holds. By what the variable is when the loop begins, for types are not
// known yet: one that comes from elsewhere is refused when they are.
static void refuse_stores_to_dicts(struct builder *b, struct parallel_plan *plan)
{
    struct lowering *lw = b->lw;
    for (int local = 0; local < (int)lw->ast->local_count && !plan->reason; local++) {
        const struct parallel_variable *variable = &plan->variables[local];
        if (variable->role != PARALLEL_READ || !variable->has_stores ||
                !makes_dict(ssa_read(lw, local, lw->block, b->loop->span)))
            continue;
        plan->is_race = true;
        plan->reason_span = variable->store_span;
        plan->reason = arena_printf(b->arena, "several turns may add to the dict '%s'",
                lw->ast->locals[local]);
    }
}

// Which variables the body takes and returns; `values`: of those that it takes.
// In the order of locals, which is the order of the body's parameters behind the bounds.
static void choose_variables(struct builder *b, struct ir_instr **values)
{
    struct lowering *lw = b->lw;
    int target = b->loop->block.target->local;
    for (int local = 0; local < (int)lw->ast->local_count; local++) {
        enum parallel_role role = b->plan->variables[local].role;
        if (role == PARALLEL_UNUSED || role == PARALLEL_PRIVATE || local == target ||
                lw->ast->functions[local])
            continue;
        struct ir_instr *value = ssa_read(lw, local, lw->block, b->loop->span);
        if (role == PARALLEL_LAST ? !ssa_is_assigned(lw, local, lw->block)
                                  : value == lw->undefined[local])
            continue;
        values[b->used_count] = value;
        b->used[b->used_count++] = local;
        if (role == PARALLEL_REDUCTION || role == PARALLEL_LAST)
            b->results[b->result_count++] = local;
    }
}

static bool lower_bounds(
        struct lowering *lw, const struct ast_list *args, struct ir_instr **bounds)
{
    struct constant zero = {.type = type_int64}, one = {.type = type_int64, .integer = 1};
    bounds[0] = lower_emit_constant(lw, zero, args->items[0]->span);
    bounds[2] = lower_emit_constant(lw, one, args->items[0]->span);
    for (size_t i = 0; i < args->len; i++) {
        struct ir_instr *value = lower_expr(lw, args->items[i]);
        if (!value)
            return false;
        bounds[args->len == 1 ? 1 : i] = value;
    }
    return true;
}

// What only turns have known is not known behind the loop: which turn's value it would be
// depends on the threads. If it is read, the loop is lowered again (read_behind.c).
static void forget_private(struct builder *b)
{
    struct lowering *lw = b->lw;
    for (int local = 0; local < (int)lw->ast->local_count; local++) {
        enum parallel_role role = b->plan->variables[local].role;
        if ((role == PARALLEL_PRIVATE || role == PARALLEL_LAST) &&
                !lw->ast->functions[local]) {
            ssa_forget(lw, local);
            lower_note_forgetting(lw, b->loop, local);
        }
    }
}

static int place_of(const struct builder *b, int local)
{
    return int_place(b->used, b->used_count, local);
}

static bool emit_loop(struct builder *b)
{
    struct lowering *lw = b->lw;
    size_t locals = lw->ast->local_count;
    b->used = arena_array(b->arena, int, locals + 1);
    b->results = arena_array(b->arena, int, locals + 1);
    struct ir_instr **operands = arena_array(
            &lw->function->arena, struct ir_instr *, locals + BOUND_COUNT + 1);
    if (!lower_bounds(lw, &b->loop->block.test->call.args, operands))
        return false;
    choose_variables(b, operands + BOUND_COUNT);
    b->body = new_source(b, "prange");
    // as in numba, where programs rely on it: a turn divides as NumPy does
    if (!b->plan->minds_errors && !lw->guard)
        b->body->options.is_numpy_error_model = true;
    b->combine = new_source(b, "combine");
    make_body(b);
    make_combine(b);
    struct ir_parallel *parallel = arena_new(&lw->function->arena, struct ir_parallel);
    parallel->body = b->body;
    parallel->combine = b->combine;
    parallel->result_count = b->result_count;
    parallel->initial = arena_array(&lw->function->arena, size_t, b->result_count + 1);
    for (size_t i = 0; i < b->result_count; i++)
        parallel->initial[i] = (size_t)(BOUND_COUNT + place_of(b, b->results[i]));
    struct ir_instr *instr = lower_emit(lw, IR_PARALLEL_FOR, 0, b->loop->span);
    instr->operands = operands;
    instr->operand_count = BOUND_COUNT + b->used_count;
    instr->parallel = parallel;
    lower_guard(lw);
    forget_private(b);
    for (size_t i = 0; i < b->result_count; i++) {
        struct ir_instr *result = lower_emit(lw, IR_UNPACK, 1, b->loop->span);
        result->operands[0] = instr;
        result->index = (int)i;
        result->count = (int)b->result_count;
        ssa_name(lw, b->results[i], result);
        ssa_write(lw, b->results[i], result, b->loop->span);
    }
    return true;
}

static const char *describe(const struct builder *b)
{
    struct str text = {0};
    for (size_t i = 0; i < b->result_count; i++) {
        const struct parallel_variable *variable = &b->plan->variables[b->results[i]];
        if (variable->role == PARALLEL_REDUCTION)
            str_printf(&text, "%s%s",
                    text.len ? ", " : "reductions: ", b->lw->ast->locals[b->results[i]]);
    }
    const char *copy =
            text.len ? arena_strdup(&b->lw->function->arena, str_text(&text)) : "";
    str_finish(&text);
    return copy;
}

static void note_loop(struct lowering *lw, const struct ast_node *loop,
        const struct parallel_plan *plan, const char *text)
{
    struct ir_loop_note *note = arena_new(&lw->function->arena, struct ir_loop_note);
    *note = (struct ir_loop_note){.line = loop->span.line,
            .reason_line = plan->reason ? plan->reason_span.line : 0,
            .is_parallel = !plan->reason,
            .is_race = plan->is_race,
            .text = text};
    struct ir_loop_note **end = &lw->function->loop_notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

bool lower_parallel_for(struct lowering *lw, const struct ast_node *loop, bool *is_done)
{
    struct parallel_plan plan;
    struct arena *arena = &lw->source->arena;
    parallel_analyse(lw->ast, loop, arena, &plan);
    struct builder b = {.lw = lw, .loop = loop, .plan = &plan, .arena = arena};
    refuse_stores_to_dicts(&b, &plan);
    const char *read = lower_read_behind(lw, loop);
    if (read && !plan.reason) {
        plan.reason_span = loop->span;
        plan.reason = arena_printf(arena,
                "'%s' is read behind it, and which turn sets it last depends on the "
                "threads",
                read);
    }
    *is_done = !plan.reason;
    if (plan.reason) {
        note_loop(lw, loop, &plan, arena_strdup(&lw->function->arena, plan.reason));
        return true;
    }
    if (!emit_loop(&b))
        return false;
    note_loop(lw, loop, &plan, describe(&b));
    return true;
}
