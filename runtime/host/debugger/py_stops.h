// SPDX-License-Identifier: MIT
// The debugger of compiled code, towards Python.
#pragma once

#include <stdbool.h>

#include "base/py.h"

extern PyMethodDef py_stops_functions[];

void py_stops_init(void);
// An exception of a kernel is set: adds the calls that led to it in the thread that has
// raised it, with their variables, to its traceback. False: nothing is known of them.
bool py_stops_add_failure(void);
