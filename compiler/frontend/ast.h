// SPDX-License-Identifier: MIT
// The syntax tree of one function, in C structs of its source's arena: what py_ast.c
// copies out of CPython's tree and ir/lower/lower.c reads. Names are resolved: a name is
// a local variable or a constant.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "compiler/types/constant.h"
#include "compiler/ir/ir.h"

enum ast_kind {
    // Expressions
    AST_CONSTANT,
    AST_LOCAL,
    AST_ATTRIBUTE,
    AST_SUBSCRIPT,
    AST_SLICE,
    AST_TUPLE,
    AST_LIST,
    AST_STARRED,
    AST_UNARY,
    AST_BINARY,
    AST_AND,
    AST_OR,
    AST_COMPARE,
    AST_CONDITIONAL,
    AST_CALL,
    AST_NAMED,
    AST_CAPTURE, // of a pattern: a condition that binds its target and holds
    AST_SET,
    AST_DICT, // keys and values in turn
    AST_COMPREHENSION,
    AST_FUNCTION, // a lambda, or an inner function that is spoken of
    AST_MISSING,  // one that CPython made no code of: it cannot be reached
    AST_YIELD,
    AST_YIELD_FROM,
    // Statements
    AST_EXPRESSION,
    AST_ASSIGN,
    AST_AUGMENTED,
    AST_RETURN,
    AST_IF,
    AST_WHILE,
    AST_FOR,
    AST_BREAK,
    AST_CONTINUE,
    AST_PASS,
    AST_RAISE,
    AST_ASSERT,
    AST_DELETE,
    AST_TRY,
    AST_OBJMODE,
    AST_HANDLER, // of a TRY
    AST_DEFINE,  // an inner function gets its name
};

struct ast_node;

struct ast_list {
    struct ast_node **items;
    size_t len;
};

struct ast_node {
    enum ast_kind kind;
    struct span span;
    union {
        struct {
            struct constant value; // type NULL: using it is the typing error `origin`
            const char *origin;    // dotted name of a global, NULL for a literal
        } constant;
        int local;           // LOCAL: index in ast_function.locals
        const char *missing; // name of the function
        struct {
            struct ast_node *value;
            const char *name;
        } attribute;
        struct {
            struct ast_node *value, *index;
        } subscript;
        struct {
            struct ast_node *start, *stop, *step; // each may be NULL
        } slice;
        struct ast_list items; // TUPLE, LIST, SET, DICT, AND, OR, DELETE
        struct {
            enum ir_unary op;
            struct ast_node *operand;
        } unary;
        struct {
            enum ir_binary op;
            struct ast_node *left, *right;
        } binary; // also AUGMENTED: left is the target
        struct {
            struct ast_list items; // one more than ops
            enum ir_compare *ops;
        } compare;
        struct {
            struct ast_node *test, *then, *otherwise;
        } conditional;
        struct {
            struct ast_node *function;
            struct ast_list args; // positional (STARRED possible), then keyword values
            const char **keywords;
            size_t keyword_count;
        } call;
        struct {
            struct ast_node *target, *value;
        } named; // also CAPTURE, whose target can be a tuple
        struct {
            struct source *inner;
            const int *captures; // locals here whose values are its first parameters
            size_t capture_count;
            const int *default_locals; // where the defaults that are computed are kept
            struct ast_list defaults;
        } function;
        struct {
            int local; // where the result grows, without a name in Python
            struct ast_node *start;
            struct ast_list loop;
        } comprehension;
        struct {
            struct ast_node *function;
            int local;
        } define;
        struct {
            struct ast_list body, handlers, orelse, finally;
        } attempt; // TRY
        struct {
            void *function;              // of Python, kept alive by the source
            const int *inputs, *outputs; // locals
            size_t input_count, output_count;
            const struct type **types; // of the outputs
        } objmode;
        struct {
            struct ast_list classes; // constants
            bool catches_all;
            int local; // of `as`, or -1
            struct ast_list body;
        } handler;
        struct ast_node *value; // STARRED, EXPRESSION, YIELD_FROM; may be NULL: RETURN,
                                // YIELD
        struct {
            struct ast_node *exception, *cause; // may be NULL
        } raise;
        struct {
            struct ast_list targets;
            struct ast_node *value;
        } assign;
        struct {
            struct ast_node *test;   // IF, WHILE; FOR: the iterable
            struct ast_node *target; // FOR
            struct ast_list body, orelse;
        } block;
        struct {
            struct ast_node *test, *message; // message may be NULL
        } check;
    };
};

struct ast_function {
    const char **locals; // the parameters first, in order
    size_t local_count;
    // By local: the inner function that is all this name is ever bound to, or NULL.
    const struct ast_node **functions;
    bool *cells;            // by local: kept in a cell, for an inner function assigns it
    struct ast_node **made; // each FUNCTION in it
    size_t made_count;
    const int *param_locals; // by parameter: its local; NULL: they are the first ones
    bool is_generator;
    struct ast_list body;
    struct span span;
};

struct source;
// Once an outermost function is imported: what its inner functions share is settled.
void ast_join_inner(struct source *source);

// The local variables of a function while it is imported.
struct scope {
    struct map indices; // name -> index + 1
    VEC(const char *) names;
};

// The index of a local, or -1. Names are borrowed.
int scope_find(const struct scope *scope, const char *name);
int scope_add(struct scope *scope, const char *name);
// A new local that hides what the name meant, until scope_show gives that (or -1) back.
int scope_hide(struct scope *scope, const char *name);
void scope_show(struct scope *scope, const char *name, int index);
void scope_finish(struct scope *scope);
