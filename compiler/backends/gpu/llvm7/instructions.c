// SPDX-License-Identifier: MIT
// Instructions other than those that touch memory or call.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <assert.h>

void llvm7_fast_math_flags(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    static const struct {
        LLVMFastMathFlags flag;
        const char *name;
    } flags[] = {{LLVMFastMathNoNaNs, "nnan"}, {LLVMFastMathNoInfs, "ninf"},
            {LLVMFastMathNoSignedZeros, "nsz"}, {LLVMFastMathAllowReciprocal, "arcp"},
            {LLVMFastMathAllowContract, "contract"}, {LLVMFastMathApproxFunc, "afn"},
            {LLVMFastMathAllowReassoc, "reassoc"}};
    if (!LLVMCanValueUseFastMathFlags(instruction))
        return;
    LLVMFastMathFlags set = LLVMGetFastMathFlags(instruction);
    if (set == LLVMFastMathAll) {
        llvm7_print(writer, " fast");
        return;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (set & flags[i].flag)
            llvm7_print(writer, " %s", flags[i].name);
    }
}

static void print_operands(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, " ");
    llvm7_typed_value(writer, LLVMGetOperand(instruction, 0));
    llvm7_print(writer, ", ");
    assert(LLVMGetNumOperands(instruction) == 2);
    llvm7_value(writer, LLVMGetOperand(instruction, 1));
}

static void print_typed_operands(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, " ");
    llvm7_typed_value(writer, LLVMGetOperand(instruction, 0));
    llvm7_further_operands(writer, instruction);
}

static void print_name(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "%s", llvm7_opcode_name(LLVMGetInstructionOpcode(instruction)));
}

static void print_plain(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    print_name(writer, instruction);
    print_typed_operands(writer, instruction);
}

static void print_binary(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    print_name(writer, instruction);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        llvm7_print(writer, LLVMGetNUW(instruction) ? " nuw" : "");
        llvm7_print(writer, LLVMGetNSW(instruction) ? " nsw" : "");
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        llvm7_print(writer, LLVMGetExact(instruction) ? " exact" : "");
        break;
    default:
        llvm7_fast_math_flags(writer, instruction);
    }
    print_operands(writer, instruction);
}

// `fsub -0.0, x` is what LLVM 7 prints for a negation.
static void print_negation(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    llvm7_print(writer, "fsub");
    llvm7_fast_math_flags(writer, instruction);
    llvm7_print(writer, " ");
    llvm7_type(writer, type);
    llvm7_print(writer, " ");
    bool is_half = LLVMGetTypeKind(llvm7_scalar(type)) == LLVMHalfTypeKind;
    llvm7_splat(writer, type, is_half ? "0xH8000" : "-0.0");
    llvm7_print(writer, ", ");
    llvm7_value(writer, LLVMGetOperand(instruction, 0));
}

// LLVM 7 has no freeze, and undef where poison is: a copy is the nearest.
static void print_freeze(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        llvm7_print(writer, "select i1 true, ");
        llvm7_typed_value(writer, value);
        llvm7_print(writer, ", ");
        llvm7_typed_value(writer, value);
        return;
    }
    llvm7_print(writer, "bitcast ");
    llvm7_typed_value(writer, value);
    llvm7_print(writer, " to ");
    llvm7_type(writer, LLVMTypeOf(value));
}

static void print_cast(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    print_name(writer, instruction);
    llvm7_print(writer, " ");
    llvm7_typed_value(writer, LLVMGetOperand(instruction, 0));
    llvm7_print(writer, " to ");
    llvm7_type(writer, LLVMTypeOf(instruction));
}

static void print_icmp(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    static const char *const names[] = {
            "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};
    llvm7_print(writer, "icmp %s", names[LLVMGetICmpPredicate(instruction) - LLVMIntEQ]);
    print_operands(writer, instruction);
}

static void print_fcmp(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one",
            "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
    llvm7_print(writer, "fcmp");
    llvm7_fast_math_flags(writer, instruction);
    llvm7_print(writer, " %s", names[LLVMGetFCmpPredicate(instruction)]);
    print_operands(writer, instruction);
}

static void print_phi(struct llvm7_writer *writer, LLVMValueRef phi)
{
    llvm7_print(writer, "phi ");
    llvm7_type(writer, LLVMTypeOf(phi));
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        llvm7_print(writer, i ? ", [ " : " [ ");
        llvm7_value(writer, LLVMGetIncomingValue(phi, i));
        llvm7_print(writer, ", ");
        llvm7_exit_label(writer, LLVMGetIncomingBlock(phi, i));
        llvm7_print(writer, " ]");
    }
}

