// SPDX-License-Identifier: MIT
// The table of the functions that operations on strings come to.
#include "compiler/support/text/calls.h"

#include <assert.h>

const char *text_call_symbol(int call)
{
    static const char *const symbols[] = {
#define TEXT_CALL(name, method, symbol, result, kinds, params, required) symbol,
#include "compiler/support/text/calls.def"
#undef TEXT_CALL
    };
    assert(call >= 0 && call < TEXT_CALL_COUNT);
    return symbols[call];
}
