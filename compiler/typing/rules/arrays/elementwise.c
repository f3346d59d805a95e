// SPDX-License-Identifier: MIT
// Functions of numbers applied to arrays, element by element. What makes an array that
// only the next such operation reads is fused with it (fused.c): one loop, no array
// between.

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/numbers/numbers.h"

enum { MAX_OPERANDS = FUSED_OPERANDS, MAX_EXPRESSION = 1000 };

static const struct type *item_type(const struct type *type)
{
    return type->kind == TYPE_ARRAY ? type->element : type;
}

// --- What can be fused

static size_t uses_outside(const struct ir_function *function,
        const struct ir_instr *value, const struct ir_instr *user)
{
    // a method of the value is bound before the user calls it
    const struct ir_instr *method = NULL;
    if (user->op == IR_CALL && user->operands[0]->op == IR_GETATTR &&
            user->operands[0]->operands[0] == value)
        method = user->operands[0];
    size_t count = 0;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) for (size_t i = 0; i < instr->operand_count; i++)
                count +=
                instr != user && ((instr->operands[i] == value && instr != method) ||
                                         (method && instr->operands[i] == method));
    return count;
}

// Whether the instruction leaves all arrays as they are.
static bool is_harmless(const struct ir_instr *instr)
{
    if (instr->map)
        return true;
    switch (instr->op) {
    case IR_CONST:
    case IR_GETATTR:
    case IR_GETITEM:
    case IR_TRUTH:
    case IR_BUILD_SLICE:
    case IR_BUILD_TUPLE:
    case IR_UNARY:
    case IR_COMPARE:
        return true;
    case IR_BINARY:
        return instr->type && type_is_number(instr->type);
    case IR_CALL: // of a builtin that gives a number
        return instr->type && type_is_number(instr->type) && instr->operands[0]->type &&
               instr->operands[0]->type->kind == TYPE_FUNCTION;
    default:
        return false;
    }
}

// Whether the operation takes the array besides as its operand, as `out` or `where`: then
// the array has to be there.
static bool takes_elsewhere(const struct rule *r, const struct ir_instr *made)
{
    size_t places = 0, operands = 0;
    for (size_t i = 0; i < r->instr->operand_count; i++)
        places += r->instr->operands[i] == made;
    for (size_t i = 0; i < r->arg_count; i++)
        operands += r->args[i] == made;
    return places > operands;
}

bool rule_can_fuse(const struct rule *r, const struct ir_instr *made)
{
    const struct ir_instr *user = r->instr;
    if (user->op == IR_INPLACE && made == user->operands[0]) // it is changed
        return false;
    if (takes_elsewhere(r, made) || !made->map || made->op == IR_CONST ||
            made->block != user->block || !made->type || made->type->kind != TYPE_ARRAY)
        return false;
    if (r->is_emitting)
        return made->map->fused_into == user;
    const struct ir_instr *between = made->next;
    while (between && between != user && is_harmless(between))
        between = between->next;
    return between == user && !uses_outside(r->in->function, made, user);
}

struct fusion {
    struct ir_instr *operands[MAX_OPERANDS];
    size_t count;
    struct str expression;
    bool is_fused;
};

static bool add_operand(
        struct fusion *fusion, struct ir_instr *operand, struct fused_place *place)
{
    size_t at = 0;
    while (at < fusion->count && fusion->operands[at] != operand)
        at++;
    if (at == MAX_OPERANDS)
        return false;
    fusion->operands[at] = operand;
    fusion->count += at == fusion->count;
    snprintf(place->text, sizeof place->text, "%zu", at);
    return true;
}

static bool add_map_operand(struct fusion *fusion, const struct ir_map *map, size_t i,
        struct fused_place *place)
{
    return (fused_takes_literals(map->function->function) &&
                   fused_literal(map->operands[i], place)) ||
           add_operand(fusion, map->operands[i], place);
}

// Makes the operation that `made` is a part of argument `i` of; false if it gets too big.
static bool fuse_operand(struct fusion *fusion, const struct ir_map *map)
{
    struct fusion before = *fusion;
    struct fused_place places[MAX_OPERANDS];
    for (size_t i = 0; i < map->count; i++)
        if (!add_map_operand(fusion, map, i, &places[i])) {
            fusion->count = before.count;
            return false;
        }
    fused_append(&fusion->expression, map->function->function, map->count, places);
    fusion->is_fused = true;
    return true;
}

// Whether some argument may be fused, so that there will be an expression. It must be the
// same while types are found and while code is emitted.
static bool has_map(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i]->map && r->args[i]->op != IR_CONST)
            return true;
    return false;
}

