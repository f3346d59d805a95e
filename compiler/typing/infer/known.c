// SPDX-License-Identifier: MIT
// What types alone answer: isinstance, the questions of match statements, and those that
// the library asks about its arguments.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/kinds.h"
#include "compiler/typing/infer/rule.h"

// --- Dicts of items of several types, which are tuples

bool rule_is_mixed_dict(const struct type *type)
{
    return type->kind == TYPE_TUPLE && !type->tuple.class_object &&
           str_starts_with(type->name, MIXED_DICT);
}

const struct type *rule_mixed_dict_keys(const struct type *dict)
{
    if (!rule_is_mixed_dict(dict))
        return NULL;
    const struct type *types[MIXED_DICT_KEYS];
    for (size_t i = 0; i < dict->tuple.len && i < MIXED_DICT_KEYS; i++)
        types[i] = type_string;
    return dict->tuple.len <= MIXED_DICT_KEYS ? type_tuple(types, dict->tuple.len) : NULL;
}

// --- isinstance

// Classes that are known by name, and the kind of their instances.
static const struct {
    const char *name;
    enum type_kind kind;
} named_classes[] = {{"builtins.tuple", TYPE_TUPLE}, {"builtins.slice", TYPE_SLICE},
        {"builtins.range", TYPE_RANGE}, {"numpy.ndarray", TYPE_ARRAY},
        {"builtins.list", TYPE_LIST}, {"builtins.dict", TYPE_DICT},
        {"builtins.set", TYPE_SET}, {"builtins.enumerate", TYPE_ENUMERATE},
        {"builtins.zip", TYPE_ZIP}};

// numba.typed.List is no list, and a list is no numba.typed.List. Dicts are all typed.
static bool is_typed_instance(const struct type *type, const char *class)
{
    if (!strcmp(class, "List"))
        return type->kind == TYPE_LIST && type->cell.is_typed;
    if (!strcmp(class, "Set"))
        return type->kind == TYPE_SET && type->cell.is_typed;
    return !strcmp(class, "Dict") && type->kind == TYPE_DICT;
}

static bool is_instance_of_named(const struct type *type, const char *name)
{
    if (str_starts_with(name, "typed."))
        return is_typed_instance(type, name + strlen("typed."));
    if ((type->kind == TYPE_LIST || type->kind == TYPE_SET) && type->cell.is_typed)
        return false;
    if (type->kind == TYPE_TIME)
        return !strcmp(
                name, type->time.is_delta ? "numpy.timedelta64" : "numpy.datetime64");
    if (rule_mixed_dict_keys(type))
        return !strcmp(name, "builtins.dict");
    for (size_t i = 0; i < sizeof named_classes / sizeof *named_classes; i++)
        if (!strcmp(named_classes[i].name, name))
            return type->kind == named_classes[i].kind;
    return false;
}

// int and float are numbers of 64 bits, as Python's are; those of other widths are
// NumPy's.
static bool is_instance_of_class(
        const struct type *type, const struct type *instance, const char *origin)
{
    bool is_exact = origin && strchr(origin, '.');
    if (instance->kind == TYPE_TUPLE && type->kind == TYPE_TUPLE)
        return instance->tuple.class_object == type->tuple.class_object;
    if (type == instance || is_exact)
        return type == instance;
    if (instance == type_int64)
        return type->kind == TYPE_ENUM ? type->enumeration.is_int
                                       : type->kind == TYPE_INT && !type->bits;
    return false;
}

static bool is_instance(const struct type *type, const struct type *class,
        const struct constant *constant, const char *origin, bool *is_known)
{
    if (class->kind == TYPE_CLASS)
        return is_instance_of_class(type, class->element, origin);
    if (class->kind == TYPE_FUNCTION && (class->function || constant))
        return is_instance_of_named(
                type, class->function ? class->function : constant->name);
    const struct source *overloaded =
            class->kind == TYPE_DISPATCHER ? class->source : NULL;
    if (overloaded && overloaded->is_overloaded && overloaded->builtin)
        return is_instance_of_named(type, overloaded->builtin);
    if (class->kind == TYPE_NONE)
        return type == type_none;
    if (class->kind != TYPE_PYOBJECT)
        *is_known = false;
    return false;
}

