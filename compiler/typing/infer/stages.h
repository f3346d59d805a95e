// SPDX-License-Identifier: MIT
// What inference is given by the layers above: the stages that it runs a function
// through, and the rules of operations. It calls nothing of either by name, so that the
// list of stages in compile.c is the whole list, and the rules can use inference.
#pragma once

#include "compiler/typing/infer/rule.h"

// The rules as inference sees them; one constant table for all targets. Rules of one room
// reach those of a room above them through it, too.
struct rule_set {
    // One operation, by r->instr->op: sets r->type, and r->value while emitting.
    bool (*apply)(struct rule *r);
    // The table of builtins; NULL: no such name.
    const struct builtin *(*find_builtin)(const char *name);
    // A call of the builtin with the arguments of r->instr.
    bool (*call_builtin)(struct rule *r, const char *name);
    // The same for a method: r->receiver is the first argument.
    bool (*builtin_method)(struct rule *r, const char *name);
    // hasattr(), which types decide.
    bool (*has_attribute)(
            const struct rule_set *rules, const struct type *type, const char *name);
};

// The stages of one function, in the order in which they run. Each returns false with an
// error. None may keep what it is given beyond its call but in the function's arena.
struct infer_stages {
    // Fills the function, whose parameters are set, from the source's syntax tree.
    bool (*lower)(struct source *source, struct ir_function *function, struct error *err);
    // Checks what `lower` made, and at the end what `resolve` made.
    bool (*verify)(const struct ir_function *function, struct error *err);
    // Parameters of literal types become constants; not in the library.
    void (*settle_literals)(struct ir_function *function);
    // Types are found by rounds over the function with these, until nothing changes.
    const struct rule_set *rules;
    bool (*find_types)(struct infer *in);
    // Whether each value has a type.
    bool (*check_typed)(struct infer *in);
    // Writes down the typed function for inspect_types; before `resolve` rewrites it.
    void (*annotate)(struct ir_function *function);
    // Rewrites the typed function to the resolved level.
    bool (*resolve)(struct infer *in);
    // Refuses a resolved device function that returns memory of its own.
    bool (*check_own_arrays)(struct infer *in);
    // Notes in a resolved function, whose group is resolved, what is asked of it while
    // its code or that of its callers is made.
    void (*note)(struct ir_function *function);
    // Is told of each function that is done, with its group.
    void (*complete)(const struct ir_function *function);
    // Says what ended a session that was given up (base/guard.h).
    void (*given_up)(struct error *err);
};

// The resolved IR of `source` for the argument types on a target, by these stages:
// inferred on first use and owned by the source, its callees with it. Takes the lock of
// inference, and none while Python is asked for overloads and the library. `returns`: the
// declared return type, or NULL.
// The function of the library of that name, loaded at first use; NULL with err set.
struct source *infer_find_library(const char *name, struct error *err);
struct ir_function *infer_source(const struct infer_stages *stages, struct source *source,
        const struct signature *signature, enum target_kind target, struct error *err);
