/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JUnit XML. output/expect.c calls it for members, cells/grid.c for worlds of cells. */
#include "boards/swarm/core/junit.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"

#include <errno.h>
#include <string.h>

FILE *swarm_junit_open(struct swarm *w, uint32_t cases, uint32_t failed)
{
    const char *path = w->command->junit, *why;
    FILE *file = mf_output_stream(path, &why);
    if (file == NULL) {
        (void)swarm_refuse(w, 1, "--junit %s: %s", path, why);
        return NULL;
    }
    (void)fprintf(file,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuite name=\"mayfly-swarm\" tests=\"%u\" failures=\"%u\">\n",
                  (unsigned)cases, (unsigned)failed);
    return file;
}

/* Write a text as XML. */
static void put_xml(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)fputc(*text, file);
            break;
        }
    }
}

void swarm_junit_case(const struct swarm *w, FILE *file, const struct swarm_case *c)
{
    (void)fputs("  <testcase classname=\"", file);
    put_xml(file, w->file);
    (void)fputs("\" name=\"", file);
    put_xml(file, c->name);
    if (c->why[0] == '\0') {
        (void)fputs("\"/>\n", file);
        return;
    }
    (void)fputs("\"><failure message=\"", file);
    put_xml(file, c->why);
    (void)fprintf(file, "\">fails for %u of %u</failure></testcase>\n", (unsigned)c->wrong,
                  (unsigned)c->members);
}

int swarm_junit_close(struct swarm *w, FILE *file)
{
    (void)fputs("</testsuite>\n", file);
    return swarm_close(w, file)
               ? SWARM_OK
               : swarm_refuse(w, 1, "--junit %s: %s", w->command->junit, strerror(errno));
}