// Of extractvalue and insertvalue: operands, then constant indices.
static void print_indexed(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    print_plain(writer, instruction);
    const unsigned *indices = LLVMGetIndices(instruction);
    for (unsigned i = 0, n = LLVMGetNumIndices(instruction); i < n; i++)
        llvm7_print(writer, ", %u", indices[i]);
}

static void print_shuffle(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "shufflevector");
    print_typed_operands(writer, instruction);
    unsigned count = LLVMGetNumMaskElements(instruction);
    llvm7_print(writer, ", <%u x i32> <", count);
    for (unsigned i = 0; i < count; i++) {
        int lane = LLVMGetMaskValue(instruction, i);
        llvm7_print(writer, i ? ", i32 " : "i32 ");
        if (lane == LLVMGetUndefMaskElem())
            llvm7_print(writer, "undef");
        else
            llvm7_print(writer, "%d", lane);
    }
    llvm7_print(writer, ">");
}

static void print_label(struct llvm7_writer *writer, LLVMValueRef block)
{
    llvm7_print(writer, "label ");
    llvm7_local_name(writer, block);
}

static void print_branch(struct llvm7_writer *writer, LLVMValueRef branch)
{
    llvm7_print(writer, "  br ");
    if (LLVMIsConditional(branch)) {
        llvm7_typed_value(writer, LLVMGetCondition(branch));
        llvm7_print(writer, ", ");
    }
    for (unsigned i = 0, n = LLVMGetNumSuccessors(branch); i < n; i++) {
        llvm7_print(writer, i ? ", " : "");
        print_label(writer, LLVMBasicBlockAsValue(LLVMGetSuccessor(branch, i)));
    }
    llvm7_loop(writer, branch);
}

// Operands: condition, default, then each case's value and block.
static void print_switch(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "  switch ");
    llvm7_typed_value(writer, LLVMGetOperand(instruction, 0));
    llvm7_print(writer, ", ");
    print_label(writer, LLVMGetOperand(instruction, 1));
    llvm7_print(writer, " [");
    for (int i = 2, n = LLVMGetNumOperands(instruction); i < n; i += 2) {
        llvm7_print(writer, " ");
        llvm7_typed_value(writer, LLVMGetOperand(instruction, i));
        llvm7_print(writer, ", ");
        print_label(writer, LLVMGetOperand(instruction, i + 1));
    }
    llvm7_print(writer, " ]");
}

static void print_unreachable(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "  unreachable");
}

static void print_return(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    llvm7_print(writer, "  ret");
    if (LLVMGetNumOperands(instruction))
        print_typed_operands(writer, instruction);
    else
        llvm7_print(writer, " void");
}

struct form {
    const char *name;
    llvm7_printer *print;
    bool is_whole_lines;
};

static struct form form_of(LLVMOpcode opcode)
{
    static const struct form forms[] = {
#define OPCODE(opcode, name, printer) [opcode] = {name, printer, false},
#define LINES(opcode, printer) [opcode] = {NULL, printer, true},
#include "compiler/backends/gpu/llvm7/opcodes.def"
#undef OPCODE
#undef LINES
    };
    bool is_known = (size_t)opcode < sizeof forms / sizeof *forms;
    return is_known ? forms[opcode] : (struct form){0};
}

const char *llvm7_opcode_name(LLVMOpcode opcode)
{
    return form_of(opcode).name;
}

static void print_line(
        struct llvm7_writer *writer, LLVMValueRef instruction, const struct form *form)
{
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind)
        llvm7_result(writer, instruction);
    form->print(writer, instruction);
    llvm7_print(writer, "\n");
}

void llvm7_instruction(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    struct form form = form_of(LLVMGetInstructionOpcode(instruction));
    writer->instruction = instruction;
    if (!form.print)
        llvm7_fail(writer, "instruction");
    else if (form.is_whole_lines)
        form.print(writer, instruction);
    else
        print_line(writer, instruction, &form);
    writer->instruction = NULL;
}
