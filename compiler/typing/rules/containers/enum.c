// SPDX-License-Identifier: MIT
// Members of enums, and named tuples: values with a Python class of their own.
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/text/text.h"

// --- Enums

// The name of a member that is known at run time only.
static struct ir_instr *emit_name(struct rule *r, const struct type *type)
{
    struct ir_instr *member = rule_value(r, r->args[0]), *name = NULL;
    for (size_t i = type->enumeration.len; i-- > 0;) {
        const char *text = type->enumeration.members[i].name;
        struct ir_instr *this = rule_text_constant(r, text, strlen(text));
        if (!name) {
            name = this;
            continue;
        }
        struct ir_instr *is_this =
                rule_compare_op(r, COMPARE_EQ, member, rule_member(r, type, i));
        struct ir_instr *operands[] = {is_this, this, name};
        name = rule_primitive(r, PRIMITIVE_SELECT, type_string, operands, 3);
    }
    return name ? name : rule_text_constant(r, "", 0);
}

bool rule_enum_attribute(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_ENUM);
    bool is_name = !strcmp(r->name, "name");
    if (!is_name && strcmp(r->name, "value") != 0)
        return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of type %s", r->name,
                type->name);
    if (!is_name && type->enumeration.is_numbered)
        return rule_fail(r, ERROR_TYPING,
                "the members of %s have values that compiled code does not know: it "
                "compares members and knows their names",
                type->name);
    if (is_name && type->enumeration.is_flag && !rule_constant(r->args[0]))
        return rule_fail(r, ERROR_TYPING,
                "a value of %s may be several of its members or none, and has no name in "
                "compiled code: compare it with members, or take its .value",
                type->name);
    r->type = is_name ? type_string : type->element;
    if (r->is_emitting)
        r->value = is_name ? emit_name(r, type) : rule_cast(r, r->args[0], type->element);
    return true;
}

static bool find_member(const struct type *type, const char *name, size_t *index)
{
    for (*index = 0; *index < type->enumeration.len; ++*index)
        if (!strcmp(type->enumeration.members[*index].name, name))
            return true;
    return false;
}

bool rule_enum_item(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_CLASS);
    const struct type *type = r->args[0]->type->element;
    const struct constant *name = rule_constant(r->args[1]);
    size_t index;
    if (!name || name->type != type_string)
        return rule_no_match(r, "A member of an Enum is found by a literal name.");
    if (!find_member(type, name->string.text, &index))
        return rule_fail(r, ERROR_TYPING, "KeyError: '%s' is no member of %s",
                name->string.text, type->name);
    r->type = type;
    if (r->is_emitting)
        r->value = rule_member(r, type, index);
    return true;
}

bool rule_enum_has(const struct type *class, const char *name)
{
    size_t index;
    return class->kind == TYPE_CLASS && class->element &&
           class->element->kind == TYPE_ENUM && find_member(class->element, name, &index);
}

bool rule_enum_member(struct rule *r, const struct type *class)
{
    assert(rule_enum_has(class, r->name));
    size_t index;
    find_member(class->element, r->name, &index);
    r->type = class->element;
    if (r->is_emitting)
        r->value = rule_member(r, r->type, index);
    return true;
}

// The value of one of the members, of numbers of 64 bits; fails where it is none.
static struct ir_instr *member_number(struct rule *r, const struct type *type)
{
    size_t count = type->enumeration.len;
    struct ir_instr **values =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rule_int(r, type_int64, type->enumeration.members[i].integer);
    const char *open = strchr(type->name, '(') + 1;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], type_int64),
            rule_tuple(r, values, count), rule_int(r, type_int64, (int64_t)count),
            rule_text_constant(r, open, strlen(open) - 1)};
    return rule_text_call(r, TEXT_ENUM_VALUE, type_int64, operands, 4);
}

// The same of texts and of other numbers: library.
static bool check_member(struct rule *r, const struct type *type)
{
    size_t count = type->enumeration.len;
    struct arena *arena = &r->in->function->arena;
    const struct type **types = arena_array(arena, const struct type *, count);
    struct ir_instr **values = arena_array(arena, struct ir_instr *, count);
    struct rule inner = *r;
    struct ir_instr *args[3] = {r->args[0]};
    const char *open = strchr(type->name, '(') + 1;
    for (size_t i = 0; i < count; i++) {
        types[i] = type->element;
        if (r->is_emitting)
            values[i] = rule_constant_of(r, type->element, type_member_value(type, i));
    }
    args[1] = r->is_emitting ? rule_tuple(r, values, count)
                             : rule_stand_in(r, type_tuple(types, count));
    args[2] = r->is_emitting ? rule_text_constant(r, open, strlen(open) - 1)
                             : rule_stand_in(r, type_string);
    inner.args = args;
    inner.arg_count = 3;
    inner.value = NULL;
    inner.type = NULL;
    return rule_library(&inner, "texts.member");
}

