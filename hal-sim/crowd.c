/* SPDX-License-Identifier: Apache-2.0 */
/* Crowd of vehicles: memory, passes, visits, states. Called by boards/swarm (vehicles, members,
 * leaf, links, api, search_fly, grid_fly). */
#include "hal-sim/crowd.h"

#include "drone/drone.h"

#include <string.h>

/* Vehicle, and the crowd's data about it. */
struct member {
    struct mf_drone drone;
    struct mf_store_shared store;
    mf_us_t now_us;  /* clock of the vehicle */
    uint64_t digest; /* hash of its history */
    uint64_t shown;  /* last state that note_state() saw, packed */
};

struct shard {
    uint32_t from, to; /* vehicles of the shard: from .. to - 1 */
    mf_us_t next_us;   /* earliest due time of its vehicles */
    uint64_t steps;
    uint32_t frozen;
    uint32_t armed, up; /* numbers of its vehicles that are armed, and in the air */
    int result;         /* result of the boot */
    uint32_t failed;
    struct mf_memory parts;
    struct mf_geoid geoid;
    struct mf_terrain terrain;
    struct mf_link link; /* link for visits of vehicles without links */
    struct mf_inside inside;
    struct mf_link handed; /* link for turns of vehicles without links */
    struct mf_inside peer; /* other end of that link */
};

struct mf_crowd {
    struct mf_crowd_setup setup;
    mf_us_t now_us;
    mf_us_t *wake_us; /* [count] due time of each vehicle: one scan finds those that are due */
    mf_us_t *turn_us; /* [count] next turn of each vehicle; NULL: vehicles take no turns */
    bool *absent;     /* [count] true: the vehicle does not exist */
    struct member *member;
    struct shard shard[MF_CROWD_SHARDS];
};

/* ---- memory */

#define SLACK_BYTES (64u * MF_MEMORY_ALIGN)

size_t mf_crowd_bytes(uint32_t count, size_t parts_each)
{
    return MF_MEMORY_BYTES(sizeof(struct mf_crowd)) +
           MF_MEMORY_BYTES(count * sizeof(struct member)) +
           2u * MF_MEMORY_BYTES(count * sizeof(mf_us_t)) + MF_MEMORY_BYTES(count * sizeof(bool)) +
           count * parts_each + SLACK_BYTES;
}

static void init_shard(struct mf_crowd *c, uint32_t number)
{
    const struct mf_crowd_setup *setup = &c->setup;
    struct shard *s = &c->shard[number];
    s->from = (uint32_t)((uint64_t)setup->count * number / MF_CROWD_SHARDS);
    s->to = (uint32_t)((uint64_t)setup->count * (number + 1u) / MF_CROWD_SHARDS);
    s->next_us = MF_NEVER;
    const size_t bytes = (s->to - s->from) * setup->parts_each;
    if (bytes > 0) {
        s->parts.bytes = mf_memory_part(setup->memory, NULL, bytes);
        s->parts.size = s->parts.bytes != NULL ? bytes : 0;
    }
    /* not the caches: they are large, and most shards of a small world leave them empty */
    if (setup->geoid != NULL) {
        memcpy(s->geoid.layer, setup->geoid->layer, sizeof s->geoid.layer);
        s->geoid.count = setup->geoid->count;
    }
    if (setup->terrain != NULL) {
        memcpy(s->terrain.layer, setup->terrain->layer, sizeof s->terrain.layer);
        s->terrain.count = setup->terrain->count;
    }
}

struct mf_crowd *mf_crowd_init(const struct mf_crowd_setup *setup)
{
    MF_ASSERT(setup != NULL && setup->count >= 1 && setup->count <= MF_CROWD_MAX);
    MF_ASSERT(setup->ops != NULL && setup->ops->describe != NULL);
    struct mf_crowd *c = mf_memory_part(setup->memory, NULL, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->setup = *setup;
    c->wake_us = mf_memory_part(setup->memory, NULL, setup->count * sizeof c->wake_us[0]);
    c->absent = mf_memory_part(setup->memory, NULL, setup->count * sizeof c->absent[0]);
    c->member = mf_memory_part(setup->memory, NULL, setup->count * sizeof c->member[0]);
    if (setup->ops->act != NULL) {
        c->turn_us = mf_memory_part(setup->memory, NULL, setup->count * sizeof c->turn_us[0]);
    }
    if (c->wake_us == NULL || c->absent == NULL || c->member == NULL ||
        (setup->ops->act != NULL && c->turn_us == NULL)) {
        return NULL;
    }
    for (uint32_t i = 0; c->turn_us != NULL && i < setup->count; i++) {
        c->turn_us[i] = MF_NEVER;
    }
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        init_shard(c, i);
    }
    return c;
}

