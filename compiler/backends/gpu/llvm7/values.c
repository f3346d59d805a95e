// SPDX-License-Identifier: MIT
// Operands: names, labels, constants and constant expressions.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <assert.h>
#include <string.h>

// "llvm.memcpy.p0.p1.i64" -> "llvm.memcpy.p0i8.p1i8.i64": pointers in an overloaded name
// say what they point to, which is `pointee` or i8.
static void remangle(struct llvm7_writer *writer, const char *name, LLVMTypeRef pointee)
{
    struct str spelled = {0};
    if (pointee)
        llvm7_mangled_type(writer, &spelled, pointee);
    else
        str_append(&spelled, "i8");
    for (const char *p = name; *p;) {
        size_t digits = strncmp(p, ".p", 2) == 0 ? strspn(p + 2, "0123456789") : 0;
        if (digits && (p[2 + digits] == '\0' || p[2 + digits] == '.')) {
            llvm7_print(writer, "%.*s%s", (int)(2 + digits), p, str_text(&spelled));
            p += 2 + digits;
        } else {
            llvm7_print(writer, "%c", *p++);
        }
    }
    str_finish(&spelled);
}

// LLVM 7 has no inline form of these: "llvm.memcpy.inline.p0..." is "llvm.memcpy.p0...".
static void print_intrinsic_name(
        struct llvm7_writer *writer, const char *name, LLVMTypeRef pointee)
{
    static const char inline_part[] = ".inline";
    const char *part = strstr(name, inline_part);
    struct str plain = {0};
    str_append_bytes(&plain, name, part ? (size_t)(part - name) : strlen(name));
    if (part)
        str_append(&plain, part + sizeof inline_part - 1);
    remangle(writer, str_text(&plain), pointee);
    str_finish(&plain);
}

// Names are as they are in LLVM 19: the writer's copy has none that LLVM 7 cannot read.
void llvm7_global_name(struct llvm7_writer *writer, LLVMValueRef global)
{
    size_t len;
    const char *name = LLVMGetValueName2(global, &len);
    llvm7_print(writer, "@");
    if (LLVMIsAFunction(global) && str_starts_with(name, "llvm.")) {
        LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(global));
        print_intrinsic_name(writer, name, llvm7_intrinsic_pointee(name, result));
    } else {
        llvm7_print(writer, "%s", name);
    }
}

void llvm7_local_name(struct llvm7_writer *writer, LLVMValueRef value)
{
    size_t len;
    const char *name = LLVMGetValueName2(value, &len);
    assert(len); // the writer has named all values of its copy
    llvm7_print(writer, "%%%s", name);
}

void llvm7_result(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "  ");
    llvm7_local_name(writer, instruction);
    llvm7_print(writer, " = ");
}

void llvm7_exit_label(struct llvm7_writer *writer, LLVMBasicBlockRef block)
{
    llvm7_local_name(writer, LLVMBasicBlockAsValue(block));
    size_t splits = (size_t)map_get_bytes(&writer->split_counts, &block, sizeof block);
    if (splits)
        llvm7_print(writer, ".done%zu", splits - 1);
}

// A global's pointer has the type of its content in LLVM 7, while whoever uses it expects
// i8*: each use is a cast, which costs nothing.
static void print_global(struct llvm7_writer *writer, LLVMValueRef global)
{
    assert(LLVMIsAGlobalVariable(global));
    LLVMTypeRef type = LLVMTypeOf(global);
    llvm7_print(writer, "bitcast (");
    llvm7_pointer_type(writer, LLVMGlobalGetValueType(global), type);
    llvm7_print(writer, " ");
    llvm7_global_name(writer, global);
    llvm7_print(writer, " to ");
    llvm7_type(writer, type);
    llvm7_print(writer, ")");
}

static void print_function(struct llvm7_writer *writer, LLVMValueRef function)
{
    llvm7_print(writer, "bitcast (");
    llvm7_signature(writer, function);
    llvm7_print(writer, " ");
    llvm7_global_name(writer, function);
    llvm7_print(writer, " to i8*)");
}

// LLVM 19 spells scalar numbers as LLVM 7 does: "double 0x3FF8000000000000", "i1 true".
static void print_number(struct llvm7_writer *writer, LLVMValueRef number)
{
    if (llvm7_is_vector(LLVMTypeOf(number))) {
        llvm7_fail(writer, "vector constant in scalar form");
        return;
    }
    char *text = LLVMPrintValueToString(number);
    const char *space = strchr(text, ' ');
    llvm7_print(writer, "%s", space ? space + 1 : text);
    LLVMDisposeMessage(text);
}

void llvm7_further_operands(struct llvm7_writer *writer, LLVMValueRef user)
{
    for (int i = 1, n = LLVMGetNumOperands(user); i < n; i++) {
        llvm7_print(writer, ", ");
        llvm7_typed_value(writer, LLVMGetOperand(user, i));
    }
}

