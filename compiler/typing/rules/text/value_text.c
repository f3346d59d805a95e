// SPDX-License-Identifier: MIT
// What str(), repr() and ascii() make of values. Classes and dtypes are one type here,
// known when the code is compiled: they have a text where the code says which of both a
// value is.
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/text/text.h"

// --- Classes and dtypes

static bool is_call_of(const struct ir_instr *value, const char *name)
{
    const struct type *callee = value->op == IR_CALL && value->operand_count > 1
                                        ? value->operands[0]->type
                                        : NULL;
    return callee && callee->kind == TYPE_FUNCTION && callee->function &&
           !strcmp(callee->function, name);
}

// array.dtype, np.dtype("f4")
static bool is_dtype(const struct ir_instr *value)
{
    bool is_attribute = value->op == IR_GETATTR && !strcmp(value->attribute, "dtype");
    return is_attribute || is_call_of(value, "numpy.dtype");
}

// The name of the class of values that type() is asked about; NULL: not known.
static const char *class_of(struct rule *r, const struct type *type)
{
    static const struct {
        enum type_kind kind;
        const char *name;
    } names[] = {{TYPE_NONE, "NoneType"}, {TYPE_ARRAY, "numpy.ndarray"},
            {TYPE_RANGE, "range"}, {TYPE_SLICE, "slice"}, {TYPE_ELLIPSIS, "ellipsis"}};
    if (type == type_int64 || type == type_bool)
        return type == type_bool ? "bool" : "int";
    if (type == type_float64 || type == type_complex128)
        return type == type_float64 ? "float" : "complex";
    if (type->kind == TYPE_STRING)
        return type == type_bytes ? "bytes" : "str";
    if (type_is_number(type))
        return arena_printf(&r->in->function->arena, "numpy.%s", type->name);
    if (type->kind == TYPE_TUPLE)
        return type->tuple.names || type->tuple.class_object ? NULL : "tuple";
    if ((type->kind == TYPE_LIST || type->kind == TYPE_SET) && !type->cell.is_typed)
        return type->kind == TYPE_LIST ? "list" : "set";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kind == type->kind)
            return names[i].name;
    return NULL;
}

// The name of a class that the program names; those of numba are no classes.
static const char *named_class(
        struct rule *r, const struct ir_instr *value, const struct type *type)
{
    const char *origin = value->op == IR_CONST ? value->origin : NULL;
    bool is_numpys = origin && (str_starts_with(origin, "np.") ||
                                       str_starts_with(origin, "numpy."));
    if (is_numpys && type_is_number(type) && type != type_bool)
        return arena_printf(&r->in->function->arena, "numpy.%s", type->name);
    return origin && words_have("int float complex bool str", origin, strlen(origin))
                   ? class_of(r, type)
                   : NULL;
}

static const char *text_of(struct rule *r, const struct ir_instr *value, bool is_repr)
{
    const struct type *type = value->type->element;
    struct arena *arena = &r->in->function->arena;
    if (is_dtype(value)) {
        bool is_told = type_is_number(type) || (type->kind == TYPE_TIME && !is_repr);
        return !is_told  ? NULL
               : is_repr ? arena_printf(arena, "dtype('%s')", type->name)
                         : type->name;
    }
    const char *name = is_call_of(value, "builtins.type") ? class_of(r, type)
                                                          : named_class(r, value, type);
    return name ? arena_printf(arena, "<class '%s'>", name) : NULL;
}

struct ir_instr *rule_class_text(
        struct rule *r, const struct ir_instr *value, bool is_repr)
{
    const char *text = value->type->kind == TYPE_CLASS && value->type->element
                               ? text_of(r, value, is_repr)
                               : NULL;
    if (!text)
        return NULL;
    if (r->is_emitting)
        return rule_text_constant(r, text, strlen(text));
    return rule_stand_in(r, type_string);
}

const char *rule_text_help(const struct type *type)
{
    if (type->kind == TYPE_CLASS)
        return "It is not known here whether this is a class or a dtype: "
               "np.dtype(...).name is the name of a dtype.";
    if (type->kind == TYPE_SLICE)
        return "A slice in compiled code does not know which of its parts were left "
               "out: write s.start, s.stop and s.step.";
    if (type_is_known_function(type) || type->kind == TYPE_FUNCTION ||
            type->kind == TYPE_DISPATCHER || type->kind == TYPE_CLOSURE ||
            type->kind == TYPE_METHOD || type->kind == TYPE_MODULE)
        return "The text of a function or a module is not known in compiled code: write "
               "its name as a string.";
    return "There are texts of numbers, strings, dates, None, arrays, members of enums, "
           "caught exceptions, and of tuples, lists, sets and dicts of those.";
}

// --- Values

