// SPDX-License-Identifier: MIT
// Strings: operators, indexing, str's methods by the table calls.def, and the way to and
// from numbers.
#include <assert.h>
#include <string.h>

#include "compiler/support/text/text.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/text/text.h"

struct text_entry {
    const char *method;
    char result;
    const char *kinds, *params;
    size_t required;
};

static const struct text_entry entries[] = {
#define TEXT_CALL(name, method, symbol, result, kinds, params, required)                 \
    {method, result, kinds, params, required},
#include "compiler/support/text/calls.def"
#undef TEXT_CALL
};

// --- Emitting

bool rule_text_on_host(struct rule *r)
{
    return rule_on_host(r,
            "%s() makes a string, which CUDA code cannot do: on a device strings are "
            "constants, to be printed and compared",
            r->name);
}

struct ir_instr *rule_text_call(struct rule *r, enum text_call call,
        const struct type *type, struct ir_instr *const *operands, size_t count)
{
    assert(call < TEXT_CALL_COUNT);
    struct ir_instr *instr =
            rule_primitive(r, PRIMITIVE_TEXT_CALL, type, operands, count);
    instr->immediate = (int)call;
    return instr;
}

struct ir_instr *rule_text_build(
        struct rule *r, struct ir_instr *const *values, size_t count, bool is_repr)
{
    struct ir_instr *instr =
            rule_primitive(r, PRIMITIVE_TEXT_BUILD, type_string, values, count);
    instr->immediate = is_repr;
    return instr;
}

struct ir_instr *rule_text_constant(struct rule *r, const char *text, size_t len)
{
    struct ir_instr *instr = rule_emit(r, IR_CONST, type_string, NULL, 0);
    instr->constant = (struct constant){.type = type_string};
    instr->constant.string.text = arena_strndup(&r->in->function->arena, text, len);
    instr->constant.string.len = len;
    return instr;
}

static struct ir_instr *text_of(struct rule *r, struct ir_instr *value)
{
    return rule_cast(r, value, type_string);
}

// `text`: str or bytes, which have the same functions.
static const struct type *result_type(char result, const struct type *text)
{
    const struct type *three[3] = {text, text, text};
    switch (result) {
    case 's':
        return text;
    case 'b':
        return type_bool;
    case 'f':
        return type_float64;
    case '3':
        return type_tuple(three, 3);
    case 'L':
        return type_list(text, false);
    default:
        return type_int64;
    }
}

// Types and, when emitting, calls a function whose operands are `count` strings.
static bool do_call(
        struct rule *r, enum text_call call, struct ir_instr *const *texts, size_t count)
{
    if (!rule_text_on_host(r))
        return false;
    r->type = result_type(entries[call].result, type_string);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[4];
    for (size_t i = 0; i < count; i++)
        operands[i] = text_of(r, texts[i]);
    r->value = rule_text_call(r, call, r->type, operands, count);
    return true;
}

// --- Operators

static bool text_repeat(struct rule *r, size_t text)
{
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                text_of(r, r->args[text]), rule_cast(r, r->args[!text], type_int64)};
        r->value = rule_text_call(r, TEXT_REPEAT, type_string, operands, 2);
    }
    return true;
}

bool rule_text_binary(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (op == BINARY_ADD && a == type_string && b == type_string)
        return do_call(r, TEXT_CONCAT, r->args, 2);
    if (op == BINARY_MUL && a == type_string && type_is_integer(b))
        return text_repeat(r, 0);
    if (op == BINARY_MUL && b == type_string && type_is_integer(a))
        return text_repeat(r, 1);
    return rule_no_match(r,
            "Strings are joined with + to strings, and repeated with * by an integer; "
            "str(x) makes a string of a number.");
}

bool rule_text_contains(struct rule *r)
{
    assert(rule_arg_type(r, 1) == type_string);
    bool is_negated = r->instr->compare == COMPARE_NOT_IN;
    if (rule_arg_type(r, 0) != type_string)
        return rule_no_match(r, "A string contains strings only.");
    if (!do_call(r, TEXT_CONTAINS, r->args, 2))
        return false;
    if (r->is_emitting && is_negated) {
        r->value = rule_emit(r, IR_UNARY, type_bool, &r->value, 1);
        r->value->unary = UNARY_NOT;
    }
    return true;
}

