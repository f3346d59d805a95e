// SPDX-License-Identifier: MIT
// Shared by the files of this folder, one of which prints each part of the language.
// Every `ptr addrspace(n)` is printed as `i8 addrspace(n)*`; what accesses memory casts
// it to a pointer to the accessed type first.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

struct llvm7_writer {
    LLVMModuleRef module; // a copy: its values bear names that LLVM 7 can read
    struct str *out;
    struct error *err;
    LLVMValueRef instruction; // being printed, for messages; or NULL
    LLVMBasicBlockRef block;
    unsigned temps;          // the next %t.N of the function
    unsigned splits;         // cmpxchg loops printed so far in `block`
    struct map split_counts; // LLVMBasicBlockRef -> how many such loops it will have
    struct map declared;     // names of `declarations`
    struct map scopes;       // LLVMMetadataRef -> its node
    unsigned debug_nodes;    // the next one; 0: there are none
    struct str debug;        // those nodes
    struct str
            declarations; // functions that the printed text needs beyond the module's own
};

// llvm7/debug.c: the function's !dbg, that of an instruction's printed lines, and
// the nodes.
void llvm7_debug_function(struct llvm7_writer *writer, LLVMValueRef function);
void llvm7_debug_lines(
        struct llvm7_writer *writer, LLVMValueRef instruction, size_t start);
void llvm7_debug_metadata(struct llvm7_writer *writer);

// llvm7/text.c
// Records that something cannot be said in LLVM 7. The first failure wins.
void llvm7_fail(struct llvm7_writer *writer, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void llvm7_print(struct llvm7_writer *writer, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
// Starts "  %t.N = " and returns N.
unsigned llvm7_temp(struct llvm7_writer *writer);
// Adds `text` ("declare ... @name(...)") after the functions, unless the module declares
// it.
void llvm7_declare(struct llvm7_writer *writer, const char *name, const char *text);

// llvm7/types.c
bool llvm7_is_vector(LLVMTypeRef type);
LLVMTypeRef llvm7_scalar(LLVMTypeRef type);
void llvm7_type(struct llvm7_writer *writer, LLVMTypeRef type);
// `pointee addrspace(n)*`, in a vector when `pointer` is a vector of pointers.
void llvm7_pointer_type(
        struct llvm7_writer *writer, LLVMTypeRef pointee, LLVMTypeRef pointer);
void llvm7_function_type(struct llvm7_writer *writer, LLVMTypeRef type);
// The function's type as its definition is printed (byval parameters keep their pointee).
void llvm7_signature(struct llvm7_writer *writer, LLVMValueRef function);
void llvm7_address_space(struct llvm7_writer *writer, unsigned space);
LLVMTypeRef llvm7_gep_result(LLVMValueRef gep);
// The type in an overloaded intrinsic's name: i32, f64, v2f32.
void llvm7_mangled_type(struct llvm7_writer *writer, struct str *out, LLVMTypeRef type);
// `text` for a scalar type, `<T text, T text>` for a vector type.
void llvm7_splat(struct llvm7_writer *writer, LLVMTypeRef type, const char *text);
// `i1`, or a vector of as many as `like` has.
void llvm7_condition_type(struct llvm7_writer *writer, LLVMTypeRef like);
LLVMTypeRef llvm7_byval_type(LLVMValueRef function, unsigned param);
LLVMTypeRef llvm7_call_byval_type(LLVMValueRef call, unsigned arg);

// llvm7/values.c
void llvm7_global_name(struct llvm7_writer *writer, LLVMValueRef global);
void llvm7_local_name(struct llvm7_writer *writer, LLVMValueRef value);
// Starts "  %name = " for the instruction's result.
void llvm7_result(struct llvm7_writer *writer, LLVMValueRef instruction);
// The label that ends `block`'s code, where its successors see control come from.
void llvm7_exit_label(struct llvm7_writer *writer, LLVMBasicBlockRef block);
void llvm7_constant(struct llvm7_writer *writer, LLVMValueRef constant);
void llvm7_value(struct llvm7_writer *writer, LLVMValueRef value);
void llvm7_typed_value(struct llvm7_writer *writer, LLVMValueRef value);
// Those after the first, each after ", ".
void llvm7_further_operands(struct llvm7_writer *writer, LLVMValueRef user);
// Prints the cast of pointer `value` to a pointer to `pointee`, and returns its %t
// number.
unsigned llvm7_cast_pointer(
        struct llvm7_writer *writer, LLVMValueRef value, LLVMTypeRef pointee);

// instructions.c, memory.c, calls.c, intrinsics.c
void llvm7_instruction(struct llvm7_writer *writer, LLVMValueRef instruction);
void llvm7_fast_math_flags(struct llvm7_writer *writer, LLVMValueRef instruction);
// What constants of the opcode are called; NULL: they have no name here.
const char *llvm7_opcode_name(LLVMOpcode opcode);
// Print an instruction of the opcode, as rows of opcodes.def say.
typedef void llvm7_printer(struct llvm7_writer *writer, LLVMValueRef instruction);
llvm7_printer llvm7_alloca, llvm7_load, llvm7_store, llvm7_gep, llvm7_rmw, llvm7_cmpxchg;
llvm7_printer llvm7_call;
// Whether the instruction is printed as a cmpxchg loop, which splits its block.
bool llvm7_needs_loop(LLVMValueRef instruction);
// Prints a call of an intrinsic that LLVM 7 lacks by other means; false: not such a one.
bool llvm7_rewrite_intrinsic(
        struct llvm7_writer *writer, const char *name, LLVMValueRef call);
bool llvm7_is_rewritten(const char *name);
// An intrinsic that says nothing a program needs.
bool llvm7_is_dropped(const char *name);
// The pointee that the name of an overloaded nvvm intrinsic spells, or NULL.
LLVMTypeRef llvm7_intrinsic_pointee(const char *name, LLVMTypeRef result);

// llvm7/attributes.c
void llvm7_function_attributes(struct llvm7_writer *writer, LLVMValueRef function);
void llvm7_parameter_attributes(
        struct llvm7_writer *writer, LLVMValueRef function, unsigned index);
void llvm7_call_attributes(struct llvm7_writer *writer, LLVMValueRef call);
const char *llvm7_linkage(struct llvm7_writer *writer, LLVMValueRef global);
// llvm7/metadata.c
void llvm7_metadata(struct llvm7_writer *writer);
void llvm7_loop(struct llvm7_writer *writer, LLVMValueRef branch);
