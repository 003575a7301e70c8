/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of geoid models and of their hashes. */
#include "host/spec/geoidspec.h"

#include "host/base/value.h"

#include <stdio.h>
#include <string.h>

#define CONSTANT_MAX_M 120.0

static int parse_constant(const char *text, struct mf_geoid_spec *spec, char *reason)
{
    const char *rest = mf_value_number(text, &spec->constant_m);
    if (rest == NULL || (*rest != '\0' && strcmp(rest, "m") != 0) ||
        spec->constant_m < -CONSTANT_MAX_M || spec->constant_m > CONSTANT_MAX_M) {
        (void)snprintf(reason, MF_GEOID_REASON_MAX,
                       "constant: '%.40s' is not an undulation, allowed: %g .. %g m", text,
                       -CONSTANT_MAX_M, CONSTANT_MAX_M);
        return MF_E_RANGE;
    }
    spec->source = MF_GEOID_FROM_NUMBER;
    return MF_E_OK;
}

int mf_geoid_spec_parse(const char *text, struct mf_geoid_spec *spec, char *reason)
{
    const size_t n = strcspn(text, ":");
    const char *file = text[n] == ':' ? text + n + 1 : NULL;
    memset(spec, 0, sizeof *spec);
    if (n == 0 || n >= sizeof spec->name ||
        (file != NULL && (file[0] == '\0' || strlen(file) >= sizeof spec->file))) {
        (void)snprintf(reason, MF_GEOID_REASON_MAX,
                       "'%.60s' is not a model of the geoid, allowed: " MF_GEOID_FORMS, text);
        return MF_E_RANGE;
    }
    memcpy(spec->name, text, n);
    if (file != NULL && strcmp(spec->name, "constant") == 0) {
        return parse_constant(file, spec, reason);
    }
    if (file != NULL && strcmp(spec->name, "none") != 0) {
        spec->source = MF_GEOID_FROM_FILE;
        memcpy(spec->file, file, strlen(file) + 1);
        return MF_E_OK;
    }
    if (file == NULL && (strcmp(text, "egm96") == 0 || strcmp(text, "none") == 0)) {
        spec->source = text[0] == 'n' ? MF_GEOID_FROM_NONE : MF_GEOID_FROM_EMBEDDED;
        return MF_E_OK;
    }
    (void)snprintf(reason, MF_GEOID_REASON_MAX,
                   "'%.60s' is not in this program, allowed: " MF_GEOID_FORMS, text);
    return MF_E_RANGE;
}

static int hex_digit(char c)
{
    static const char k_digits[] = "0123456789abcdef";
    const char lower = (char)(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);
    const char *at = lower == '\0' ? NULL : strchr(k_digits, lower);
    return at == NULL ? -1 : (int)(at - k_digits);
}

bool mf_geoid_hash_parse(const char *text, uint8_t *hash)
{
    if (strlen(text) != (size_t)2 * MF_GEOID_HASH_BYTES) {
        return false;
    }
    for (size_t i = 0; i < MF_GEOID_HASH_BYTES; i++) {
        const int high = hex_digit(text[2 * i]);
        const int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        hash[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

const char *mf_geoid_hash_text(const uint8_t *hash, char *text)
{
    for (size_t i = 0; i < MF_GEOID_HASH_BYTES; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
    }
    return text;
}