/* ---- history and state of a vehicle */

static uint64_t mix(uint64_t digest, uint64_t value)
{
    const uint64_t z = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return z ^ (z >> 29);
}

#define FROZEN (UINT64_C(1) << 63) /* an assertion failed in the vehicle */
#define QUIET  (UINT64_C(1) << 62) /* no event is left without input */

static bool is_frozen(const struct member *m)
{
    return (m->shown & FROZEN) != 0;
}

/* Pack a state into one word, so that one comparison finds a change. */
static uint64_t packed(const struct mf_vehicle *v)
{
    const struct mf_commander *c = &v->commander;
    const bool falling = c->landed >= MF_LANDED_IN_AIR && (!c->armed || v->watched.motors_failed);
    const uint32_t flags = (c->armed ? 1u : 0u) | (c->failsafe ? 2u : 0u) |
                           (v->mission.finished && v->mission.reached >= 0 ? 4u : 0u) |
                           (v->fence.breach != 0 ? 8u : 0u) | (falling ? 16u : 0u);
    return (uint64_t)(uint32_t)(v->mission.reached + 1) << 24 | (uint64_t)(uint8_t)c->mode << 16 |
           (uint64_t)(uint8_t)c->landed << 8 | flags;
}

static struct mf_crowd_state unpacked(uint64_t word, mf_us_t at_us)
{
    return (struct mf_crowd_state){
        .at_us = at_us,
        .mode = (uint8_t)(word >> 16),
        .landed = (uint8_t)(word >> 8),
        .armed = (word & 1u) != 0,
        .failsafe = (word & 2u) != 0,
        .breach = (word & 8u) != 0,
        .falling = (word & 16u) != 0,
        .finished = (word & 4u) != 0,
        .frozen = (word & FROZEN) != 0,
        .reached = (int32_t)(word >> 24 & UINT32_MAX) - 1,
    };
}

/* Add a state to the shard's numbers of armed and flying vehicles, or subtract it. */
static void count(struct shard *s, uint64_t word, bool counts)
{
    const uint32_t by = counts ? 1u : UINT32_MAX;
    const struct mf_crowd_state state = unpacked(word, 0);
    s->armed += state.armed ? by : 0u;
    s->up += state.landed != MF_LANDED_ON_GROUND ? by : 0u;
}

static void note_state(struct mf_crowd *c, uint32_t shard, uint32_t i)
{
    struct member *m = &c->member[i];
    const uint64_t now = packed(&m->drone.vehicle);
    m->digest = mix(m->digest, (uint64_t)m->now_us);
    if (now == (m->shown & ~QUIET)) {
        return;
    }
    m->digest = mix(m->digest, now);
    count(&c->shard[shard], m->shown, false);
    count(&c->shard[shard], now, true);
    if (c->setup.ops->changed != NULL) {
        const struct mf_crowd_state before = unpacked(m->shown, m->now_us);
        const struct mf_crowd_state state = unpacked(now, m->now_us);
        c->setup.ops->changed(c->setup.ctx, shard, i, &before, &state);
    }
    m->shown = now;
}

/* ---- running */

static mf_us_t wake_of(const struct mf_crowd *c, struct member *m, struct mf_wake wake)
{
    if (c->setup.ops->woken != NULL) {
        c->setup.ops->woken(c->setup.ctx, (uint32_t)(m - c->member), &wake);
    }
    const bool listened = m->drone.vehicle.links_open > 0;
    m->shown = wake.essential_us == MF_NEVER ? m->shown | QUIET : m->shown & ~QUIET;
    const mf_us_t shown_us = listened && !c->setup.jumps ? wake.periodic_us : MF_NEVER;
    /* Transport time is the virtual clock's, so timeouts of clients are also due times. */
    return mf_earlier(mf_earlier(wake.essential_us, shown_us), wake.transport_us);
}

