/* SPDX-License-Identifier: Apache-2.0 */
/* Wrappers of a drone's links, and its pace. Called by boards, host/api and boards/swarm/links. */
#include "drone/wiring.h"

#include "drone/drone.h"
#include "firmware/attach.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/barrier.h"

/* Parts of one block follow each other: each may begin where any of them may. */
_Static_assert(sizeof(struct mf_quality) % _Alignof(struct mf_quality_link) == 0 &&
                   sizeof(struct mf_quality_link) % _Alignof(struct mf_quality_chunk) == 0,
               "parts of link quality");
_Static_assert(sizeof(struct mf_misbehave) % _Alignof(struct mf_misbehave_link) == 0 &&
                   sizeof(struct mf_misbehave_link) % _Alignof(struct mf_misbehave_work) == 0,
               "parts of misbehaviour");
_Static_assert(sizeof(struct mf_recorder) % _Alignof(struct mf_recorder_link) == 0,
               "parts of a recorder");

static void *take_part(uint8_t **block, size_t n)
{
    void *part = *block;
    *block += n;
    return part;
}

static bool is_open(const struct mf_wiring *w, uint16_t number)
{
    return number < w->top && w->has.connections[number].open;
}

/* ---- making of wrappers */

int mf_wiring_record(struct mf_wiring *w, mf_recorder_write *write, void *ctx)
{
    MF_ASSERT(w->recorder == NULL && w->top == 0);
    uint8_t *block =
        mf_memory_part(w->has.memory, NULL,
                       sizeof *w->recorder + w->has.count * sizeof(struct mf_recorder_link) +
                           w->has.recorder_bytes);
    if (block == NULL) {
        return MF_E_FULL;
    }
    w->recorder = take_part(&block, sizeof *w->recorder);
    struct mf_recorder_memory memory = {.link_count = w->has.count, .size = w->has.recorder_bytes};
    memory.links = take_part(&block, w->has.count * sizeof *memory.links);
    memory.buffer = block;
    mf_recorder_start(w->recorder, write, ctx, &memory);
    return MF_E_OK;
}

static int make_quality(struct mf_wiring *w, const struct mf_vehicle *v)
{
    struct mf_quality_memory memory = {.count = w->has.count, .chunks = w->has.quality_chunks};
    if (w->quality != NULL) {
        return MF_E_OK;
    }
    uint8_t *block = mf_memory_part(w->has.memory, NULL,
                                    sizeof *w->quality + w->has.count * sizeof *memory.links +
                                        w->has.quality_chunks * sizeof *memory.chunk);
    if (block == NULL) {
        return MF_E_FULL;
    }
    w->quality = take_part(&block, sizeof *w->quality);
    memory.links = take_part(&block, w->has.count * sizeof *memory.links);
    memory.chunk = take_part(&block, 0);
    mf_quality_init(w->quality, &memory, w->seed, v->uid, w->has.start_us);
    mf_quality_run(w->quality, w->now_us);
    return MF_E_OK;
}

/* ---- insertion of wrappers */

/* Exchange the device at the vehicle's end of a connection. */
static void replace(struct mf_drone *d, uint16_t number, const struct mf_serial *serial)
{
    struct mf_wiring *w = d->wiring;
    struct mf_connection *c = &w->has.connections[number];
    c->serial = *serial;
    if (c->link >= 0) {
        *(w->recorder != NULL ? mf_recorder_inner(w->recorder, number)
                              : mf_link_serial(&d->vehicle, c->link)) = *serial;
    }
}

static void join_quality(struct mf_drone *d, uint16_t number, const struct mf_link_quality *quality)
{
    struct mf_wiring *w = d->wiring;
    const struct mf_connection *c = &w->has.connections[number];
    if (w->misbehave != NULL) { /* misbehaviour wraps quality */
        struct mf_serial *inner = mf_misbehave_inner(w->misbehave, number);
        *inner = mf_quality_open(w->quality, number, quality, c->port, inner);
        return;
    }
    const struct mf_serial serial =
        mf_quality_open(w->quality, number, quality, c->port, &c->serial);
    replace(d, number, &serial);
}

