// SPDX-License-Identifier: MIT
// The types of the compiled language, interned: equal types are the same pointer, for the
// life of the process. Names are spelled as numba spells them ("array(float32, 1d, C)").
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kinds, with what each of them uses of struct type: kinds.def.
enum type_kind {
#define KIND(id, ...) TYPE_##id,
#include "compiler/types/kinds.def"
    TYPE_KIND_COUNT
};

enum array_layout { LAYOUT_C, LAYOUT_F, LAYOUT_A };

struct source;

enum {
    MAX_FIELD_NDIM = 4,
    MAX_NDIM = 64, // of an array, as in NumPy
};

// What a dict or set consists of; place_table in container.c says what the others are.
enum { TABLE_ENTRIES, TABLE_PLACES, TABLE_USED, TABLE_FIELDS };

// What a view of a dict is of; DICT_ITEMS: tuples of key and value.
enum dict_part { DICT_KEYS, DICT_VALUES, DICT_ITEMS };

struct type_field {
    const char *name;
    const char *title;       // a second name, which NumPy's fields may have; NULL: none
    const struct type *type; // of the items, where the field is an array
    size_t offset_bytes;
    int ndim; // of a nested array, which is contiguous; 0: a plain field
    int64_t shape[MAX_FIELD_NDIM];
};

// A member of an enum; its value is in the field that the enum's element says.
struct type_member {
    const char *name;
    int64_t integer;  // BOOL, INT
    double real;      // FLOAT
    const char *text; // STRING, in UTF-8
    size_t text_len;
    const char *shown, *told; // str() and repr() of the member; NULL: unknown
};

// What a format specification makes of a member: it is one for the text of str(), one for
// its value, or for a method that the class has written.
enum enum_format { FORMAT_AS_TEXT, FORMAT_AS_VALUE, FORMAT_BY_CLASS };

// What becomes of bits that no member of a Flag has: they are refused, dropped, make the
// result an int, or stay.
enum flag_boundary { BOUNDARY_STRICT, BOUNDARY_CONFORM, BOUNDARY_EJECT, BOUNDARY_KEEP };

struct type_enumeration {
    void *class_object; // the Python class, kept alive by the runtime
    const struct type_member *members;
    size_t len;
    bool is_int;      // counts as its value: IntEnum, IntFlag
    bool is_numbered; // its values are Python's alone: a member is its number
    bool is_flag;     // values may be several members at once
    enum enum_format format;
    enum flag_boundary boundary; // of flags: what becomes of other bits
    int64_t mask;                // of flags: the bits of all members
};

struct type {
    enum type_kind kind;
    const char *name; // as numba prints it
    uint32_t id;      // dense, in order of creation
    uint32_t weight;  // how many types it is made of, taken apart to the end; saturates
    int bits;         // INT, FLOAT, COMPLEX (whole), BOOL: 1; DICT_VIEW: the part
    bool is_signed;   // INT
    bool has_step;    // SLICE
    // ARRAY dtype; OPTIONAL, RANGE, ENUMERATE, ITERATOR, CLASS, METHOD, POINTER; COMPLEX
    // part; TUPLE: what all items of a vector's class are, NULL for all other tuples
    const struct type *element;
    union {
        struct {
            const struct type *const *items;
            size_t len;
            // TUPLE: of a named tuple's items, else NULL; EXTENSION: NULL: no model yet
            const char *const *names;
            void *class_object; // TUPLE: its class, kept alive by the runtime
            // TUPLE: what a call of the class makes of fields that it leaves out, the
            // type NULL where it may not; NULL: of none
            const struct constant *defaults;
            struct source *function; // CLOSURE
            bool is_array; // EXTENSION: values are arrays of a class of the program's own
        } tuple;           // TUPLE, ZIP, CLOSURE, GENERATOR, CALLABLE, FOREIGN, EXTENSION
        struct {
            int ndim;
            enum array_layout layout;
            bool is_readonly, is_aligned;
            int address_space; // 0 generic, 3 shared, 4 constant, 5 local (CUDA)
        } array;
        struct {
            const struct type_field *fields;
            size_t len, size_bytes;
            bool is_aligned;
        } record;
        struct type_enumeration enumeration;
        struct {
            int unit;      // enum time_unit of datetime.h
            int multiple;  // how many of it one step is
            bool is_delta; // timedelta64
        } time;
        struct {
            const struct type_field *fields; // SET, DICT, INSTANCE: in memory
            size_t len, size_bytes;
            const struct type *value;   // DICT
            bool is_typed;              // ListType, DictType: not a plain list or dict
            struct object_class *class; // INSTANCE
        } cell;
        // So that functions can be passed as arguments: each is a type of its own. NULL
        // in the singletons, which describe constants whose value says which function it
        // is.
        const char *function;
        struct source *source;
    };
};