// Whether NumPy tells the items of an array.
static bool has_text(const struct type *array)
{
    enum type_kind kind = array->element->kind;
    return type_is_number(array->element) || kind == TYPE_RECORD || kind == TYPE_TIME ||
           kind == TYPE_CELLS;
}

bool rule_is_printable(const struct type *type)
{
    if (type->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < type->tuple.len; i++)
            if (!rule_is_printable(type->tuple.items[i]))
                return false;
        return true;
    }
    if (type_is_container(type)) // what is not known yet is asked again
        return type_is_incomplete(type) ||
               (rule_is_printable(type->element) &&
                       (type->kind != TYPE_DICT || rule_is_printable(type->cell.value)));
    if (type->kind == TYPE_DICT_VIEW)
        return rule_is_printable(type_iterated(type));
    return type_is_item(type) || type->kind == TYPE_STRING || type == type_none ||
           type->kind == TYPE_ENUM || type == type_caught || type == type_ellipsis ||
           type->kind == TYPE_RANGE || (type->kind == TYPE_ARRAY && has_text(type)) ||
           (type->kind == TYPE_OPTIONAL && rule_is_printable(type->element));
}

bool rule_text_is_of_flags(const struct type *type, bool is_nested)
{
    if (type->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < type->tuple.len; i++)
            if (rule_text_is_of_flags(
                        type->tuple.items[i], type->tuple.items[0] != type_ellipsis))
                return true;
        return false;
    }
    return type->kind == TYPE_ENUM && type->enumeration.is_flag &&
           (is_nested || !type->enumeration.is_int);
}

static bool check_text(struct rule *r, const char *name)
{
    if (r->type && r->type != type_string)
        return rule_fail(r, ERROR_TYPING, "%s() gives %s, which is no string", name,
                r->type->name);
    return true;
}

// Of a value of a type that the program added: by what it overloads, or as numba has it.
static bool extension_text(
        struct rule *r, const char *first, const char *second, bool *is_done)
{
    if (!rule_overloaded_text(r, first, is_done))
        return false;
    if (*is_done)
        return check_text(r, first);
    if (first != second && !rule_overloaded_text(r, second, is_done))
        return false;
    if (*is_done)
        return check_text(r, second);
    const char *text = arena_printf(
            &r->in->function->arena, "<object type:%s>", rule_arg_type(r, 0)->name);
    *is_done = true;
    r->type = type_string;
    r->value = r->is_emitting ? rule_text_constant(r, text, strlen(text)) : NULL;
    return rule_text_on_host(r);
}

// str() and repr() of an object whose class says how: by the first method that there is.
static bool instance_text(
        struct rule *r, const char *first, const char *second, bool *is_done)
{
    const struct type *type = r->arg_count == 1 ? rule_arg_type(r, 0) : type_none;
    if (type->kind == TYPE_EXTENSION)
        return extension_text(r, first, second, is_done);
    if (type->kind != TYPE_INSTANCE)
        return true;
    const char *name = object_method_find(type, first)    ? first
                       : object_method_find(type, second) ? second
                                                          : NULL;
    *is_done = name != NULL;
    if (!name || !rule_instance_operation(r, name) || !r->type)
        return !name;
    return check_text(r, name);
}

bool rule_text_class(struct rule *r)
{
    bool is_done = false;
    r->name = "str";
    if (!instance_text(r, "__str__", "__repr__", &is_done) || is_done)
        return is_done;
    if (r->arg_count > 1)
        return rule_no_match(r, "str() takes one value; bytes become text by decode().");
    if (r->arg_count && r->args[0]->type != type_string)
        return rule_text_of_value(r, 's');
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    if (r->is_emitting)
        r->value =
                r->arg_count ? rule_value(r, r->args[0]) : rule_text_constant(r, "", 0);
    return true;
}

struct ir_instr *rule_text_convert(struct rule *r, struct ir_instr *value, char letter)
{
    struct ir_instr *told = rule_class_text(r, value, letter != 's');
    if (!told)
        told = rule_text_build(r, &value, 1, letter != 's');
    return letter == 'a' ? rule_text_call(r, TEXT_ASCII, type_string, &told, 1) : told;
}

bool rule_text_of_value(struct rule *r, char letter)
{
    struct ir_instr *value = r->args[0];
    if (!rule_is_printable(value->type) && !rule_class_text(r, value, letter != 's'))
        return rule_no_match(r, rule_text_help(value->type));
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    r->value = r->is_emitting ? rule_text_convert(r, value, letter) : NULL;
    return true;
}

bool rule_repr(struct rule *r)
{
    bool is_done = false;
    if (!instance_text(r, "__repr__", "__repr__", &is_done) || is_done)
        return is_done;
    return rule_text_of_value(r, 'r');
}

bool rule_ascii(struct rule *r)
{
    return rule_text_of_value(r, 'a');
}
