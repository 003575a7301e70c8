/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the trace of a run (trace.h). Every file that exchanges messages with programs calls it.
 */
#include "boards/swarm/core/trace.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"
#include "mavlink/sha256.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define TRACE_LINE_MAX 512u

struct swarm_trace {
    FILE *file;
    struct mf_sha256 sha;
    uint64_t lines;
    bool holds;             /* collect lines, to sort them before they are written */
    struct swarm_rows held; /* collected lines, of TRACE_LINE_MAX bytes each */
};

static int open_trace(struct swarm *w)
{
    const char *path = w->command->trace;
    if (path == NULL) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_TRACE] = calloc(1, sizeof *swarm_trace_of(w));
    const char *why = "no memory";
    FILE *file = swarm_trace_of(w) != NULL ? mf_output_stream(path, &why) : NULL;
    if (file == NULL) {
        return swarm_refuse(w, 1, "--trace %s: %s", path, why);
    }
    swarm_trace_of(w)->file = file;
    mf_sha256_init(&swarm_trace_of(w)->sha);
    return SWARM_OK;
}

static void write_line(struct swarm_trace *t, const char *line)
{
    const size_t n = strlen(line);
    mf_sha256_add(&t->sha, (const uint8_t *)line, n);
    (void)fwrite(line, 1, n, t->file);
    t->lines++;
}

/* Collect a line. @return false: memory is exhausted */
static bool hold_line(struct swarm_trace *t, const char *line)
{
    char *kept = swarm_gather(&t->held, TRACE_LINE_MAX);
    if (kept != NULL) {
        memcpy(kept, line, TRACE_LINE_MAX);
    }
    return kept != NULL;
}

void swarm_trace(struct swarm_trace *t, uint64_t at_ns, const char *format, ...)
{
    char line[TRACE_LINE_MAX] = "";
    va_list args;
    if (t == NULL) {
        return;
    }
    int n = snprintf(line, sizeof line, "%" PRIu64 " ", at_ns);
    va_start(args, format);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1u, format, args);
    va_end(args);
    n = n < (int)sizeof line - 3 ? n : (int)sizeof line - 3;
    line[n++] = '\n';
    line[n] = '\0';
    if (!t->holds || !hold_line(t, line)) {
        write_line(t, line);
    }
}

void swarm_trace_hold(struct swarm_trace *t)
{
    if (t != NULL) {
        t->holds = true;
    }
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

void swarm_trace_release(struct swarm_trace *t)
{
    if (t == NULL) {
        return;
    }
    t->holds = false;
    if (t->held.count > 0) {
        qsort(t->held.at, t->held.count, TRACE_LINE_MAX, compare_lines);
    }
    for (size_t i = 0; i < t->held.count; i++) {
        write_line(t, (const char *)t->held.at + i * TRACE_LINE_MAX);
    }
    t->held.count = 0;
}

static void write_digest(struct mf_sha256 *sha, size_t bytes, char *text)
{
    uint8_t digest[MF_SHA256_BYTES];
    mf_sha256_end(sha, digest);
    for (size_t i = 0; i < bytes; i++) {
        (void)snprintf(text + 2u * i, 3, "%02x", digest[i]);
    }
}

void swarm_trace_bytes(const void *bytes, size_t n, char *text)
{
    struct mf_sha256 sha;
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, bytes, n);
    const int at = snprintf(text, SWARM_TRACE_BYTES_MAX, "%zu:", n);
    write_digest(&sha, 8, text + at);
}

static bool close_trace(struct swarm *w)
{
    char text[2u * MF_SHA256_BYTES + 1u];
    if (swarm_trace_of(w) == NULL) {
        return true;
    }
    bool good = swarm_trace_of(w)->file != NULL;
    if (good) {
        write_digest(&swarm_trace_of(w)->sha, MF_SHA256_BYTES, text);
        (void)printf("trace     %" PRIu64 " lines, %s\n", swarm_trace_of(w)->lines, text);
        good = swarm_close(w, swarm_trace_of(w)->file);
    }
    free(swarm_trace_of(w)->held.at);
    free(swarm_trace_of(w));
    w->state[SWARM_SLOT_TRACE] = NULL;
    return good;
}

const struct swarm_system swarm_trace_system = {
    .name = "trace",
    /* other systems write lines as soon as programs connect */
    .on = {[SWARM_CONNECT] = open_trace},
    .in_replay = true,
    .complete = close_trace,
};
