/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page NAME OUT.c: writes a page as constant data, NAME_page, with its HTTP headers. The build
 * runs it on the machine that compiles. A line of a page that is a C comment with "include FILE",
 * without spaces around it, becomes the content of FILE. Indentation and comment lines of scripts
 * are left out.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mavlink/sha256.h"

#define PAGE_MAX       131072u
#define BASE64_MAX     48u
#define PATH_BYTES     256u
#define LINE_MAX_BYTES 1024u

static void to_base64(const uint8_t hash[MF_SHA256_BYTES], char text[BASE64_MAX])
{
    static const char k_digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < MF_SHA256_BYTES; i += 3) {
        const unsigned a = hash[i];
        const unsigned b = i + 1 < MF_SHA256_BYTES ? hash[i + 1] : 0;
        const unsigned c = i + 2 < MF_SHA256_BYTES ? hash[i + 2] : 0;
        text[n++] = k_digit[a >> 2];
        text[n++] = k_digit[(a << 4 | b >> 4) & 63u];
        text[n++] = i + 1 < MF_SHA256_BYTES ? k_digit[(b << 2 | c >> 6) & 63u] : '=';
        text[n++] = i + 2 < MF_SHA256_BYTES ? k_digit[c & 63u] : '=';
    }
    text[n] = '\0';
}

static void hash_of(const char *from, size_t n, char text[BASE64_MAX])
{
    struct mf_sha256 sha;
    uint8_t hash[MF_SHA256_BYTES];
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, (const uint8_t *)from, n);
    mf_sha256_end(&sha, hash);
    to_base64(hash, text);
}

/* The hash of what stands between two words that come once. @return whether they do */
static bool hash_between(const char *page, const char *begin, const char *end,
                         char text[BASE64_MAX])
{
    const char *from = strstr(page, begin);
    const char *to = from != NULL ? strstr(from, end) : NULL;
    if (to == NULL || strstr(from + 1, begin) != NULL) {
        return false;
    }
    from += strlen(begin);
    hash_of(from, (size_t)(to - from), text);
    return true;
}

static bool add_text(const char *text, char page[PAGE_MAX], size_t *n)
{
    text += strspn(text, " ");
    if (strncmp(text, "//", 2) == 0 || text[0] == '\n') {
        return true;
    }
    const size_t more = strlen(text);
    if (more >= PAGE_MAX - *n) {
        fprintf(stderr, "page: more than %u characters\n", PAGE_MAX);
        return false;
    }
    memcpy(page + *n, text, more + 1);
    *n += more;
    return true;
}

/* @param add  what becomes of each line  @return false: it cannot be read, or is too long */
static bool add_lines(const char *path, bool (*add)(const char *, char *, size_t *),
                      char page[PAGE_MAX], size_t *n)
{
    char line[LINE_MAX_BYTES];
    FILE *in = fopen(path, "rb");
    bool good = in != NULL;
    if (!good) {
        fprintf(stderr, "page: %s cannot be read\n", path);
        return false;
    }
    while (good && fgets(line, sizeof line, in) != NULL) {
        good = add(line, page, n);
    }
    (void)fclose(in);
    return good;
}

/* A line of a page, or the file that it names. */
static bool add_line(const char *line, char page[PAGE_MAX], size_t *n)
{
    static const char k_include[] = "/*include ";
    const char *end = strstr(line, "*/\n");
    char path[PATH_BYTES];
    if (strncmp(line, k_include, sizeof k_include - 1) != 0 || end == NULL) {
        return add_text(line, page, n);
    }
    const char *name = line + sizeof k_include - 1;
    (void)snprintf(path, sizeof path, "%.*s", (int)(end - name), name);
    return add_lines(path, add_text, page, n);
}

static const struct page {
    const char *name, *html, *header, *prefix;
    const char *policy; /* appended to the Content-Security-Policy */
} k_page[] = {
    {"live", "host/api/page.html", "host/api/page.h", "mf", ""},
    {"docs", "host/api/docs.html", "host/api/page.h", "mf_docs", ""},
    {"simctl", "tools/simctl/api/page.html", "tools/simctl/api/page.h", "simctl",
     "frame-src 'self'; "},
    {"swarm", "boards/swarm/page/page.html", "boards/swarm/page/page_html.h", "swarm", ""},
    {"replay", "tools/replay/flight.html", "tools/replay/page.h", "replay", ""},
};

/* @return NULL: no page has this name */
static const struct page *find_page(const char *name)
{
    for (size_t i = 0; i < sizeof k_page / sizeof k_page[0]; i++) {
        if (strcmp(k_page[i].name, name) == 0) {
            return &k_page[i];
        }
    }
    return NULL;
}

static void write_source(FILE *out, const struct page *p, const char *page, size_t size,
                         const char *script, const char *style)
{
    char tag[BASE64_MAX];
    const char *name = p->prefix;
    hash_of(page, size, tag);
    fprintf(out,
            "/* made by ci/page.c */\n#include \"%s\"\n\n"
            "const char %s_page_tag[] = \"\\\"%.22s\\\"\";\n"
            "const char %s_page_headers[] = \"ETag: \\\"%.22s\\\"\\r\\n\"\n"
            "    \"Content-Security-Policy: default-src 'none'; script-src 'sha256-%s'; \"\n"
            "    \"style-src 'sha256-%s'; \"\n"
            "    \"connect-src 'self'; img-src data:; %sbase-uri 'none'; form-action 'none'; \"\n"
            "    \"frame-ancestors 'none'\\r\\n\";\n"
            "const size_t %s_page_size = %zu;\nconst uint8_t %s_page[%zu] = {",
            p->header, name, tag, name, tag, script, style, p->policy, name, size, name, size);
    for (size_t i = 0; i < size; i++) {
        fprintf(out, "%s%u,", i % 32 == 0 ? "\n" : "", (unsigned)(uint8_t)page[i]);
    }
    fprintf(out, "\n};\n");
}

int main(int argc, char **argv)
{
    static char page[PAGE_MAX];
    char script[BASE64_MAX];
    char style[BASE64_MAX];
    const struct page *p = argc == 3 ? find_page(argv[1]) : NULL;
    if (p == NULL) {
        fprintf(stderr, "usage: page live|docs|simctl|swarm|replay OUT.c\n");
        return 2;
    }
    size_t size = 0;
    if (!add_lines(p->html, add_line, page, &size)) {
        return 1;
    }
    if (!hash_between(page, "<script>", "</script>", script) ||
        !hash_between(page, "<style>", "</style>", style)) {
        fprintf(stderr, "page: one <script> and one <style> are needed\n");
        return 1;
    }
    FILE *out = fopen(argv[2], "w");
    if (out == NULL) {
        fprintf(stderr, "page: %s cannot be written\n", argv[2]);
        return 1;
    }
    write_source(out, p, page, size, script, style);
    const bool bad = ferror(out) != 0;
    return fclose(out) != 0 || bad ? 1 : 0;
}
