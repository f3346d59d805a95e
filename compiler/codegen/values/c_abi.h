// SPDX-License-Identifier: MIT
// How C passes values.
#pragma once

#include "compiler/codegen/base/module.h"

// The types of C's parameters for a value.
unsigned c_abi_types(struct codegen *gen, const struct type *type, LLVMTypeRef *types);
LLVMTypeRef c_abi_result(struct codegen *gen, const struct type *type);
void c_abi_pass(
        struct codegen *gen, const struct type *type, const value *leaves, value *args);
void c_abi_take(
        struct codegen *gen, const struct type *type, const value *args, value *leaves);
value c_abi_return(struct codegen *gen, const struct type *type, const value *leaves);
void c_abi_take_result(
        struct codegen *gen, const struct type *type, value result, value *leaves);
// Says on a function or a call of it how small integers are extended.
void c_abi_describe(
        struct codegen *gen, value function, const struct type *function_type);
