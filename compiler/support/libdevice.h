// SPDX-License-Identifier: MIT
// The functions of NVIDIA's libdevice: typing, code generation and the emulated device
// share the table libdevice.def.
#pragma once

#include "compiler/support/support.h"

struct type;

struct libdevice {
    const char *symbol;    // "__nv_sincos"
    const char *signature; // "V_DPDPD"; see libdevice.def
};

extern const struct libdevice libdevice_functions[];

// The type that a letter of a signature stands for.
const struct type *libdevice_type(char code);

// What the emulated device calls by these symbols; ends with a NULL name.
extern const struct support_symbol libdevice_symbols[];