/* Part of a vehicle's run that an assertion may end. */
struct part {
    struct mf_crowd *crowd;
    uint32_t shard, i;
    uint32_t to; /* of a visit: number after the last vehicle */
    mf_us_t until_us;
    mf_crowd_visit_fn *visit;
    void *ctx;
};

/* Set a vehicle's due time: its own, or that of its turn. */
static void sleep_until(struct mf_crowd *c, uint32_t i, mf_us_t wake_us)
{
    c->wake_us[i] = c->turn_us != NULL ? mf_earlier(wake_us, c->turn_us[i]) : wake_us;
}

/* Run a vehicle's turn. A vehicle without links gets the shard's for it. */
static void take_turn(struct mf_crowd *c, uint32_t shard, uint32_t i, mf_us_t at_us)
{
    struct mf_drone *drone = &c->member[i].drone;
    struct shard *s = &c->shard[shard];
    const bool handed = drone->vehicle.link_count == 0;
    struct mf_inside *inside = handed ? &s->peer : &s->inside;
    if (handed) {
        mf_vehicle_hand(&drone->vehicle, &s->handed);
    } else {
        mf_inside_init(inside, 0);
    }
    c->turn_us[i] = c->setup.ops->act(c->setup.ctx, i, at_us, drone, inside);
    MF_ASSERT(c->turn_us[i] > at_us);
    if (handed) {
        mf_vehicle_hand(&drone->vehicle, NULL);
    } else {
        mf_inside_close(inside, drone);
    }
}

static void step_until(void *ctx)
{
    const struct part *p = ctx;
    struct mf_crowd *c = p->crowd;
    struct member *m = &c->member[p->i];
    mf_us_t at_us = c->wake_us[p->i];
    while (at_us <= p->until_us) {
        if (m->drone.vehicle.links_open > 0 && c->setup.jumps) {
            mf_drone_jump_to(&m->drone, at_us);
        }
        m->now_us = at_us;
        if (c->turn_us != NULL && c->turn_us[p->i] <= at_us) {
            take_turn(c, p->shard, p->i, at_us);
        }
        const struct mf_wake wake = mf_drone_step(&m->drone);
        c->shard[p->shard].steps++;
        note_state(c, p->shard, p->i);
        sleep_until(c, p->i, wake_of(c, m, wake));
        at_us = c->wake_us[p->i];
    }
}

/* Run a part of a vehicle. A vehicle in which an assertion fails never runs again. */
static void attempt(const struct part *p, void (*run)(void *ctx))
{
    struct mf_crowd *c = p->crowd;
    struct member *m = &c->member[p->i];
    struct part copy = *p;
    if (c->setup.ops->guard == NULL) {
        run(&copy);
    } else if (!c->setup.ops->guard(c->setup.ctx, p->shard, p->i, &m->now_us, run, &copy)) {
        m->shown |= FROZEN;
        c->wake_us[p->i] = MF_NEVER;
        if (c->turn_us != NULL) {
            c->turn_us[p->i] = MF_NEVER;
        }
        c->shard[p->shard].frozen++;
    }
}

static void run_shard(void *ctx, uint32_t number)
{
    const struct part *all = ctx;
    struct mf_crowd *c = all->crowd;
    struct shard *s = &c->shard[number];
    struct part part = {.crowd = c, .shard = number, .until_us = all->until_us};
    if (s->next_us > all->until_us) {
        return;
    }
    s->next_us = MF_NEVER;
    for (uint32_t i = s->from; i < s->to; i++) {
        if (c->wake_us[i] <= all->until_us) {
            part.i = i;
            attempt(&part, step_until);
        }
        s->next_us = mf_earlier(s->next_us, c->wake_us[i]);
    }
}

static void each_shard(struct mf_workers *workers, mf_workers_task *run, struct part *part)
{
    if (workers != NULL) {
        mf_workers_run(workers, MF_CROWD_SHARDS, run, part);
        return;
    }
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        run(part, i);
    }
}

