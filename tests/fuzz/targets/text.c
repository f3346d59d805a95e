// SPDX-License-Identifier: MIT
// Text on its way between front ends and Python: halves of characters, JSON strings.
#include "tests/fuzz/targets/target.h"

#include <jansson.h>

#include "kernel/cells/text.h"

// What we write as JSON must come back as it was.
static void check_round_trip(const struct str *valid)
{
    struct str json = {0};
    text_append_json(&json, str_text(valid), valid->len);
    json_t *back =
            json_loadb(str_text(&json), json.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    REQUIRE(json_is_string(back) && json_string_length(back) == valid->len);
    REQUIRE(!memcmp(json_string_value(back), str_text(valid), valid->len));
    json_decref(back);
    str_finish(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct str valid = {0}, paired = {0};
    text_append_valid(&valid, text, size);
    REQUIRE(text_is_valid(str_text(&valid), valid.len));
    if (text_is_valid(text, size))
        REQUIRE(valid.len == size && !memcmp(str_text(&valid), text, size));
    REQUIRE(text_incomplete_tail(text, size) <= size);
    check_round_trip(&valid);
    text_append_paired(&paired, text, size);
    json_t *object = json_loadb(str_text(&paired), paired.len, JSON_ALLOW_NUL, NULL);
    json_decref(object);
    str_finish(&paired);
    str_finish(&valid);
    return 0;
}
