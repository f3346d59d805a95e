// SPDX-License-Identifier: MIT
// Operations on strings, which come to functions of compiler/support/text.
#pragma once

#include "compiler/support/text/calls.h"
#include "compiler/typing/infer/rule.h"

// Strings that are made while the code runs are for the CPU: fails elsewhere.
bool rule_text_on_host(struct rule *r);
// Emits the call; operands are cast already.
struct ir_instr *rule_text_call(struct rule *r, enum text_call call,
        const struct type *type, struct ir_instr *const *operands, size_t count);
// The string that str() or, with is_repr, repr() make of the values, one after another.
struct ir_instr *rule_text_build(
        struct rule *r, struct ir_instr *const *values, size_t count, bool is_repr);
// The value is what the conversion `letter`, s, r or a, makes of r->args[0].
bool rule_text_of_value(struct rule *r, char letter);
// Emits it, for a value that can be printed.
struct ir_instr *rule_text_convert(struct rule *r, struct ir_instr *value, char letter);
// The value is what the function makes of r->args[0] as an `operand`.
bool rule_text_of(struct rule *r, enum text_call call, const struct type *result,
        const struct type *operand);
struct ir_instr *rule_text_constant(struct rule *r, const char *text, size_t len);
// The text of a class or a dtype, a string; NULL where it is not known, and for other
// values.
struct ir_instr *rule_class_text(
        struct rule *r, const struct ir_instr *value, bool is_repr);
// What can be written in place of a value that has no text, for messages.
const char *rule_text_help(const struct type *type);
// Whether str() and print() know the type.
bool rule_is_printable(const struct type *type);
// Whether the text may be that of several members of a Flag, which the class makes: str()
// of an IntFlag's value is a number, its repr() within a tuple is not.
bool rule_text_is_of_flags(const struct type *type, bool is_nested);

bool rule_text_binary(struct rule *r, enum ir_binary op); // + and * with a string, %
rule_function rule_text_getitem, rule_bytes_getitem;
bool rule_bytes_binary(struct rule *r, enum ir_binary op);
rule_function rule_bytes_contains, rule_bytes_hex;
bool rule_bytes_has_method(const char *name);
// Whether the method's answer is of the classes that characters have.
bool rule_bytes_minds_class(const char *method);
bool rule_text_coding(struct rule *r, const struct type *from);
// Whether the array's items are set to such values.
bool rule_takes_text(
        const struct rule *r, const struct type *view, const struct type *value);
// Sets all items of a view; `target` is NULL while types are found.
bool rule_fill_texts(struct rule *r, const struct type *view, struct ir_instr *target,
        struct ir_instr *value);
// Compares arrays of texts, or of records, item by item.
bool rule_compare_texts(struct rule *r, enum ir_compare op);

// The text that an item of fixed length holds; `item` is a view without dimensions.
// Whether a value can be put into an item of fixed length.
bool rule_text_fits(
        const struct rule *r, const struct type *cells, const struct type *value);
struct ir_instr *rule_cells_load(
        struct rule *r, struct ir_instr *item, const struct type *cells);
void rule_cells_store(struct rule *r, struct ir_instr *item, const struct type *cells,
        struct ir_instr *value);
rule_function rule_text_contains, rule_text_method;
bool rule_text_format_method(struct rule *r); // "...".format(...)
bool rule_text_percent(struct rule *r);       // "..." % ...
bool rule_text_has_method(const char *name);
bool rule_text_class(struct rule *r);     // str(x)
bool rule_text_to_number(struct rule *r); // int("7"), float("7")
bool rule_text_extreme(struct rule *r, bool is_least);
// format(value, spec)
struct ir_instr *rule_text_format(
        struct rule *r, struct ir_instr *value, struct ir_instr *spec);
bool rule_text_can_format(const struct type *type);

rule_function rule_chr, rule_ord, rule_repr, rule_ascii;

rule_function rule_format, rule_fstring, rule_convert;

bool rule_library_bytes(struct rule *r);
