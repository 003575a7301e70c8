/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files of other programs, for error texts of the readers of plans, configurations and
 * scenarios. */
#include "host/base/filekind.h"

#include "host/base/value.h"

#include <stdbool.h>
#include <string.h>

/* Length of the beginning in which words are searched [bytes]: comments may precede the first
 * element. */
#define SEARCHED 2048u

static const struct {
    const char *key, *kind;
} k_key[] = {
    {"SettingsVersion", "settings of AirSim"},
    {"SimMode", "settings of AirSim"},
    {"services", "a compose file"},
    {"FeatureCollection", "GeoJSON"},
    {"apiVersion", "a manifest of Kubernetes"},
};

static const struct {
    const char *word, *kind;
} k_begin[] = {
    {"ULog\x01\x12\x35", "a ULog"},
    {"\xA3\x95", "a DataFlash log"},
    {"PK\x03\x04", "a ZIP archive, such as KMZ"},
};

static const struct {
    const char *word, *kind;
} k_xml[] = {
    {"<kml", "a KML file"},
    {"<gpx", "a GPX file"},
};

static bool has_word(const char *text, size_t n, const char *word)
{
    return memmem(text, n, word, strlen(word)) != NULL;
}

static const char *kind_of_xml(const char *text, size_t n)
{
    for (size_t i = 0; i < sizeof k_xml / sizeof k_xml[0]; i++) {
        if (has_word(text, n, k_xml[i].word)) {
            return k_xml[i].kind;
        }
    }
    return "an XML file";
}

/* Find the kind of a text: by a key in quotes for JSON, by a key at the beginning of a line for
 * YAML. */
static const char *kind_of_text(const char *text, size_t n)
{
    const char braces = n > 0 ? text[0] : '\0';
    for (size_t i = 0; i < sizeof k_key / sizeof k_key[0]; i++) {
        const char *key = k_key[i].key;
        const char *at = memmem(text, n, key, strlen(key));
        const size_t end = at != NULL ? (size_t)(at - text) + strlen(key) : n;
        if (end < n && (braces == '{' ? at > text && at[-1] == '"' && text[end] == '"'
                                      : (at == text || at[-1] == '\n') && text[end] == ':')) {
            return k_key[i].kind;
        }
    }
    return NULL;
}

const char *mf_filekind(const void *text, size_t n)
{
    const char *at = (const char *)text + mf_value_bom(text, n);
    const char *end = (const char *)text + (n < SEARCHED ? n : SEARCHED);
    for (size_t i = 0; i < sizeof k_begin / sizeof k_begin[0]; i++) {
        const size_t length = strlen(k_begin[i].word);
        if (n >= length && memcmp(text, k_begin[i].word, length) == 0) {
            return k_begin[i].kind;
        }
    }
    while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0') {
        at++;
    }
    const size_t rest = (size_t)(end - at);
    return rest > 0 && *at == '<' ? kind_of_xml(at, rest) : kind_of_text(at, rest);
}

const char *mf_filekind_of_key(const char *key)
{
    for (size_t i = 0; i < sizeof k_key / sizeof k_key[0]; i++) {
        if (strcmp(k_key[i].key, key) == 0) {
            return k_key[i].kind;
        }
    }
    return strcmp(key, "fileType") == 0 ? "a .plan of QGroundControl" : NULL;
}
