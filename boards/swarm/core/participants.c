/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the table of participants, and prints it. The bus, gzuav, bodies, networks and
 * processes add lines. */
#include "boards/swarm/core/participants.h"

#include <stdlib.h>

#define LINES_MAX 4096u

struct row {
    const char *kind;
    char name[48], how[64];
    double until_s, wall_s;
};

struct swarm_participants {
    uint32_t count;
    struct row row[LINES_MAX];
};

static struct swarm_participants *participants_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PARTICIPANTS];
}

void swarm_participants_add(struct swarm *w, const struct swarm_participant *p)
{
    struct swarm_participants *t =
        participants_of(w) != NULL ? participants_of(w) : calloc(1, sizeof *t);
    w->state[SWARM_SLOT_PARTICIPANTS] = t;
    if (t == NULL || t->count == LINES_MAX) {
        return;
    }
    struct row *r = &t->row[t->count++];
    r->kind = p->kind;
    r->until_s = (double)p->until_us / 1e6;
    r->wall_s = p->wall_s;
    (void)snprintf(r->name, sizeof r->name, "%s", p->name);
    (void)snprintf(r->how, sizeof r->how, "%s", p->how);
}

static void print_table(struct swarm *w, int code)
{
    const struct swarm_participants *t = participants_of(w);
    (void)code;
    if (t != NULL) {
        (void)printf("who       %-32s %14s %10s  %s\n", "name", "until [s]", "wall [s]", "ended");
    }
    for (uint32_t i = 0; t != NULL && i < t->count; i++) {
        const struct row *r = &t->row[i];
        (void)printf("%-9s %-32s %14.6f %10.3f  %s\n", r->kind, r->name, r->until_s, r->wall_s,
                     r->how);
    }
    free(participants_of(w));
    w->state[SWARM_SLOT_PARTICIPANTS] = NULL;
}

const struct swarm_system swarm_participants_system = {
    .name = "participants", .close = print_table, /* systems close in reverse order, so this one
                                                   * closes after all that add lines */
};
