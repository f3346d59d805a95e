// SPDX-License-Identifier: MIT
// Lists and objects: struct abi_row in memory. Their items are loaded and stored here;
// growing and ending is the support library's. Type-based alias information tells LLVM
// that items do not lie in the headers of rows.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/values/row.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

// --- Alias information

static LLVMMetadataRef text_node(struct codegen *gen, const char *text)
{
    return LLVMMDStringInContext2(gen->context, text, strlen(text));
}

// Two types below one root: LLVM takes it that a header and an item never overlap. So a
// loop that stores items keeps the length and the address of the items in registers. All
// accesses to rows must carry a tag of their own: one without counts as either.
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

value row_capacity(struct body *body, value row)
{
    return header_field(body, row, offsetof(struct abi_row, capacity), body->gen->i64);
}

// Not kept across anything that may grow the row: the items move.
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

static bool has_items(const struct type *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_EXTENSION;
}

bool row_has_array(const struct type *type)
{
    if (type->kind == TYPE_OPTIONAL)
        return row_has_array(type->element);
    for (size_t i = 0; has_items(type) && i < type->tuple.len; i++)
        if (row_has_array(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_ARRAY;
}

// Arrays that are arguments get memory to count; kept: one reference of each.
// What is kept may outlive the call: from then on the Python object that the argument
// came from has to be counted.
void row_keep(struct body *body, const struct type *type, value *leaves)
{
    struct codegen *gen = body->gen;
    if (type->kind == TYPE_OPTIONAL) {
        row_keep(body, type->element, leaves);
    } else if (has_items(type)) {
        for (size_t i = 0; i < type->tuple.len; i++) {
            row_keep(body, type->tuple.items[i], leaves);
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

// The last operand as it is stored away, with a reference of its own on all that it
// holds.
static const value *stored_value(
        struct body *body, const struct ir_instr *instr, const struct type *type)
{
    const value *leaves = operand(body, instr, instr->operand_count - 1);
    if (ownership_give(body, instr))
        return leaves;
    if (!row_has_array(type)) {
        ownership_retain(body, type, leaves);
        return leaves;
    }
    size_t count = type_leaf_count(body->gen, type);
    value *kept = value_row(body->gen, count);
    memcpy(kept, leaves, count * sizeof *kept);
    row_keep(body, type, kept);
    return kept;
}

// Puts the last operand where another value is, whose references go. The new one is kept
// before.
static void replace_value(struct body *body, const struct ir_instr *instr,
        const struct type *type, value at)
{
    struct codegen *gen = body->gen;
    const value *stored = stored_value(body, instr, type);
    if (!abi_counted(type, 0, NULL)) {
        store_value(body, type, at, stored);
        return;
    }
    value *old = value_row(gen, type_leaf_count(gen, type));
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
    assert(item && (instr->immediate < 0 || item->kind == TYPE_TUPLE));
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

void list_part(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type;
    value at = part_address(body, instr, &type);
    load_value(body, type, at, out);
    ownership_retain(body, type, out);
}

void list_set_part(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *type;
    value at = part_address(body, instr, &type);
    replace_value(body, instr, type, at);
}

// --- Making and growing

// The support library releases what items hold when a row ends. It knows no types: it
// gets the offsets of counted memory within an item.
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

static value create_by(
        struct body *body, const char *function, value *args, unsigned count)
{
    struct codegen *gen = body->gen;
    assert(count && count <= 4);
    LLVMTypeRef types[4] = {gen->i64, gen->i64, gen->i64, gen->i64};
    types[count - 1] = gen->ptr;
    value create = codegen_external(gen, function, gen->ptr, types, count);
    codegen_attribute(gen, create, LLVMAttributeReturnIndex, "noalias", 0);
    value row = codegen_call(gen, create, args, count, "row");
    control_fail_if(
            body, LLVMBuildIsNull(gen->builder, row, ""), value_i32(gen, STATUS_MEMORY));
    return row;
}

static value create_row(struct body *body, value capacity, size_t item_bytes,
        value places, size_t place_count)
{
    value args[4] = {capacity, value_i64(body->gen, (int64_t)item_bytes),
            value_i64(body->gen, (int64_t)place_count), places};
    return create_by(body, "gridcell_row_create", args, 4);
}

void list_new(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *item = instr->type->element;
    size_t count, offset = 0;
    value places = places_of(body, &item, &offset, 1, &count);
    value row =
            create_row(body, operand(body, instr, 0)[0], abi_stride(item), places, count);
    // it is so already: told to LLVM, which then knows the length of a list's display
    set_header_field(body, row, offsetof(struct abi_row, len), value_i64(body->gen, 0));
    out[0] = row;
}

void list_len(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = row_length(body, operand(body, instr, 0)[0]);
}

void list_load(struct body *body, const struct ir_instr *instr, value *out)
{
    row_load(body, instr->type, operand(body, instr, 0)[0], operand(body, instr, 1)[0],
            out);
}

void list_store(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *item = instr->operands[0]->type->element;
    value at = item_address(
            body, item, operand(body, instr, 0)[0], operand(body, instr, 1)[0]);
    replace_value(body, instr, item, at);
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

void list_splice(struct body *body, const struct ir_instr *instr, value *out)
{
    splice(body, operand(body, instr, 0)[0], operand(body, instr, 1)[0],
            operand(body, instr, 2)[0], operand(body, instr, 3)[0]);
}

void list_swap(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[3] = {gen->ptr, gen->i64, gen->i64};
    value function = codegen_external(gen, "gridcell_row_swap", gen->void_type, types, 3);
    value args[3] = {operand(body, instr, 0)[0], operand(body, instr, 1)[0],
            operand(body, instr, 2)[0]};
    codegen_call(gen, function, args, 3, "");
}

// Adds the last operand behind the `len` items that there are; there is room for it.
static void push(struct body *body, const struct ir_instr *instr, value row, value len)
{
    struct codegen *gen = body->gen;
    const struct type *item = instr->operands[0]->type->element;
    const value *stored = stored_value(body, instr, item);
    store_value(body, item, item_address(body, item, row, len), stored);
    value next = LLVMBuildNSWAdd(gen->builder, len, value_i64(gen, 1), "");
    set_header_field(body, row, offsetof(struct abi_row, len), next);
}

void list_push(struct body *body, const struct ir_instr *instr, value *out)
{
    value row = operand(body, instr, 0)[0];
    push(body, instr, row, row_length(body, row));
}

// Where there is room the item is stored at once.
void list_append(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value row = operand(body, instr, 0)[0];
    value len = row_length(body, row);
    value capacity = row_capacity(body, row);
    LLVMBasicBlockRef grow = body_block(body, "grow"), store = body_block(body, "store");
    value is_full = LLVMBuildICmp(b, LLVMIntSGE, len, capacity, "");
    LLVMBuildCondBr(b, is_full, grow, store);
    LLVMPositionBuilderAtEnd(b, grow);
    splice(body, row, len, value_i64(gen, 0), value_i64(gen, 1));
    LLVMBuildBr(b, store);
    LLVMPositionBuilderAtEnd(b, store);
    push(body, instr, row, len);
}

// --- Objects

// A set or dict, ready to take entries in.
static value new_table(struct body *body, const struct type *type)
{
    struct codegen *gen = body->gen;
    assert(type->cell.len == TABLE_FIELDS);
    const struct type *entry = type->cell.fields[TABLE_ENTRIES].type->element;
    size_t count, offset = 0;
    value places = places_of(body, &entry, &offset, 1, &count);
    value args[3] = {value_i64(gen, (int64_t)abi_stride(entry)),
            value_i64(gen, (int64_t)count), places};
    return create_by(body, "gridcell_table_create", args, 3);
}

void cell_new(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = instr->type;
    if (type_has_entries(type)) {
        out[0] = new_table(body, type);
        return;
    }
    assert(type->kind == TYPE_INSTANCE);
    size_t len = type->cell.len, count;
    const struct type **types = arena_array(&gen->arena, const struct type *, len + 1);
    size_t *offsets = arena_array(&gen->arena, size_t, len + 1);
    for (size_t i = 0; i < len; i++) {
        types[i] = type->cell.fields[i].type;
        offsets[i] = type->cell.fields[i].offset_bytes;
    }
    value places = places_of(body, types, offsets, len, &count);
    value row = create_row(body, value_i64(gen, 1), type->cell.size_bytes, places, count);
    LLVMBuildMemSet(gen->builder, items_of(body, row), LLVMConstNull(gen->i8),
            value_i64(gen, (int64_t)type->cell.size_bytes), sizeof(int64_t));
    set_header_field(body, row, offsetof(struct abi_row, len), value_i64(gen, 1));
    out[0] = row;
}

// The fields of a set or dict lie in its own block, behind the places of their rows.
static value fields_of(struct body *body, const struct type *type, value object)
{
    assert(object && (type->kind == TYPE_INSTANCE || type_is_container(type)));
    return type_has_entries(type) ? value_offset(body->gen, object, ABI_TABLE_FIELDS)
                                  : items_of(body, object);
}

static value field_address(struct body *body, const struct ir_instr *instr)
{
    const struct type *type = instr->operands[0]->type;
    assert((size_t)instr->immediate < type->cell.len);
    return value_offset(body->gen, fields_of(body, type, operand(body, instr, 0)[0]),
            type->cell.fields[instr->immediate].offset_bytes);
}

void cell_get(struct body *body, const struct ir_instr *instr, value *out)
{
    load_value(body, instr->type, field_address(body, instr), out);
    if (type_is_object(instr->type) && instr->operands[0]->type->kind == TYPE_INSTANCE)
        control_raise_if(body, LLVMBuildIsNull(body->gen->builder, out[0], ""),
                ERROR_RUNTIME, "the attribute is not set yet", instr->span);
    if (!ownership_borrows(body, instr))
        ownership_retain(body, instr->type, out);
}

void cell_set(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *cell = instr->operands[0]->type;
    replace_value(body, instr, cell->cell.fields[instr->immediate].type,
            field_address(body, instr));
}

void cell_is(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = LLVMBuildICmp(body->gen->builder, LLVMIntEQ, operand(body, instr, 0)[0],
            operand(body, instr, 1)[0], "");
}

value row_used(struct body *body, const struct type *table, value container)
{
    value address = value_offset(body->gen, fields_of(body, table, container),
            table->cell.fields[TABLE_USED].offset_bytes);
    value used;
    load_value(body, type_int64, address, &used);
    return used;
}
