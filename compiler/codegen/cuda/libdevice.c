// SPDX-License-Identifier: MIT
// Calls of libdevice functions. Results that they store through pointers become items of
// the result tuple.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/support/libdevice.h"

// Operands: the arguments in order; immediate: number in libdevice_functions.
void libdevice_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct libdevice *function = &libdevice_functions[instr->immediate];
    const char *signature = function->signature;
    LLVMTypeRef types[6], stored[2];
    value args[6], slots[2];
    unsigned count = 0, slot_count = 0;
    for (const char *code = signature + 2; *code; code++, count++) {
        if (*code != 'P') {
            args[count] = operand(body, instr, count)[0];
        } else {
            stored[slot_count] = type_llvm(gen, libdevice_type(*++code));
            args[count] = slots[slot_count] =
                    value_alloca(body, stored[slot_count], "libdevice");
            slot_count++;
        }
        types[count] = LLVMTypeOf(args[count]);
    }
    bool is_void = signature[0] == 'V';
    LLVMTypeRef returns =
            is_void ? gen->void_type : type_llvm(gen, libdevice_type(signature[0]));
    value callee = codegen_external(gen, function->symbol, returns, types, count);
    value result = codegen_call(gen, callee, args, count, "");
    if (!is_void)
        *out++ = result;
    for (unsigned i = 0; i < slot_count; i++)
        *out++ = LLVMBuildLoad2(gen->builder, stored[i], slots[i], "");
}
