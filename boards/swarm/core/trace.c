/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the trace of a run (trace.h). Every file that exchanges messages with programs calls it.
 */
#include "boards/swarm/core/trace.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"
#include "mavlink/sha256.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* GCC's analyzer does not follow lines that a table holds, and reports leaks; write_waiting() frees
 * them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define TRACE_LINE_MAX 512u

/* A line that waits until no other can stand before it. */
struct line {
    uint64_t place_ns;    /* lines stand in the order of this time, then of `carried` */
    uint64_t number;      /* of the call; lines of one swarm_trace_hold() have one number */
    bool carried, whole;  /* it is of swarm_trace_carry() */
    const uint8_t *bytes; /* [n], behind the text */
    size_t n;
    char text[]; /* "TIME TEXT" */
};

struct swarm_trace {
    const struct swarm *w;
    FILE *file;
    struct mf_sha256 sha;
    uint64_t lines;
    pthread_mutex_t lock;      /* protects the lines that wait: any thread adds some */
    struct swarm_rows waiting; /* struct line * */
    uint64_t number;           /* of the last call */
    uint64_t place_ns;         /* of the last line of swarm_trace() */
    uint64_t written_ns;       /* all lines before this time are written */
    bool holds;                /* lines get one place, and are sorted by their bytes */
};