void mf_crowd_run(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t until_us)
{
    MF_ASSERT(crowd != NULL && until_us >= crowd->now_us);
    struct part part = {.crowd = crowd, .until_us = until_us};
    if (mf_crowd_next(crowd) <= until_us) {
        each_shard(workers, run_shard, &part);
    }
    crowd->now_us = until_us;
}

mf_us_t mf_crowd_next(const struct mf_crowd *crowd)
{
    mf_us_t next_us = MF_NEVER;
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        next_us = mf_earlier(next_us, crowd->shard[i].next_us);
    }
    return next_us;
}

/* ---- boot */

static struct mf_now read_clock(void *ctx)
{
    const mf_us_t now_us = *(const mf_us_t *)ctx;
    return (struct mf_now){.vehicle_us = now_us, .transport_us = now_us};
}

static const struct mf_clock_ops k_clock = {read_clock};

static int boot_member(struct mf_crowd *c, struct shard *s, uint32_t i)
{
    /* describe() may find that the vehicle does not exist: do not touch its memory before */
    struct member *m = &c->member[i];
    struct mf_world_settings world = mf_world_settings_default();
    struct mf_drone_setup setup = {.world = &world, .vehicle = {.hal = mf_hal_null()}};
    world.memory = &s->parts;
    world.geoid = s->geoid.count > 0 ? &s->geoid : NULL;
    world.terrain = s->terrain.count > 0 ? &s->terrain : NULL;
    setup.vehicle.hal.clock = &k_clock;
    setup.vehicle.hal.clock_ctx = &m->now_us;
    setup.vehicle.hal.store = &mf_store_shared_ops;
    setup.vehicle.hal.store_ctx = &m->store;
    int result = c->setup.ops->describe(c->setup.ctx, i, &setup, &world, &m->store);
    if (result == MF_E_OK) {
        m->now_us = c->now_us;
        result = mf_drone_init(&m->drone, &setup);
    }
    if (result == MF_E_OK && c->setup.ops->booted != NULL) {
        result = c->setup.ops->booted(c->setup.ctx, i, &m->drone);
    }
    return result;
}

static void boot_shard(void *ctx, uint32_t number)
{
    struct mf_crowd *c = ((const struct part *)ctx)->crowd;
    struct shard *s = &c->shard[number];
    mf_inside_init(&s->peer, 0);
    s->peer.link = 0;
    mf_vehicle_link(&s->handed, &s->peer.about.serial, s->peer.about.name);
    for (uint32_t i = s->from; i < s->to && s->result == MF_E_OK; i++) {
        s->result = boot_member(c, s, i);
        s->failed = i;
        if (s->result == MF_E_NOENT) {
            s->result = MF_E_OK;
            c->absent[i] = true;
            c->wake_us[i] = MF_NEVER;
        } else { /* disarmed, on the ground: there is nothing to count */
            c->member[i].shown = packed(&c->member[i].drone.vehicle);
        }
    }
    s->next_us = 0; /* as each wake_us: the first pass determines the next due time */
}

int mf_crowd_boot(struct mf_crowd *crowd, struct mf_workers *workers, uint32_t *failed)
{
    MF_ASSERT(crowd != NULL && failed != NULL);
    struct part part = {.crowd = crowd};
    each_shard(workers, boot_shard, &part);
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        if (crowd->shard[i].result != MF_E_OK) {
            *failed = crowd->shard[i].failed;
            return crowd->shard[i].result;
        }
    }
    return MF_E_OK;
}

void mf_crowd_turn(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count && crowd->turn_us != NULL);
    MF_ASSERT(at_us >= crowd->now_us);
    crowd->turn_us[i] = at_us;
    crowd->wake_us[i] = mf_earlier(crowd->wake_us[i], at_us);
    for (uint32_t k = 0; k < MF_CROWD_SHARDS; k++) {
        struct shard *s = &crowd->shard[k];
        if (i >= s->from && i < s->to) {
            s->next_us = mf_earlier(s->next_us, at_us);
        }
    }
}

/* ---- visits */