static void join_misbehave(struct mf_drone *d, uint16_t number)
{
    struct mf_wiring *w = d->wiring;
    const struct mf_connection *c = &w->has.connections[number];
    const struct mf_serial serial = mf_misbehave_open(w->misbehave, number, &c->serial);
    if (c->link >= 0) {
        mf_misbehave_join(w->misbehave, number, (uint8_t)(d->vehicle.links[c->link].tx_seq - 1u),
                          (uint8_t)c->link);
    }
    replace(d, number, &serial);
}

static int make_misbehave(struct mf_drone *d)
{
    struct mf_wiring *w = d->wiring;
    struct mf_misbehave *m = w->misbehave;
    if (m != NULL) {
        return MF_E_OK;
    }
    uint8_t *block = mf_memory_part(
        w->has.memory, NULL, sizeof *m + w->has.count * (sizeof *m->links + sizeof *m->work));
    if (block == NULL) {
        return MF_E_FULL;
    }
    m = take_part(&block, sizeof *m);
    struct mf_misbehave_link *links = take_part(&block, w->has.count * sizeof *links);
    mf_misbehave_init(m, links, take_part(&block, 0), w->has.count, d->vehicle.sysid,
                      d->vehicle.compid, &d->vehicle.now.vehicle_us);
    m->vehicle = &d->vehicle;
    mf_misbehave_run(m, w->now_us);
    w->misbehave = m;
    for (uint16_t i = 0; i < w->top; i++) {
        if (w->has.connections[i].open) {
            join_misbehave(d, i);
        }
    }
    return MF_E_OK;
}

int mf_drone_add_rule(struct mf_drone *d, const struct mf_rule *rule)
{
    MF_ASSERT(d->wiring != NULL && rule != NULL);
    const int result = make_misbehave(d);
    return result != MF_E_OK ? result : mf_misbehave_add(d->wiring->misbehave, rule);
}

void mf_drone_provide(struct mf_drone *d, struct mf_memory *memory)
{
    MF_ASSERT(d->wiring != NULL);
    d->wiring->has.memory = memory;
}

void mf_drone_forget_rules(struct mf_drone *d)
{
    struct mf_wiring *w = d->wiring;
    MF_ASSERT(w != NULL);
    for (uint16_t i = 0; w->misbehave != NULL && i < w->top; i++) {
        if (w->has.connections[i].open) {
            const struct mf_serial serial = *mf_misbehave_inner(w->misbehave, i);
            mf_misbehave_close(w->misbehave, i);
            replace(d, i, &serial);
        }
    }
    w->misbehave = NULL;
}

struct mf_misbehave *mf_drone_rules(struct mf_drone *d)
{
    return d->wiring != NULL ? d->wiring->misbehave : NULL;
}

int mf_drone_set_quality(struct mf_drone *d, uint16_t port, const struct mf_link_quality *quality)
{
    struct mf_wiring *w = d->wiring;
    MF_ASSERT(w != NULL && quality != NULL);
    if (quality->shaped && make_quality(w, &d->vehicle) != MF_E_OK) {
        return MF_E_FULL;
    }
    for (uint16_t i = 0; i < w->top; i++) {
        if (!w->has.connections[i].open || w->has.connections[i].port != port) {
            continue;
        }
        if (w->quality != NULL && mf_quality_exists(w->quality, i)) {
            mf_quality_change(w->quality, i, quality);
        } else if (quality->shaped) {
            join_quality(d, i, quality);
        }
    }
    return MF_E_OK;
}

/* ---- connections */

static void unwrap(struct mf_wiring *w, uint16_t number)
{
    if (w->misbehave != NULL) {
        mf_misbehave_close(w->misbehave, number);
    }
    if (w->quality != NULL) {
        mf_quality_close(w->quality, number);
    }
}

/* Find a free place; the list of places continues after it. */
static struct mf_connection *make_place(struct mf_wiring *w, uint16_t number)
{
    MF_ASSERT(number < w->has.count &&
              (!is_open(w, number) || w->has.connections[number].link < 0));
    while (w->top <= number) {
        w->has.connections[w->top++].open = false;
    }
    if (w->has.connections[number].open) { /* from the vehicle's last life */
        unwrap(w, number);
    }
    return &w->has.connections[number];
}

static void free_place(struct mf_wiring *w, uint16_t number)
{
    unwrap(w, number);
    w->has.connections[number].open = false;
    while (w->top > 0 && !w->has.connections[w->top - 1].open) {
        w->top--;
    }
}

