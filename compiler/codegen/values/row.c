// SPDX-License-Identifier: MIT
// Lists and objects: struct abi_row in memory. Their items are loaded and stored here;
// growing and ending is the support library's. Type-based alias information tells LLVM
// that items do not lie in the headers of rows.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/values/row.h"

#include <stddef.h>
#include <string.h>

// --- Alias information

static LLVMMetadataRef text_node(struct codegen *gen, const char *text)
{
    return LLVMMDStringInContext2(gen->context, text, strlen(text));
}

static value access_tag(struct codegen *gen, const char *name)
{
    LLVMMetadataRef root[1] = {text_node(gen, "gridcell rows")};
    LLVMMetadataRef offset = LLVMValueAsMetadata(value_i64(gen, 0));
    LLVMMetadataRef type[3] = {
            text_node(gen, name), LLVMMDNodeInContext2(gen->context, root, 1), offset};
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->context, type, 3);
    LLVMMetadataRef tag[3] = {node, node, offset};
    return LLVMMetadataAsValue(gen->context, LLVMMDNodeInContext2(gen->context, tag, 3));
}

static value tagged(struct codegen *gen, value access, const char *name)
{
    unsigned kind = LLVMGetMDKindIDInContext(gen->context, "tbaa", 4);
    if (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access))
        LLVMSetMetadata(access, kind, access_tag(gen, name));
    return access;
}

// --- Headers

static value header_field(struct body *body, value row, size_t offset, LLVMTypeRef type)
{
    struct codegen *gen = body->gen;
    value at = value_offset(gen, row, offset);
    return tagged(gen, LLVMBuildLoad2(gen->builder, type, at, ""), "header");
}

static void set_header_field(struct body *body, value row, size_t offset, value stored)
{
    struct codegen *gen = body->gen;
    value at = value_offset(gen, row, offset);
    tagged(gen, LLVMBuildStore(gen->builder, stored, at), "header");
}

value row_length(struct body *body, value row)
{
    return header_field(body, row, offsetof(struct abi_row, len), body->gen->i64);
}

static value items_of(struct body *body, value row)
{
    return header_field(body, row, offsetof(struct abi_row, memory.data), body->gen->ptr);
}

// --- Items

static value item_address(
        struct body *body, const struct type *item, value row, value index)
{
    struct codegen *gen = body->gen;
    value offset = LLVMBuildNSWMul(
            gen->builder, index, value_i64(gen, (int64_t)abi_stride(item)), "");
    value data = items_of(body, row);
    return LLVMBuildInBoundsGEP2(gen->builder, gen->i8, data, &offset, 1, "");
}

// Marks the loads and stores of items emitted after `before`, in the same block.
static void tag_since(struct body *body, value before, LLVMBasicBlockRef block)
{
    value instr =
            before ? LLVMGetNextInstruction(before) : LLVMGetFirstInstruction(block);
    unsigned kind = LLVMGetMDKindIDInContext(body->gen->context, "tbaa", 4);
    for (; instr; instr = LLVMGetNextInstruction(instr))
        if ((LLVMIsALoadInst(instr) || LLVMIsAStoreInst(instr)) &&
                !LLVMGetMetadata(instr, kind))
            tagged(body->gen, instr, "item");
}

static void load_value(struct body *body, const struct type *type, value at, value *out)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(body->gen->builder);
    value before = LLVMGetLastInstruction(block);
    value_load(body->gen, type, at, 0, "", out);
    tag_since(body, before, block);
}

static void store_value(
        struct body *body, const struct type *type, value at, const value *stored)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(body->gen->builder);
    value before = LLVMGetLastInstruction(block);
    value_store(body->gen, type, at, 0, stored);
    tag_since(body, before, block);
}

