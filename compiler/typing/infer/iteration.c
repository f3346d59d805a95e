// SPDX-License-Identifier: MIT
// What a loop runs over: of an enum its members, of a dict, a view of one, or a set
// a list of what is in it, of a value of a type that the program added what its code for
// iteration gives.
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/types/functions.h"

// --- Members of an enum

struct ir_instr *rule_member(struct rule *r, const struct type *type, size_t i)
{
    assert(type->kind == TYPE_ENUM && i < type->enumeration.len);
    struct ir_instr *value = rule_emit(r, IR_CONST, type, NULL, 0);
    value->constant = type_member_value(type, i);
    value->constant.type = type;
    return value;
}

struct ir_instr *rule_members(struct rule *r, const struct type *class_type)
{
    const struct type *type = class_type->element;
    struct ir_instr **members = arena_array(
            &r->in->function->arena, struct ir_instr *, type->enumeration.len + 1);
    for (size_t i = 0; i < type->enumeration.len; i++)
        members[i] = rule_member(r, type, i);
    return rule_tuple(r, members, type->enumeration.len);
}

// --- Types that the program adds

// numba/core/extension/iteration.py answers for attributes that functions of one value
// give. *has: there is one.
static bool ask(
        struct rule *r, const char *name, struct ir_instr *const *value, bool *has)
{
    const struct type *type = (*value)->type;
    r->args = (struct ir_instr **)value;
    r->arg_count = 1;
    r->value = NULL;
    r->type = NULL;
    *has = false;
    if (!overload_has_answers())
        return true;
    return rule_overloads_have(r, type, name, has) &&
           (!*has || rule_overloaded_attribute(r, type));
}

// As an item of what others go over, such as enumerate, it is what its code for iteration
// is called by: a generator.
static bool extension_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out)
{
    struct rule inner = *r;
    bool has;
    if (!ask(&inner, "__iter__", &value, &has))
        return false;
    if (has)
        *type = inner.type;
    if (has && inner.value)
        *out = inner.value;
    return true;
}

bool rule_extension_iterator(struct rule *r, struct ir_instr *value, bool *has)
{
    if (!ask(r, "__getiter__", &value, has) || !*has)
        return !*has;
    struct ir_instr *iterator = r->value;
    const struct type *parts[] = {type_voidptr, r->type};
    r->type = type_tuple(parts, 2);
    if (iterator)
        r->value = rule_tuple(r,
                (struct ir_instr *[]){rule_primitive(r, PRIMITIVE_STACK_COPY,
                                              type_voidptr, &iterator, 1),
                        iterator},
                2);
    return true;
}

bool rule_extension_next(struct rule *r, struct ir_instr *iterator)
{
    bool has;
    if (!ask(r, "__iternext__", &iterator, &has))
        return false;
    return has || rule_no_match(r, "Its iterator has no code for 'iternext'.");
}

// --- Iterators

// Whether control comes back to the block without coming by the other one.
static bool comes_back(const struct ir_block *at, const struct ir_block *block,
        const struct ir_block *by, bool *is_seen)
{
    struct ir_block *successors[2];
    for (size_t i = ir_successors(at, successors); i-- > 0;) {
        if (successors[i] == by || is_seen[successors[i]->id])
            continue;
        is_seen[successors[i]->id] = true;
        if (successors[i] == block || comes_back(successors[i], block, by, is_seen))
            return true;
    }
    return false;
}

static size_t count_uses(const struct ir_instr *user, const struct ir_instr *value)
{
    size_t count = 0;
    for (size_t i = 0; i < user->operand_count; i++)
        count += user->operands[i] == value;
    return count;
}

// Whether it is a call of a function that Python or NumPy has, none of which asks again.
static bool is_builtin_call(const struct ir_instr *user)
{
    const struct ir_instr *callee = user->op == IR_CALL ? user->operands[0] : NULL;
    return callee && callee->op == IR_CONST && callee->constant.type == type_function;
}

