// SPDX-License-Identifier: MIT
// The table of kinds: every row against an example of its kind, where the layers that ask
// the table must agree (layout, registers, box and unbox). A kind without an example
// fails by name.
#include "test.h"

#include <string.h>

#include "compiler/codegen/base/types.h"
#include "compiler/types/kinds.h"
#include "compiler/types/object_class.h"
#include "compiler/types/source.h"

static const struct type *enum_like(const struct type *element, void *class_object)
{
    struct type_member member = {.name = "A", .integer = 1};
    return type_enum(element, "E",
            &(struct type_enumeration){
                    .class_object = class_object, .members = &member, .len = 1});
}

static const struct type **make_examples(void)
{
    static struct source function = {.name = "f"};
    static struct object_class class = {.name = "C"};
    static const struct type *pair[2], *functions[1];
    struct type_field fields[] = {{.name = "a", .type = type_int32},
            {.name = "b", .type = type_float64, .offset_bytes = 4}};
    pair[0] = type_int8;
    pair[1] = type_array(type_float64, 2, LAYOUT_C, false);
    functions[0] = type_function_of("numpy.sin");
    static const struct type *examples[TYPE_KIND_COUNT];
    const struct type *made[TYPE_KIND_COUNT] = {
            [TYPE_NONE] = type_none,
            [TYPE_BOOL] = type_bool,
            [TYPE_INT] = type_int16,
            [TYPE_FLOAT] = type_float16,
            [TYPE_COMPLEX] = type_complex64,
            [TYPE_STRING] = type_string,
            [TYPE_TUPLE] = type_tuple(pair, 2),
            [TYPE_ARRAY] = pair[1],
            [TYPE_OPTIONAL] = type_optional(type_int32),
            [TYPE_SLICE] = type_slice3,
            [TYPE_RANGE] = type_range(type_int32),
            [TYPE_ENUMERATE] = type_enumerate(pair[1]),
            [TYPE_ZIP] = type_zip(&pair[1], 1),
            [TYPE_INDICES] = type_indices(type_tuple(&type_int64, 1)),
            [TYPE_VIEWS] = type_views(pair[1]),
            [TYPE_FLAT] = type_flat(pair[1]),
            [TYPE_ITERATOR] = type_iterator(pair[1]),
            [TYPE_DIM3] = type_dim3,
            [TYPE_RECORD] = type_record(fields, 2, 12, false),
            [TYPE_CELLS] = type_cells(type_string, 3),
            [TYPE_ENUM] = enum_like(type_string, &function),
            [TYPE_TIME] = type_time(4, 1, false),
            [TYPE_BFLOAT] = type_bfloat16,
            [TYPE_POINTER] = type_pointer(type_float32),
            [TYPE_CALLABLE] = type_function_value(TYPE_CALLABLE, type_int64, pair, 2),
            [TYPE_FOREIGN] = type_function_value(TYPE_FOREIGN, type_int64, pair, 2),
            [TYPE_MEMINFO] = type_meminfo(type_float32),
            [TYPE_LIST] = type_list(type_int8, false),
            [TYPE_SET] = type_set(type_int8, false),
            [TYPE_DICT] = type_dict(type_int8, type_string, false),
            [TYPE_DICT_VIEW] =
                    type_dict_view(type_dict(type_int8, type_string, false), DICT_ITEMS),
            [TYPE_INSTANCE] = type_instance(&class, fields, 2),
            [TYPE_ELLIPSIS] = type_ellipsis,
            [TYPE_MODULE] = type_module,
            [TYPE_FUNCTION] = functions[0],
            [TYPE_DISPATCHER] = type_dispatcher_of(&function, "f"),
            [TYPE_CLASS] = type_class(type_int8),
            [TYPE_METHOD] = type_method(type_string),
            [TYPE_LITERAL] = type_literal(type_string, "text"),
            [TYPE_OMITTED] = type_omitted(type_int8, "3"),
            [TYPE_EXCEPTION] = type_exception,
            [TYPE_CAUGHT] = type_caught,
            [TYPE_GENERATOR] = type_generator(&function, pair, 2, type_int8),
            [TYPE_CHOICE] = type_choice(type_tuple(functions, 1)),
            [TYPE_CLOSURE] = type_closure(&function, pair, 2),
            [TYPE_EXTENSION] = type_extension("E", &function),
            [TYPE_PYOBJECT] = type_pyobject,
    };
    memcpy(examples, made, sizeof examples);
    return examples;
}