/* Open the connection as a link of the vehicle. @return index of the link, or MF_E_FULL */
static int plug_in(struct mf_drone *d, uint16_t number)
{
    const struct mf_wiring *w = d->wiring;
    struct mf_connection *c = &w->has.connections[number];
    const struct mf_serial serial =
        w->recorder == NULL
            ? c->serial
            : mf_recorder_open(w->recorder, number, &c->serial, c->name, c->interval_us);
    c->link = mf_link_open(&d->vehicle, &serial, c->name, c->interval_us);
    return c->link;
}

static int wiring_open(struct mf_drone *d, const struct mf_drone_link *link)
{
    struct mf_wiring *w = d->wiring;
    const bool shaped = link->quality != NULL && link->quality->shaped;
    if (shaped && make_quality(w, &d->vehicle) != MF_E_OK) {
        return MF_E_FULL;
    }
    if (shaped && !mf_quality_admit(w->quality, link->quality, &link->serial)) {
        return MF_E_AGAIN;
    }
    struct mf_connection *c = make_place(w, link->number);
    *c = (struct mf_connection){.open = true,
                                .port = link->port,
                                .link = MF_E_NOENT,
                                .serial = link->serial,
                                .name = link->name,
                                .interval_us = link->interval_us};
    if (shaped) {
        c->serial =
            mf_quality_open(w->quality, link->number, link->quality, link->port, &c->serial);
    }
    if (w->misbehave != NULL) {
        c->serial = mf_misbehave_open(w->misbehave, link->number, &c->serial);
    }
    const int result = plug_in(d, link->number);
    if (result < 0) {
        free_place(w, link->number);
        return result;
    }
    return link->number;
}

static void wiring_close(struct mf_drone *d, uint16_t number)
{
    struct mf_wiring *w = d->wiring;
    MF_ASSERT(is_open(w, number));
    const int link = w->has.connections[number].link;
    if (link >= 0) {
        if (w->recorder != NULL) {
            mf_recorder_close(w->recorder, number);
        }
        mf_link_close(&d->vehicle, link);
    }
    free_place(w, number);
}

static void wiring_boot(struct mf_wiring *w, struct mf_hal *hal, int64_t utc_us, uint64_t seed)
{
    w->seed = seed;
    for (uint16_t i = 0; i < w->top; i++) {
        w->has.connections[i].link = MF_E_NOENT;
    }
    if (w->recorder != NULL) {
        mf_recorder_boot(w->recorder, hal, utc_us);
    }
}

static void wiring_call(struct mf_wiring *w, enum mf_record_type call, mf_us_t at_us)
{
    if (w->recorder != NULL) {
        mf_recorder_call(w->recorder, call, at_us);
    }
}

static int wiring_message(struct mf_drone *d, uint16_t number, struct mf_address from,
                          uint32_t msgid, const void *msg)
{
    const struct mf_wiring *w = d->wiring;
    MF_ASSERT(is_open(w, number) && w->has.connections[number].link >= 0);
    if (w->recorder != NULL) {
        mf_recorder_message(w->recorder, number, from, msgid, msg);
    }
    return mf_message(&d->vehicle, w->has.connections[number].link, from, msgid, msg);
}

static const struct mf_wiring_ops k_wiring = {wiring_boot, wiring_call, wiring_open, wiring_close,
                                              wiring_message};

void mf_wiring_init(struct mf_wiring *w, const struct mf_wiring_setup *setup)
{
    MF_ASSERT(w != NULL && (setup->count == 0 || setup->connections != NULL));
    *w = (struct mf_wiring){.ops = &k_wiring, .has = *setup, .now_us = setup->start_us};
}

void mf_drone_reconnect(struct mf_drone *d)
{
    MF_ASSERT(d->wiring != NULL);
    for (uint16_t i = 0; i < d->wiring->top; i++) {
        if (d->wiring->has.connections[i].open && d->wiring->has.connections[i].link < 0) {
            (void)plug_in(d, i); /* there was room for as many before */
        }
    }
}

int mf_drone_link(const struct mf_drone *d, uint16_t number)
{
    MF_ASSERT(d->wiring != NULL);
    return mf_wiring_link(d->wiring, number);
}

const struct mf_quality_link *mf_drone_quality(const struct mf_drone *d, uint16_t number)
{
    const struct mf_quality *s = d->wiring->quality;
    MF_ASSERT(is_open(d->wiring, number));
    return s != NULL && mf_quality_exists(s, number) ? &s->links[number] : NULL;
}