bool rule_enum_class(struct rule *r)
{
    assert(r->instr->operands[0]->type->element->kind == TYPE_ENUM);
    const struct type *type = r->instr->operands[0]->type->element;
    if (r->arg_count != 1 || r->instr->call.keyword_count)
        return rule_no_match(r, "An Enum is called with the value of a member.");
    const struct type *value = r->args[0]->type;
    if (value != type && (rule_value_type(value)->kind != type->element->kind ||
                                 !type->enumeration.len || type->enumeration.is_numbered))
        return rule_no_match(r, "The value has not the type of the Enum's values.");
    if (value != type && rule_is_flag(type))
        return rule_flag_number(r, type);
    bool is_checked =
            value != type && r->in->target == TARGET_HOST && !type->enumeration.is_flag;
    bool is_number = type->element->kind == TYPE_INT;
    if (is_checked && !is_number && !check_member(r, type))
        return false;
    r->type = type;
    if (!r->is_emitting)
        return true;
    if (value == type) {
        r->value = rule_value(r, r->args[0]);
        return true;
    }
    struct ir_instr *member =
            is_checked && is_number ? member_number(r, type) : r->args[0];
    r->value = rule_cast(r, rule_cast(r, member, type->element), type);
    return true;
}

// --- Named tuples

int rule_named_item(const struct type *type, const char *name)
{
    if (type->kind != TYPE_TUPLE || !type->tuple.names)
        return -1;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (!strcmp(type->tuple.names[i], name))
            return (int)i;
    return -1;
}

// The numbers that the arguments of a vector's constructor bring, casted where emitting;
// -1: something is no number.
static int flatten_numbers(
        struct rule *r, const struct type *element, struct ir_instr **values, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type = rule_arg_type(r, i);
        bool is_tuple = type->kind == TYPE_TUPLE;
        size_t len = is_tuple ? type->tuple.len : 1;
        for (size_t j = 0; j < len; j++, count++) {
            const struct type *item = is_tuple ? type->tuple.items[j] : type;
            if (!type_is_number(item) || item->kind == TYPE_COMPLEX)
                return -1;
            if (r->is_emitting && count < most)
                values[count] = rule_cast(r,
                        is_tuple ? rule_tuple_get(r, r->args[i], j) : r->args[i],
                        element);
        }
    }
    return (int)count;
}

// A named tuple whose items have one declared type: made of numbers and tuples of them.
static bool make_vector(struct rule *r, const struct type *class)
{
    struct ir_instr *values[8];
    size_t len = class->tuple.len;
    assert(len && len <= 8 && class->element == class->tuple.items[0]);
    int count = flatten_numbers(r, class->tuple.items[0], values, len);
    if (count < 0 || r->instr->call.keyword_count)
        return rule_no_match(r, "It takes real numbers and vectors of them.");
    if ((size_t)count != len)
        return rule_fail(r, ERROR_TYPING, "%s takes %zu numbers, %d were given", r->name,
                len, count);
    r->type = class;
    if (r->is_emitting)
        r->value = rule_emit(r, IR_BUILD_TUPLE, class, values, len);
    return true;
}

static bool named_count_differs(struct rule *r, size_t len)
{
    return rule_fail(r, ERROR_TYPING, "%s() takes %zu argument%s, %zu given", r->name,
            len, len == 1 ? "" : "s", r->arg_count);
}

bool rule_named_class(struct rule *r)
{
    assert(r->instr->operands[0]->type->element->tuple.names);
    const struct type *class = r->instr->operands[0]->type->element;
    if (class->element)
        return make_vector(r, class);
    size_t len = class->tuple.len, keywords = r->instr->call.keyword_count;
    size_t positional = r->arg_count - keywords;
    struct arena *arena = &r->in->function->arena;
    struct ir_instr **values = arena_array(arena, struct ir_instr *, len + 1);
    const struct type **types = arena_array(arena, const struct type *, len + 1);
    if (r->arg_count > len)
        return named_count_differs(r, len);
    for (size_t i = 0; i < positional; i++)
        values[i] = r->args[i];
    for (size_t i = 0; i < keywords; i++) {
        const char *keyword = r->instr->call.keywords[i];
        int position = rule_named_item(class, keyword);
        if (!rule_bind_keyword(r, keyword, position, r->args[positional + i], values))
            return false;
    }
    for (size_t i = 0; i < len; i++) {
        // calls of the class by its name bring these along (py_ast_call.c)
        struct constant left_out =
                class->tuple.defaults ? class->tuple.defaults[i] : (struct constant){0};
        if (!values[i] && !left_out.type)
            return named_count_differs(r, len);
        types[i] = values[i] ? values[i]->type : left_out.type;
        if (r->is_emitting && !values[i])
            values[i] = rule_constant_of(r, left_out.type, left_out);
    }
    r->type = type_tuple_like(class, types);
    if (r->is_emitting)
        r->value = rule_emit(r, IR_BUILD_TUPLE, r->type, values, len);
    return true;
}