bool infer_is_instance(
        const struct type *type, const struct ir_instr *classes, bool *is_known)
{
    const struct type *class = classes->type;
    const struct constant *constant = rule_constant(classes);
    if (class->kind != TYPE_TUPLE)
        return is_instance(type, class, constant, classes->origin, is_known);
    bool is_some = false;
    for (size_t i = 0; i < class->tuple.len; i++) {
        const struct ir_instr *item =
                classes->op == IR_BUILD_TUPLE ? classes->operands[i] : NULL;
        is_some |= is_instance(type, class->tuple.items[i],
                constant ? &constant->tuple.items[i]
                : item   ? rule_constant(item)
                         : NULL,
                item ? item->origin : NULL, is_known);
    }
    return is_some;
}

bool rule_known_instance(const struct ir_instr *call, int64_t *out)
{
    const struct type *type = call->operands[1]->type;
    bool is_known = true;
    if (!type || !call->operands[2]->type || type->kind == TYPE_OPTIONAL)
        return false;
    *out = infer_is_instance(type, call->operands[2], &is_known);
    return is_known;
}

// --- match statements

// Types of one family can be equal; those of two never are.
static enum type_kind family_of(const struct type *type)
{
    return type_is_number(type) ? TYPE_INT : type->kind;
}

static bool is_comparable(const struct type *subject, const struct type *value)
{
    subject = rule_value_type(subject);
    value = rule_value_type(value);
    if (subject->kind == TYPE_INSTANCE || value->kind == TYPE_INSTANCE)
        return true;
    if (subject->kind == TYPE_ARRAY || value->kind == TYPE_ARRAY)
        return type_is_number(subject) || type_is_number(value);
    return family_of(subject) == family_of(value);
}

static bool is_mapping(const struct type *subject, const struct type *key)
{
    return subject->kind == TYPE_DICT &&
           (!key || !subject->element || is_comparable(subject->element, key));
}

static bool is_sequence(const struct type *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_LIST ||
           type->kind == TYPE_RANGE;
}

// Of an optional value nothing is known but what its own type tells.
bool infer_match(enum match_question question, struct ir_instr *const *args, size_t count,
        int64_t *out)
{
    for (size_t i = 0; i < count; i++)
        if (!args[i]->type)
            return false;
    const struct type *subject = args[0]->type;
    const struct type *value = count > 1 ? args[1]->type : NULL;
    *out = question == MATCH_COMPARABLE ? is_comparable(subject, value)
           : question == MATCH_MAPPING  ? is_mapping(subject, value)
                                        : is_sequence(subject);
    return true;
}

bool rule_known_match(const struct ir_instr *call, int64_t *out)
{
    const struct type *callee = call->operands[0]->type;
    if (!callee || callee->kind != TYPE_FUNCTION || !callee->function ||
            strncmp(callee->function, "gridcell.match_", 15) != 0)
        return false;
    const char *asked = callee->function + strlen("gridcell.match_");
    enum match_question question = !strcmp(asked, "comparable") ? MATCH_COMPARABLE
                                   : !strcmp(asked, "mapping")  ? MATCH_MAPPING
                                                                : MATCH_SEQUENCE;
    return infer_match(question, call->operands + 1, call->operand_count - 1, out);
}

// --- What the library asks

const struct type *library_described(const struct type *type)
{
    type = rule_value_type(type);
    bool has_element = type->kind == TYPE_ARRAY || type->kind == TYPE_CLASS;
    return has_element && type->element ? type->element : type;
}

// The library's kind(): it numbers NumPy's letters from 1 (library/__init__.py), 0 is
// OTHER.
static int64_t number_kind(const struct type *type)
{
    static const char letters[] = "biufcmSV";
    char letter = type_traits_of(type)->dtype;
    if (letter == 'i' && !type->is_signed)
        letter = 'u';
    return letter ? strchr(letters, letter) - letters + 1 : 0;
}

static int64_t form(const struct type *type)
{
    return type_traits_of(rule_value_type(type))->form;
}