static bool add_argument(const struct rule *r, const char *name, struct fusion *fusion,
        size_t i, struct fused_place *place)
{
    return (fused_takes_literals(name) && has_map(r) &&
                   fused_literal(r->args[i], place)) ||
           add_operand(fusion, r->args[i], place);
}

// Whether there is room for the map and the arguments behind argument `i`, should none of
// these be fused. What is an operand already takes no more room.
static bool leaves_room(const struct rule *r, const char *name,
        const struct fusion *fusion, const struct ir_map *map, size_t i)
{
    struct fusion all = *fusion;
    struct fused_place place;
    bool has_room = all.expression.len + strlen(map->function->function) < MAX_EXPRESSION;
    for (size_t k = 0; has_room && k < map->count; k++)
        has_room = add_map_operand(&all, map, k, &place);
    for (size_t k = i + 1; has_room && k < r->arg_count; k++)
        has_room = add_argument(r, name, &all, k, &place);
    return has_room;
}

// How argument i, an array of integers, is converted to meet halves: NumPy's arithmetic
// takes a wider float unless the integers have 8 bits. NULL when it is not.
static const char *widening(const struct rule *r, size_t i, const char *name)
{
    if (r->arg_count != 2 || !strcmp(name, "numpy.ldexp"))
        return NULL;
    const struct type *type = rule_arg_type(r, i), *item = item_type(type);
    if (type->kind != TYPE_ARRAY || item->kind != TYPE_INT || item->bits <= 8 ||
            item_type(rule_arg_type(r, 1 - i)) != type_float16)
        return NULL;
    return item->bits == 16 ? "library.as_single" : "library.as_double";
}

// What r's operation is with all that can be fused into it.
static bool fuse(struct rule *r, const char *name, struct fusion *fusion)
{
    str_printf(&fusion->expression, FUSED_PREFIX "%s(", name);
    for (size_t i = 0; i < r->arg_count; i++) {
        struct ir_map *map = rule_can_fuse(r, r->args[i]) ? r->args[i]->map : NULL;
        if (i)
            str_append(&fusion->expression, ",");
        bool is_fused = map && (r->is_emitting || leaves_room(r, name, fusion, map, i)) &&
                        fuse_operand(fusion, map);
        if (map)
            map->fused_into = is_fused ? r->instr : NULL;
        struct fused_place place;
        if (is_fused)
            continue;
        if (!add_argument(r, name, fusion, i, &place))
            return false;
        const char *wide = widening(r, i, name);
        fusion->is_fused |= wide != NULL;
        str_printf(&fusion->expression, wide ? "%s(%s)" : "%s%s", wide ? wide : "",
                place.text);
    }
    str_append(&fusion->expression, ")");
    return true;
}

// Notes the operation for the one that reads its array.
static void note_map(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    if (r->is_emitting || r->out || r->instr->op == IR_INPLACE)
        return;
    for (size_t i = 0; i < r->arg_count; i++)
        if (!ir_has_operand(r->instr, r->args[i]))
            return;
    struct arena *arena = &r->in->function->arena;
    if (!r->instr->map)
        r->instr->map = arena_new(arena, struct ir_map);
    r->instr->map->function = function;
    r->instr->map->operands =
            arena_copy(arena, fusion->operands, fusion->count * sizeof *fusion->operands);
    r->instr->map->count = fusion->count;
}

// --- Typing and emitting

// What the function gives for items of the operands; NULL with or without an error.
static const struct type *elementwise_dtype(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    struct source *apply_to = infer_library(r->in, "elementwise.apply");
    if (!apply_to)
        return NULL;
    const struct type *items[MAX_OPERANDS];
    for (size_t i = 0; i < fusion->count; i++)
        items[i] = item_type(rule_value_type(fusion->operands[i]->type));
    const struct type *params[] = {function, type_tuple(items, fusion->count)};
    struct signature signature = {.params = params, .param_count = 2};
    struct ir_function *callee = rule_library_callee(r, apply_to, signature);
    return callee ? callee->returns : NULL;
}

// Says in parallel_diagnostics that an operation on whole arrays runs on threads.
static void note_array_operation(struct rule *r, const char *name)
{
    rule_note_parallel(r, "array operation",
            str_starts_with(name, FUSED_PREFIX) ? name + strlen(FUSED_PREFIX) : name);
}

