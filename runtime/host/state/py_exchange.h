// SPDX-License-Identifier: MIT
// Code that processes share, through two functions of Python.
#pragma once

#include "base/py.h"

extern PyMethodDef py_exchange_functions[];