static bool has_array(const struct type *type)
{
    if (type->kind == TYPE_OPTIONAL)
        return has_array(type->element);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (has_array(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_ARRAY;
}

// Arrays that are arguments get memory to count; kept: one reference of each.
static void keep_arrays(struct body *body, const struct type *type, value *leaves)
{
    struct codegen *gen = body->gen;
    if (type->kind == TYPE_OPTIONAL) {
        keep_arrays(body, type->element, leaves);
    } else if (type->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < type->tuple.len; i++) {
            keep_arrays(body, type->tuple.items[i], leaves);
            leaves += type_leaf_count(gen, type->tuple.items[i]);
        }
    } else if (type->kind == TYPE_ARRAY) {
        LLVMTypeRef types[2] = {gen->ptr, gen->ptr};
        value keep = codegen_external(gen, "gridcell_array_keep", gen->ptr, types, 2);
        value args[2] = {leaves[ARRAY_MEMORY], leaves[ARRAY_PARENT]};
        leaves[ARRAY_MEMORY] = codegen_call(gen, keep, args, 2, "kept");
    } else {
        ownership_retain(body, type, leaves);
    }
}

// The value as it is stored away, with a reference of its own on all that it holds.
static const value *keep_value(
        struct body *body, const struct type *type, const value *leaves)
{
    if (!has_array(type)) {
        ownership_retain(body, type, leaves);
        return leaves;
    }
    size_t count = type_leaf_count(body->gen, type);
    value *kept = value_row(body->gen, count);
    memcpy(kept, leaves, count * sizeof *kept);
    keep_arrays(body, type, kept);
    return kept;
}

// Puts a value where another is, whose references go. The new one is kept before.
static void replace_value(
        struct body *body, const struct type *type, value at, const value *stored)
{
    struct codegen *gen = body->gen;
    size_t count = abi_counted(type, 0, NULL);
    if (!count) {
        store_value(body, type, at, stored);
        return;
    }
    value *old = value_row(gen, type_leaf_count(gen, type));
    stored = keep_value(body, type, stored);
    load_value(body, type, at, old);
    store_value(body, type, at, stored);
    ownership_release(body, type, old);
}

void row_peek(
        struct body *body, const struct type *item, value row, value index, value *out)
{
    load_value(body, item, item_address(body, item, row, index), out);
}

void row_load(
        struct body *body, const struct type *item, value row, value index, value *out)
{
    row_peek(body, item, row, index, out);
    ownership_retain(body, item, out);
}

// A part of the item at an index, or all of it where that is -1: its type and address.
static value part_address(
        struct body *body, const struct ir_instr *instr, const struct type **type)
{
    const struct type *item = instr->operands[0]->type->element;
    size_t past = 0, offset = 0;
    *type = item;
    for (int i = 0; i <= instr->immediate; i++) {
        *type = item->tuple.items[i];
        offset = abi_place(*type, &past);
    }
    return value_offset(body->gen,
            item_address(
                    body, item, operand(body, instr, 0)[0], operand(body, instr, 1)[0]),
            offset);
}

static void load_part(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type;
    value at = part_address(body, instr, &type);
    load_value(body, type, at, out);
    ownership_retain(body, type, out);
}

static void store_part(struct body *body, const struct ir_instr *instr)
{
    const struct type *type;
    value at = part_address(body, instr, &type);
    replace_value(body, type, at, operand(body, instr, 2));
}

// --- Making and growing

static value places_of(struct body *body, const struct type *const *types,
        const size_t *offsets, size_t len, size_t *count)
{
    struct codegen *gen = body->gen;
    *count = 0;
    for (size_t i = 0; i < len; i++)
        *count += abi_counted(types[i], 0, NULL);
    if (!*count)
        return LLVMConstNull(gen->ptr);
    int64_t *places = arena_array(&gen->arena, int64_t, *count);
    size_t at = 0;
    for (size_t i = 0; i < len; i++)
        at += abi_counted(types[i], offsets[i], places + at);
    value data = codegen_text(gen, (const char *)places, *count * sizeof *places);
    LLVMSetAlignment(data, 8);
    return data;
}

static value create_row(struct body *body, value capacity, size_t item_bytes,
        value places, size_t place_count)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[4] = {gen->i64, gen->i64, gen->i64, gen->ptr};
    value create = codegen_external(gen, "gridcell_row_create", gen->ptr, types, 4);
    codegen_attribute(gen, create, LLVMAttributeReturnIndex, "noalias", 0);
    value args[4] = {capacity, value_i64(gen, (int64_t)item_bytes),
            value_i64(gen, (int64_t)place_count), places};
    value row = codegen_call(gen, create, args, 4, "row");
    control_fail_if(
            body, LLVMBuildIsNull(gen->builder, row, ""), value_i32(gen, STATUS_MEMORY));
    return row;
}

static value new_list(struct body *body, const struct type *list, value capacity)
{
    size_t count, offset = 0;
    value places = places_of(body, &list->element, &offset, 1, &count);
    value row = create_row(body, capacity, abi_stride(list->element), places, count);
    // it is so already: told to LLVM, which then knows the length of a list's display
    set_header_field(body, row, offsetof(struct abi_row, len), value_i64(body->gen, 0));
    return row;
}

static void splice(struct body *body, value row, value at, value removed, value inserted)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[4] = {gen->ptr, gen->i64, gen->i64, gen->i64};
    value function = codegen_external(gen, "gridcell_row_splice", gen->i32, types, 4);
    value args[4] = {row, at, removed, inserted};
    value status = codegen_call(gen, function, args, 4, "");
    control_fail_if(body,
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, 0), ""),
            status);
}

static void swap(struct body *body, const value *row, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[3] = {gen->ptr, gen->i64, gen->i64};
    value function = codegen_external(gen, "gridcell_row_swap", gen->void_type, types, 3);
    value args[3] = {row[0], a[0], b[0]};
    codegen_call(gen, function, args, 3, "");
}

// Adds an item behind the `len` that there are; there is room for it.
static void push(struct body *body, const struct type *item, value row, value len,
        const value *stored)
{
    struct codegen *gen = body->gen;
    stored = keep_value(body, item, stored);
    store_value(body, item, item_address(body, item, row, len), stored);
    value next = LLVMBuildNSWAdd(gen->builder, len, value_i64(gen, 1), "");
    set_header_field(body, row, offsetof(struct abi_row, len), next);
}