// Whether all arrays are in Fortran order, in which the result is then.
static bool is_turned(const struct fusion *fusion)
{
    int ndim = 0;
    for (size_t i = 0; i < fusion->count; i++) {
        const struct type *type = rule_value_type(fusion->operands[i]->type);
        if (type->kind != TYPE_ARRAY || !type->array.ndim)
            continue;
        if (type->array.layout != LAYOUT_F || (ndim && type->array.ndim != ndim))
            return false;
        ndim = type->array.ndim;
    }
    return ndim > 1;
}

static const char *map_function(struct rule *r, const struct fusion *fusion)
{
    static const char *const serial[] = {
            "elementwise.map1", "elementwise.map2", "fused.map6"};
    static const char *const parallel[] = {
            "parallel.map1", "parallel.map2", "parallel.map6"};
    size_t kind = fusion->count > 2 ? 2 : fusion->count - 1;
    const char *name = r->in->source->options.parallel ? parallel[kind] : serial[kind];
    return is_turned(fusion) ? arena_printf(&r->in->function->arena, "%s_turned", name)
                             : name;
}

// The function of an expression and its operands: `count` places, unused ones are 0.
static void emit_operands(struct rule *r, const struct type *const *params,
        const struct fusion *fusion, size_t count, struct ir_instr **values)
{
    values[0] = rule_constant_of(r, params[0],
            (struct constant){.type = type_function, .name = params[0]->function});
    for (size_t i = 0; i < count; i++)
        values[i + 1] = i < fusion->count
                                ? rule_cast(r, fusion->operands[i], params[i + 1])
                                : rule_int(r, type_int64, 0);
}

static void emit_map(struct rule *r, struct ir_function *callee,
        const struct type *const *params, const struct fusion *fusion, size_t count)
{
    struct ir_instr *values[MAX_OPERANDS + 2];
    emit_operands(r, params, fusion, count, values);
    const struct type *dtype = params[count + 1];
    values[count + 1] = rule_constant_of(
            r, dtype, (struct constant){.type = dtype, .instance = dtype->element});
    r->value = rule_emit(r, IR_CALL_DIRECT, callee->returns, values, count + 2);
    r->value->callee = callee;
}

static bool map_operands(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    const struct type *dtype = elementwise_dtype(r, function, fusion);
    if (!dtype)
        return r->in->err->kind == ERROR_NONE;
    struct source *map = infer_library(r->in, map_function(r, fusion));
    if (!map)
        return false;
    size_t count = fusion->count > 2 ? MAX_OPERANDS : fusion->count;
    const struct type *params[MAX_OPERANDS + 2] = {function};
    for (size_t i = 0; i < count; i++)
        params[i + 1] = i < fusion->count ? rule_value_type(fusion->operands[i]->type)
                                          : type_int64;
    params[count + 1] = type_class(dtype);
    struct signature signature = {.params = params, .param_count = count + 2};
    struct ir_function *callee = rule_library_callee(r, map, signature);
    if (!callee)
        return false;
    r->type = callee->returns;
    note_map(r, function, fusion);
    if (!r->is_emitting)
        return true;
    if (r->instr->map && r->instr->map->fused_into) {
        r->value = rule_none(r); // its reader does the work
        return true;
    }
    if (r->in->source->options.parallel)
        note_array_operation(r, function->function);
    emit_map(r, callee, params, fusion, count);
    return true;
}

// --- On devices: into an array that there is, no other being made

// One loop that puts what the function makes of the operands into `out`.
static bool emit_into(struct rule *r, const struct ir_map *map, struct ir_instr *out,
        const struct type *out_type)
{
    static const char *const fills[] = {"device.into1", "device.into2", "device.into6"};
    size_t count = map->count > 2 ? MAX_OPERANDS : map->count;
    const struct type *params[MAX_OPERANDS + 2] = {map->function};
    for (size_t i = 0; i < count; i++)
        params[i + 1] =
                i < map->count ? rule_value_type(map->operands[i]->type) : type_int64;
    params[count + 1] = out_type;
    struct source *fill = infer_library(r->in, fills[map->count > 2 ? 2 : count - 1]);
    struct signature signature = {.params = params, .param_count = count + 2};
    struct ir_function *callee = fill ? rule_library_callee(r, fill, signature) : NULL;
    if (!callee || !r->is_emitting)
        return callee != NULL;
    struct ir_instr *values[MAX_OPERANDS + 2];
    values[0] = rule_constant_of(r, params[0],
            (struct constant){.type = type_function, .name = params[0]->function});
    for (size_t i = 0; i < count; i++)
        values[i + 1] = i < map->count ? rule_cast(r, map->operands[i], params[i + 1])
                                       : rule_int(r, type_int64, 0);
    values[count + 1] = rule_cast(r, out, out_type);
    struct ir_instr *call =
            rule_emit(r, IR_CALL_DIRECT, callee->returns, values, count + 2);
    call->callee = callee;
    return true;
}

