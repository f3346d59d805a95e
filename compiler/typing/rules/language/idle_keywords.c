// SPDX-License-Identifier: MIT
// Keyword arguments of NumPy that choose nothing for plain arrays in the host's memory:
// like, device, subok, ndmax and their kin. They are checked as NumPy does, and left out.
#include <string.h>

#include "compiler/typing/rules/language/language.h"

// False with an error where the value is none that NumPy takes.
typedef bool check_value(struct rule *r, struct ir_instr *value);

static bool any_value(struct rule *r, struct ir_instr *value)
{
    (void)r;
    (void)value;
    return true;
}

static bool check_like(struct rule *r, struct ir_instr *value)
{
    return value->type->kind == TYPE_ARRAY || value->type == type_none ||
           rule_fail(r, ERROR_TYPING,
                   "The `like` argument must be an array-like that implements the "
                   "`__array_function__` protocol: in compiled code an array, not %s",
                   value->type->name);
}

static bool check_device(struct rule *r, struct ir_instr *value)
{
    size_t len = 0;
    const char *device = rule_constant_text(value, &len);
    if (value->type == type_none || (device && !strcmp(device, "cpu")))
        return true;
    return rule_fail(r, ERROR_TYPING,
            "Device not understood. Only \"cpu\" is allowed, but received: %s%s",
            device ? device : value->type->name,
            device ? "" : ". In compiled code it must be a literal");
}

// How many axes an array of the value has.
static int depth_of(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return type->array.ndim;
    if (type->kind == TYPE_LIST)
        return 1 + (type->element ? depth_of(type->element) : 0);
    if (type->kind == TYPE_TUPLE)
        return 1 + (type->tuple.len ? depth_of(type->tuple.items[0]) : 0);
    return 0;
}

static bool check_ndmax(struct rule *r, struct ir_instr *value)
{
    int64_t most = 0;
    if (!rule_constant_int(value, &most) || most < 0 || most > MAX_NDIM)
        return rule_fail(r, ERROR_TYPING,
                "ndmax must be a literal from 0 to %d: the number of dimensions of the "
                "result depends on it",
                MAX_NDIM);
    return depth_of(r->instr->operands[1]->type) <= most ||
           rule_fail(r, ERROR_TYPING,
                   "setting an array element with a sequence. The requested array would "
                   "exceed the maximum number of dimension of %d. (Arrays of objects are "
                   "not supported in compiled code.)",
                   (int)most);
}

// Ufuncs cast and lay out as they do by default.
static bool check_ufunc_keyword(
        struct rule *r, const char *keyword, struct ir_instr *value)
{
    const char *wanted = keyword[0] == 'o' ? "K" : "same_kind";
    size_t len = 0;
    const char *given = rule_constant_text(value, &len);
    return keyword[0] == 's' || (given && !strcmp(given, wanted)) ||
           rule_fail(r, ERROR_TYPING, "%s() in compiled code has %s='%s', and no other",
                   r->name, keyword, wanted);
}

// What is added up in another order differs in the last places alone.
static const struct {
    const char *keyword, *functions; // after "numpy."
    check_value *check;
} idle[] = {
        {"like",
                "arange array asanyarray asarray ascontiguousarray asfortranarray empty "
                "eye frombuffer full identity ones tri zeros",
                check_like},
        {"device",
                "arange asanyarray asarray empty empty_like eye full full_like "
                "linspace ones ones_like zeros zeros_like astype",
                check_device},
        {"subok", "broadcast_arrays broadcast_to copy", any_value},
        {"ndmax", "array", check_ndmax},
        {"sorted", "unique", any_value},
        {"optimize", "einsum", any_value},
};

bool rule_idle_keyword(struct rule *r, const struct builtin *builtin, const char *keyword,
        struct ir_instr *value, bool *is_idle)
{
    static const char prefix[] = "numpy.";
    if (!str_starts_with(builtin->name, prefix))
        return true;
    const char *function = builtin->name + strlen(prefix);
    if (builtin->is_ufunc &&
            words_have("subok order casting", keyword, strlen(keyword))) {
        *is_idle = true;
        return check_ufunc_keyword(r, keyword, value);
    }
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (!strcmp(idle[i].keyword, keyword) &&
                words_have(idle[i].functions, function, strlen(function))) {
            *is_idle = true;
            return idle[i].check(r, value);
        }
    return true;
}