static const char *const named_methods[] = {"_asdict", "_replace"};

bool rule_named_has(const struct type *type, const char *name)
{
    if (type->kind != TYPE_TUPLE || !type->tuple.names || !type->tuple.class_object)
        return false;
    return !strcmp(name, "_fields") || !strcmp(name, named_methods[0]) ||
           !strcmp(name, named_methods[1]);
}

// point._fields
static bool named_fields(struct rule *r, const struct type *type)
{
    struct arena *arena = &r->in->function->arena;
    size_t len = type->tuple.len;
    const struct type **types = arena_array(arena, const struct type *, len + 1);
    struct ir_instr **names = arena_array(arena, struct ir_instr *, len + 1);
    for (size_t i = 0; i < len; i++) {
        const char *name = type->tuple.names[i];
        types[i] = type_string;
        names[i] = r->is_emitting ? rule_text_constant(r, name, strlen(name)) : NULL;
    }
    r->type = type_tuple(types, len);
    if (r->is_emitting)
        r->value = rule_tuple(r, names, len);
    return true;
}

bool rule_named_attribute(struct rule *r, const struct type *type)
{
    assert(rule_named_has(type, r->name));
    if (!strcmp(r->name, "_fields"))
        return named_fields(r, type);
    r->type = type_method(type);
    return true;
}

// point._replace(x=3)
static bool named_replace(struct rule *r, const struct type *type)
{
    struct arena *arena = &r->in->function->arena;
    const struct ir_instr *call = r->instr;
    size_t len = type->tuple.len, keywords = call->call.keyword_count;
    struct ir_instr **values = arena_array(arena, struct ir_instr *, len + 1);
    const struct type **types = arena_array(arena, const struct type *, len + 1);
    if (r->arg_count != keywords)
        return rule_fail(r, ERROR_TYPING, "_replace() takes keyword arguments only");
    for (size_t i = 0; i < keywords; i++) {
        int place = rule_named_item(type, call->call.keywords[i]);
        if (place < 0)
            return rule_fail(r, ERROR_TYPING, "Got unexpected field names: ['%s']",
                    call->call.keywords[i]);
        values[place] = r->args[i];
    }
    for (size_t i = 0; i < len; i++) {
        types[i] = values[i] ? values[i]->type : type->tuple.items[i];
        if (r->is_emitting && !values[i])
            values[i] = rule_tuple_get(r, r->receiver, i);
    }
    r->type = type_tuple_like(type, types);
    if (r->is_emitting)
        r->value = rule_emit(r, IR_BUILD_TUPLE, r->type, values, len);
    return true;
}

// The display {"x": point.x, "y": point.y} of items that have no type in common.
static bool mixed_as_dict(struct rule *r, const struct type *type)
{
    size_t len = type->tuple.len;
    r->arg_count = 2 * len;
    r->args = arena_array(&r->in->function->arena, struct ir_instr *, 2 * len + 1);
    for (size_t i = 0; i < len; i++) {
        const char *name = type->tuple.names[i];
        struct ir_instr *key =
                ir_instr_create(r->in->function, IR_CONST, 0, r->instr->span);
        key->type = type_string;
        key->constant = (struct constant){.type = type_string};
        key->constant.string.text = name;
        key->constant.string.len = strlen(name);
        r->args[2 * i] = key;
        r->args[2 * i + 1] = r->is_emitting ? rule_tuple_get(r, r->receiver, i)
                                            : rule_stand_in(r, type->tuple.items[i]);
    }
    return rule_mixed_display(r, IR_BUILD_DICT);
}

// point._asdict()
static bool named_as_dict(struct rule *r, const struct type *type)
{
    size_t len = type->tuple.len;
    const struct type *common = len ? type->tuple.items[0] : NULL;
    for (size_t i = 1; common && i < len; i++)
        common = type_unify(common, type->tuple.items[i]);
    if (r->arg_count || !len)
        return rule_no_match(r, "_asdict() takes no arguments, of a tuple with fields.");
    if (!common)
        return mixed_as_dict(r, type);
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, len);
    for (size_t i = 0; i < len; i++)
        types[i] = common;
    const struct type *values = type_tuple(types, len);
    struct rule names = *r;
    if (!named_fields(&names, type))
        return false;
    struct ir_instr *args[2];
    args[0] = r->is_emitting ? names.value : rule_stand_in(r, names.type);
    args[1] =
            r->is_emitting ? rule_cast(r, r->receiver, values) : rule_stand_in(r, values);
    r->args = args;
    r->arg_count = 2;
    return rule_library(r, "functional.dict_of");
}

bool rule_named_method(struct rule *r, const struct type *type)
{
    assert(rule_named_has(type, r->name));
    return !strcmp(r->name, named_methods[0]) ? named_as_dict(r, type)
                                              : named_replace(r, type);
}
