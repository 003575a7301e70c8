/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/path.h"

#include <string.h>

bool web_path_fits(const char *pattern, const char *path, const char **part, size_t *part_n)
{
    const size_t before = strcspn(pattern, "{");
    if (strncmp(pattern, path, before) != 0) {
        return false;
    }
    if (pattern[before] == '\0') {
        return path[before] == '\0';
    }
    *part = path + before;
    *part_n = strcspn(*part, "/");
    return *part_n > 0 &&
           strcmp(pattern + before + strcspn(pattern + before, "}") + 1, *part + *part_n) == 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

size_t web_unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        const int high = *from == '%' ? hex_digit(from[1]) : -1;
        const int low = high >= 0 ? hex_digit(from[2]) : -1;
        if (low >= 0 && (high | low) != 0) {
            *to++ = (char)(high << 4 | low);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}