// What a ufunc gives for no numbers at all; 2 where it has no such value.
static int64_t identity(const struct type *type)
{
    static const struct {
        const char *name;
        int value;
    } known[] = {{"numpy.add", 0}, {"numpy.multiply", 1}, {"numpy.bitwise_and", -1},
            {"numpy.bitwise_or", 0}, {"numpy.bitwise_xor", 0}, {"numpy.logical_and", 1},
            {"numpy.logical_or", 0}, {"numpy.logical_xor", 0}, {"numpy.hypot", 0},
            {"numpy.gcd", 0}};
    for (size_t i = 0; type->function && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, type->function))
            return known[i].value;
    return 2;
}

// Whether a function of numbers, or one that is fused of several, takes so long that it
// pays to put its operands together for a loop that vectorises.
static bool is_costly(const struct type *type)
{
    static const char *const costly[] = {"arccos", "arccosh", "arcsin", "arcsinh",
            "arctan", "arctan2", "arctanh", "cbrt", "cos", "cosh", "divide", "exp",
            "exp2", "expm1", "float_power", "hypot", "log", "log10", "log1p", "log2",
            "power", "sin", "sinc", "sinh", "sqrt", "tan", "tanh", "true_divide"};
    const char *at = type->kind == TYPE_FUNCTION ? type->function : NULL;
    while (at && (at = strstr(at, "numpy."))) {
        at += strlen("numpy.");
        size_t len = strcspn(at, "(");
        for (size_t i = 0; i < sizeof costly / sizeof *costly; i++)
            if (strlen(costly[i]) == len && !strncmp(costly[i], at, len))
                return true;
    }
    return false;
}

// How many dimensions the array has that is made of nested lists, tuples and arrays.
static int64_t nesting(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return type->array.ndim;
    if (type->kind == TYPE_LIST)
        return 1 + nesting(type->element);
    if (type->kind == TYPE_TUPLE)
        return 1 + (type->tuple.len ? nesting(type->tuple.items[0]) : 0);
    return 0;
}

bool library_describe(const char *question, const struct type *type, int64_t *out)
{
    if (!strcmp(question, "library.kind"))
        *out = number_kind(library_described(type));
    else if (!strcmp(question, "library.bits"))
        *out = library_described(type)->bits;
    else if (!strcmp(question, "library.form"))
        *out = form(type);
    else if (!strcmp(question, "library.layout"))
        *out = type->kind == TYPE_ARRAY ? (int64_t)type->array.layout : -1;
    else if (!strcmp(question, "library.nesting"))
        *out = nesting(type);
    else if (!strcmp(question, "library.identity"))
        *out = type->kind == TYPE_FUNCTION ? identity(type) : 2;
    else if (!strcmp(question, "library.is_costly"))
        *out = is_costly(type);
    else if (!strcmp(question, "library.is_span"))
        *out = library_described(type)->kind == TYPE_TIME &&
               library_described(type)->time.is_delta;
    else if (!strcmp(question, "library.readonly"))
        *out = type->kind == TYPE_ARRAY && type->array.is_readonly;
    else
        return false;
    return true;
}

const char *library_on_device(const char *name)
{
    static const char *const others[][2] = {{"products.dot", "device.dot"},
            {"products.vdot", "device.vdot"}, {"products.matmul", "device.matmul"},
            {"axes.host_row_of", "device.row_of"}, {"views.flat", "device.items_of"},
            {"axes.var", "device.var"}, {"axes.std", "device.std"},
            {"statistics.nanvar", "device.nanvar"},
            {"statistics.nanstd", "device.nanstd"},
            {"statistics.median", "device.median"},
            {"statistics.nanmedian", "device.nanmedian"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i][0], name))
            return others[i][1];
    return name;
}

// --- Loops

bool infer_never_iterates(const struct ir_instr *next)
{
    const struct type *iterator = next->operands[0]->type;
    return iterator && iterator->kind == TYPE_ITERATOR &&
           iterator->element->kind == TYPE_TUPLE && !iterator->element->tuple.len;
}

const struct type *rule_members_type(const struct type *class_type)
{
    assert(class_type->kind == TYPE_CLASS && class_type->element);
    size_t len = class_type->element->enumeration.len;
    const struct type **items = memory_alloc((len + 1) * sizeof *items);
    for (size_t i = 0; i < len; i++)
        items[i] = class_type->element;
    const struct type *tuple = type_tuple(items, len);
    free(items);
    return tuple;
}
