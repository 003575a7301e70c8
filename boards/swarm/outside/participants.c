/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/outside/participants.h"

#include <stdlib.h>

#define LINES_MAX 4096u

struct row {
    const char *kind;
    char name[48], how[64];
    double until_s, wall_s;
};

/* Of the one swarm of the process. */
static struct {
    struct row *row;
    uint32_t count;
} s_table;

void swarm_participants_note(const struct swarm_participant *p)
{
    if (s_table.row == NULL) {
        s_table.row = calloc(LINES_MAX, sizeof *s_table.row);
    }
    if (s_table.row == NULL || s_table.count == LINES_MAX) {
        return;
    }
    struct row *r = &s_table.row[s_table.count++];
    r->kind = p->kind;
    r->until_s = (double)p->until_us / 1e6;
    r->wall_s = p->wall_s;
    (void)snprintf(r->name, sizeof r->name, "%s", p->name);
    (void)snprintf(r->how, sizeof r->how, "%s", p->how);
}

static void tell(struct swarm *w, int code)
{
    (void)w, (void)code;
    if (s_table.count > 0) {
        (void)printf("who       %-32s %14s %10s  %s\n", "name", "until [s]", "wall [s]", "ended");
    }
    for (uint32_t i = 0; i < s_table.count; i++) {
        const struct row *r = &s_table.row[i];
        (void)printf("%-9s %-32s %14.6f %10.3f  %s\n", r->kind, r->name, r->until_s, r->wall_s,
                     r->how);
    }
    free(s_table.row);
    s_table.row = NULL;
    s_table.count = 0;
}

const struct swarm_system swarm_participants_system = {
    .name = "participants", .close = tell, /* after all others have closed */
};