// Holds, or the kind is named.
#define HOLDS_OF(kind, condition)                                                        \
    do {                                                                                 \
        if (!(condition))                                                                \
            TEST_FAIL("%s: not %s", type_traits[kind].name, #condition);                 \
    } while (0)
#define HOLDS(type, condition) HOLDS_OF((type)->kind, condition)

#define EACH_EXAMPLE(type)                                                               \
    types_init();                                                                        \
    const struct type **examples = make_examples();                                      \
    for (int kind = 0; kind < TYPE_KIND_COUNT; kind++)                                   \
        for (const struct type *type = examples[kind]; type; type = NULL)

TEST(each_kind_has_an_example)
{
    types_init();
    const struct type **examples = make_examples();
    for (int kind = 0; kind < TYPE_KIND_COUNT; kind++)
        HOLDS_OF(kind, examples[kind] && (int)examples[kind]->kind == kind);
}

TEST(equal_examples_are_one_type)
{
    types_init();
    const struct type *first[TYPE_KIND_COUNT];
    memcpy(first, make_examples(), sizeof first);
    const struct type **again = make_examples();
    for (int kind = 0; kind < TYPE_KIND_COUNT; kind++)
        HOLDS(again[kind], first[kind] == again[kind]);
}

// Two types that differ in nothing but the detail; a detail without two fails.
TEST(each_detail_is_part_of_the_key)
{
    static struct source one = {.name = "f", .serial = 1},
                         two = {.name = "f", .serial = 2};
    types_init();
    const struct type *items[] = {type_int8, type_int8};
    struct type_field field = {.name = "a", .type = type_int32};
    const struct type *pairs[DETAIL_COUNT][2] = {
            [DETAIL_TUPLE] = {type_tuple(items, 1), type_tuple(items, 2)},
            [DETAIL_ARRAY] = {type_array(type_int8, 1, LAYOUT_C, false),
                    type_array(type_int8, 1, LAYOUT_C, true)},
            [DETAIL_RECORD] = {type_record(&field, 1, 4, false),
                    type_record(&field, 1, 4, true)},
            [DETAIL_ENUM] = {enum_like(type_int64, &one), enum_like(type_int64, &two)},
            [DETAIL_TIME] = {type_time(4, 1, false), type_time(4, 1, true)},
            [DETAIL_CELL] = {type_list(type_int8, false), type_list(type_int8, true)},
            [DETAIL_NAME] = {type_function_of("numpy.sin"), type_function_of("math.sin")},
            [DETAIL_SOURCE] = {type_dispatcher_of(&one, "f"),
                    type_dispatcher_of(&two, "f")},
    };
    for (int detail = DETAIL_NONE + 1; detail < DETAIL_COUNT; detail++) {
        CHECK(pairs[detail][0] != pairs[detail][1]);
        if (pairs[detail][0])
            CHECK_INT(type_traits_of(pairs[detail][0])->detail, detail);
    }
}

TEST(sizes_are_multiples_of_alignments)
{
    EACH_EXAMPLE(type)
    {
        size_t alignment = abi_alignment(type);
        HOLDS(type, alignment >= 1 && alignment <= 8 && !(alignment & (alignment - 1)));
        HOLDS(type, abi_size(type) % alignment == 0);
    }
}

static bool is_in_memory(const struct type *type)
{
    enum type_role role = type_traits_of(type)->role;
    return role == ROLE_VALUE || role == ROLE_HOST;
}

TEST(fixed_sizes_are_those_of_the_parts)
{
    EACH_EXAMPLE(type)
    {
        size_t count = abi_part_count(type), offset = 0, alignment = 1;
        for (size_t i = 0; i < count; i++) {
            const struct type *part = abi_part_at(type, i).type;
            abi_place(part, &offset);
            if (abi_alignment(part) > alignment)
                alignment = abi_alignment(part);
        }
        if (count && is_in_memory(type)) {
            HOLDS(type, abi_alignment(type) == alignment);
            HOLDS(type,
                    abi_size(type) == (offset + alignment - 1) / alignment * alignment);
        }
    }
}

struct leaf_sizes {
    size_t count, offsets[16], sizes[16];
};

static void note_leaf(void *context, size_t offset, size_t size_bytes)
{
    struct leaf_sizes *leaves = context;
    leaves->offsets[leaves->count] = offset;
    leaves->sizes[leaves->count++] = size_bytes;
}

static size_t llvm_size(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return 2;
    case LLVMFloatTypeKind:
        return 4;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) / 8;
    default: // double, pointer
        return 8;
    }
}

