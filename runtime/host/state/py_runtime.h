// SPDX-License-Identifier: MIT
// What the Python side of the runtime shares: the extension module's state, and the way
// between Python objects and the compiler's types, values, constants and errors.
#pragma once

#include "base/py.h"
#include "compiler/compiler.h"

enum { TYPE_KIND_COUNT = TYPE_PYOBJECT + 1 };
enum { ARRAY_TYPE_NDIM = 5, ARRAY_TYPE_DTYPES = 32 };

// The state of the module `_gridcell`. One interpreter loads it once.
struct runtime {
    PyObject *module;
    PyTypeObject *type_type;                   // numba.types.Type
    PyTypeObject *kind_types[TYPE_KIND_COUNT]; // its subclass for each kind of type
    PyTypeObject *uniform_tuple_type, *raw_pointer_type, *timedelta_type;
    PyTypeObject *typed_list_type, *typed_set_type;
    PyTypeObject *typed_object_type; // base of typed containers and compiled objects
    PyTypeObject *signature_type;
    PyTypeObject *dispatcher_type, *generator_type;
    PyObject **type_objects; // by type id; NULL until wrapped
    size_t type_object_count;
    PyObject
            *builtins; // dict: id of a Python object -> canonical builtin name; made anew
    Py_ssize_t builtins_module_count; // when there are more modules than when it was made
    PyObject *
            classes; // dict: Enum class -> address of its type; named tuple class -> None
    PyObject *overloaded; // dict: id of an object -> what compiled code sees for it
    PyObject *parsed;     // dict: file -> (text, tree) of the files imported last
    PyObject *kept_code;  // what the program compiled last of texts in no file
    // Array types by NumPy type number, ndim, layout and writability, filled in on first
    // use.
    const struct type *array_types[ARRAY_TYPE_DTYPES][ARRAY_TYPE_NDIM][3][2];
};

// The state; NULL before the module is loaded.
struct runtime *py_runtime(void);

// Each adds its part to the module. False with an exception set.
bool py_type_init(struct runtime *runtime);
bool py_type_classes_init(struct runtime *runtime);
bool py_signature_init(struct runtime *runtime);
bool py_typed_init(struct runtime *runtime);
bool py_classes_init(struct runtime *runtime);
bool py_object_class_init(struct runtime *runtime);
bool py_typeof_init(struct runtime *runtime);
bool py_dispatcher_init(struct runtime *runtime);
bool py_ufunc_init(struct runtime *runtime);
bool py_dufunc_init(struct runtime *runtime);
bool py_gufunc_init(struct runtime *runtime);
bool py_generator_init(struct runtime *runtime);
bool py_parallel_init(struct runtime *runtime);
bool py_callback_init(struct runtime *runtime);
bool py_source_init(struct runtime *runtime);
bool py_interrupt_init(struct runtime *runtime);

// Makes a heap type and adds it to the module under the last part of its name.
PyTypeObject *py_add_type(struct runtime *runtime, PyType_Spec *spec, PyTypeObject *base);

// --- types

struct py_type {
    PyObject ob_base;
    const struct type *type;
};

// The Python object of a type; equal types have the same object.
PyObject *py_type_wrap(const struct type *type);
// The method `define` of deferred types.
PyObject *py_type_define(PyObject *self, PyObject *argument);
// The type of a numba.types object, or NULL (no exception) for any other object.
const struct type *py_type_get(PyObject *object);
// The type that a user names: a numba type, NumPy dtype or scalar class, int, float,
// bool, complex. NULL with TypeError set.
const struct type *py_type_from(PyObject *object);
// A tuple of the types' objects.
PyObject *py_type_tuple(const struct type *const *types, size_t count);
// Reads a tuple or list of type objects into a new array (PyMem_Free); false with
// TypeError set.
bool py_types_from_sequence(
        PyObject *sequence, const struct type ***types, size_t *count);

// How an argument of the type is passed: a record as an array without dimensions.
const struct type *py_argument_type(const struct type *type);
// The type of a value, type_pyobject when it has none. Sets no exception.
const struct type *py_typeof(PyObject *value);
// The type of the members of an Enum class, and of a member; NULL for other objects.
const struct type *py_type_of_enum(PyObject *class);
const struct type *py_typeof_enum(PyObject *value);
// Of an enum whose members are numbered: the member with a number, a new reference or
// NULL; and the number of a member, false with an exception set for another object.
PyObject *py_enum_member(const struct type *type, int64_t number);
bool py_enum_number(const struct type *type, PyObject *member, int64_t *number);
// The type of an instance of a subclass of tuple: type_pyobject when it has no fields.
const struct type *py_typeof_named_tuple(PyObject *value);
// The type of a named tuple's class whose items are not known yet; NULL for others.
const struct type *py_type_of_named_tuple(PyObject *class);
// Why py_typeof found no type, as numba words it. New reference.
PyObject *py_typeof_failure(PyObject *value);
// One line for each argument that has no type: a list of str.
PyObject *py_typeof_notes(
        const struct type *const *types, size_t count, PyObject *const *args);