bool rule_text_getitem(struct rule *r)
{
    assert(rule_arg_type(r, 0) == type_string);
    const struct type *index = rule_arg_type(r, 1);
    if (index->kind != TYPE_SLICE && !type_is_integer(index))
        return rule_no_match(r, "A string is indexed by an integer or a slice.");
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    if (!r->is_emitting)
        return true;
    struct ir_instr *text = text_of(r, r->args[0]);
    if (index->kind != TYPE_SLICE) {
        struct ir_instr *operands[] = {text, rule_cast(r, r->args[1], type_int64)};
        r->value = rule_primitive(r, PRIMITIVE_TEXT_ITEM, type_string, operands, 2);
        return true;
    }
    struct ir_instr *operands[] = {text, r->args[1]};
    r->value = rule_text_call(r, TEXT_SLICE, type_string, operands, 2);
    return true;
}

// --- Methods

static int find_method(const char *name)
{
    for (int i = 0; i < TEXT_CALL_COUNT; i++)
        if (entries[i].method && !strcmp(entries[i].method, name))
            return i;
    return -1;
}

bool rule_text_has_method(const char *name)
{
    return find_method(name) >= 0 || !strcmp(name, "join") || !strcmp(name, "format") ||
           !strcmp(name, "encode");
}

enum { MAX_METHOD_ARGS = 4 };

static int param_position(const char *params, const char *name)
{
    size_t len = strlen(name);
    for (int position = 0; *params; position++) {
        size_t word = strcspn(params, " ");
        if (word == len && !memcmp(params, name, len))
            return position;
        params += word + (params[word] == ' ');
    }
    return -1;
}

// Puts the arguments in the order of the parameters; NULL: left out.
static bool bind_method(
        struct rule *r, const struct text_entry *entry, struct ir_instr **bound)
{
    size_t keywords = r->instr->call.keyword_count;
    size_t positional = r->arg_count - keywords, most = strlen(entry->kinds);
    if (positional > most)
        return rule_fail(r, ERROR_TYPING, "%s() takes at most %zu argument%s (%zu given)",
                r->name, most, most == 1 ? "" : "s", r->arg_count);
    for (size_t i = 0; i < positional; i++)
        bound[i] = r->args[i];
    for (size_t i = 0; i < keywords; i++) {
        const char *keyword = r->instr->call.keywords[i];
        int position = param_position(entry->params, keyword);
        if (!rule_bind_keyword(r, keyword, position, r->args[positional + i], bound))
            return false;
    }
    for (size_t i = 0; i < entry->required; i++)
        if (!bound[i])
            return rule_fail(r, ERROR_TYPING,
                    "%s() takes at least %zu argument%s, %zu given", r->name,
                    entry->required, entry->required == 1 ? "" : "s", r->arg_count);
    return true;
}

static bool is_text_tuple(const struct type *type, const struct type *text)
{
    if (type->kind != TYPE_TUPLE)
        return false;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (type->tuple.items[i] != text)
            return false;
    return true;
}

static bool fits(char kind, const struct ir_instr *arg, const struct type *text)
{
    if (!arg)
        return true;
    const struct type *type = rule_value_type(arg->type);
    switch (kind) {
    case 's':
        return type == text;
    case 'S':
        return type == text || type == type_none;
    case 't':
        return type == text || is_text_tuple(type, text);
    case '0':
    case 'm':
        return type_is_integer(type) || type == type_none;
    default:
        return type_is_integer(type);
    }
}

// The string that stands for one left out: of length -1.
static struct ir_instr *no_text(struct rule *r)
{
    struct ir_instr *text = rule_text_constant(r, "", 0);
    text->constant.string.len = SIZE_MAX;
    return text;
}

static const struct type *receiver_type(const struct rule *r)
{
    return rule_value_type(r->receiver->type);
}

// A text as functions take it that ask what kind of character one is: of bytes, only
// those that ASCII has are of any.
static struct ir_instr *operand_text(struct rule *r, int call, struct ir_instr *value)
{
    struct ir_instr *text = rule_cast(r, value, receiver_type(r));
    return receiver_type(r) == type_bytes && rule_bytes_minds_class(entries[call].method)
                   ? rule_text_call(r, TEXT_HIDE, type_bytes, &text, 1)
                   : text;
}

static struct ir_instr *bound_value(
        struct rule *r, int call, char kind, struct ir_instr *arg)
{
    static const struct {
        char kind;
        int64_t value;
    } left_out[] = {{'0', 0}, {'m', INT64_MAX}, {'-', -1}, {'8', 8}};
    bool is_missing = !arg || arg->type == type_none;
    if (kind == 'S' && is_missing)
        return no_text(r);
    if (kind == 'S' || kind == 's' || kind == 't')
        return operand_text(r, call, arg);
    for (size_t i = 0; is_missing && i < sizeof left_out / sizeof *left_out; i++)
        if (left_out[i].kind == kind)
            return rule_int(r, type_int64, left_out[i].value);
    return rule_cast(r, arg, type_int64);
}

