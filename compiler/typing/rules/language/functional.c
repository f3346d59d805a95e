// SPDX-License-Identifier: MIT
// Builtins that are functions of the library, by how many arguments they are given.

#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

bool rule_by_count(struct rule *r)
{
    static const struct {
        const char *name;
        size_t count;
        const char *library;
    } functions[] = {
            {"next", 1, "functional.next_item"},
            {"next", 2, "functional.next_or"},
            {"map", 2, "functional.map1"},
            {"map", 3, "functional.map2"},
            {"map", 4, "functional.map3"},
            {"reduce", 2, "functional.reduce_first"},
            {"reduce", 3, "functional.reduce_from"},
    };
    bool is_map = !strcmp(r->name, "map");
    if (is_map && r->in->target == TARGET_HOST && !rule_start_entries(r))
        return r->in->err->kind == ERROR_NONE;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, r->name) && functions[i].count == r->arg_count)
            return rule_library(r, functions[i].library);
    return rule_no_match(r, "It is not supported with so many arguments.");
}

bool rule_filter(struct rule *r)
{
    bool is_none = r->args[0]->type == type_none;
    if (r->in->target == TARGET_HOST && !rule_start_entries(r))
        return r->in->err->kind == ERROR_NONE;
    return rule_library(r, is_none ? "functional.filter_true" : "functional.filter_by");
}

bool rule_iter(struct rule *r)
{
    bool has_entries = rule_has_entries(r);
    return rule_library(
            r, has_entries ? "functional.iterate_entries" : "functional.iterate");
}

// A dict is no sequence: what it takes in brackets are keys, not places. Views have none.
bool rule_reversed(struct rule *r)
{
    enum type_kind kind = rule_arg_type(r, 0)->kind;
    bool is_dict = kind == TYPE_DICT || kind == TYPE_DICT_VIEW;
    return rule_library(r, is_dict ? "functional.reverse_entries" : "functional.reverse");
}

bool rule_only_in_with(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED, "objmode() is for with statements only.");
}

bool rule_only_outside(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED,
            "a stencil in a compiled function is made by a call of stencil under that "
            "name; or define it with @stencil before the function, and call it here.");
}
