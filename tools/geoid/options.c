/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct geoid_option *find(const char *arg, const struct geoid_option *table, size_t n)
{
    const size_t length = strcspn(arg, "=");
    for (size_t i = 0; i < n; i++) {
        if (strlen(table[i].name) == length && strncmp(arg, table[i].name, length) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

int geoid_options(int argc, char **argv, const struct geoid_option *table, size_t n)
{
    int left = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            while (++i < argc) {
                argv[left++] = argv[i];
            }
            break;
        }
        if (strncmp(argv[i], "--", 2) != 0) {
            argv[left++] = argv[i];
            continue;
        }
        const struct geoid_option *o = find(argv[i], table, n);
        const char *equals = strchr(argv[i], '=');
        if (o == NULL || (equals == NULL && i + 1 == argc)) {
            (void)fprintf(stderr, "geoid: %s '%s'; geoid --help lists them\n",
                          o == NULL ? "unknown option" : "no value for", argv[i]);
            return -1;
        }
        *o->value = equals != NULL ? equals + 1 : argv[++i];
    }
    return left;
}

bool geoid_number(const char *name, const char *text, double min, double max, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value >= min && *value <= max)) {
        (void)fprintf(stderr, "geoid: %s: '%s' is not a number from %g to %g\n", name, text, min,
                      max);
        return false;
    }
    return true;
}