bool rule_is_asked_once(const struct rule *r, bool by_builtins)
{
    struct ir_function *function = r->in->function;
    const struct ir_instr *made = r->instr, *user = NULL;
    size_t uses = 0;
    assert((made->op == IR_CALL || made->op == IR_GETATTR) && made->block);
    if (r->is_emitting)
        return made->type && made->type->kind != TYPE_GENERATOR;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            size_t count = count_uses(instr, made);
            user = count ? instr : user;
            uses += count;
        }
    if (uses != 1 || !(user->op == IR_GETITER || (by_builtins && is_builtin_call(user))))
        return false;
    assert(user->block && made->block);
    if (user->block == made->block)
        return true;
    assert(user->op != IR_PHI); // it is where the block says, not at the end of another
    bool *is_seen = arena_array(&function->arena, bool, function->blocks.len + 1);
    return !comes_back(user->block, user->block, made->block, is_seen);
}

// What goes over its arguments when it is asked itself.
static bool is_lazy(const struct ir_instr *call)
{
    static const char names[] = "zip enumerate map filter iter";
    static const char prefix[] = "builtins.";
    const char *name = call->operands[0]->constant.name;
    return str_starts_with(name, prefix) &&
           words_have(names, name + strlen(prefix), strlen(name + strlen(prefix)));
}

bool rule_begins_at_once(const struct ir_instr *made)
{
    const struct ir_instr *next = made->next;
    while (next && next->op == IR_CONST)
        next = next->next;
    if (!next || !count_uses(next, made))
        return false;
    return next->op == IR_GETITER ||
           (is_builtin_call(next) && (!is_lazy(next) || rule_begins_at_once(next)));
}

static bool start_argument(struct rule *r, size_t i)
{
    struct rule inner = *r;
    inner.args = &r->args[i];
    inner.arg_count = 1;
    inner.value = inner.out = NULL;
    inner.type = NULL;
    if (!rule_library(&inner, "functional.iterate_entries") || !inner.type)
        return false;
    rule_replace_arg(r, i, r->is_emitting ? inner.value : rule_stand_in(r, inner.type));
    return true;
}

bool rule_has_entries(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (rule_has_arg(r, i) && type_has_entries(rule_arg_type(r, i)))
            return true;
    return false;
}

bool rule_start_entries(struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (rule_has_arg(r, i) && type_has_entries(rule_arg_type(r, i)) &&
                !start_argument(r, i))
            return false;
    return true;
}

// --- Containers

struct ir_instr *rule_viewed_dict(struct rule *r, struct ir_instr *view)
{
    const struct type *type = rule_value_type(view->type);
    assert(type->kind == TYPE_DICT_VIEW);
    return r->is_emitting ? rule_cast(r, rule_cast(r, view, type), type->element)
                          : rule_stand_in(r, type->element);
}

// What makes a list of what a container holds.
static const char *lister_of(const struct type *container)
{
    static const char *const of_views[] = {"dict.keys", "dict.values", "dict.items"};
    if (container->kind == TYPE_SET)
        return "set.items";
    return of_views[container->kind == TYPE_DICT_VIEW ? container->bits : DICT_KEYS];
}

bool rule_container_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out)
{
    const struct type *container = rule_value_type(value->type);
    if (container != value->type)
        value = r->is_emitting ? rule_cast(r, value, container)
                               : rule_stand_in(r, container);
    *out = value;
    *type = container;
    if (container->kind == TYPE_EXTENSION)
        return extension_iterable(r, value, type, out);
    if (!type_iterated(container) && type_tuple_of_choices(container)) {
        *type = type_tuple_of_choices(container);
        *out = r->is_emitting ? rule_cast(r, value, *type) : value;
        return true;
    }
    bool is_texts = rule_is_text_array(container) && container->array.ndim == 1;
    if (!type_has_entries(container) && !is_texts)
        return true;
    struct rule inner = *r;
    if (container->kind == TYPE_DICT_VIEW)
        value = rule_viewed_dict(r, value);
    inner.args = &value;
    inner.arg_count = 1;
    inner.value = NULL;
    inner.type = NULL;
    if (!rule_library(&inner, is_texts ? "texts.items" : lister_of(container)))
        return false;
    *type = type_list(
            is_texts ? container->element->element : type_iterated(container), false);
    if (inner.value)
        *out = inner.value;
    return true;
}
