// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM of this process, and which threads take signals at all.
#pragma once

#include "kernel/process/process.h"

// SIGINT is harmless from here on.
void signals_install(void);
// Once more, after Python code may have replaced the handler.
void signals_reinstall(void);
// From now on SIGINT and SIGTERM are reported; a SIGTERM that came before is at once.
void signals_attach(const struct process_hooks *hooks, struct kernel *kernel);
void signals_detach(void);
void signals_block_all(void);
// For threads that run Python: programs that they start inherit it.
void signals_unblock_all(void);