struct str;

// The one type equal to `type`; `name` is used when it is new, and freed by the second.
const struct type *type_intern(const struct type *type, const char *name);
const struct type *type_intern_named(const struct type *type, struct str *name);

// Makes the singletons below; idempotent and thread-safe.
void types_init(void);
extern const struct type *type_none, *type_bool, *type_int8, *type_int16, *type_int32,
        *type_int64, *type_uint8, *type_uint16, *type_uint32, *type_uint64, *type_float16,
        *type_bfloat16, *type_float32, *type_float64, *type_complex64, *type_complex128,
        *type_string, *type_bytes, *type_slice2, *type_slice3, *type_dim3, *type_voidptr,
        *type_ellipsis, *type_module, *type_function, *type_dispatcher, *type_exception,
        *type_caught, *type_pyobject;

const struct type *type_int(int bits, bool is_signed);
const struct type *type_float(int bits);
const struct type *type_complex(int bits);
// Text of `len` characters in an array: of four bytes each, or one where it is of bytes.
const struct type *type_cells(const struct type *text, size_t len);
const struct type *type_tuple(const struct type *const *items, size_t len);
// `class_object` tells named tuples with equal names apart.
const struct type *type_named_tuple(const struct type *const *items,
        const char *const *names, size_t len, const char *class_name, void *class_object,
        const struct constant *defaults);
// The type of a named tuple whose items have one type, as one whose class declares that
// type: what it is made of is cast to it (CUDA's float32x4).
const struct type *type_vector(const struct type *named);
// A type that a program adds, known by `object`, which lives for ever. Its values have no
// members until the program says of what they consist, once.
const struct type *type_extension(const char *name, void *object);
void type_extension_place(const struct type *extension, const struct type *const *items,
        const char *const *names, size_t len, bool is_array);
// The member of that name, or -1.
int type_extension_member(const struct type *extension, const char *name);
// Whether values are of such a type, or tuples or optional values of some.
bool type_has_extension(const struct type *type);
// Whether values are arrays of a class of the program's own, may be, or are tuples with
// some.
bool type_has_own_array(const struct type *type);
const struct type *type_time(int unit, int multiple, bool is_delta);
// A tuple like `tuple`, of its class if it is a named one, with other items.
const struct type *type_tuple_like(
        const struct type *tuple, const struct type *const *items);
const struct type *type_enum(const struct type *element, const char *class_name,
        const struct type_enumeration *enumeration);
const struct type *type_array(
        const struct type *dtype, int ndim, enum array_layout layout, bool is_readonly);
const struct type *type_array_in(const struct type *dtype, int ndim,
        enum array_layout layout, bool is_readonly, bool is_aligned, int address_space);
