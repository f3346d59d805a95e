// SPDX-License-Identifier: MIT
// HMAC through OpenSSL's EVP_MAC; compared in constant time; each accepted only once.
#include "kernel/signature.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define HISTORY_GENERATION 65536 // signatures remembered before the older generation goes
#define HISTORY_FIRST_CAPACITY 256

static bool history_contains(const uint64_t *table, size_t capacity, uint64_t mark)
{
    if (!capacity)
        return false;
    for (size_t i = mark & (capacity - 1); table[i]; i = (i + 1) & (capacity - 1)) {
        if (table[i] == mark)
            return true;
    }
    return false;
}

static void history_insert(uint64_t *table, size_t capacity, uint64_t mark)
{
    size_t i = mark & (capacity - 1);
    while (table[i])
        i = (i + 1) & (capacity - 1);
    table[i] = mark;
}

static void history_grow(struct signature_history *history)
{
    size_t capacity = history->recent_capacity ? history->recent_capacity * 2
                                               : HISTORY_FIRST_CAPACITY;
    uint64_t *table = memory_zalloc(capacity * sizeof *table);
    for (size_t i = 0; i < history->recent_capacity; i++) {
        if (history->recent[i])
            history_insert(table, capacity, history->recent[i]);
    }
    free(history->recent);
    history->recent = table;
    history->recent_capacity = capacity;
}

// False when the mark was there already.
static bool history_add(struct signature_history *history, uint64_t mark)
{
    if (history_contains(history->recent, history->recent_capacity, mark) ||
            history_contains(history->older, history->older_capacity, mark))
        return false;
    if (history->recent_len == HISTORY_GENERATION) {
        free(history->older);
        history->older = history->recent;
        history->older_capacity = history->recent_capacity;
        history->recent = NULL;
        history->recent_len = history->recent_capacity = 0;
    }
    if (history->recent_len * 2 >= history->recent_capacity)
        history_grow(history);
    history_insert(history->recent, history->recent_capacity, mark);
    history->recent_len++;
    return true;
}

bool signature_init(struct signature *signature, const char *scheme, const char *key,
        struct error *err)
{
    *signature = (struct signature){0};
    if (!*key)
        return true;
    if (strncmp(scheme, "hmac-", 5))
        return error_set(
                err, ERROR_VALUE, SPAN_NONE, "unknown signature_scheme '%s'", scheme);
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    char digest[32];
    strncpy(digest, scheme + 5, sizeof digest - 1);
    digest[sizeof digest - 1] = '\0';
    OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
            OSSL_PARAM_construct_end()};
    bool is_known = EVP_get_digestbyname(digest) != NULL;
    if (!context || !is_known ||
            !EVP_MAC_init(context, (const unsigned char *)key, strlen(key), params)) {
        EVP_MAC_CTX_free(context);
        return error_set(
                err, ERROR_VALUE, SPAN_NONE, "unknown signature_scheme '%s'", scheme);
    }
    signature->template = context;
    return true;
}

void signature_finish(struct signature *signature)
{
    EVP_MAC_CTX_free(signature->template);
    free(signature->history.recent);
    free(signature->history.older);
    *signature = (struct signature){0};
}

bool signature_make(const struct signature *signature, const struct signed_part parts[4],
        char hex[SIGNATURE_HEX_SIZE])
{
    hex[0] = '\0';
    if (!signature->template)
        return true;
    unsigned char digest[64];
    size_t len = 0;
    EVP_MAC_CTX *context = EVP_MAC_CTX_dup(signature->template);
    bool is_good = context != NULL;
    for (int i = 0; is_good && i < 4; i++)
        is_good = EVP_MAC_update(context, parts[i].bytes, parts[i].len);
    is_good = is_good && EVP_MAC_final(context, digest, &len, sizeof digest);
    EVP_MAC_CTX_free(context);
    for (size_t i = 0; is_good && i < len; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[2 * len] = '\0';
    return is_good;
}

// The first 64 bits of a signature, never 0.
static uint64_t mark_of(const char *hex)
{
    char digits[17] = {0};
    memcpy(digits, hex, 16);
    uint64_t mark = strtoull(digits, NULL, 16);
    return mark ? mark : 1;
}

bool signature_accept(struct signature *signature, const struct signed_part parts[4],
        const void *hex, size_t hex_len, struct error *err)
{
    char expected[SIGNATURE_HEX_SIZE];
    if (!signature->template)
        return true;
    if (!hex_len)
        return error_set(err, ERROR_VALUE, SPAN_NONE, "the signature is missing");
    if (!signature_make(signature, parts, expected))
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "the signature could not be computed");
    if (hex_len != strlen(expected) || CRYPTO_memcmp(hex, expected, hex_len))
        return error_set(err, ERROR_VALUE, SPAN_NONE, "the signature is wrong");
    if (!history_add(&signature->history, mark_of(expected)))
        return error_set(err, ERROR_VALUE, SPAN_NONE, "the signature was used before");
    return true;
}
