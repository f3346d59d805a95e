// SPDX-License-Identifier: MIT
// The user's variables for debuggers of GPUs: each lies in a place of its own on the
// stack, which is written whenever the variable is assigned, and is described as what it
// is in C.
#include <stdio.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/debug_info.h"
#include "compiler/types/kinds.h"
#include "compiler/types/source.h"

enum { // DW_ATE_*
    ENCODING_BOOLEAN = 2,
    ENCODING_FLOAT = 4,
    ENCODING_SIGNED = 5,
    ENCODING_UNSIGNED = 7
};

static LLVMMetadataRef basic_type(
        struct codegen *gen, const char *name, int bits, unsigned encoding)
{
    return LLVMDIBuilderCreateBasicType(gen->debug.builder, name, strlen(name),
            (uint64_t)bits, encoding, LLVMDIFlagZero);
}

static LLVMMetadataRef leaf_type(struct codegen *gen, const struct type *type)
{
    switch (type_traits_of(type)->shape) {
    case SHAPE_BIT:
        return basic_type(gen, "bool", 8, ENCODING_BOOLEAN);
    case SHAPE_FLOAT:
        return basic_type(gen, type->name, type->bits, ENCODING_FLOAT);
    case SHAPE_INT:
        return basic_type(gen, type->name, type->bits,
                type->is_signed ? ENCODING_SIGNED : ENCODING_UNSIGNED);
    default: // an address
        return LLVMDIBuilderCreatePointerType(gen->debug.builder,
                basic_type(gen, "byte", 8, ENCODING_UNSIGNED), 64, 0, 0, "", 0);
    }
}

// A structure that is being described.
struct members {
    struct codegen *gen;
    LLVMMetadataRef file, list[64];
    unsigned count;
};

static void add_member(struct members *members, const char *name, size_t offset,
        size_t size_bytes, LLVMMetadataRef type)
{
    struct codegen *gen = members->gen;
    if (members->count == sizeof members->list / sizeof *members->list)
        return;
    members->list[members->count++] = LLVMDIBuilderCreateMemberType(gen->debug.builder,
            members->file, name, strlen(name), members->file, 0, 8 * size_bytes, 0,
            8 * offset, LLVMDIFlagZero, type);
}

static LLVMMetadataRef structure(
        struct members *members, const char *name, size_t size_bytes)
{
    struct codegen *gen = members->gen;
    return LLVMDIBuilderCreateStructType(gen->debug.builder, members->file, name,
            strlen(name), members->file, 0, 8 * size_bytes, 0, LLVMDIFlagZero, NULL,
            members->list, members->count, 0, NULL, "", 0);
}

static LLVMMetadataRef lengths_type(struct codegen *gen, int count)
{
    LLVMMetadataRef range =
            LLVMDIBuilderGetOrCreateSubrange(gen->debug.builder, 0, count);
    return LLVMDIBuilderCreateArrayType(gen->debug.builder, 64 * (uint64_t)count, 0,
            leaf_type(gen, type_int64), &range, 1);
}

static LLVMMetadataRef type_of(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file);

static LLVMMetadataRef item_type(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file);

static LLVMMetadataRef array_type(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file)
{
    struct members members = {.gen = gen, .file = file};
    size_t lengths = 8 * (size_t)type->array.ndim;
    LLVMMetadataRef data = LLVMDIBuilderCreatePointerType(
            gen->debug.builder, item_type(gen, type->element, file), 64, 0, 0, "", 0);
    add_member(&members, "data", offsetof(struct abi_array, data), 8, data);
    if (lengths) {
        LLVMMetadataRef numbers = lengths_type(gen, type->array.ndim);
        size_t at = offsetof(struct abi_array, dims);
        add_member(&members, "shape", at, lengths, numbers);
        add_member(&members, "strides", at + lengths, lengths, numbers);
    }
    return structure(&members, type->name, abi_size(type));
}