// Where there is room the item is stored at once.
static void append(
        struct body *body, const struct type *item, value row, const value *stored)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value len = row_length(body, row);
    value capacity =
            header_field(body, row, offsetof(struct abi_row, capacity), gen->i64);
    LLVMBasicBlockRef grow = body_block(body, "grow"), store = body_block(body, "store");
    value is_full = LLVMBuildICmp(b, LLVMIntSGE, len, capacity, "");
    LLVMBuildCondBr(b, is_full, grow, store);
    LLVMPositionBuilderAtEnd(b, grow);
    splice(body, row, len, value_i64(gen, 0), value_i64(gen, 1));
    LLVMBuildBr(b, store);
    LLVMPositionBuilderAtEnd(b, store);
    push(body, item, row, len, stored);
}

// --- Objects

static value new_cell(struct body *body, const struct type *type)
{
    struct codegen *gen = body->gen;
    size_t len = type->cell.len, count;
    const struct type **types = arena_array(&gen->arena, const struct type *, len + 1);
    size_t *offsets = arena_array(&gen->arena, size_t, len + 1);
    for (size_t i = 0; i < len; i++) {
        types[i] = type->cell.fields[i].type;
        offsets[i] = type->cell.fields[i].offset_bytes;
    }
    value places = places_of(body, types, offsets, len, &count);
    value row = create_row(body, value_i64(gen, 1), type->cell.size_bytes, places, count);
    splice(body, row, value_i64(gen, 0), value_i64(gen, 0), value_i64(gen, 1));
    return row;
}

static value field_address(struct body *body, const struct ir_instr *instr)
{
    const struct type *type = instr->operands[0]->type;
    return value_offset(body->gen, items_of(body, operand(body, instr, 0)[0]),
            type->cell.fields[instr->immediate].offset_bytes);
}

static void get_field(struct body *body, const struct ir_instr *instr, value *out)
{
    load_value(body, instr->type, field_address(body, instr), out);
    if (type_is_object(instr->type) && instr->operands[0]->type->kind == TYPE_INSTANCE)
        control_raise_if(body, LLVMBuildIsNull(body->gen->builder, out[0], ""),
                ERROR_RUNTIME, "the attribute is not set yet", instr->span);
    if (!ownership_borrows(body, instr))
        ownership_retain(body, instr->type, out);
}

value row_used(struct body *body, const struct type *table, value container)
{
    value address = value_offset(body->gen, items_of(body, container),
            table->cell.fields[TABLE_USED].offset_bytes);
    value used;
    load_value(body, type_int64, address, &used);
    return used;
}

void row_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type =
            instr->operand_count ? instr->operands[0]->type : instr->type;
    const value *row = instr->operand_count ? operand(body, instr, 0) : NULL;
    if (gen->target->kind != TARGET_HOST) {
        codegen_fail(gen, ERROR_UNSUPPORTED, instr->span,
                "lists, dicts, sets and objects cannot be used in CUDA kernels");
        return;
    }
    switch (instr->primitive) {
    case PRIMITIVE_LIST_NEW:
        out[0] = new_list(body, instr->type, row[0]);
        break;
    case PRIMITIVE_LIST_LEN:
        out[0] = row_length(body, row[0]);
        break;
    case PRIMITIVE_LIST_LOAD:
        row_load(body, instr->type, row[0], operand(body, instr, 1)[0], out);
        break;
    case PRIMITIVE_LIST_STORE:
        replace_value(body, type->element,
                item_address(body, type->element, row[0], operand(body, instr, 1)[0]),
                operand(body, instr, 2));
        break;
    case PRIMITIVE_LIST_PART:
        load_part(body, instr, out);
        break;
    case PRIMITIVE_LIST_SET_PART:
        store_part(body, instr);
        break;
    case PRIMITIVE_LIST_APPEND:
        append(body, type->element, row[0], operand(body, instr, 1));
        break;
    case PRIMITIVE_LIST_PUSH:
        push(body, type->element, row[0], row_length(body, row[0]),
                operand(body, instr, 1));
        break;
    case PRIMITIVE_LIST_SPLICE:
        splice(body, row[0], operand(body, instr, 1)[0], operand(body, instr, 2)[0],
                operand(body, instr, 3)[0]);
        break;
    case PRIMITIVE_LIST_SWAP:
        swap(body, row, operand(body, instr, 1), operand(body, instr, 2));
        break;
    case PRIMITIVE_CELL_NEW:
        out[0] = new_cell(body, instr->type);
        break;
    case PRIMITIVE_CELL_GET:
        get_field(body, instr, out);
        break;
    case PRIMITIVE_CELL_SET:
        replace_value(body, type->cell.fields[instr->immediate].type,
                field_address(body, instr), operand(body, instr, 1));
        break;
    default: // CELL_IS
        out[0] = LLVMBuildICmp(
                gen->builder, LLVMIntEQ, row[0], operand(body, instr, 1)[0], "");
    }
}
