/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/label.h"

#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define ALNUM   LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Objects with these labels belong to the control plane, or to an instance of the controller. */
static const char *const k_reserved_domain[] = {"mayfly.dev", "kubernetes.io", "k8s.io"};
static const char *const k_reserved_name[] = {"job-name",
                                              "controller-uid"}; /* the Job controller */

/* Letters, digits, '-', '_' and '.', with a letter or digit at both ends. */
static bool is_word(const char *text, size_t n, const char *characters)
{
    return n > 0 && strspn(text, characters) >= n && strchr("-_.", text[0]) == NULL &&
           strchr("-_.", text[n - 1]) == NULL;
}

/* "example.org": the parts between dots are words, too. */
static bool is_domain(const char *text, size_t n)
{
    size_t part;
    for (; n > 0; text += part, n -= part) {
        part = strcspn(text, "./");
        part = part < n ? part : n;
        if (!is_word(text, part, LETTERS "0123456789-")) {
            return false;
        }
        if (part < n) {
            part++; /* the dot, behind which there must be more */
            if (part == n) {
                return false;
            }
        }
    }
    return true;
}

static bool is_in(const char *prefix, size_t n, const char *domain)
{
    const size_t len = strlen(domain);
    return n >= len && memcmp(prefix + n - len, domain, len) == 0 &&
           (n == len || prefix[n - len - 1] == '.');
}

static bool is_reserved(const char *name, size_t prefix)
{
    bool reserved = false;
    for (size_t i = 0; i < sizeof k_reserved_domain / sizeof k_reserved_domain[0]; i++) {
        reserved = reserved || is_in(name, prefix, k_reserved_domain[i]);
    }
    for (size_t i = 0; i < sizeof k_reserved_name / sizeof k_reserved_name[0]; i++) {
        reserved = reserved || strcmp(name, k_reserved_name[i]) == 0;
    }
    return reserved;
}

static bool check(const char *name, const char *text, struct web_error *error)
{
    const char *slash = strchr(name, '/');
    const size_t prefix = slash != NULL ? (size_t)(slash - name) : 0;
    const char *rest = slash != NULL ? slash + 1 : name;
    if (strlen(name) > SIMCTL_LABEL_CHARACTERS || (slash != NULL && prefix == 0) ||
        !is_domain(name, prefix) || !is_word(rest, strlen(rest), ALNUM "-_.")) {
        return web_refuse(error, 422, "labels",
                          "labels.%.63s: a name has %u characters at most: letters, digits, '-', "
                          "'_' and '.', after an optional DOMAIN/",
                          name, SIMCTL_LABEL_CHARACTERS);
    }
    if (is_reserved(name, prefix)) {
        return web_refuse(error, 422, "labels",
                          "labels.%.63s: this name is reserved, as are those of mayfly.dev, "
                          "kubernetes.io and k8s.io",
                          name);
    }
    return (text != NULL && strlen(text) <= SIMCTL_LABEL_CHARACTERS &&
            (text[0] == '\0' || is_word(text, strlen(text), ALNUM "-_."))) ||
           web_refuse(error, 422, "labels",
                      "labels.%.63s: a text has %u characters at most: letters, digits, '-', '_' "
                      "and '.', with a letter or digit at both ends",
                      name, SIMCTL_LABEL_CHARACTERS);
}

bool simctl_labels_check(const json_t *labels, struct web_error *error)
{
    const char *name;
    const json_t *text;
    json_object_foreach((json_t *)labels, name, text)
    {
        if (!check(name, json_string_value(text), error)) {
            return false;
        }
    }
    return true;
}
