// SPDX-License-Identifier: MIT
// HMAC by OpenSSL; compared in constant time; each accepted only once. SHA-256, which all
// front ends use, takes OpenSSL's plain functions: the first use of EVP costs two
// megabytes of memory, and a copy of its context more time than a short message.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "kernel/protocol/signature.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/sha.h>
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

// ---- HMAC-SHA-256

// The states of both hashes after the key.
struct sha256_mac {
    SHA256_CTX inner, outer;
};

static struct sha256_mac *sha256_create(const char *key)
{
    unsigned char block[SHA256_CBLOCK] = {0};
    struct sha256_mac *mac = memory_zalloc(sizeof *mac);
    size_t len = strlen(key);
    if (len > sizeof block)
        SHA256((const unsigned char *)key, len, block);
    else
        memcpy(block, key, len);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] ^= 0x36;
    SHA256_Init(&mac->inner);
    SHA256_Update(&mac->inner, block, sizeof block);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] ^= 0x36 ^ 0x5c;
    SHA256_Init(&mac->outer);
    SHA256_Update(&mac->outer, block, sizeof block);
    OPENSSL_cleanse(block, sizeof block);
    return mac;
}

static size_t sha256_digest(const struct sha256_mac *mac,
        const struct signed_part parts[4], unsigned char digest[SHA256_DIGEST_LENGTH])
{
    SHA256_CTX context = mac->inner;
    for (int i = 0; i < 4; i++)
        SHA256_Update(&context, parts[i].bytes, parts[i].len);
    SHA256_Final(digest, &context);
    context = mac->outer;
    SHA256_Update(&context, digest, SHA256_DIGEST_LENGTH);
    SHA256_Final(digest, &context);
    return SHA256_DIGEST_LENGTH;
}

// ---- HMAC of any other hash

// The names that Python's hashlib has, which is what front ends go by, and OpenSSL's.
// None that is too short or without a block is among them.
static const struct {
    const char *scheme, *digest;
} schemes[] = {
        {"hmac-sha224", "SHA2-224"},
        {"hmac-sha256", "SHA2-256"},
        {"hmac-sha384", "SHA2-384"},
        {"hmac-sha512", "SHA2-512"},
        {"hmac-sha3_224", "SHA3-224"},
        {"hmac-sha3_256", "SHA3-256"},
        {"hmac-sha3_384", "SHA3-384"},
        {"hmac-sha3_512", "SHA3-512"},
        {"hmac-blake2b", "BLAKE2B-512"},
        {"hmac-blake2s", "BLAKE2S-256"},
        {"hmac-sha1", "SHA1"},
        {"hmac-md5", "MD5"},
};

static const char *find_digest(const char *scheme)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (!strcmp(schemes[i].scheme, scheme))
            return schemes[i].digest;
    }
    return NULL;
}

static EVP_MAC_CTX *evp_create(const char *digest, const char *key)
{
    // neither the configuration file nor the tables of all ciphers
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS |
                                OPENSSL_INIT_NO_ADD_ALL_DIGESTS,
            NULL);
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MD *known = EVP_MD_fetch(NULL, digest, NULL);
    bool is_known = known != NULL;
    EVP_MAC_free(mac);
    EVP_MD_free(known);
    OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
            OSSL_PARAM_construct_end()};
    if (context && is_known &&
            EVP_MAC_init(context, (const unsigned char *)key, strlen(key), params))
        return context;
    EVP_MAC_CTX_free(context);
    return NULL;
}

// The length of the digest; 0 when it could not be made.
static size_t evp_digest(EVP_MAC_CTX *template, const struct signed_part parts[4],
        unsigned char digest[64])
{
    size_t len = 0;
    EVP_MAC_CTX *context = EVP_MAC_CTX_dup(template);
    bool is_good = context != NULL;
    for (int i = 0; is_good && i < 4; i++)
        is_good = EVP_MAC_update(context, parts[i].bytes, parts[i].len);
    is_good = is_good && EVP_MAC_final(context, digest, &len, 64);
    EVP_MAC_CTX_free(context);
    return is_good ? len : 0;
}

bool signature_init(struct signature *signature, const char *scheme, const char *key,
        struct error *err)
{
    const char *digest = find_digest(scheme);
    *signature = (struct signature){0};
    if (!digest)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "unknown signature_scheme '%s'; hmac-sha256 is the usual one", scheme);
    if (!*key)
        return true;
    if (!strcmp(scheme, "hmac-sha256"))
        signature->sha256 = sha256_create(key);
    else
        signature->template = evp_create(digest, key);
    if (signature->sha256 || signature->template)
        return true;
    return error_set(err, ERROR_VALUE, SPAN_NONE,
            "OpenSSL does not offer the signature_scheme '%s' here", scheme);
}

void signature_finish(struct signature *signature)
{
    EVP_MAC_CTX_free(signature->template);
    free(signature->sha256);
    free(signature->history.recent);
    free(signature->history.older);
    *signature = (struct signature){0};
}

static bool is_signed(const struct signature *signature)
{
    return signature->sha256 || signature->template;
}

bool signature_make(const struct signature *signature, const struct signed_part parts[4],
        char hex[SIGNATURE_HEX_SIZE])
{
    unsigned char digest[64];
    hex[0] = '\0';
    if (!is_signed(signature))
        return true;
    size_t len = signature->sha256 ? sha256_digest(signature->sha256, parts, digest)
                                   : evp_digest(signature->template, parts, digest);
    for (size_t i = 0; i < len; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[2 * len] = '\0';
    return len > 0;
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
    if (!is_signed(signature))
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
