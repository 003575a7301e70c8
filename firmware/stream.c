/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/stream.h"

#include "firmware/encode.h"
#include "firmware/vehicle.h"
#include "math/trig.h"

#include <float.h>

/* No stream runs faster than 1 kHz. */
#define FASTEST_US 1000

static const struct {
    uint32_t msgid;
    int32_t interval_us[MF_PROFILE_COUNT];
} k_stream[MF_STREAM_COUNT] = {
#define X(NAME, name, sim, px4, onboard, min) {MF_MSG_##NAME, {sim, px4, onboard, min}},
    MF_STREAM_LIST(X)
#undef X
};

void mf_stream_profile(enum mf_rate_profile profile, int32_t *interval_us)
{
    MF_ASSERT((unsigned)profile < MF_PROFILE_COUNT);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = k_stream[i].interval_us[profile];
    }
}

int mf_stream_find(uint32_t msgid)
{
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        if (k_stream[i].msgid == msgid) {
            return i;
        }
    }
    return MF_E_NOENT;
}

uint32_t mf_stream_msgid(enum mf_stream stream)
{
    MF_ASSERT((unsigned)stream < MF_STREAM_COUNT);
    return k_stream[stream].msgid;
}

static mf_us_t next_multiple(mf_us_t after_us, int32_t interval_us)
{
    MF_ASSERT(after_us >= 0 && interval_us > 0);
    return (after_us / interval_us + 1) * interval_us;
}

/* When a stream runs again that ran at due_us. A host that is far behind does not catch up. */
static mf_us_t next_due(struct mf_vehicle *v, mf_us_t due_us, int32_t interval_us)
{
    const mf_us_t late_us = v->now.vehicle_us - due_us;
    if (late_us <= (mf_us_t)MF_OVERRUN_PERIODS * interval_us) {
        return next_multiple(due_us, interval_us);
    }
    v->counters.overruns++;
    return next_multiple(v->now.vehicle_us, interval_us);
}

/* @return false if there is nothing to say, or the link does not take it: counted there */
static bool send(struct mf_vehicle *v, struct mf_link *link, enum mf_stream stream, mf_us_t t_us)
{
    union mf_msg m;
    return mf_encode(v, stream, t_us, &m) && mf_link_send(v, link, mf_stream_msgid(stream), &m);
}

static void send_due(struct mf_vehicle *v, struct mf_link *link, mf_us_t due_us)
{
    struct mf_stream_state *s = &link->stream;
    MF_ASSERT(due_us < MF_NEVER);
    mf_us_t next_us = MF_NEVER;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        if (s->due_us[i] <= due_us) {
            (void)send(v, link, (enum mf_stream)i, due_us);
            s->due_us[i] = next_due(v, due_us, s->interval_us[i]);
        }
        if (s->due_us[i] < next_us) {
            next_us = s->due_us[i];
        }
    }
    s->next_us = next_us;
}

static void wake(struct mf_vehicle *v, const struct mf_link *link)
{
    if (link->stream.next_us < MF_NEVER) {
        mf_wake_at(v, MF_TASK_STREAMS, link->stream.next_us);
    }
}

/* Whatever a configuration or a client says becomes an interval that can be kept, or none. */
static int32_t sane_interval(int32_t interval_us)
{
    if (interval_us <= 0) {
        return MF_STREAM_OFF;
    }
    return interval_us < FASTEST_US ? FASTEST_US : interval_us;
}

void mf_stream_start(struct mf_vehicle *v, struct mf_link *link, const int32_t *interval_us,
                     mf_us_t now_us)
{
    struct mf_stream_state *s = &link->stream;
    MF_ASSERT(now_us >= 0);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        s->default_us[i] = sane_interval(interval_us[i]);
        s->interval_us[i] = s->default_us[i];
        s->due_us[i] = s->default_us[i] == MF_STREAM_OFF ? MF_NEVER : now_us;
    }
    send_due(v, link, now_us);
    wake(v, link);
}

/* Gives a stream its interval; the phase follows from it. */
static void retime(struct mf_stream_state *s, size_t stream, int32_t interval_us, mf_us_t now_us)
{
    MF_ASSERT(stream < MF_STREAM_COUNT);
    s->interval_us[stream] = interval_us;
    s->due_us[stream] =
        interval_us == MF_STREAM_OFF ? MF_NEVER : next_multiple(now_us, interval_us);
    s->next_us = MF_NEVER;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        if (s->due_us[i] < s->next_us) {
            s->next_us = s->due_us[i];
        }
    }
}

int mf_stream_set(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, float interval_us,
                  mf_us_t now_us)
{
    struct mf_stream_state *s = &link->stream;
    const int stream = mf_stream_find(msgid);
    MF_ASSERT(link->open);
    if (stream < 0) {
        return stream;
    }
    if (!(interval_us >= -FLT_MAX && interval_us <= FLT_MAX)) {
        return MF_E_RANGE;
    }
    int32_t us = s->default_us[stream];
    if (interval_us < 0.0f) {
        us = MF_STREAM_OFF;
    } else if (interval_us > 0.0f) {
        const int32_t rounded = mf_round_i32((double)interval_us);
        us = rounded < FASTEST_US ? FASTEST_US : rounded;
    }
    retime(s, (size_t)stream, us, now_us);
    wake(v, link);
    return MF_E_OK;
}

int32_t mf_stream_interval(const struct mf_link *link, uint32_t msgid)
{
    const int stream = mf_stream_find(msgid);
    return stream < 0 ? MF_STREAM_OFF : link->stream.interval_us[stream];
}

int mf_stream_request(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, mf_us_t now_us)
{
    const int stream = mf_stream_find(msgid);
    MF_ASSERT(link->open);
    if (stream < 0) {
        return stream;
    }
    return send(v, link, (enum mf_stream)stream, now_us) ? MF_E_OK : MF_E_NOENT;
}

void mf_stream_broadcast(struct mf_vehicle *v, enum mf_stream stream, mf_us_t now_us)
{
    union mf_msg m;
    MF_ASSERT((unsigned)stream < MF_STREAM_COUNT);
    if (v->links_open > 0 && mf_encode(v, stream, now_us, &m)) {
        mf_links_send(v, mf_stream_msgid(stream), &m);
    }
}

mf_us_t mf_streams_run(struct mf_vehicle *v, mf_us_t due_us)
{
    mf_us_t next_us = MF_NEVER;
    MF_ASSERT(v->links_top <= v->link_count);
    for (size_t i = 0; i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        if (!link->open) {
            continue;
        }
        if (link->stream.next_us <= due_us) {
            send_due(v, link, due_us);
        }
        if (link->stream.next_us < next_us) {
            next_us = link->stream.next_us;
        }
    }
    return next_us;
}
