// SPDX-License-Identifier: MIT
// Which addresses are this machine's own, and what a connection file must say for others.
#include "tests/unit/test.h"

#include "kernel/protocol/trust.h"

static const char *const local[] = {"127.0.0.1", "127.8.9.10", "127.255.255.254", "::1",
        "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "[::ffff:127.9.9.9]", "localhost",
        "LOCALHOST", "lo"};
static const char *const others[] = {"*", "0.0.0.0", "::", "[::]", "::0",
        "0:0:0:0:0:0:0:0", "10.0.0.1", "192.168.1.2", "128.0.0.1", "126.255.255.255",
        "::2", "fe80::1", "::ffff:10.0.0.1", "::ffff:0.0.0.0", "eth0", "lo0",
        "127.0.0.1.example.org", "localhost.example.org", "127", "0", "", " ",
        "2130706433", "0x7f.0.0.1", "[::1", "::1]", "127.0.0.1:80", "[127.0.0.1]"};

TEST(knows_the_addresses_of_this_machine_alone)
{
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        if (!trust_is_local(local[i]))
            fprintf(stderr, "%s\n", local[i]);
        CHECK(trust_is_local(local[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (trust_is_local(others[i]))
            fprintf(stderr, "%s\n", others[i]);
        CHECK(!trust_is_local(others[i]));
    }
}

TEST(an_empty_key_needs_a_local_address_or_a_switch)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct error err = {0};
        struct connection connection = {.path = "/nonexistent/file.json",
                .ip = others[i],
                .key = "",
                .signature_scheme = "hmac-sha256"};
        CHECK(!trust_check(&connection, false, &err));
        CHECK_CONTAINS(err.message, "the key is empty");
        CHECK_CONTAINS(err.message, "--allow-unsigned");
        error_clear(&err);
        CHECK(trust_check(&connection, true, &err));
        connection.key = "secret";
        CHECK(trust_check(&connection, false, &err));
        connection = (struct connection){.path = "/nonexistent/file.json",
                .ip = others[i],
                .key = "",
                .is_ipc = true};
        CHECK(trust_check(&connection, false, &err));
    }
}
