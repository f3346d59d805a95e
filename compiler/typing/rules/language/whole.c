// SPDX-License-Identifier: MIT
// Arguments of the library's functions that count, or name places: axes, shifts, indices.
// They are whole numbers, and the library gets those that are not int64 as int64: the
// arithmetic of uint64 and int64 is that of floats, and a place that is a float lies
// between two items.

#include <string.h>

#include "base/str.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

// Parameters that are whole numbers in every function that has them, None among them
// where the function has a meaning for it.
static const char one[] = "axis1 axis2 axisa axisb axisc k N num decimals count offset "
                          "minlength";
static const char several[] = "axis shift source destination repeats reps new_shape "
                              "window_shape dims indices_or_sections multi_index";
// Those that are never None, nor one of the truth values
static const char places[] = "kth";
// Those that may be truth values, one for each item
static const char masks[] = "obj";
// Those whose arrays may be of truth values, each of which counts as 0 or 1
static const char counts[] = "repeats";
// Those whose arrays the library looks at, as empty lists are arrays of floats
static const char arrays_of_places[] = "indices ind obj";

// What other functions give numbers by the same name.
static bool is_whole_here(const struct builtin *builtin, const char *name, size_t len)
{
    static const char counting[] =
            "diff identity tril_indices triu_indices diag_indices matrix_power";
    const char *called = strrchr(builtin->name, '.');
    called = called ? called + 1 : builtin->name;
    if (len != 1)
        return false;
    return *name == 'n'   ? words_have(counting, called, strlen(called))
           : *name == 'm' ? strstr(called, "_indices") != NULL
                          : *name == 'M' && words_have("eye tri", called, strlen(called));
}

static bool is_whole_array(const struct type *item, const char *name, size_t len)
{
    if (words_have(arrays_of_places, name, len))
        return item->kind != TYPE_TIME && item->kind != TYPE_COMPLEX;
    return item->kind == TYPE_INT ||
           (item->kind == TYPE_BOOL && words_have(counts, name, len));
}

static bool is_whole(const struct type *type, const char *name, size_t len)
{
    bool is_strict = words_have(places, name, len) || words_have(masks, name, len);
    bool is_one = len == 1 || words_have(one, name, len);
    switch (type->kind) {
    case TYPE_INT:
        return true;
    case TYPE_BOOL:
        return !is_strict;
    case TYPE_NONE:
        return !is_strict && !words_have(arrays_of_places, name, len);
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
    case TYPE_BFLOAT:
    case TYPE_TIME:
    case TYPE_STRING:
        return false;
    case TYPE_ARRAY:
        return !is_one && is_whole_array(type->element, name, len);
    case TYPE_LIST:
        return !is_one;
    case TYPE_TUPLE:
        if (is_one)
            return false;
        for (size_t i = 0; i < type->tuple.len; i++)
            if (!is_whole(type->tuple.items[i], name, len))
                return false;
        return true;
    default: // slices, optional values: the library's to judge
        return true;
    }
}

// The type that the library gets in place of this one; NULL: as it is.
static const struct type *as_places(const struct type *type)
{
    const struct type *items[64];
    bool has_changed = false;
    if (type->kind == TYPE_INT || type->kind == TYPE_BOOL)
        return type == type_int64 ? NULL : type_int64;
    if (type->kind != TYPE_TUPLE || type->tuple.len > 63)
        return NULL;
    for (size_t i = 0; i < type->tuple.len; i++) {
        if (!type_is_integer(type->tuple.items[i]))
            return NULL;
        items[i] = type_int64;
        has_changed = has_changed || type->tuple.items[i] != type_int64;
    }
    return has_changed ? type_tuple(items, type->tuple.len) : NULL;
}

// As int64; what is too large for it is its largest number, and not a negative one.
static struct ir_instr *cast_place(
        struct rule *r, struct ir_instr *place, const struct type *type)
{
    if (place->type == type_uint64) {
        struct ir_instr *both[] = {place, rule_int(r, type_uint64, INT64_MAX)};
        place = rule_primitive(r, PRIMITIVE_MIN, type_uint64, both, 2);
    }
    return rule_cast(r, place, type);
}

static bool check(struct rule *r, size_t i, const char *name, size_t len)
{
    const struct type *type = rule_arg_type(r, i);
    struct arena *arena = &r->in->function->arena;
    if (!is_whole(type, name, len))
        return rule_no_match(r, arena_printf(arena, "The argument '%.*s' takes integers.",
                                        (int)len, name));
    const struct type *wanted = rule_constant(r->args[i]) ? NULL : as_places(type);
    if (wanted)
        rule_replace_arg(r, i,
                r->is_emitting ? cast_place(r, r->args[i], wanted)
                               : rule_stand_in(r, wanted));
    return true;
}

bool rule_whole_arguments(struct rule *r, const struct builtin *builtin)
{
    const char *name = builtin->params;
    // the first has an error of its own, constants of integration are numbers
    if (!strcmp(builtin->name, "numpy.unravel_index") ||
            str_ends_with(builtin->name, "polyint"))
        return true;
    for (size_t i = 0; *name && i < r->arg_count; i++, name = words_from(name, 1)) {
        size_t len = strcspn(name, " ");
        bool is_looked_at = words_have(one, name, len) ||
                            words_have(several, name, len) ||
                            words_have(places, name, len) ||
                            words_have(arrays_of_places, name, len) ||
                            is_whole_here(builtin, name, len);
        if (is_looked_at && rule_has_arg(r, i) && !check(r, i, name, len))
            return false;
    }
    return true;
}
