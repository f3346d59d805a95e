// SPDX-License-Identifier: MIT
// OBJMODE: values go to the interpreter in one block of memory, results come back in
// another.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/calls/objmode.h"

#include <assert.h>
#include <string.h>

static value block_of(struct body *body, const struct type *type, const char *name)
{
    value block =
            value_alloca(body, LLVMArrayType2(body->gen->i8, abi_size(type) + 1), name);
    LLVMSetAlignment(block, 16);
    return block;
}

// The runtime takes the GIL, makes objects of the inputs, calls the function and unboxes
// what it returns. The function is alive as long as the source is.
void objmode_call(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->objmode.function && instr->type == instr->objmode.outputs);
    const struct type *inputs = value_pack_type(gen, instr);
    value from = block_of(body, inputs, "inputs"),
          to = block_of(body, instr->type, "outputs");
    value *leaves = value_pack(body, instr);
    ownership_retain(body, inputs, leaves); // taken over by the objects made of them
    value_store(gen, inputs, from, 0, leaves);
    value args[5] = {codegen_address(gen, instr->objmode.function),
            codegen_address(gen, inputs), from, codegen_address(gen, instr->type), to};
    LLVMTypeRef params[5] = {gen->ptr, gen->ptr, gen->ptr, gen->ptr, gen->ptr};
    value status = codegen_call(gen,
            codegen_external(gen, "gridcell_objmode", gen->i32, params, 5), args, 5, "");
    control_check_call(body, status, SPAN_NONE);
    value_load(gen, instr->type, to, 0, "", out);
}
