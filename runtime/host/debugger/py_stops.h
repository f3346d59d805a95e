// SPDX-License-Identifier: MIT
// The debugger of compiled code, towards Python.
#pragma once

#include <stdbool.h>

#include "base/py.h"

extern PyMethodDef py_stops_functions[];

void py_stops_init(void);