// The type of a NumPy dtype (a PyArray_Descr), or NULL without an exception.
const struct type *py_type_from_dtype(PyObject *dtype);
// The NumPy dtype of a type; NULL with an exception set when it has none.
PyObject *py_dtype_from_type(const struct type *type);

struct py_signature {
    PyObject ob_base;
    const struct type *returns; // NULL: not known
    PyObject *args;             // tuple of type objects
};

PyObject *py_signature_new(
        const struct type *returns, const struct type *const *params, size_t count);

// --- values

// Stores `value` as a `type` in ABI form at `target`, converting numbers as a declared
// signature allows. Arrays and strings stay owned by `value`. False with an exception
// set.
bool py_unbox(PyObject *value, const struct type *type, void *target);
// Whether an argument of the type brings memory of its own, to be released after the
// call.
bool py_owns_memory(const struct type *type);
// Releases an argument in ABI form; where it was not filled in, it must be zero.
void py_release(const struct type *type, const void *target);
// The Python object for a value in ABI form; takes over its references on counted memory.
PyObject *py_box(const struct type *type, const void *source);
// A tuple of the items of a tuple or of what a closure captured; likewise.
PyObject *py_box_items(const struct type *type, const void *source);

// An iterator over a generator, whose reference it takes over.
PyObject *py_generator_new(const struct type *type, struct abi_generator *object);
// Tells the iterators in a result whose code they run and what they keep alive.
void py_generator_attach(
        PyObject *value, const struct compiled *compiled, PyObject *kept);

// --- constants

// Recognises a Python object as a compile-time constant. Copies go to the source's arena,
// objects that must stay alive to its `captured` list. False with `err` set only when out
// of luck entirely: an unknown object is a TYPE_PYOBJECT constant.
bool py_resolve(
        PyObject *object, struct source *source, struct constant *out, struct error *err);

// --- errors

// Raises a failed compilation as numba does: step, text, place and excerpt of the source,
// then `notes` (a list of lines on the arguments, or NULL). `pipeline`: "nopython" or
// "cuda"; `function`: the name to show in the traceback. Returns NULL.
PyObject *py_raise_compile(const struct error *err, const char *pipeline,
        const char *function, PyObject *notes);
// Adds a line of the user's to the traceback of the exception that is set.
void py_frame_add(const char *function, const char *file, int line);
// Raises what a status of compiled code other than STATUS_OK stands for. Returns NULL.
PyObject *py_raise_status(int status, const struct compiled *compiled);
// The arguments that the last exception of this thread was raised with: a new tuple.
PyObject *py_exception_take_arguments(void);
// Sets the Python exception that compiled code caught and raised again; false: none.
bool py_exception_restore(void);
// The class of an exception: `object`, or the builtin `name`; NULL if there is none.
PyObject *py_exception_class(const char *name, void *object);
// Keeps the Python exception that is set for this thread, and clears it: the status that
// compiled code fails with then.
int32_t py_exception_keep(void);
void py_exception_init(void);
void py_objmode_init(void);
void py_callable_init(void);
// Issues a warning of class numba.core.errors.`category` at a place in the user's source.
bool py_warn(const char *category, const char *module, const char *file, int line,
        const char *text);

// Warns about prange loops that could not be made parallel. False: a warning is an error.
bool py_parallel_warn(const struct compiled *compiled);

// --- interrupts

// Lends compiled code CPython's tables of characters.
void py_unicode_init(void);
// Sends what compiled code prints to sys.stdout, where the printing thread holds the GIL.
void py_output_init(void);
// Puts the handler back in place after Python code has set its own. Called at each
// compilation.
void py_interrupt_watch(void);
// Forgets an interrupt that came while no compiled code ran. False with KeyboardInterrupt
// set when one is still to be raised. Called before compiled code starts.
bool py_interrupt_arm(void);
// Raises the pending interrupt after STATUS_INTERRUPTED. Returns NULL.
PyObject *py_interrupt_raise(void);

// --- dispatchers

// The imported function behind a dispatcher (CPU or device), borrowed from it: an
// attribute
// `_source` holding a capsule. NULL with err set.
struct source *py_dispatcher_source(PyObject *dispatcher, struct error *err);
bool py_is_dispatcher(PyObject *object);
