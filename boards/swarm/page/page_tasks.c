/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frames about tasks of a world of cells, and passes tasks of browsers on. page_steps.c
 * calls it. */
#include "boards/swarm/page/page_tasks.h"

#include "boards/swarm/cells/grid_operator.h"

#include <stdio.h>
#include <string.h>

#define TASK_BYTES   96u
#define TASK_HEAD    16u
#define ANSWER_HEAD  8u
#define ANSWER_BYTES (ANSWER_HEAD + SWARM_PAGE_WHY_MAX)
#define TASKS_TOLD   (MF_BUS_PAYLOAD_MAX / TASK_BYTES)

/* Write the drone that does a task into the task's row, once it is known. */
static void put_drones(const struct swarm_grid_operator *p, struct mf_bus_writer *f, uint32_t from,
                       uint32_t to)
{
    for (uint32_t drone = 1; drone <= p->g->own_drones; drone++) {
        const uint32_t task = mf_grid_drone(p->q, drone).task;
        if (task <= from || task > to) {
            continue;
        }
        uint8_t *row = &f->bytes[MF_BUS_HEADER + (task - 1u - from) * TASK_BYTES];
        for (uint32_t i = 0; i < 4u; i++) {
            row[8u + i] = (uint8_t)(drone >> (8u * i));
        }
    }
}

/* Add a frame TASKS, with the last tasks if there are too many. */
static void add_tasks(struct swarm *w, const struct swarm_grid_operator *p)
{
    const uint32_t count = swarm_grid_count_tasks(p);
    const uint32_t from = count > TASKS_TOLD ? count - TASKS_TOLD : 0;
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_TASKS);
    for (uint32_t task = from + 1u; task <= count; task++) {
        const char *reason;
        const bool done = mf_grid_is_done(p->q, task, &reason);
        mf_bus_put_u(f, task, 4);
        mf_bus_put_u(f, done ? 1u : 0u, 4);
        mf_bus_put_u(f, 0, 8);
        mf_bus_put_text(f, reason, TASK_BYTES - TASK_HEAD, true);
    }
    put_drones(p, f, from, count);
    swarm_picture_add(w);
}

static void add_answers(struct swarm *w)
{
    const struct swarm_page_answers *a = swarm_page_get_answers(w);
    const uint32_t count = a != NULL ? a->count : 0;
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_ANSWERS);
    for (uint32_t i = count > SWARM_PAGE_ANSWERS ? count - SWARM_PAGE_ANSWERS : 0; i < count; i++) {
        const struct swarm_page_answer *one = &a->answer[i % SWARM_PAGE_ANSWERS];
        mf_bus_put_u(f, one->request, 4);
        mf_bus_put_u(f, one->task, 4);
        mf_bus_put_text(f, one->why, SWARM_PAGE_WHY_MAX, true);
    }
    swarm_picture_add(w);
}

void swarm_page_add_tasks(struct swarm *w)
{
    _Static_assert(SWARM_PAGE_ANSWERS * ANSWER_BYTES <= MF_BUS_PAYLOAD_MAX, "they fit");
    add_tasks(w, swarm_operator_of(w)->ctx);
    add_answers(w);
}

const char *swarm_page_obey_task(struct swarm *w, const struct mf_bus_frame *frame)
{
    struct swarm_operator *o = swarm_operator_of(w);
    struct swarm_page_answers *all = swarm_page_get_answers(w);
    if (frame->n < 4u) {
        return "sends a TASK that is not a number and a text";
    }
    struct swarm_page_answer *a = &all->answer[all->count++ % SWARM_PAGE_ANSWERS];
    *a = (struct swarm_page_answer){.request = 0};
    for (uint32_t i = 0; i < 4u; i++) {
        a->request |= (uint32_t)frame->payload[i] << (8u * i);
    }
    const char *why = o->world->task(o, (const char *)frame->payload + 4u, frame->n - 4u, &a->task);
    if (why != NULL) {
        a->task = 0;
        (void)snprintf(a->why, sizeof a->why, "%s", why);
    }
    return NULL;
}
