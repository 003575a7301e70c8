/* SPDX-License-Identifier: Apache-2.0 */
/* A grid world for tests: drones, tasks and what was seen of them, built in a few calls. */
#ifndef MF_TESTS_GRID_FIXTURE_H
#define MF_TESTS_GRID_FIXTURE_H

#include "fleet/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEEN_MAX 4096u

struct world {
    struct mf_grid_settings s;
    struct mf_attribute attribute[32];
    uint32_t blocked[64], hidden[64];
    struct mf_grid_drone drone[11];
    struct mf_grid_controller controller[2];
    struct mf_grid_task task[16];
    struct mf_grid_order order[8];
    struct mf_charger charger[4];
    struct mf_thing thing[4];
    struct mf_grid_effect effect[16];
    struct mf_memory memory;
    uint8_t bytes[4 << 20];
    struct mf_grid *q;
    /* what was seen */
    struct mf_message message[SEEN_MAX];
    uint32_t messages;
    struct mf_grid_record record[64];
    uint32_t records;
    struct {
        enum mf_grid_phase phase;
        uint32_t number;
    } phase[SEEN_MAX];
    uint32_t phases;
};

static struct world w;

static inline void put_name(char *to, const char *name)
{
    assert_true(strlen(name) < MF_FIELD_NAME_MAX);
    memcpy(to, name, strlen(name) + 1);
}

static inline void see_phase(void *ctx, uint64_t tick, enum mf_grid_phase phase, uint32_t number)
{
    (void)ctx;
    (void)tick;
    if (w.phases < SEEN_MAX) {
        w.phase[w.phases].phase = phase;
        w.phase[w.phases++].number = number;
    }
}

/* INFO_UPDATE of later ticks would fill the list. */
static inline void see_message(void *ctx, const struct mf_message *m)
{
    (void)ctx;
    if (w.messages < SEEN_MAX && (m->type != MF_MESSAGE_INFO_UPDATE || m->tick < 3)) {
        w.message[w.messages++] = *m;
    }
}

static inline void see_task(void *ctx, const struct mf_grid_record *r)
{
    (void)ctx;
    assert_true(w.records < 64);
    w.record[w.records++] = *r;
}

static inline uint32_t cell(uint32_t x, uint32_t y)
{
    return y * w.s.size[0] + x;
}

static inline void begin(uint32_t width, uint32_t height)
{
    memset(&w, 0, sizeof w);
    w.s = (struct mf_grid_settings){.size = {width, height, 1},
                                    .metres = 10.0,
                                    .attributes = w.attribute,
                                    .blocked = w.blocked,
                                    .hidden = w.hidden,
                                    .drones = w.drone,
                                    .controllers = w.controller,
                                    .controller_count = 1,
                                    .tasks = w.task,
                                    .orders = w.order,
                                    .chargers = w.charger,
                                    .things = w.thing,
                                    .effects = w.effect};
    for (uint32_t i = 0; i < 2; i++) {
        w.controller[i] =
            (struct mf_grid_controller){.id = i,
                                        .go_home = MF_GRID_RETURN_WHEN_IDLE,
                                        .silent = 5,
                                        .tries = 3,
                                        .trust = {.alpha = 1.0, .beta = 0.0, .failed = 0.5}};
    }
}

static inline struct mf_grid_drone *add_drone(uint32_t x, uint32_t y)
{
    struct mf_grid_drone *d = &w.drone[w.s.drone_count++];
    *d = (struct mf_grid_drone){.home = cell(x, y),
                                .body = {.speed = 1, .capacity_uah = 2500000, .move_uah = 10000},
                                .charge_below_uah = 500000,
                                .autonomy = MF_GRID_AUTONOMY_GUIDED};
    return d;
}

static inline void add_actuator(struct mf_grid_drone *d, const char *name, enum mf_grid_mode mode)
{
    struct mf_grid_actuator *a = &d->actuator[d->actuators++];
    *a = (struct mf_grid_actuator){.mode = (int32_t)mode};
    put_name(a->name, name);
}

static inline void add_sensor(struct mf_grid_drone *d, const char *name, int32_t direction,
                              uint32_t range)
{
    struct mf_grid_sensor *s = &d->sensor[d->sensors++];
    *s = (struct mf_grid_sensor){.direction = direction, .range = range};
    put_name(s->name, name);
}

static inline void add_attribute(uint32_t x, uint32_t y, const char *name, const char *value)
{
    struct mf_attribute *a = &w.attribute[w.s.attribute_count++];
    a->cell = cell(x, y);
    put_name(a->name, name);
    assert_true(mf_field_value(value, &a->value));
}

static inline struct mf_grid_task *add_task(void)
{
    struct mf_grid_task *t = &w.task[w.s.task_count++];
    *t = (struct mf_grid_task){.priority = MF_GRID_PRIORITY_NORMAL};
    return t;
}

static inline void add_step(struct mf_grid_task *t, enum mf_grid_step_kind kind, uint32_t to,
                            const char *name, const char *value)
{
    struct mf_grid_step *s = &t->step[t->steps++];
    *s = (struct mf_grid_step){.kind = kind, .cell = to, .ticks = to};
    put_name(s->name, name);
    assert_true(mf_field_value(value, &s->value));
}

static inline struct mf_grid_task *add_goto(uint32_t x, uint32_t y)
{
    struct mf_grid_task *t = add_task();
    add_step(t, MF_GRID_STEP_GOTO, cell(x, y), "", "");
    return t;
}

static inline struct mf_grid_task *add_carry(const char *value, uint32_t x, uint32_t y)
{
    struct mf_grid_task *t = add_task();
    add_step(t, MF_GRID_STEP_FETCH, 0, "package", value);
    add_step(t, MF_GRID_STEP_GRAB, 0, "package", "");
    add_step(t, MF_GRID_STEP_GOTO, cell(x, y), "", "");
    add_step(t, MF_GRID_STEP_DROP, 0, "package", "");
    return t;
}

static inline struct mf_grid_effect *add_effect(enum mf_grid_effect_kind kind, uint64_t at)
{
    struct mf_grid_effect *e = &w.effect[w.s.effect_count++];
    *e = (struct mf_grid_effect){.kind = (int32_t)kind, .at = at, .amount = 1};
    return e;
}

static inline void start(void)
{
    const struct mf_grid_watch watch = {see_phase, see_message, see_task, NULL};
    assert_true(mf_grid_bytes(&w.s) <= sizeof w.bytes);
    w.memory = (struct mf_memory){w.bytes, mf_grid_bytes(&w.s), 0};
    w.q = mf_grid_init(&w.s, &watch, &w.memory);
    assert_non_null(w.q);
}

static inline void ticks(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)mf_grid_tick(w.q);
    }
}

static inline void run(void)
{
    start();
    while (mf_grid_tick(w.q)) {
        assert_true(mf_grid_ticks(w.q) < 5000);
    }
}

static inline uint32_t count_messages(enum mf_message_type type)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w.messages; i++) {
        n += w.message[i].type == type ? 1u : 0u;
    }
    return n;
}

static inline uint32_t where(uint32_t drone)
{
    return mf_grid_drone(w.q, drone).cell;
}

#endif