static bool can_be_read(struct rule *r, const struct ir_map *map, struct ir_instr *array,
        const struct ir_instr *index)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->operands[i]->type->kind == TYPE_ARRAY &&
                view_overlaps(array, index, map->operands[i]))
            return rule_no_match(r,
                    "Both are parts of one array, of which one changes while the other "
                    "is read: write the loop over the elements.");
    return true;
}

static bool map_into_out(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    struct ir_instr *out = r->out;
    const struct type *type = rule_value_type(out->type);
    if (type->kind != TYPE_ARRAY || type->array.is_readonly)
        return rule_no_match(r, "`out` is an array that can be written to.");
    const struct type *dtype = elementwise_dtype(r, function, fusion);
    if (!dtype)
        return r->in->err->kind == ERROR_NONE;
    if (!rule_out_holds(r, type, dtype))
        return false;
    struct ir_map map = {.function = function,
            .operands = (struct ir_instr **)fusion->operands,
            .count = fusion->count};
    if ((!r->is_emitting && !can_be_read(r, &map, out, NULL)) ||
            !emit_into(r, &map, out, type))
        return false;
    r->type = type;
    r->out = NULL;
    r->value = r->is_emitting ? rule_cast(r, out, type) : NULL;
    return true;
}

// --- On the host: arrays changed in place

static void emit_update(struct rule *r, struct ir_function *update,
        const struct type *const *params, const struct fusion *fusion, size_t count)
{
    struct ir_instr *values[MAX_OPERANDS + 1];
    emit_operands(r, params, fusion, count, values);
    rule_emit(r, IR_CALL_DIRECT, update->returns, values, count + 1)->callee = update;
    r->value = NULL; // the array is what it was
}

// The array is the first operand; the others may be parts of it.
static bool update_operands(struct rule *r, const struct type *array,
        const struct type *function, const struct fusion *fusion)
{
    assert(array->kind == TYPE_ARRAY && fusion->count > 0);
    const struct type *dtype = elementwise_dtype(r, function, fusion);
    if (!dtype)
        return r->in->err->kind == ERROR_NONE;
    if (!arith_can_hold(array->element, dtype))
        return r->out ? rule_out_holds(r, array, dtype)
                      : rule_no_match(r, "The result does not fit into the array.");
    bool is_binary = fusion->count <= 2;
    struct source *source =
            infer_library(r->in, is_binary ? "updates.update2" : "updates.update6");
    size_t count = is_binary ? 2 : MAX_OPERANDS;
    const struct type *params[MAX_OPERANDS + 1] = {function, array};
    for (size_t i = 1; i < count; i++)
        params[i + 1] = i < fusion->count ? rule_value_type(fusion->operands[i]->type)
                                          : type_int64;
    struct signature signature = {.params = params, .param_count = count + 1};
    struct ir_function *update =
            source ? rule_library_callee(r, source, signature) : NULL;
    if (!update)
        return false;
    r->type = array;
    if (r->is_emitting)
        emit_update(r, update, params, fusion, count);
    return true;
}

// Whether operands behind the first one have no more dimensions than the array.
static bool fits_into(const struct type *array, const struct fusion *fusion)
{
    for (size_t i = 1; i < fusion->count; i++) {
        const struct type *type = rule_value_type(fusion->operands[i]->type);
        if (type->kind == TYPE_ARRAY && type->array.ndim > array->array.ndim)
            return false;
    }
    return true;
}

static bool is_serial_host(const struct rule *r)
{
    return r->in->target == TARGET_HOST && !r->in->source->options.parallel;
}

// Whether the operation can change its first array element by element.
static bool can_update(const struct rule *r, const struct fusion *fusion)
{
    assert(r->arg_count > 0);
    const struct type *target = rule_arg_type(r, 0);
    // a number that an array is added to becomes an array: nothing changes in place
    return r->instr->op == IR_INPLACE && is_serial_host(r) &&
           target->kind == TYPE_ARRAY && fusion->count > 1 &&
           fusion->operands[0] == r->args[0] && fits_into(target, fusion);
}

