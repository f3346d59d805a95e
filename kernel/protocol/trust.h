// SPDX-License-Identifier: MIT
// Who can reach the kernel with what its connection file says, and who can read the file.
#pragma once

#include "kernel/protocol/connection.h"

// Refuses a connection file under which anybody on a network could run code: unsigned
// messages are taken on addresses of this machine alone, unless `allows_unsigned` says
// that something else keeps strangers out. Warns, in the log, of what is allowed and not
// safe.
bool trust_check(
        const struct connection *connection, bool allows_unsigned, struct error *err);

// Whether only programs of this machine reach the address: 127.0.0.0/8, ::1, their names,
// the interface lo.
bool trust_is_local(const char *ip);
