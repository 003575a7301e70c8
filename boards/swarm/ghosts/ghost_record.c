/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of all input of ghosts and of the bus: written as it arrives, or read for --replay;
 * the other files of ghosts call it. Format:
 *
 *     "mayfly-ghosts 1 SEED VARIATION MEMBERS\n", then records, little endian:
 *     u8 type   u8 source   u16 link   u32 bytes   i64 us   bytes */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "fleet/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GCC's analyzer does not follow the pointer to the last record, and reports leaks; ghost_pop()
 * frees all records. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define HEAD_BYTES     16u
#define RECORD_MAX     (1u << 20u) /* most bytes of one record */
#define FIRST_LINE_MAX 160u

void ghost_push(struct swarm_ghosts *g, struct ghost_queue *q, const struct ghost_record *head,
                const void *bytes)
{
    struct ghost_record *r = malloc(sizeof *r + head->n);
    if (r == NULL) {
        g->failed = true;
        return;
    }
    *r = *head;
    r->next = NULL;
    if (head->n > 0) {
        memcpy(r->bytes, bytes, head->n);
    }
    struct ghost_record **end = q->first == NULL ? &q->first : &q->last->next;
    *end = r;
    q->last = r;
}

void ghost_pop(struct ghost_queue *q)
{
    struct ghost_record *r = q->first;
    MF_ASSERT(r != NULL);
    q->first = r->next;
    free(r);
}

void ghost_record_write(struct swarm_ghosts *g, const struct ghost_record *head, const void *bytes)
{
    uint8_t text[HEAD_BYTES];
    if (g->recording == NULL) {
        return;
    }
    uint8_t *at = mf_bytes_put_u(text, head->type, 1);
    at = mf_bytes_put_u(at, head->source, 1);
    at = mf_bytes_put_u(at, head->link, 2);
    at = mf_bytes_put_u(at, head->n, 4);
    (void)mf_bytes_put_u(at, (uint64_t)head->at_us, 8);
    (void)fwrite(text, 1, sizeof text, g->recording);
    if (head->n > 0) {
        MF_ASSERT(bytes != NULL);
        (void)fwrite(bytes, 1, head->n, g->recording);
    }
}

static void write_first_line(const struct swarm_ghosts *g, char *text)
{
    const struct mf_scenario *s = g->w->scenario;
    (void)snprintf(text, FIRST_LINE_MAX, "mayfly-ghosts 1 %" PRIu64 " %u %u\n", s->seed,
                   (unsigned)s->variation_number, (unsigned)s->members);
}

int ghost_record_open(struct swarm_ghosts *g)
{
    const struct mf_scenario_output *o = &g->w->scenario->outputs.recording;
    char line[FIRST_LINE_MAX];
    if (g->replays || o->file[0] == '\0') {
        return SWARM_OK;
    }
    g->recording = swarm_open(g->w, o, 0);
    if (g->recording == NULL) {
        return SWARM_INPUT;
    }
    write_first_line(g, line);
    (void)fputs(line, g->recording);
    return SWARM_OK;
}

/* ---- replay */

static int replay_error(struct swarm_ghosts *g, const char *what)
{
    return swarm_refuse(g->w, 1, "--replay %s: %s", g->w->command->replay, what);
}

/* Read a record. @return 1: read; 0: end of the file; -1: cut or too long */
static int read_record(FILE *file, struct ghost_record *head, uint8_t *bytes)
{
    uint8_t text[HEAD_BYTES];
    const size_t n = fread(text, 1, sizeof text, file);
    if (n == 0 && feof(file) != 0) {
        return 0;
    }
    *head = (struct ghost_record){.type = text[0],
                                  .source = text[1],
                                  .link = (uint16_t)mf_bytes_u(text + 2, 2),
                                  .n = (uint32_t)mf_bytes_u(text + 4, 4),
                                  .at_us = (mf_us_t)mf_bytes_u(text + 8, 8)};
    return n == sizeof text && head->n <= RECORD_MAX && fread(bytes, 1, head->n, file) == head->n
               ? 1
               : -1;
}

/* Append a record to the queue of its link or of the bus; GHOST_END shortens the run instead.
 * @return false: not valid */
static bool queue_record(struct swarm_ghosts *g, const struct ghost_record *head,
                         const uint8_t *bytes)
{
    struct mf_scenario *s = g->w->scenario;
    struct ghost_queue *q = &g->turn;
    if (head->type == GHOST_END) {
        const double end_s = (double)head->at_us / 1e6;
        s->time.end_s = end_s < s->time.end_s ? end_s : s->time.end_s;
        return head->at_us >= 0;
    }
    if (head->type != GHOST_BUS) {
        const bool waits = head->type == GHOST_WAIT;
        if (head->link >= g->links || head->type < GHOST_BYTES ||
            (head->type > GHOST_DOWN && !waits) ||
            head->source >= (waits ? GHOST_WAITS : GHOST_SOURCES)) {
            return false;
        }
        q = &g->link[head->link].in;
    }
    if (head->at_us < GHOST_BEFORE_US || (q->first != NULL && head->at_us < q->last->at_us)) {
        return false;
    }
    ghost_push(g, q, head, bytes);
    return true;
}

int ghost_record_read(struct swarm_ghosts *g)
{
    char line[FIRST_LINE_MAX], expected[FIRST_LINE_MAX];
    struct ghost_record head;
    bool ended = false;
    int got = 1;
    FILE *file = fopen(g->w->command->replay, "rbe");
    uint8_t *bytes = malloc(RECORD_MAX);
    if (file == NULL || bytes == NULL) {
        const int result = replay_error(g, file == NULL ? strerror(errno) : "no memory");
        free(bytes);
        if (file != NULL) {
            (void)fclose(file);
        }
        return result;
    }
    write_first_line(g, expected);
    const bool ours = fgets(line, (int)sizeof line, file) != NULL && strcmp(line, expected) == 0;
    while (ours && got == 1) {
        got = read_record(file, &head, bytes);
        got = got == 1 && (ended || !queue_record(g, &head, bytes)) ? -1 : got;
        ended = ended || (got == 1 && head.type == GHOST_END);
    }
    free(bytes);
    (void)fclose(file);
    if (!ours) {
        return replay_error(g, "is not a recording of this scenario with this seed and variation");
    }
    return got == 0 && ended && !g->failed ? SWARM_OK : replay_error(g, "was cut or altered");
}

bool ghost_record_close(struct swarm_ghosts *g)
{
    /* now_us may be earlier than stands_us: ghosts of a world of cells fly on after its end, to
     * land */
    const mf_us_t now_us = g->w->now_us;
    const struct ghost_record end = {.type = GHOST_END,
                                     .at_us = now_us > g->stands_us ? now_us : g->stands_us};
    if (g->recording == NULL) {
        return !g->failed;
    }
    ghost_record_write(g, &end, NULL);
    const bool complete = swarm_close(g->w, g->recording);
    g->recording = NULL;
    return complete && !g->failed;
}