static struct ir_instr *call_method(
        struct rule *r, int call, struct ir_instr *const *bound, struct ir_instr *first)
{
    const struct text_entry *entry = &entries[call];
    struct ir_instr *operands[MAX_METHOD_ARGS + 1] = {operand_text(r, call, r->receiver)};
    size_t count = strlen(entry->kinds);
    for (size_t i = 0; i < count; i++)
        operands[i + 1] =
                i == 0 && first ? first : bound_value(r, call, entry->kinds[i], bound[i]);
    enum text_call function = (enum text_call)call;
    if (entry->result == 'L' && receiver_type(r) == type_bytes)
        function = call == TEXT_SPLIT ? TEXT_SPLIT_BYTES : TEXT_RSPLIT_BYTES;
    struct ir_instr *result = rule_text_call(r, function, r->type, operands, count + 1);
    bool is_hidden = r->type == type_bytes && rule_bytes_minds_class(entry->method);
    return is_hidden ? rule_text_call(r, TEXT_SHOW, type_bytes, &result, 1) : result;
}

// startswith and endswith with a tuple: one of the texts will do.
static void emit_any(struct rule *r, int call, struct ir_instr *const *bound)
{
    size_t count = rule_value_type(bound[0]->type)->tuple.len;
    r->value = rule_int(r, type_bool, 0);
    for (size_t i = 0; i < count; i++) {
        struct ir_instr *part = rule_tuple_get(r, bound[0], i);
        r->value = rule_binary_op(
                r, BINARY_OR, type_bool, r->value, call_method(r, call, bound, part));
    }
}

static bool join_by_call(struct rule *r, enum text_call call, const struct type *type)
{
    r->type = receiver_type(r);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                rule_cast(r, r->receiver, r->type), rule_cast(r, r->args[0], type)};
        r->value = rule_text_call(r, call, r->type, operands, 2);
    }
    return true;
}

// By a list of what the iterable gives.
static bool join_iterable(struct rule *r)
{
    struct rule list = *r;
    if (!rule_library(&list, "list.make"))
        return false;
    if (!list.type)
        return true;
    if (list.type->kind != TYPE_LIST || list.type->element != receiver_type(r))
        return type_is_incomplete(list.type) ||
               rule_no_match(r, "join() takes an iterable of strings.");
    r->type = receiver_type(r);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {rule_cast(r, r->receiver, r->type), list.value};
        r->value = rule_text_call(r, TEXT_JOIN, r->type, operands, 2);
    }
    return true;
}

// Whether an iterable gives texts of the kind; items of arrays become such.
static bool gives_texts(const struct type *iterable, const struct type *text)
{
    bool is_row = iterable->kind == TYPE_ARRAY && iterable->array.ndim == 1;
    const struct type *item = is_row ? iterable->element : type_iterated(iterable);
    return item && (item->kind == TYPE_CELLS ? item->element : item) == text;
}

// separator.join(texts), for a list or tuple of strings or the characters of a string
static bool join_method(struct rule *r)
{
    const struct type *type = r->arg_count == 1 ? rule_arg_type(r, 0) : NULL;
    const struct type *text = receiver_type(r);
    if (type && type_is_incomplete(type)) // a list whose items are not known yet
        return !r->is_emitting;
    if (type && !r->instr->call.keyword_count && type == type_string &&
            text == type_string)
        return join_by_call(r, TEXT_JOIN_CHARACTERS, type);
    if (type && !r->instr->call.keyword_count && type->kind == TYPE_LIST &&
            type->element == text)
        return join_by_call(r, TEXT_JOIN, type);
    bool is_tuple = type && text == type_string && is_text_tuple(type, text);
    if (type && !is_tuple && !r->instr->call.keyword_count &&
            (type_is_container(type) || gives_texts(type, text)))
        return join_iterable(r);
    if (!is_tuple || r->instr->call.keyword_count)
        return rule_no_match(r, "join() takes a tuple or list of strings.");
    r->type = receiver_type(r);
    if (!r->is_emitting)
        return true;
    size_t count = 0;
    struct ir_instr **parts = arena_array(
            &r->in->function->arena, struct ir_instr *, 2 * type->tuple.len + 1);
    struct ir_instr *separator = rule_cast(r, r->receiver, r->type);
    for (size_t i = 0; i < type->tuple.len; i++) {
        if (i)
            parts[count++] = separator;
        parts[count++] = rule_tuple_get(r, r->args[0], i);
    }
    r->value = rule_text_build(r, parts, count, false);
    return true;
}

