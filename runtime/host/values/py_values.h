// SPDX-License-Identifier: MIT
// The way between Python objects and the compiler's types and values.
#pragma once

#include "compiler/compiler.h"
#include "runtime/host/state/py_runtime.h"

struct text_tables;

// Each adds its part to the module. False with an exception set.
bool py_type_init(struct runtime *runtime);
bool py_type_classes_init(struct runtime *runtime);
bool py_signature_init(struct runtime *runtime);
bool py_typed_init(struct runtime *runtime);
bool py_generator_init(struct runtime *runtime);
bool py_memory_init(struct runtime *runtime);
void py_callable_init(void);
// Functions of the module, by file; runtime/py_module.c adds them.
extern PyMethodDef py_dtype_functions[], py_classes_functions[], py_typeof_functions[],
        py_object_class_functions[], py_extension_functions[],
        py_extension_value_functions[], py_memory_functions[];
// CPython's tables of characters, which need no GIL.
extern const struct text_tables py_text_tables;
// Counted memory that keeps the array alive; NULL when there is none. Takes the GIL.
struct abi_memory *py_keep_parent(void *parent);
// A MemInfo, which takes over the reference: for what lies in it.
PyObject *py_memory_new(struct abi_memory *memory_stolen);
bool py_is_memory(PyObject *object);
bool py_memory_unbox(PyObject *object, void *target);
PyObject *py_memory_box(const void *source);
bool py_parent_holds(const void *parent, const char *low, const char *high);

// What values that are jitted functions need of host/dispatch, above. All need the GIL.
struct dispatcher_hooks {
    bool (*is_one)(PyObject *object);
    // The imported function, which the dispatcher owns; NULL with err set.
    struct source *(*source)(PyObject *dispatcher, struct error *err);
    // The code for a type of functions, compiled if there is none. The dispatcher owns
    // it. NULL with an exception set.
    const struct compiled *(*compiled)(PyObject *dispatcher, const struct type *type);
};

// --- types

struct py_type {
    PyObject ob_base;
    const struct type *type; // NULL: of an extension type that was not asked for yet
    void *unboxer, *boxer;   // of an extension type: its code, or NULL
};

// The Python object of a type; equal types have the same object.
PyObject *py_type_wrap(const struct type *type);
// The class of numba.types whose object stands for the type.
PyTypeObject *py_type_class(const struct type *type);
// Makes that one the type's, which has none yet.
void py_type_set_object(const struct type *type, PyObject *object);
// The method `define` of deferred types.
PyObject *py_type_define(PyObject *self, PyObject *argument);
// The type of a numba.types object, or NULL (no exception) for any other object.
const struct type *py_type_get(PyObject *object);
// The same, or of an object that names a type as its `literal_type`.
const struct type *py_type_or_literal(PyObject *object);
// The type that a user names: a numba type, NumPy dtype or scalar class, int, float,
// bool, complex. NULL with TypeError set.
const struct type *py_type_from(PyObject *object);
// The same, where a tuple of types stands for the type of tuples.
const struct type *py_type_or_tuple(PyObject *object);
// A tuple of the types' objects.
PyObject *py_type_tuple(const struct type *const *types, size_t count);
// Begins what is said of a call that two signatures fit equally; each gets a line. NULL
// is taken, and left behind where memory is short.
PyObject *py_ambiguity(PyObject *function, const struct type *const *types, size_t count);
void py_ambiguity_add(PyObject **text, const struct type *const *params, size_t count,
        const struct type *returns);
// Reads a tuple or list of type objects into a new array (PyMem_Free); false with
// TypeError set.
bool py_types_from_sequence(
        PyObject *sequence, const struct type ***types, size_t *count);

// How an argument of the type is passed: a record as an array without dimensions.
const struct type *py_argument_type(const struct type *type);
// The type of a value, type_pyobject when it has none. Sets no exception.
const struct type *py_typeof(PyObject *value);
// Whether that is this one; of tuples it may be false though it is.
bool py_is_of_type(PyObject *value, const struct type *type);
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
// py_typeof_container.c: of plain containers, by what they hold now.
const struct type *py_typeof_list(PyObject *list);
const struct type *py_typeof_dict(PyObject *dict);
const struct type *py_typeof_set(PyObject *set);
// Why py_typeof found no type, as numba words it. New reference.
PyObject *py_typeof_failure(PyObject *value);
// One line for each argument that has no type: a list of str.
PyObject *py_typeof_notes(
        const struct type *const *types, size_t count, PyObject *const *args);
// The type of a NumPy dtype (a PyArray_Descr), or NULL without an exception.
const struct type *py_type_from_dtype(PyObject *dtype);
// The same for a dtype that stands for itself: of objects, which compiled code may pass
// on and uses for nothing, pyobject.
const struct type *py_type_of_dtype(PyObject *dtype);
// The place of the type of aligned arrays of records of this dtype; NULL: it has none.
const struct type **py_known_array(
        PyObject *dtype, int ndim, int layout, bool is_readonly);
// The NumPy dtype of a type; NULL with an exception set when it has none.
PyObject *py_dtype_from_type(const struct type *type);
// The dtype or type of a field's items; where it is a nested array, (that, shape).
PyObject *py_field_with_shape(PyObject *item, const struct type_field *field);

struct py_signature {
    PyObject ob_base;
    const struct type *returns; // NULL: not known
    PyObject *args;             // tuple of type objects
    PyObject *receiver;         // of a method, the type of what it is of; or None
    PyObject *python;           // inspect.Signature of the Python function; or None
};

PyObject *py_signature_new(
        const struct type *returns, const struct type *const *params, size_t count);

// --- values

// Stores `value` as a `type` in ABI form at `target`, converting numbers as a declared
// signature allows. Arrays and strings stay owned by `value`. False with an exception
// set.
bool py_unbox(PyObject *value, const struct type *type, void *target);

// Likewise, for what there may be many of: the commonest without a call.
static inline bool py_unbox_item(PyObject *value, const struct type *type, void *target)
{
    if (type == type_float64 && PyFloat_CheckExact(value)) {
        *(double *)target = PyFloat_AS_DOUBLE(value);
        return true;
    }
    int overflow = 1;
    if (type == type_int64 && PyLong_CheckExact(value))
        *(int64_t *)target = PyLong_AsLongLongAndOverflow(value, &overflow);
    return !overflow || py_unbox(value, type, target);
}
// Whether the memory is that of an array which NumPy has allocated: the one given, or one
// that this is a view of. Needs no GIL, but that somebody keeps the array.
bool py_array_holds(const void *array, const void *start, size_t bytes);
// Whether an argument of the type brings memory of its own, to be released after the
// call.
bool py_owns_memory(const struct type *type);
// Releases an argument in ABI form; where it was not filled in, it must be zero.
void py_release(const struct type *type, const void *target);
// Has the arrays of a value that was unboxed outlive the objects that they came in. False
// with an exception set.
bool py_keep_arrays(const struct type *type, void *target);
// The Python object for a value in ABI form; takes over its references on counted memory.
PyObject *py_box(const struct type *type, const void *source);
// A tuple of the items of a tuple or of what a closure captured; likewise.
PyObject *py_box_items(const struct type *type, const void *source);

// An iterator over a generator, whose reference it takes over.
PyObject *py_generator_new(const struct type *type, struct abi_generator *object);
// Tells the iterators in a result whose code they run and what they keep alive.
void py_generator_attach(
        PyObject *value, const struct compiled *compiled, PyObject *kept);