// A record as it lies in an array, but for arrays within it.
static LLVMMetadataRef record_type(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file)
{
    struct members members = {.gen = gen, .file = file};
    for (size_t i = 0; i < type->record.len; i++) {
        const struct type_field *field = &type->record.fields[i];
        if (!field->ndim && type_is_item(field->type))
            add_member(&members, field->name, field->offset_bytes, abi_size(field->type),
                    type_of(gen, field->type, file));
    }
    return structure(&members, type->name, type->record.size_bytes);
}

// ".shape.0" as shape_0, ".0" as item_0
static void member_name(const char *suffix, char *name, size_t size)
{
    suffix += *suffix == '.';
    snprintf(name, size, "%s%s", *suffix >= '0' && *suffix <= '9' ? "item_" : "", suffix);
    for (char *at = name; *at; at++)
        *at = *at == '.' ? '_' : *at;
}

static LLVMMetadataRef type_of(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file)
{
    if (type->kind == TYPE_ARRAY)
        return array_type(gen, type, file);
    const struct leaf_list *list = type_leaves(gen, type);
    if (list->len == 1 && !list->items[0].suffix[0])
        return leaf_type(gen, list->items[0].type);
    struct members members = {.gen = gen, .file = file};
    for (size_t i = 0; i < list->len; i++) {
        const struct leaf *leaf = &list->items[i];
        char name[64];
        member_name(leaf->suffix, name, sizeof name);
        add_member(&members, name, leaf->offset, abi_size(leaf->type),
                leaf_type(gen, leaf->type));
    }
    return structure(&members, type->name, abi_size(type));
}

static LLVMMetadataRef item_type(
        struct codegen *gen, const struct type *type, LLVMMetadataRef file)
{
    return type->kind == TYPE_RECORD ? record_type(gen, type, file)
                                     : type_of(gen, type, file);
}

static value make_slot(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const struct source *source = body->ir->source;
    const char *name = instr->variable;
    LLVMMetadataRef file = LLVMDIScopeGetFile(gen->debug.scope);
    LLVMMetadataRef type = type_of(gen, instr->type, file), variable;
    int first = source && source->first_line > 0 ? source->first_line : 1;
    unsigned line = (unsigned)(instr->span.line > 0 ? instr->span.line : first);
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, abi_size(instr->type)), name);
    LLVMSetAlignment(slot, 8);
    if (instr->op == IR_ARG)
        variable = LLVMDIBuilderCreateParameterVariable(gen->debug.builder,
                gen->debug.scope, name, strlen(name), (unsigned)instr->index + 1, file,
                (unsigned)first, type, true, LLVMDIFlagZero);
    else
        variable = LLVMDIBuilderCreateAutoVariable(gen->debug.builder, gen->debug.scope,
                name, strlen(name), file, line, type, true, LLVMDIFlagZero, 0);
    LLVMDIBuilderInsertDeclareRecordAtEnd(gen->debug.builder, slot, variable,
            LLVMDIBuilderCreateExpression(gen->debug.builder, NULL, 0),
            LLVMDIBuilderCreateDebugLocation(
                    gen->context, line, 0, gen->debug.scope, NULL),
            body->allocas);
    return slot;
}

static value slot_of(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    vec_each (known, &gen->debug.variables)
        if (known->type == instr->type && !strcmp(known->name, instr->variable))
            return known->slot;
    value slot = make_slot(body, instr);
    vec_push(&gen->debug.variables,
            (struct debug_variable){instr->variable, instr->type, slot});
    return slot;
}

// Whether the name is one that the user wrote.
static bool is_shown(const char *name)
{
    return name && (name[0] == '_' || (name[0] >= 'A' && name[0] <= 'Z') ||
                           (name[0] >= 'a' && name[0] <= 'z'));
}

void debug_assigned(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const value *leaves = body->values[instr->id];
    if (!gen->debug.has_variables || !is_shown(instr->variable) || !instr->type ||
            codegen_failed(gen))
        return;
    size_t count = type_leaf_count(gen, instr->type);
    for (size_t i = 0; i < count; i++)
        if (!leaves[i])
            return;
    if (count)
        value_store(gen, instr->type, slot_of(body, instr), 0, leaves);
}
