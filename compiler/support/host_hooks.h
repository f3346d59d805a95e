// SPDX-License-Identifier: MIT
// What the compiler, and code that it compiled, ask of the program around them: the one
// table by which calls go up. The program sets it once, before it compiles anything.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/support/characters.h"
#include "compiler/types/raise_site.h"

struct abi_array;
struct abi_memory;
struct constant;
struct foreign_code;
struct overload_question;
struct overload_reply;
struct source;
struct told;
struct type;

// Hooks may take the GIL unless they say otherwise. NULL: the program has none.
struct host_hooks {
    // Loads LLVM, where it is not linked with this code: called before it is used.
    bool (*load_llvm)(struct error *err);
    // The imported source of "module.function" of compiler/library, in the compiled
    // subset; it lives for ever.
    struct source *(*load_library)(const char *name, struct error *err);
    // Answers by argument types what a function, method or attribute means
    // (typing/infer/overload.h). Sources in replies live as long as what they overload,
    // those of methods and attributes for ever.
    bool (*choose_overload)(const struct overload_question *question,
            struct overload_reply *reply, struct error *err);
    // Tells how values of one type become those of another, of which the program added
    // one (types/told.h). Sources of casts live for ever.
    bool (*tell_conversion)(const struct type *from, const struct type *to,
            struct told *told, struct error *err);
    // Whether the exception class is `class` or derived from it: `name`, and the Python
    // object if there is one. Without the hook names are compared.
    bool (*exception_is)(const struct constant *class, const char *name, void *object);
    // The address in this process of a function of the code, for the emulated device;
    // NULL with err set.
    void *(*foreign_address)(const struct foreign_code *const *codes, size_t count,
            const char *function, struct error *err);
    // For reports of the compiler's defects: the text of the function, to be freed, or
    // NULL; versions of what the program runs on.
    char *(*source_text)(const struct source *source);
    const char *(*versions)(void);

    // The others are called by compiled code, on the thread that it runs on.

    // Appends the text of an exception, raised where the site says, of which the program
    // holds what it knows, or NULL. Of one of Python's if the site has no name of a
    // class.
    void (*exception_text)(struct abi_memory *held, const struct raise_site *site,
            bool is_repr, struct str *out);
    // Makes counted memory that keeps the object that a host array came from alive; NULL
    // when there is none.
    struct abi_memory *(*keep_parent)(void *parent);
    // Whether the object that a host array came from has all memory from `low` to below
    // `high`, as far as can be told: asked of the library's own views, where it is
    // compiled with checks. Without the GIL.
    bool (*parent_holds)(const void *parent, const char *low, const char *high);
    // Writes the lines that print() makes on the CPU and the emulated device. By default
    // they go to C's stdout.
    void (*print)(const char *text, size_t len);
    // The text of an array as str() or repr() has it, to be freed; NULL where it cannot
    // be told on this thread.
    char *(*array_text)(const struct type *item, const struct abi_array *array, int ndim,
            bool is_repr);
    // The text of several members of a Flag at once, or of none, as str() or repr() has
    // it, to be freed; NULL where the class refuses the value.
    char *(*member_text)(const struct type *type, int64_t value, bool is_repr);
    // How min() and max() of nothing end, after their names. By default as Python up to
    // 3.11 says it.
    const char *nothing_to_compare;
    // What is known of characters; plain functions, which need no GIL. By default ASCII.
    const struct text_tables *characters;
};

// Written by host_hooks_set alone, so that it is read without a lock.
extern struct host_hooks host_hooks;

// Sets the table; what has a default keeps it where the hook is NULL.
void host_hooks_set(const struct host_hooks *hooks);