static int open_trace(struct swarm *w)
{
    const char *path = w->command->trace;
    if (path == NULL) {
        return SWARM_OK;
    }
    struct swarm_trace *t = w->state[SWARM_SLOT_TRACE] = calloc(1, sizeof *t);
    const char *why = "no memory";
    FILE *file = NULL;
    if (t != NULL) {
        t->w = w;
        (void)pthread_mutex_init(&t->lock, NULL);
        file = mf_output_stream(path, &why);
    }
    if (file == NULL) {
        return swarm_refuse(w, 1, "--trace %s: %s", path, why);
    }
    t->file = file;
    mf_sha256_init(&t->sha);
    return SWARM_OK;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Time to which the run has come: lines of earlier times are known. */
static uint64_t present_ns(const struct swarm_trace *t)
{
    return 1000u * later((uint64_t)t->w->now_us, (uint64_t)t->w->engine.last.at_us);
}

/* Add a line to those that wait; a lack of memory fails the trace.
 * @param kind  place_ns, carried, whole and n of the line */
static void add_line(struct swarm_trace *t, const struct line *kind, const char *text,
                     const void *bytes)
{
    const size_t length = strlen(text) + 1u;
    struct line *l = malloc(sizeof *l + length + kind->n);
    struct line **place = l != NULL ? swarm_gather(&t->waiting, sizeof(struct line *)) : NULL;
    if (place == NULL) {
        t->waiting.failed = true;
        free(l);
        return;
    }
    *place = l;
    *l = *kind;
    l->number = ++t->number;
    memcpy(l->text, text, length);
    if (bytes != NULL) {
        memcpy(l->text + length, bytes, kind->n);
    }
    l->bytes = (const uint8_t *)l->text + length;
}

/* Place of a line that is to be added. */
static uint64_t find_place_ns(struct swarm_trace *t, uint64_t at_ns, bool carried)
{
    if (carried) {
        return later(at_ns, t->written_ns);
    }
    t->place_ns = later(t->place_ns, later(at_ns, present_ns(t)));
    return t->holds ? UINT64_MAX : t->place_ns;
}

/* Add the line "TIME TEXT" with bytes. @param kind  carried, whole and n of the line; gets its
 * place */
static void add_text(struct swarm_trace *t, uint64_t at_ns, struct line *kind, const void *bytes,
                     const char *format, va_list args)
{
    char text[TRACE_LINE_MAX];
    const int n = snprintf(text, sizeof text, "%" PRIu64 " ", at_ns);
    /* the line cuts off a text that is too long */
    (void)vsnprintf(text + n, sizeof text - (size_t)n - 2u, format, args);
    (void)pthread_mutex_lock(&t->lock);
    kind->place_ns = find_place_ns(t, at_ns, kind->carried);
    add_line(t, kind, text, bytes);
    (void)pthread_mutex_unlock(&t->lock);
}

void swarm_trace(struct swarm_trace *t, uint64_t at_ns, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (t != NULL) {
        add_text(t, at_ns, &(struct line){.carried = false}, NULL, format, args);
    }
    va_end(args);
}

void swarm_trace_carry(struct swarm_trace *t, uint64_t at_ns, bool whole, const void *bytes,
                       size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (t != NULL) {
        add_text(t, at_ns, &(struct line){.carried = true, .whole = whole, .n = n}, bytes, format,
                 args);
    }
    va_end(args);
}

void swarm_trace_hold(struct swarm_trace *t)
{
    if (t != NULL) {
        t->holds = true;
    }
}

void swarm_trace_release(struct swarm_trace *t)
{
    if (t == NULL) {
        return;
    }
    struct line **all = t->waiting.at;
    t->holds = false;
    t->number++;
    for (size_t i = 0; i < t->waiting.count; i++) {
        if (all[i]->place_ns == UINT64_MAX) { /* it was held */
            all[i]->place_ns = t->place_ns;
            all[i]->number = t->number;
        }
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = *(struct line *const *)a, *y = *(struct line *const *)b;
    const int places = compare_numbers(x->place_ns, y->place_ns);
    const int kinds = (int)x->carried - (int)y->carried;
    const int numbers = compare_numbers(x->number, y->number);
    if (places != 0 || kinds != 0 || (!x->carried && numbers != 0)) {
        return places != 0 ? places : kinds != 0 ? kinds : numbers;
    }
    const int texts = strcmp(x->text, y->text);
    return texts != 0 ? texts : numbers;
}

static void write_text(struct swarm_trace *t, const char *text)
{
    const size_t n = strlen(text);
    mf_sha256_add(&t->sha, (const uint8_t *)text, n);
    (void)fwrite(text, 1, n, t->file);
}

static void write_digest(struct mf_sha256 *sha, size_t bytes, char *text)
{
    uint8_t digest[MF_SHA256_BYTES];
    mf_sha256_end(sha, digest);
    for (size_t i = 0; i < bytes; i++) {
        text[2u * i] = "0123456789abcdef"[digest[i] >> 4u];
        text[2u * i + 1u] = "0123456789abcdef"[digest[i] & 15u];
    }
    text[2u * bytes] = '\0';
}

/* Write the line at @p i, with those that have other parts of its bytes. @return index of the next
 */
static size_t write_line(struct swarm_trace *t, struct line *const *all, size_t i)
{
    const struct line *first = all[i];
    struct mf_sha256 sha;
    size_t n = 0;
    t->lines++;
    write_text(t, first->text);
    if (first->carried) {
        char text[SWARM_TRACE_BYTES_MAX + 2u];
        mf_sha256_init(&sha);
        do {
            n += all[i]->n;
            mf_sha256_add(&sha, all[i]->bytes, all[i]->n);
            i++;
        } while (i < t->waiting.count && !first->whole && !all[i]->whole && all[i]->carried &&
                 strcmp(all[i]->text, first->text) == 0);
        write_digest(&sha, 8, text + snprintf(text, sizeof text, ": %zu:", n));
        write_text(t, text);
    } else {
        i++;
    }
    write_text(t, "\n");
    return i;
}

/* Write the lines that wait and stand before a time. */
static void write_waiting(struct swarm_trace *t, uint64_t before_ns)
{
    struct line **all = t->waiting.at;
    size_t n = 0, i = 0;
    if (t->waiting.count > 1) {
        qsort(all, t->waiting.count, sizeof(struct line *), compare_lines);
    }
    while (i < t->waiting.count && all[i]->place_ns < before_ns) {
        i = write_line(t, all, i);
        for (; n < i; n++) {
            free(all[n]);
        }
    }
    t->waiting.count -= n;
    if (n > 0 && t->waiting.count > 0) {
        memmove(all, all + n, t->waiting.count * sizeof(struct line *));
    }
    t->written_ns = later(t->written_ns, before_ns);
}

static int drain_trace(struct swarm *w)
{
    struct swarm_trace *t = swarm_trace_of(w);
    if (t != NULL && !t->holds) {
        write_waiting(t, present_ns(t));
    }
    return SWARM_OK;
}

void swarm_trace_bytes(const void *bytes, size_t n, char *text)
{
    struct mf_sha256 sha;
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, bytes, n);
    const int at = snprintf(text, SWARM_TRACE_BYTES_MAX, "%zu:", n);
    write_digest(&sha, 8, text + at);
}

static void free_trace(struct swarm *w)
{
    struct swarm_trace *t = swarm_trace_of(w);
    (void)pthread_mutex_destroy(&t->lock);
    free(t->waiting.at);
    free(t);
    w->state[SWARM_SLOT_TRACE] = NULL;
}

static bool complete_trace(struct swarm *w)
{
    char text[2u * MF_SHA256_BYTES + 1u];
    struct swarm_trace *t = swarm_trace_of(w);
    if (t == NULL) {
        return true;
    }
    bool good = t->file != NULL;
    if (good) {
        swarm_trace_release(t);
        write_waiting(t, UINT64_MAX);
        write_digest(&t->sha, MF_SHA256_BYTES, text);
        (void)printf("trace     %" PRIu64 " lines, %s\n", t->lines, text);
        good = swarm_close(w, t->file) && !t->waiting.failed;
    }
    free_trace(w);
    return good;
}

/* Write what waits after an error: the trace shows how far the run has come. */
static void close_trace(struct swarm *w, int code)
{
    struct swarm_trace *t = swarm_trace_of(w);
    (void)code;
    if (t != NULL && t->file != NULL) {
        swarm_trace_release(t);
        write_waiting(t, UINT64_MAX);
        (void)swarm_close(w, t->file);
    }
    if (t != NULL) {
        free_trace(w);
    }
}

const struct swarm_system swarm_trace_system = {
    .name = "trace",
    /* other systems write lines as soon as programs connect */
    .on = {[SWARM_CONNECT] = open_trace, [SWARM_DRAIN] = drain_trace},
    .in_replay = true,
    .complete = complete_trace,
    .close = close_trace,
};
