// SPDX-License-Identifier: MIT
// Characters as the Python that gridcell is built with knows them: how they change their
// case, and what they are in names and words. scripts/list_cases.py writes the tables.
#pragma once

#include <stdint.h>

enum case_flag {
    CASE_NAME_START = 1,
    CASE_NAME_PART = 2,
    CASE_CASED = 4,
    CASE_IGNORABLE = 8
};

enum case_change { CASE_LOWER, CASE_UPPER, CASE_TITLE, CASE_FOLDED, CASE_CHANGE_COUNT };

// One character becomes another (`len` 1), which lies `value` away, or `len` of them, the
// text of that number, from 1.
struct case_record {
    struct {
        int32_t value;
        uint32_t len;
    } changes[CASE_CHANGE_COUNT];
    uint32_t flags;
};

enum { CASE_BLOCK = 128, CASE_LAST = 0x10FFFF };

extern const struct case_record case_records[];
extern const uint32_t case_texts[][3];
extern const uint16_t case_blocks[];  // of each CASE_BLOCK characters
extern const uint16_t case_numbers[]; // of records, by block and place in it