// Whether the results can go into `out` one by one: then it is the first operand, an item
// of which the function takes and leaves alone, unless it is an argument, too.
static bool can_fill_out(const struct rule *r)
{
    const struct type *out = r->out ? rule_value_type(r->out->type) : type_none;
    return r->instr->op != IR_INPLACE && is_serial_host(r) && !r->ufunc_where &&
           out->kind == TYPE_ARRAY && !out->array.is_readonly &&
           r->arg_count < MAX_OPERANDS;
}

static bool fill_out(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    const struct type *type = rule_value_type(r->out->type);
    if (!fits_into(type, fusion))
        return rule_no_match(r, "`out` is an array that the result fits into.");
    if (!update_operands(r, type, function, fusion) || !r->type)
        return r->in->err->kind == ERROR_NONE;
    r->value = r->is_emitting ? rule_cast(r, r->out, type) : NULL;
    r->out = NULL;
    return true;
}

// Its reader does the work: it has an array for the result.
static bool map_later(
        struct rule *r, const struct type *function, const struct fusion *fusion)
{
    if (r->is_emitting && (!r->instr->map || !r->instr->map->fused_into))
        return rule_no_match(r,
                "An operation on whole arrays makes a new array, which CUDA code "
                "cannot do: assign it to an array, a[:] = ..., at once, give a ufunc an "
                "array for the result, `out`, or write the loop over the elements.");
    const struct type *dtype = elementwise_dtype(r, function, fusion);
    if (!dtype)
        return r->in->err->kind == ERROR_NONE;
    int ndim = 0;
    for (size_t i = 0; i < fusion->count; i++) {
        const struct type *type = rule_value_type(fusion->operands[i]->type);
        if (type->kind == TYPE_ARRAY && type->array.ndim > ndim)
            ndim = type->array.ndim;
    }
    r->type = type_array(dtype, ndim, LAYOUT_C, false);
    note_map(r, function, fusion);
    r->value = r->is_emitting ? rule_none(r) : NULL;
    return true;
}

bool rule_is_lazy_array(struct rule *r, size_t i)
{
    return r->in->target != TARGET_HOST && rule_can_fuse(r, r->args[i]);
}

bool rule_put_lazy_array(
        struct rule *r, size_t i, const struct type *view, struct ir_instr *out)
{
    struct ir_map *map = r->args[i]->map;
    if (!r->is_emitting && !can_be_read(r, map, r->args[0], r->args[1]))
        return false;
    map->fused_into = r->instr;
    return emit_into(r, map, out, view);
}

// Of operands without dimensions comes a number, in NumPy and in numba; the library,
// which is written for arrays of any number of dimensions, has an array.
void rule_take_number(struct rule *r)
{
    bool is_changed =
            r->instr->op == IR_INPLACE && rule_arg_type(r, 0)->kind == TYPE_ARRAY;
    const struct type *type = r->type;
    if (!type || type->kind != TYPE_ARRAY || type->array.ndim || is_changed ||
            r->in->source->options.is_library)
        return;
    r->type = type->element;
    if (r->is_emitting)
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, r->type, &r->value, 1);
}

bool rule_elementwise(struct rule *r, const char *name)
{
    const char *power = rule_literal_power(r, name);
    if (power) {
        name = power;
        r->arg_count = 1;
    }
    bool has_place = r->out || r->ufunc_where;
    if (r->arg_count > MAX_OPERANDS)
        return rule_no_match(r, "It takes too many arrays.");
    for (size_t i = 0; i < r->arg_count; i++)
        if (!type_is_item(item_type(rule_arg_type(r, i))))
            return rule_no_match(r, "It takes arrays and numbers.");
    struct fusion fusion = {.count = 0};
    bool fills_out = can_fill_out(r);
    if (fills_out)
        fusion.operands[fusion.count++] = r->out;
    bool done = fuse(r, name, &fusion) || rule_no_match(r, "It takes too many arrays.");
    if (done) {
        bool is_whole = !fusion.is_fused && !fills_out && fusion.count == r->arg_count;
        const struct type *function =
                type_function_of(is_whole ? name : str_text(&fusion.expression));
        done = fills_out ? fill_out(r, function, &fusion)
               : can_update(r, &fusion)
                       ? update_operands(r, rule_arg_type(r, 0), function, &fusion)
               : r->in->target == TARGET_HOST ? map_operands(r, function, &fusion)
               : r->out                       ? map_into_out(r, function, &fusion)
                                              : map_later(r, function, &fusion);
    }
    str_finish(&fusion.expression);
    if (done && !has_place && r->in->target == TARGET_HOST)
        rule_take_number(r);
    return done;
}