static void check_leaves(struct codegen *gen, const struct type *type)
{
    struct leaf_sizes expected = {0};
    abi_leaves(type, 0, note_leaf, &expected);
    const struct leaf_list *list = type_leaves(gen, type);
    int fixed = type_traits_of(type)->leaves;
    HOLDS(type, fixed == VARIES || list->len == (size_t)fixed);
    HOLDS(type, list->len == expected.count);
    HOLDS(type, list->len == type_leaf_count(gen, type));
    for (size_t i = 0; i < list->len; i++) {
        HOLDS(type, list->items[i].offset == expected.offsets[i]);
        HOLDS(type,
                llvm_size(type_memory(gen, list->items[i].type)) == expected.sizes[i]);
        HOLDS(type, !is_in_memory(type) ||
                            expected.offsets[i] + expected.sizes[i] <= abi_size(type));
    }
}

TEST(registers_are_the_leaves)
{
    LLVMContextRef context = LLVMContextCreate();
    struct codegen gen = {.i1 = LLVMInt1TypeInContext(context),
            .i8 = LLVMInt8TypeInContext(context),
            .i16 = LLVMInt16TypeInContext(context),
            .i32 = LLVMInt32TypeInContext(context),
            .i64 = LLVMInt64TypeInContext(context),
            .f16 = LLVMHalfTypeInContext(context),
            .f32 = LLVMFloatTypeInContext(context),
            .f64 = LLVMDoubleTypeInContext(context),
            .ptr = LLVMPointerTypeInContext(context, 0)};
    EACH_EXAMPLE(type)
    check_leaves(&gen, type);
    map_finish(&gen.leaf_lists);
    arena_finish(&gen.arena);
    LLVMContextDispose(context);
}

TEST(what_the_compiler_keeps_takes_no_room)
{
    EACH_EXAMPLE(type)
    {
        const struct type_traits *traits = type_traits_of(type);
        HOLDS(type, traits->role != ROLE_ITERATOR ||
                            (abi_size(type) == 0) == (abi_part_count(type) == 0));
        if (traits->role == ROLE_KNOWN) {
            HOLDS(type, traits->shape == SHAPE_NOTHING);
            HOLDS(type, traits->leaves == 0 && abi_size(type) == 0);
            HOLDS(type, traits->counted == COUNTED_NO);
        }
    }
}

TEST(counted_memory_is_where_it_is_said_to_be)
{
    EACH_EXAMPLE(type)
    {
        const struct type_traits *traits = type_traits_of(type);
        bool is_first = traits->shape == SHAPE_REFERENCE || traits->shape == SHAPE_TEXT ||
                        traits->shape == SHAPE_ARRAY || traits->shape == SHAPE_CAUGHT;
        int64_t places[4] = {-1, -1, -1, -1};
        size_t count = abi_counted(type, 0, places);
        HOLDS(type, is_first == (traits->counted == COUNTED_FIRST));
        HOLDS(type, !is_first || (count == 1 && places[0] == 0));
        HOLDS(type, type->kind == TYPE_ITERATOR || (count > 0) == type_is_counted(type));
        HOLDS(type, type->kind != TYPE_ITERATOR || count == 0);
    }
}

TEST(items_of_arrays_have_letters)
{
    for (int kind = 0; kind < TYPE_KIND_COUNT; kind++) {
        char letter = type_traits[kind].dtype;
        HOLDS_OF(kind, !letter || strchr("bifcmSV", letter));
    }
}

// What goes in can come out, but for functions of C: no object stands for their address.
TEST(arguments_have_a_way_in_and_out)
{
    static const struct {
        const char *box, *unbox;
    } words[] = {
#define KIND(id, shape, size, alignment, leaves, counted, detail, role, form, dtype,     \
        box, unbox)                                                                      \
    {#box, #unbox},
#include "compiler/types/kinds.def"
    };
    EACH_EXAMPLE(type)
    {
        const char *box = words[kind].box, *unbox = words[kind].unbox;
        bool is_argument = strcmp(unbox, "refused") != 0;
        HOLDS(type, !is_argument || is_in_memory(type) || !strcmp(unbox, "nothing"));
        HOLDS(type, strcmp(unbox, "nothing") != 0 || type_traits_of(type)->leaves == 0);
        HOLDS(type, !is_argument || !is_in_memory(type) || kind == TYPE_FOREIGN ||
                            strcmp(box, "refused") != 0);
    }
}