void mf_drone_note(struct mf_drone *d, const struct mf_record *record)
{
    if (d->wiring != NULL && d->wiring->recorder != NULL) {
        mf_recorder_put(d->wiring->recorder, record);
    }
}

/* ---- transport time: the wall's, or granted */

static bool is_granted(const struct mf_wiring *w)
{
    return w->has.pace != NULL && w->has.pace->granted;
}

void mf_drone_run(struct mf_drone *d, mf_us_t wall_us)
{
    struct mf_wiring *w = d->wiring;
    MF_ASSERT(w != NULL);
    w->now_us = is_granted(w) ? mf_pace_transport(w->has.pace, wall_us) : wall_us;
    if (w->quality != NULL) {
        mf_quality_run(w->quality, w->now_us);
    }
    if (w->misbehave != NULL) {
        mf_misbehave_run(w->misbehave, w->now_us);
    }
}

static mf_us_t wrappers_due(const struct mf_wiring *w)
{
    const mf_us_t quality_us = w->quality != NULL ? mf_quality_due(w->quality) : MF_NEVER;
    return mf_earlier(quality_us, w->misbehave != NULL ? mf_misbehave_due(w->misbehave) : MF_NEVER);
}

mf_us_t mf_drone_due(const struct mf_drone *d)
{
    const mf_us_t due_us = wrappers_due(d->wiring);
    if (!is_granted(d->wiring)) {
        return due_us;
    }
    /* granted time does not pass with the wall */
    return due_us <= d->wiring->now_us ? 0 : MF_NEVER;
}

int mf_drone_cut(struct mf_drone *d)
{
    return d->wiring->quality != NULL ? mf_quality_cut(d->wiring->quality) : -1;
}

/* ---- vehicle time */

void mf_drone_catch_up(struct mf_drone *d, mf_us_t wall_us)
{
    mf_drone_run(d, wall_us);
    mf_pace_catch_up(d->wiring->has.pace, wall_us);
}

/* Granted time stops at each due time in it, a time-out or a frame on its way, as at a sample. */
static struct mf_wake granted_wake(const struct mf_drone *d, struct mf_wake wake)
{
    const mf_us_t due_us = wrappers_due(d->wiring);
    const mf_us_t start_us = d->wiring->has.pace->start_us;
    wake.periodic_us = mf_earlier(wake.periodic_us, wake.transport_us);
    if (due_us != MF_NEVER) {
        wake.periodic_us = mf_earlier(wake.periodic_us, due_us - start_us);
    }
    wake.transport_us = MF_NEVER;
    return wake;
}

struct mf_wake mf_drone_pass(struct mf_drone *d, mf_us_t wall_us)
{
    struct mf_pace *pace = d->wiring->has.pace;
    if (mf_pace_advance(pace, wall_us)) {
        mf_drone_jump_to(d, pace->vehicle_us);
    }
    if (!pace->granted) {
        return mf_drone_step(d);
    }
    mf_drone_run(d, wall_us);
    return granted_wake(d, mf_drone_step(d));
}

mf_us_t mf_drone_next(struct mf_drone *d, const struct mf_wake *wake,
                      const struct mf_drone_hold *hold, mf_us_t wall_us)
{
    const struct mf_vehicle *v = &d->vehicle;
    struct mf_pace *pace = d->wiring->has.pace;
    const mf_us_t limit_us = mf_earlier(wake->limit_us, hold->limit_us);
    /* until a time, by a client */
    const bool sent_on = limit_us != MF_NEVER && !mf_navigator_steered(v);
    const struct mf_pace_demand demand = {
        .essential_us = wake->essential_us,
        .periodic_us = wake->periodic_us,
        .limit_us = hold->standing ? 0 : limit_us,
        .moving = mf_vehicle_moving(v) || sent_on,
        .busy = mf_vehicle_busy(v),
        .guarded = hold->guarded || mf_barriers_exist(v),
        .backlog = hold->backlog,
    };
    const mf_us_t due_us = mf_pace_due(pace, &demand, wall_us);
    return mf_earlier(due_us, wake->transport_us == MF_NEVER ? MF_NEVER
                                                             : pace->start_us + wake->transport_us);
}