const struct type *type_optional(const struct type *element);
const struct type *type_range(const struct type *element);
const struct type *type_enumerate(const struct type *iterable);
const struct type *type_index(int ndim); // a tuple of int64, one for each axis
const struct type *type_indices(const struct type *index);
const struct type *type_views(const struct type *array);
const struct type *type_flat(const struct type *array);
const struct type *type_zip(const struct type *const *iterables, size_t len);
const struct type *type_iterator(const struct type *iterable);
const struct type *type_class(const struct type *instance);
const struct type *type_method(const struct type *receiver);
const struct type *type_function_of(const char *name);
const struct type *type_module_of(const char *name); // so that it can be an argument
// A string or bool known when the code is compiled.
const struct type *type_literal(const struct type *base, const char *text);
// Of an argument that was left out, for whose default the function is compiled; `text`:
// the default as Python shows it.
const struct type *type_omitted(const struct type *base, const char *text);
// A numpy.random.Generator: the address of its bitgen_t.
const struct type *type_random_generator(void);
const struct type *type_dispatcher_of(struct source *source, const char *name);
const struct type *type_closure(
        struct source *source, const struct type *const *items, size_t len);
// One of the functions in a tuple.
const struct type *type_choice(const struct type *functions);
const struct type *type_generator(struct source *source, const struct type *const *params,
        size_t count, const struct type *yields);
// Whether iterating over it asks a generator.
bool type_asks_generator(const struct type *iterable);
size_t type_generator_count(const struct type *iterable);
const struct type *type_pointer(const struct type *element);
// Counted memory of an element, as code that a program writes has it.
const struct type *type_meminfo(const struct type *element);
// A function as a value, of the kind CALLABLE or FOREIGN.
const struct type *type_function_value(enum type_kind kind, const struct type *returns,
        const struct type *const *params, size_t count);
// Whether a value of the type is one function, known when the code is compiled.
bool type_is_known_function(const struct type *type);
// The choice among the functions of two types, each one function or a choice; NULL if
// they are something else.
const struct type *type_choice_of_both(const struct type *a, const struct type *b);
// Containers; NULL for what is still to be found out.
const struct type *type_list(const struct type *element, bool is_typed);
const struct type *type_set(const struct type *element, bool is_typed);
const struct type *type_dict(
        const struct type *key, const struct type *value, bool is_typed);
const struct type *type_dict_view(const struct type *dict, enum dict_part part);
bool type_is_container(const struct type *type); // LIST, SET, DICT
// Whether a loop over it goes over a list of what it holds, and minds how many these are.
bool type_has_entries(const struct type *type); // SET, DICT, DICT_VIEW
bool type_is_object(const struct type *type);   // a container or INSTANCE
// Whether an iterator takes items of a list, which may change meanwhile.
bool type_iterates_list(const struct type *iterable);
// Whether some container in it has a part that is still to be found out.
bool type_is_incomplete(const struct type *type);
const struct type_field *type_cell_field(const struct type *type, const char *name);
const struct type *type_record(
        const struct type_field *fields, size_t len, size_t size_bytes, bool is_aligned);

bool type_is_number(const struct type *type);  // BOOL, INT, FLOAT, COMPLEX
bool type_is_item(const struct type *type);    // a number, TIME, BFLOAT: what arrays hold
bool type_is_integer(const struct type *type); // INT or BOOL
// Whether it is one type, again and again.
bool types_are_equal(const struct type *const *types, size_t len);
// The type of the values that iterating yields, or NULL when it is not iterable.
const struct type *type_iterated(const struct type *iterable);

// Conversion of a value, cheapest first; overload resolution compares these.
enum conversion {
    CONVERT_EXACT,
    CONVERT_PROMOTE, // same kind, wider
    CONVERT_SAFE,    // no loss (int32 -> float64)
    CONVERT_UNSAFE,  // may lose (float64 -> int32), allowed for declared signatures
    CONVERT_NEVER,
};
enum conversion type_conversion(const struct type *from, const struct type *to);
// The type that holds values of both, by numba's rules (int64 and float64 -> float64, T
// and none
// -> optional(T), C and A arrays -> A); NULL when there is none.
const struct type *type_unify(const struct type *a, const struct type *b);

// Argument types and return type (NULL: to be inferred).
struct signature {
    const struct type *returns;
    const struct type *const *params;
    size_t param_count;
};
