// SPDX-License-Identifier: MIT
// Functions, methods and attributes that the program implements by argument types:
// typing asks for one, and the runtime answers with a source.
#pragma once

#include "compiler/types/source.h"

// SETTER: what sets an attribute, called with the object and the value.
enum overload_kind {
    OVERLOAD_CALL,
    OVERLOAD_METHOD,
    OVERLOAD_ATTRIBUTE,
    OVERLOAD_SETTER,
};

struct overload_question {
    enum overload_kind kind;
    struct source *overloaded; // CALL: the function that is called
    const char *name;          // METHOD, ATTRIBUTE, SETTER; CALL: of a function of ours
    size_t count, keyword_count;
    const struct type **types;        // the receiver first; those of keywords last
    const struct constant *constants; // by argument; no type: it is computed
    const char **keywords;
    bool is_parallel;      // the caller's option
    bool is_device;        // the caller is code of a kernel
    bool prefers_literals; // what takes literals is tried first
    char *key;             // the same text: the same question
};

struct overload_reply {
    struct source *source; // NULL: none
    bool is_method;        // ATTRIBUTE: it is a method
    uint64_t literals;     // bits: there is none unless these arguments are literals
};

// What programs overload of the operator of this name (of Python's module operator).
void compiler_overload_operator(const char *name, struct source *overloaded);
// What answers for functions and operators of ours, by their names, where an argument is
// an array of a class of the program's own; it lives for ever.
void compiler_overload_arrays(struct source *overloaded);
// Answers may differ from now on.
void compiler_overloads_changed(void);

// --- Between overload.c, overloaded.c and the session (infer.h); with the lock held

struct rule;
struct ir_instr;

// The question about these arguments, of the call whose keywords the last have, or NULL.
struct overload_question *overload_question_create(enum overload_kind kind,
        struct ir_instr *const *args, size_t count, const struct ir_instr *call);
// The reply to a question, which is taken over; NULL, with the session ended, while there
// is none.
const struct overload_reply *overload_ask(
        struct rule *r, struct overload_question *question);
// The same without ending the session.
const struct overload_reply *overload_known(struct overload_question *question);
// Whether the runtime answers at all.
bool overload_has_answers(void);
// Whether programs overload any operator.
bool overload_has_operators(void);
// What programs overload of the operator; NULL: nothing.
struct source *overload_of_operator(const char *name);
// What answers where one of the arguments is an array of a class of the program's own;
// NULL: none is.
struct source *overload_of_arrays(struct ir_instr *const *args, size_t count);