static void visit_member(void *ctx)
{
    const struct part *p = ctx;
    struct mf_crowd *c = p->crowd;
    struct member *m = &c->member[p->i];
    struct shard *s = &c->shard[p->shard];
    const bool lends = m->drone.vehicle.link_count == 0;
    m->now_us = p->until_us;
    if (lends) {
        memset(&s->link, 0, sizeof s->link);
        mf_vehicle_lend(&m->drone.vehicle, &s->link, 1);
    }
    mf_inside_init(&s->inside, 0);
    p->visit(p->ctx, p->shard, p->i, &m->drone, &s->inside);
    mf_inside_close(&s->inside, &m->drone);
    if (lends) {
        mf_vehicle_lend(&m->drone.vehicle, NULL, 0);
    }
    const struct mf_wake wake = mf_drone_step(&m->drone);
    note_state(c, p->shard, p->i);
    sleep_until(c, p->i, wake_of(c, m, wake));
}

static void visit_one(struct part *part)
{
    struct mf_crowd *c = part->crowd;
    if (!c->absent[part->i] && !is_frozen(&c->member[part->i])) {
        attempt(part, visit_member);
        struct shard *s = &c->shard[part->shard];
        s->next_us = mf_earlier(s->next_us, c->wake_us[part->i]);
    }
}

static void visit_shard(void *ctx, uint32_t number)
{
    struct part part = *(const struct part *)ctx;
    const struct shard *s = &part.crowd->shard[number];
    const uint32_t from = s->from > part.i ? s->from : part.i;
    const uint32_t to = s->to < part.to ? s->to : part.to;
    part.shard = number;
    for (part.i = from; part.i < to; part.i++) {
        visit_one(&part);
    }
}

void mf_crowd_visit(struct mf_crowd *crowd, struct mf_workers *workers, mf_us_t at_us,
                    uint32_t from, uint32_t to, mf_crowd_visit_fn *visit, void *ctx)
{
    MF_ASSERT(crowd != NULL && from <= to && to <= crowd->setup.count && visit != NULL);
    MF_ASSERT(at_us >= crowd->now_us && mf_crowd_next(crowd) >= at_us);
    struct part part = {
        .crowd = crowd, .i = from, .to = to, .until_us = at_us, .visit = visit, .ctx = ctx};
    each_shard(workers, visit_shard, &part);
}

/* ---- input */

struct touch {
    void (*visit)(void *ctx, uint32_t i, struct mf_drone *drone);
    void *ctx;
};

static void touch_member(void *ctx)
{
    const struct part *p = ctx;
    const struct touch *touch = p->ctx;
    struct mf_crowd *c = p->crowd;
    struct member *m = &c->member[p->i];
    if (m->drone.vehicle.links_open > 0 && c->setup.jumps && p->until_us > m->now_us) {
        mf_drone_jump_to(&m->drone, p->until_us);
    }
    m->now_us = p->until_us;
    if (touch->visit != NULL) {
        touch->visit(touch->ctx, p->i, &m->drone);
    }
    const struct mf_wake wake = mf_drone_step(&m->drone);
    c->shard[p->shard].steps++;
    note_state(c, p->shard, p->i);
    sleep_until(c, p->i, wake_of(c, m, wake));
}

static uint32_t shard_of(const struct mf_crowd *c, uint32_t i)
{
    uint32_t number = 0;
    while (i >= c->shard[number].to) {
        number++;
    }
    return number;
}

bool mf_crowd_touch(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us,
                    void (*visit)(void *ctx, uint32_t i, struct mf_drone *drone), void *ctx)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count);
    MF_ASSERT(at_us >= crowd->now_us && at_us >= crowd->member[i].now_us);
    struct touch touch = {.visit = visit, .ctx = ctx};
    const struct part part = {
        .crowd = crowd, .shard = shard_of(crowd, i), .i = i, .until_us = at_us, .ctx = &touch};
    if (is_frozen(&crowd->member[i])) {
        return false;
    }
    attempt(&part, touch_member);
    struct shard *s = &crowd->shard[part.shard];
    s->next_us = mf_earlier(s->next_us, crowd->wake_us[i]);
    return !is_frozen(&crowd->member[i]);
}

struct mf_drone *mf_crowd_drone(struct mf_crowd *crowd, uint32_t i)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count);
    return &crowd->member[i].drone;
}

