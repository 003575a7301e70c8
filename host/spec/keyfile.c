/* SPDX-License-Identifier: Apache-2.0 */
/* Files of signing keys. */
#include "host/spec/keyfile.h"

#include "host/base/value.h"
#include "mavlink/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert(MF_SHA256_BYTES == MF_KEYFILE_KEY_BYTES, "a digest is a key");

static int hex_digit(char c)
{
    static const char k_digits[] = "0123456789abcdef";
    const char lower = (char)(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);
    const char *at = lower == '\0' ? NULL : strchr(k_digits, lower);
    return at == NULL ? -1 : (int)(at - k_digits);
}

/* Read a key in hexadecimal digits. @return false: the text is not such a key */
static bool parse_hex(const char *text, size_t n, uint8_t *key)
{
    if (n != 2 * MF_KEYFILE_KEY_BYTES) {
        return false;
    }
    for (size_t i = 0; i < MF_KEYFILE_KEY_BYTES; i++) {
        const int high = hex_digit(text[2 * i]);
        const int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        key[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

int mf_keyfile_parse(const char *text, size_t n, uint8_t *key)
{
    static const uint8_t k_none[MF_KEYFILE_KEY_BYTES];
    const size_t mark = mf_value_bom(text, n);
    text += mark;
    n -= mark;
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL) {
        n--;
    }
    if (n == 0 || n > MF_KEYFILE_TEXT_MAX) {
        return MF_E_RANGE;
    }
    if (!parse_hex(text, n, key)) {
        struct mf_sha256 h;
        mf_sha256_init(&h);
        mf_sha256_add(&h, (const uint8_t *)text, n);
        mf_sha256_end(&h, key);
    }
    return memcmp(key, k_none, sizeof k_none) == 0 ? MF_E_RANGE : MF_E_OK;
}

int mf_keyfile_read(const char *path, uint8_t *key, char *reason, size_t size)
{
    /* longer than the longest key file, so that a longer file is noticed */
    char text[MF_KEYFILE_TEXT_MAX + 64u];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        (void)snprintf(reason, size, "%.200s: %s", path, strerror(errno));
        return MF_E_IO;
    }
    errno = 0;
    const size_t n = fread(text, 1, sizeof text, file);
    const int error = ferror(file) != 0 ? errno : 0;
    (void)fclose(file);
    if (error != 0) {
        (void)snprintf(reason, size, "%.200s: %s", path, strerror(error));
        return MF_E_IO;
    }
    if (mf_keyfile_parse(text, n, key) != MF_E_OK) {
        (void)snprintf(reason, size,
                       "%.200s is not a key, allowed: 64 hexadecimal digits, or a passphrase",
                       path);
        return MF_E_RANGE;
    }
    return MF_E_OK;
}
