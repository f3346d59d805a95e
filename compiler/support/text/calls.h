// SPDX-License-Identifier: MIT
// The functions of this room that operations on strings come to, by number: the operand
// `immediate` of a TEXT_CALL. Typing chooses one, code generation calls it.
#pragma once

enum text_call {
#define TEXT_CALL(name, method, symbol, result, kinds, params, required) TEXT_##name,
#include "compiler/support/text/calls.def"
#undef TEXT_CALL
    TEXT_CALL_COUNT
};

// The name under which compiled code finds the function.
const char *text_call_symbol(int call);
