// SPDX-License-Identifier: MIT
// UTF-8 and JSON strings: whatever bytes come, valid text leaves.
#include "tests/unit/test.h"

#include <jansson.h>

#include "kernel/cells/text.h"

static void check_valid(const char *bytes, size_t len, const char *expected)
{
    struct str out = {0};
    text_append_valid(&out, bytes, len);
    CHECK_STR(str_text(&out), expected);
    CHECK(text_is_valid(str_text(&out), out.len));
    CHECK_INT(text_is_valid(bytes, len), !strcmp(expected, bytes));
    str_finish(&out);
}

#define BAD "\xef\xbf\xbd"

TEST(replaces_invalid_bytes)
{
    check_valid("plain", 5, "plain");
    check_valid("h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 12,
            "h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    check_valid("\xff", 1, BAD);
    check_valid("a\xc3", 2, "a" BAD);
    check_valid("\xe2\x82"
                "b",
            3, BAD "b");
    check_valid("\xc0\x80", 2, BAD BAD);                 // overlong
    check_valid("\xed\xa0\x80", 3, BAD BAD BAD);         // a surrogate
    check_valid("\xf4\x90\x80\x80", 4, BAD BAD BAD BAD); // above U+10FFFF
    check_valid("\x80x", 2, BAD "x");
}

TEST(finds_incomplete_tails)
{
    CHECK_INT(text_incomplete_tail("", 0), 0);
    CHECK_INT(text_incomplete_tail("abc", 3), 0);
    CHECK_INT(text_incomplete_tail("a\xc3", 2), 1);
    CHECK_INT(text_incomplete_tail("a\xc3\xa9", 3), 0);
    CHECK_INT(text_incomplete_tail("\xe2\x82", 2), 2);
    CHECK_INT(text_incomplete_tail("\xf0\x9f\x98", 3), 3);
    CHECK_INT(text_incomplete_tail("\xf0\x9f\x98\x80", 4), 0);
    CHECK_INT(text_incomplete_tail("\x80\x80\x80\x80", 4), 0);
    CHECK_INT(text_incomplete_tail("\xff", 1), 0);
}

static void check_paired(const char *json, const char *expected)
{
    struct str out = {0};
    text_append_paired(&out, json, strlen(json));
    CHECK_STR(str_text(&out), expected);
    str_finish(&out);
}

TEST(replaces_lone_surrogates_in_json)
{
    check_paired("\"\\ud83d\\ude00\"", "\"\\ud83d\\ude00\"");
    check_paired("\"\\ud83d\"", "\"\\ufffd\"");
    check_paired("\"\\ud83d\\ud83d\\ude00\"", "\"\\ufffd\\ud83d\\ude00\"");
    check_paired("\"\\ude00x\"", "\"\\ufffdx\"");
    check_paired("\"\\\\ud83d\"", "\"\\\\ud83d\""); // an escaped backslash
    check_paired("\"\\ud8", "\"\\ud8");
    check_paired("\"\\", "\"\\");
    check_paired("", "");
}

TEST(writes_json_strings_that_parse_back)
{
    char text[128];
    for (int i = 0; i < 128; i++)
        text[i] = (char)i;
    struct str out = {0};
    text_append_json(&out, text, sizeof text);
    json_t *back = json_loadb(out.text, out.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    REQUIRE(json_is_string(back));
    CHECK_INT(json_string_length(back), 128);
    CHECK(!memcmp(json_string_value(back), text, 128));
    json_decref(back);
    str_finish(&out);
}

// Words of eight bytes are looked at as a whole: no place in one may be missed.
TEST(escapes_at_every_place_of_a_word)
{
    static const char specials[] = {'"', '\\', '\n', 0x01, 0x1f, 0x7f, 0};
    for (size_t len = 1; len < 40; len++) {
        for (size_t place = 0; place < len; place++) {
            for (size_t k = 0; k < sizeof specials; k++) {
                char text[40];
                memset(text, k % 2 ? '\xc3' : ' ', sizeof text);
                for (size_t i = 1; i < sizeof text && k % 2; i += 2)
                    text[i] = '\xa9';
                text[place] = specials[k];
                struct str out = {0};
                text_append_json(&out, text, len);
                bool was_found =
                        out.len > len + 2 && !memchr(out.text + 1, '\n', out.len);
                CHECK(was_found);
                str_finish(&out);
                text[place] = '\xff';
                CHECK(!text_is_valid(text, len));
            }
        }
    }
}