static void print_constant_gep(struct llvm7_writer *writer, LLVMValueRef gep)
{
    assert(LLVMGetNumOperands(gep) > 1);
    LLVMTypeRef type = LLVMTypeOf(gep), source = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef base = LLVMGetOperand(gep, 0);
    if (llvm7_is_vector(type))
        llvm7_fail(writer, "constant vector of addresses");
    llvm7_print(writer, "bitcast (");
    llvm7_pointer_type(writer, llvm7_gep_result(gep), type);
    llvm7_print(writer, " getelementptr %s(", LLVMIsInBounds(gep) ? "inbounds " : "");
    llvm7_type(writer, source);
    llvm7_print(writer, ", ");
    llvm7_pointer_type(writer, source, LLVMTypeOf(base));
    llvm7_print(writer, " bitcast (");
    llvm7_typed_value(writer, base);
    llvm7_print(writer, " to ");
    llvm7_pointer_type(writer, source, LLVMTypeOf(base));
    llvm7_print(writer, ")");
    llvm7_further_operands(writer, gep);
    llvm7_print(writer, ") to ");
    llvm7_type(writer, type);
    llvm7_print(writer, ")");
}

static void print_constant_expression(struct llvm7_writer *writer, LLVMValueRef constant)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    if (opcode == LLVMGetElementPtr) {
        print_constant_gep(writer, constant);
        return;
    }
    const char *name = llvm7_opcode_name(opcode);
    if (!name) {
        char *text = LLVMPrintValueToString(constant);
        llvm7_fail(writer, "constant expression %s", text);
        LLVMDisposeMessage(text);
        return;
    }
    int count = LLVMGetNumOperands(constant);
    llvm7_print(writer, "%s (", name);
    for (int i = 0; i < count; i++) {
        llvm7_print(writer, i ? ", " : "");
        llvm7_typed_value(writer, LLVMGetOperand(constant, i));
    }
    if (count == 1) {
        llvm7_print(writer, " to ");
        llvm7_type(writer, LLVMTypeOf(constant));
    }
    llvm7_print(writer, ")");
}

static void print_bytes(struct llvm7_writer *writer, LLVMValueRef constant)
{
    size_t len;
    const char *bytes = LLVMGetAsString(constant, &len);
    llvm7_print(writer, "c\"");
    for (size_t i = 0; i < len; i++)
        llvm7_print(writer, "\\%02X", (unsigned char)bytes[i]);
    llvm7_print(writer, "\"");
}

struct aggregate_shape {
    const char *open, *close;
    unsigned count;
};

static bool aggregate_shape(LLVMTypeRef type, struct aggregate_shape *shape)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
        *shape = (struct aggregate_shape){"[", "]", (unsigned)LLVMGetArrayLength2(type)};
        return true;
    case LLVMVectorTypeKind:
        *shape = (struct aggregate_shape){"<", ">", LLVMGetVectorSize(type)};
        return true;
    case LLVMStructTypeKind:
        *shape = (struct aggregate_shape){"{ ", " }", LLVMCountStructElementTypes(type)};
        if (LLVMIsPackedStruct(type))
            shape->open = "<{ ", shape->close = " }>";
        return true;
    default:
        return false;
    }
}

static void print_aggregate(struct llvm7_writer *writer, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    struct aggregate_shape shape;
    if (!aggregate_shape(type, &shape)) {
        char *text = LLVMPrintValueToString(constant);
        llvm7_fail(writer, "constant %s", text);
        LLVMDisposeMessage(text);
        return;
    }
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMIsConstantString(constant)) {
        print_bytes(writer, constant);
        return;
    }
    llvm7_print(writer, "%s", shape.open);
    for (unsigned i = 0; i < shape.count; i++) {
        llvm7_print(writer, i ? ", " : "");
        llvm7_typed_value(writer, LLVMGetAggregateElement(constant, i));
    }
    llvm7_print(writer, "%s", shape.close);
}

// The order is the meaning: undef and null are constants of any type, and must be asked
// for before numbers and aggregates.
void llvm7_constant(struct llvm7_writer *writer, LLVMValueRef constant)
{
    if (LLVMIsAGlobalVariable(constant))
        print_global(writer, constant);
    else if (LLVMIsAFunction(constant))
        print_function(writer, constant);
    else if (LLVMIsUndef(constant) || LLVMIsPoison(constant))
        llvm7_print(writer, "undef");
    else if (LLVMIsAConstantPointerNull(constant))
        llvm7_print(writer, "null");
    else if (LLVMIsAConstantInt(constant) || LLVMIsAConstantFP(constant))
        print_number(writer, constant);
    else if (LLVMIsAConstantExpr(constant))
        print_constant_expression(writer, constant);
    else if (LLVMIsNull(constant))
        llvm7_print(writer, "zeroinitializer");
    else
        print_aggregate(writer, constant);
}

void llvm7_value(struct llvm7_writer *writer, LLVMValueRef value)
{
    if (LLVMIsConstant(value))
        llvm7_constant(writer, value);
    else if (LLVMIsAInlineAsm(value))
        llvm7_fail(writer, "inline assembly as an operand");
    else if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMMetadataTypeKind)
        llvm7_fail(writer, "metadata as an operand");
    else
        llvm7_local_name(writer, value);
}

void llvm7_typed_value(struct llvm7_writer *writer, LLVMValueRef value)
{
    llvm7_type(writer, LLVMTypeOf(value));
    llvm7_print(writer, " ");
    llvm7_value(writer, value);
}

unsigned llvm7_cast_pointer(
        struct llvm7_writer *writer, LLVMValueRef value, LLVMTypeRef pointee)
{
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "bitcast ");
    llvm7_typed_value(writer, value);
    llvm7_print(writer, " to ");
    llvm7_pointer_type(writer, pointee, LLVMTypeOf(value));
    llvm7_print(writer, "\n");
    return temp;
}
