// SPDX-License-Identifier: MIT
// What the parts of the importer share.
#pragma once

#include "base/py.h"
#include "compiler/frontend/ast.h"
#include "compiler/frontend/importer/py_ast.h"

// How often a local is bound, and to which inner function if that is all.
struct binding {
    int count;
    const struct ast_node *function;
};

struct importer;

// How nodes of CPython's tree are imported, by class, those that are met most first; the
// last row has none. An importer returns NULL with err set.
typedef struct ast_node *import_function(struct importer *im, PyObject *node);
struct grammar_row {
    const char *class;
    import_function *import;
};
struct grammar {
    const struct grammar_row *expressions, *statements;
};
extern const struct grammar_row py_expressions[], py_statements[];

struct importer {
    const struct grammar *grammar;
    struct source *source;
    const struct py_resolver *resolver;
    struct scope scope;
    PyObject *globals;            // dict
    PyObject *builtins;           // dict
    PyObject *freevars;           // tuple of names, parallel to closure
    PyObject *closure;            // tuple of cells, or NULL
    PyObject *code;               // of this function
    PyObject *tree;               // of its file
    struct importer *outer;       // of the function that this one is defined in, or NULL
    const char *own_name;         // of an inner function that can call itself
    VEC(struct binding) bindings; // by local: what it is bound to
    VEC(struct ast_node *) made;  // each FUNCTION in it
    struct map targets;           // of a generator expression: the names it binds
    bool is_generator;            // a yield was seen
    struct error *err;
};

// The attribute `name` of a node of CPython's tree: a new reference, or NULL with err
// set.
PyObject *py_node_get(struct importer *im, PyObject *node, const char *name);
// A copy of the attribute's text in the arena; NULL with err set.
const char *py_node_text(struct importer *im, PyObject *node, const char *name);
const char *py_node_class(PyObject *node);
// A positive number among the attributes; 0 where there is none.
int py_node_int(PyObject *node, const char *name);
struct span py_node_span(struct importer *im, PyObject *node);
// A new node with the place of `node`.
struct ast_node *py_node_new(struct importer *im, enum ast_kind kind, PyObject *node);
// Fails with ERROR_UNSUPPORTED at the node, in words; returns NULL.
struct ast_node *py_node_unsupported(struct importer *im, PyObject *node);
// Fails: a variable of the module would change; returns false.
bool py_refuse_global(struct importer *im, struct span span);

// py_ast_text.c: the tree of a text; `more` flags of the compiler. A new reference, or
// NULL with an exception set. Again, where CPython 3.11 is mistaken: it counts the depth
// of all trees that are being made, those of other threads and of what the garbage
// collector runs meanwhile, and raises SystemError because they do not match.
PyObject *py_parse(const char *text, const char *file, int more);

// The tree of the function's file, or of what is known to hold the function: a new
// reference, or NULL with err set.
PyObject *py_read_tree(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err);

// Whether code that is compiled for a value of the type can do more with it than with any
// one of the type: call it, or ask for what it has.
bool py_is_known(const struct type *type);

// The function node of `tree` whose code object is `code`: a new reference, or NULL.
PyObject *py_find_function(PyObject *tree, PyObject *code);

// The lines of a cell, of the entries for linecache that the kernel hands to our module,
// or NULL: so the first function does not wait for linecache to be imported.
PyObject *py_lines_of_cell(const char *file);

// The tree, among the kept ones, that `code` was compiled from: a new reference, or NULL.
PyObject *py_kept_tree(PyObject *kept, PyObject *code);

// Whether `code` is of a text or tree that was kept as it ran.
bool py_has_kept_text(PyObject *kept, PyObject *code);

// Makes a CONSTANT node of an object.
bool py_resolve_constant(
        struct importer *im, PyObject *object, const char *origin, struct ast_node *out);

// Imported expressions and statements; NULL with err set.
import_function py_import_expr;
// A name or attribute chain. *object: what it stands for, if that is known now (new
// reference).
struct ast_node *py_import_chain(struct importer *im, PyObject *node, PyObject **object);
struct ast_node *py_import_expr_field(
        struct importer *im, PyObject *node, const char *name);
bool py_import_optional_field(
        struct importer *im, PyObject *node, const char *name, struct ast_node **out);
// The list in field `name` of a node, each item imported by `import`.
bool py_import_list(struct importer *im, PyObject *node, const char *name,
        import_function *import, struct ast_list *out);
bool py_import_expr_list(
        struct importer *im, PyObject *node, const char *name, struct ast_list *out);
bool py_import_body(
        struct importer *im, PyObject *node, const char *name, struct ast_list *out);
// The value of an expression of integer literals that leaves 64 signed bits on the way, a
// new reference; NULL for others.
PyObject *py_fold_wide(struct importer *im, PyObject *node);
// Adds the variables that field of a code object names to the scope; false with err set.
bool py_add_names(struct importer *im, PyObject *code, const char *field);
// The operator in field "op" of a node; false with err set.
bool py_import_operator(struct importer *im, PyObject *node, enum ir_binary *out);
bool py_import_unary_operator(struct importer *im, PyObject *node, enum ir_unary *out);
bool py_import_bool_operator(struct importer *im, PyObject *node, enum ast_kind *out);
enum ir_compare py_compare_operator(PyObject *op);

// Notes that a local is bound here; `function`: to this inner function.
void py_bind_local(struct importer *im, int local, const struct ast_node *function);
// The tree of a function whose scope is filled in.
bool py_import_tree(struct importer *im, PyObject *node);

// The tree, once its body is imported.
void py_finish_tree(struct importer *im, PyObject *node, struct ast_list body);

// py_ast_call.c
import_function py_import_call;

// py_ast_fstring.c
// A call of a builtin, by its canonical name; its arguments are still to be filled in.
struct ast_node *py_node_call(
        struct importer *im, PyObject *node, const char *function, size_t arg_count);
import_function py_import_joined, py_import_formatted;

// py_ast_match.c
import_function py_import_match;

// py_ast_generator.c
import_function py_import_yield, py_import_yield_from, py_import_generator;

// py_ast_objmode.c
import_function py_import_with;

// py_ast_try.c
import_function py_import_try, py_import_raise;

// py_ast_display.c: sets, dicts, comprehensions
import_function py_import_set, py_import_dict, py_import_comprehension;

// py_ast_stencil.c: a call of numba.stencil in the function
bool py_is_stencil(const struct ast_node *function);
import_function py_import_stencil;
// Whether a decorator is numba.stencil, with or without options; and what it decorates.
bool py_is_stencil_decorator(struct importer *im, PyObject *decorator);
struct ast_node *py_import_stencil_definition(
        struct importer *im, PyObject *node, PyObject *decorator, int local);

// py_ast_function.c: inner functions
// The code object of a function among the constants of `code`: a new reference, or NULL.
PyObject *py_find_code(struct importer *im, PyObject *code, PyObject *node);
// The importer of a function defined in another, whose source is new.
void py_open_inner(struct importer *im, struct importer *inner, struct ast_node *function,
        const char *name);
void py_close_inner(struct importer *inner);
import_function py_import_lambda, py_import_definition;
// The statement `name = lambda ...` as a definition.
struct ast_node *py_define(
        struct importer *im, PyObject *node, struct ast_node *function, int local);
// An inner function's own name, in it.
import_function py_import_own_name;
