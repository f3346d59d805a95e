// SPDX-License-Identifier: MIT
// The way from compiled code into Python: takes the GIL on any thread. A fault on the
// other side is Python's, and compiled code is not left for it: what Python was about
// would stay half done, and the GIL taken.
#pragma once

#include "base/py.h"
#include "runtime/threads/fault.h"

static inline PyGILState_STATE py_enter(void)
{
    fault_hold();
    return PyGILState_Ensure();
}

static inline void py_leave(PyGILState_STATE state)
{
    PyGILState_Release(state);
    fault_release();
}
