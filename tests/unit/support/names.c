/* SPDX-License-Identifier: Apache-2.0 */
/* Find the data of a text for users, for tests that do not pin its sentence. */
#include "tests/unit/support/names.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool is_inner(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_joint(char c)
{
    return c != '\0' && strchr("-./", c) != NULL;
}

/* True if the @p n characters at @p at are not a part of a longer word, number or path. */
static bool is_whole(const char *text, const char *at, size_t n)
{
    const char *end = at + n;
    const bool before = at > text && is_inner(*at) && (is_inner(at[-1]) || is_joint(at[-1]));
    const bool behind =
        is_inner(end[-1]) && (is_inner(*end) || (is_joint(*end) && is_inner(end[1])));
    return !before && !behind;
}

/* Return the end of the first whole @p word from @p from on; NULL: there is not one. */
static const char *find_whole(const char *text, const char *from, const char *word, size_t n)
{
    for (const char *at = from; strlen(at) >= n; at++) {
        if (strncmp(at, word, n) == 0 && is_whole(text, at, n)) {
            return at + n;
        }
    }
    return NULL;
}

bool mf_names(const char *text, const char *data)
{
    const char *from = text;
    for (size_t n; *data != '\0' && from != NULL; data += n) {
        data += strspn(data, " ");
        n = strcspn(data, " ");
        from = n > 0 ? find_whole(text, from, data, n) : from;
    }
    return from != NULL;
}

void mf_assert_names(const char *sentence, const char *data, const char *file, int line)
{
    if (data[0] == '\0' || !mf_names(sentence, data)) {
        print_error("the text '%s' lacks one of '%s'\n", sentence, data);
        _fail(file, line);
    }
}
