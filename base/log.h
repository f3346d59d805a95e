// SPDX-License-Identifier: MIT
// Levelled log on stderr, for the kernel's own events; library code reports errors
// instead.
#pragma once

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

// GRIDCELL_LOG=error|warning|info|debug; warning by default. Any thread.
void log_set_level(enum log_level level);
void log_set_level_from_environment(void);
void log_write(enum log_level level, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
// Where lines go instead of descriptor 2, which the kernel captures for the notebook.
void log_set_fd(int fd);