bool mf_crowd_lend(struct mf_crowd *crowd, uint32_t i, struct mf_link *links,
                   struct mf_barrier *barriers, uint16_t count, struct mf_wiring *wiring)
{
    struct mf_vehicle *v = &crowd->member[i].drone.vehicle;
    if (v->link_count == 0) {
        mf_vehicle_lend(v, links, count);
        mf_vehicle_lend_barriers(v, barriers);
        crowd->member[i].drone.wiring = wiring;
        return true;
    }
    return false;
}

void mf_crowd_reclaim(struct mf_crowd *crowd, uint32_t i)
{
    struct mf_vehicle *v = &crowd->member[i].drone.vehicle;
    mf_vehicle_lend_barriers(v, NULL);
    mf_vehicle_lend(v, NULL, 0);
    crowd->member[i].drone.wiring = NULL;
}

/* ---- queries */

bool mf_crowd_is_idle(const struct mf_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->setup.count; i++) {
        const bool acts = crowd->turn_us != NULL && crowd->turn_us[i] != MF_NEVER;
        if (acts || (crowd->wake_us[i] != MF_NEVER && (crowd->member[i].shown & QUIET) == 0)) {
            return false;
        }
    }
    return true;
}

uint64_t mf_crowd_steps(const struct mf_crowd *crowd)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        steps += crowd->shard[i].steps;
    }
    return steps;
}

uint32_t mf_crowd_frozen(const struct mf_crowd *crowd)
{
    uint32_t frozen = 0;
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        frozen += crowd->shard[i].frozen;
    }
    return frozen;
}

uint32_t mf_crowd_armed(const struct mf_crowd *crowd)
{
    uint32_t armed = 0;
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        armed += crowd->shard[i].armed;
    }
    return armed;
}

uint32_t mf_crowd_up(const struct mf_crowd *crowd)
{
    uint32_t up = 0;
    for (uint32_t i = 0; i < MF_CROWD_SHARDS; i++) {
        up += crowd->shard[i].up;
    }
    return up;
}

struct mf_crowd_state mf_crowd_state(const struct mf_crowd *crowd, uint32_t i)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count && !crowd->absent[i]);
    const struct member *m = &crowd->member[i];
    return unpacked(m->shown, m->now_us);
}

struct mf_pose mf_crowd_pose(const struct mf_crowd *crowd, uint32_t i, mf_us_t at_us)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count);
    return mf_world_pose(&crowd->member[i].drone.world, at_us);
}

/* Bits of a double, so that even the smallest difference of places changes the digest. */
static uint64_t bits(double value)
{
    uint64_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

struct mf_crowd_trail mf_crowd_trail(const struct mf_crowd *crowd, uint32_t i)
{
    MF_ASSERT(crowd != NULL && i < crowd->setup.count && !crowd->absent[i]);
    const struct member *m = &crowd->member[i];
    struct mf_crowd_trail trail = {.done = m->digest, .frozen = is_frozen(m)};
    if (!trail.frozen) {
        const struct mf_pose pose = mf_crowd_pose(crowd, i, m->now_us);
        trail.place[0] = bits(pose.lat_deg);
        trail.place[1] = bits(pose.lon_deg);
        trail.place[2] = bits(pose.alt_amsl_m);
    }
    return trail;
}

uint64_t mf_crowd_digest_add(uint64_t digest, const struct mf_crowd_trail *trail)
{
    digest = mix(digest, trail->done);
    for (size_t k = 0; k < 3u && !trail->frozen; k++) {
        digest = mix(digest, trail->place[k]);
    }
    return digest;
}

uint64_t mf_crowd_digest(const struct mf_crowd *crowd)
{
    uint64_t digest = crowd->setup.count;
    for (uint32_t i = 0; i < crowd->setup.count; i++) {
        if (!crowd->absent[i]) {
            const struct mf_crowd_trail trail = mf_crowd_trail(crowd, i);
            digest = mf_crowd_digest_add(digest, &trail);
        }
    }
    return digest;
}

void mf_crowd_end(struct mf_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->setup.count; i++) {
        struct member *m = &crowd->member[i];
        if (!crowd->absent[i] && m->drone.wiring != NULL && !is_frozen(m)) {
            mf_drone_end(&m->drone);
        }
    }
}