bool rule_text_method(struct rule *r)
{
    struct ir_instr *bound[MAX_METHOD_ARGS] = {NULL};
    if (!rule_text_on_host(r))
        return false;
    if (!strcmp(r->name, "encode") || !strcmp(r->name, "decode"))
        return rule_text_coding(r, receiver_type(r));
    if (!strcmp(r->name, "join"))
        return join_method(r);
    if (!strcmp(r->name, "format"))
        return rule_text_format_method(r);
    if (!strcmp(r->name, "hex"))
        return rule_bytes_hex(r);
    int call = find_method(r->name);
    const struct text_entry *entry = &entries[call];
    if (!bind_method(r, entry, bound))
        return false;
    for (size_t i = 0; entry->kinds[i]; i++)
        if (!fits(entry->kinds[i], bound[i], receiver_type(r)))
            return rule_no_match(
                    r, "An argument has not the type that str's method takes.");
    r->type = result_type(entry->result, receiver_type(r));
    if (!r->is_emitting)
        return true;
    if (entry->kinds[0] == 't' && rule_value_type(bound[0]->type)->kind == TYPE_TUPLE)
        emit_any(r, call, bound);
    else
        r->value = call_method(r, call, bound, NULL);
    return true;
}

// --- Builtins

bool rule_text_of(struct rule *r, enum text_call call, const struct type *result,
        const struct type *operand)
{
    if (!rule_text_on_host(r))
        return false;
    r->type = result;
    if (r->is_emitting) {
        struct ir_instr *value = rule_cast(r, r->args[0], operand);
        r->value = rule_text_call(r, call, result, &value, 1);
    }
    return true;
}

bool rule_chr(struct rule *r)
{
    if (!type_is_integer(rule_arg_type(r, 0)))
        return rule_no_match(r, "chr() takes an integer.");
    return rule_text_of(r, TEXT_FROM_CODE, type_string, type_int64);
}

bool rule_ord(struct rule *r)
{
    if (rule_arg_type(r, 0) != type_string)
        return rule_no_match(r, "ord() takes a string of one character.");
    return do_call(r, TEXT_CODE, r->args, 1);
}

bool rule_text_extreme(struct rule *r, bool is_least)
{
    if (!rule_text_on_host(r))
        return false;
    r->type = type_string;
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                text_of(r, r->args[0]), rule_int(r, type_int64, is_least ? 1 : -1)};
        r->value = rule_text_call(r, TEXT_EXTREME, type_string, operands, 2);
    }
    return true;
}

// float("inf") on a device, where there are no strings to read.
static bool take_constant_float(struct rule *r)
{
    double value;
    size_t len = 0;
    const char *text = rule_constant_text(r->args[0], &len);
    if (!text || !text_constant_float(text, len, &value))
        return false;
    if (r->is_emitting)
        r->value = rule_constant_of(
                r, r->type, (struct constant){.type = r->type, .real = value});
    return true;
}

bool rule_text_to_number(struct rule *r)
{
    bool is_int = r->type->kind == TYPE_INT;
    if (r->type->kind != TYPE_INT && r->type->kind != TYPE_FLOAT)
        return rule_no_match(r, "A string becomes a number by int() or float().");
    if (r->arg_count > 2 ||
            (r->arg_count == 2 && (!is_int || !type_is_integer(rule_arg_type(r, 1)))))
        return rule_no_match(r, "int() takes a string and a base, float() a string.");
    if (r->in->target != TARGET_HOST && !is_int && take_constant_float(r))
        return true;
    if (!rule_text_on_host(r))
        return false;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[2] = {text_of(r, r->args[0])};
    if (is_int)
        operands[1] = r->arg_count == 2 ? rule_cast(r, r->args[1], type_int64)
                                        : rule_int(r, type_int64, 10);
    struct ir_instr *number = rule_text_call(r, is_int ? TEXT_TO_INT : TEXT_TO_FLOAT,
            is_int ? type_int64 : type_float64, operands, is_int ? 2 : 1);
    r->value = rule_cast(r, number, r->type);
    return true;
}
