/* SPDX-License-Identifier: Apache-2.0 */
/* Streams are due at multiples of their interval since boot, not since they were set: messages of
 * one link so fall into the same pass and leave in one packet, and two runs with clients that
 * connect at other times show the same instants.
 *
 * A link has over 40 of them, and most passes have nothing to send. So a link keeps the earliest
 * due time of all as 64 bits, which is what a pass looks at, and of each stream the low 32 bits:
 * together they say when it is due, as long as no two are more than 71 minutes apart (is_lost()).
 *
 * Who decides how often: the board's profile, then a client by SET_MESSAGE_INTERVAL, and where
 * neither did, an SDK's presence (mf_stream_leave_to_sdk()). */
#include "firmware/report/stream.h"

#include "firmware/core/tasks.h"
#include "firmware/core/units.h"
#include "firmware/link/link.h"
#include "firmware/report/encode.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

#include <float.h>

/* Shortest interval of a stream [us]: a faster one would fill the link. */
#define FASTEST_US 1000

static const struct {
    uint32_t msgid;
    int32_t interval_us[MF_PROFILE_px4_sitl];
} k_stream[MF_STREAM_COUNT] = {
#define X(NAME, name, of, sim, px4, onboard, min) {MF_MSG_##NAME, {sim, px4, onboard, min}},
    MF_STREAM_LIST(X)
#undef X
};

/* Intervals that px4_sitl has instead of px4's. */
static const struct {
    enum mf_stream stream;
    int32_t interval_us;
} k_sitl[] = {
    {MF_STREAM_ATTITUDE, 20000},           {MF_STREAM_ATTITUDE_QUATERNION, 20000},
    {MF_STREAM_ATTITUDE_TARGET, 20000},    {MF_STREAM_GLOBAL_POSITION_INT, 20000},
    {MF_STREAM_LOCAL_POSITION_NED, 20000}, {MF_STREAM_POSITION_TARGET_LOCAL_NED, 20000},
    {MF_STREAM_SERVO_OUTPUT_RAW, 20000},   {MF_STREAM_RC_CHANNELS, 50000},
};

void mf_stream_profile(enum mf_rate_profile profile, int32_t *interval_us)
{
    MF_ASSERT((unsigned)profile < MF_PROFILE_COUNT && interval_us != NULL);
    const bool sitl = profile == MF_PROFILE_px4_sitl;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = k_stream[i].interval_us[sitl ? MF_PROFILE_px4 : profile];
    }
    for (size_t i = 0; sitl && i < sizeof k_sitl / sizeof k_sitl[0]; i++) {
        interval_us[k_sitl[i].stream] = k_sitl[i].interval_us;
    }
}

/* Streams that an SDK may get at another interval than others: its users wait for attitude in
 * control loops, where a ground station draws it. */
static const enum mf_stream k_sdk[] = {MF_STREAM_ATTITUDE, MF_STREAM_ATTITUDE_QUATERNION};
#define SDK_STREAMS (sizeof k_sdk / sizeof k_sdk[0])
_Static_assert(MF_STREAM_COUNT <= 64, "a bit of mf_stream_state.chosen each");

/* A default: off, but an SDK gets it at the interval of onboard. */
#define OFF_BUT_FOR_SDK INT32_MIN

void mf_stream_leave_to_sdk(int32_t *interval_us, bool all)
{
    for (size_t i = 0; i < (all ? MF_STREAM_COUNT : SDK_STREAMS); i++) {
        const size_t stream = all ? i : k_sdk[i];
        if (interval_us[stream] > 0) {
            interval_us[stream] = -interval_us[stream];
        } else if (all && k_stream[stream].interval_us[MF_PROFILE_onboard] != MF_STREAM_OFF) {
            interval_us[stream] = OFF_BUT_FOR_SDK;
        }
    }
}

/* A search of all entries: clients ask seldom, and the table needs no second order. */
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

/* Due time of a stream, if none is due before next_us. */
static mf_us_t due_at(const struct mf_stream_state *s, size_t stream, mf_us_t next_us)
{
    MF_ASSERT(stream < MF_STREAM_COUNT);
    if (s->interval_us[stream] == MF_STREAM_OFF) {
        return MF_NEVER;
    }
    return next_us + (uint32_t)(s->due_us[stream] - (uint32_t)next_us);
}

/* Due times differ by less than 2^32 us. A host that is so far behind that they would not lets no
 * stream catch up. */
static bool is_lost(const struct mf_vehicle *v, const struct mf_stream_state *s, mf_us_t due_us)
{
    const mf_us_t late_us = v->now.vehicle_us - due_us;
    mf_us_t longest_us = 0;
    if (late_us <= INT32_MAX) { /* no interval is longer */
        return false;
    }
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        longest_us = s->interval_us[i] > longest_us ? s->interval_us[i] : longest_us;
    }
    return late_us + longest_us > UINT32_MAX;
}

/* Next due time of a stream that ran at due_us. A host that is far behind does not catch up. */
static mf_us_t next_due(struct mf_vehicle *v, mf_us_t due_us, int32_t interval_us, bool lost)
{
    const mf_us_t late_us = v->now.vehicle_us - due_us; /* below 0 where a clock is about to jump */
    MF_ASSERT(interval_us > 0);
    if (!lost && late_us <= (mf_us_t)MF_OVERRUN_PERIODS * interval_us) {
        return next_multiple(due_us, interval_us);
    }
    v->counters.overruns++;
    return next_multiple(v->now.vehicle_us, interval_us);
}

/* Run a stream's turn. A change that was sent within the last half of an interval is not repeated,
 * unless the host is late and skips following turns. */
static void take_turn(struct mf_vehicle *v, struct mf_link *link, enum mf_stream stream,
                      mf_us_t due_us)
{
    MF_ASSERT((unsigned)stream < MF_STREAM_COUNT && link->open);
    const int32_t interval_us = link->stream.interval_us[stream];
    const bool late = v->now.vehicle_us - due_us >= interval_us;
    union mf_msg m;
    if (mf_encode(v, stream, due_us, &m)) {
        (void)mf_link_repeat(v, link, mf_stream_msgid(stream), &m, late ? 0 : interval_us / 2);
    }
}

/* All streams of a link that are due, in the order of the table, at one instant: due_us, not the
 * host's present time, so that a message shows the vehicle at the instant it is meant for. */
static void send_due(struct mf_vehicle *v, struct mf_link *link, mf_us_t due_us)
{
    struct mf_stream_state *s = &link->stream;
    MF_ASSERT(due_us < MF_NEVER);
    const bool lost = is_lost(v, s, due_us);
    mf_us_t next_us = MF_NEVER;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        mf_us_t stream_us = due_at(s, i, s->next_us);
        if (stream_us <= due_us || (lost && stream_us < MF_NEVER)) {
            take_turn(v, link, (enum mf_stream)i, due_us);
            stream_us = next_due(v, due_us, s->interval_us[i], lost);
            s->due_us[i] = (uint32_t)stream_us;
        }
        next_us = mf_earlier(next_us, stream_us);
    }
    MF_ASSERT(next_us > due_us);
    s->next_us = next_us;
}

static void wake(struct mf_vehicle *v, const struct mf_link *link)
{
    if (link->stream.next_us < MF_NEVER) {
        mf_wake_at(v, MF_TASK_STREAMS, link->stream.next_us);
    }
}

/* Whatever a configuration says becomes an interval that can be kept, or none. Below zero it is one
 * that is left to an SDK, as its negative. */
static int32_t sane_interval(int32_t interval_us)
{
    if (interval_us <= 0) {
        const bool left = interval_us <= -FASTEST_US;
        return left ? interval_us : MF_STREAM_OFF;
    }
    return interval_us < FASTEST_US ? FASTEST_US : interval_us;
}

static bool is_left_to_sdk(const struct mf_stream_state *s, size_t stream)
{
    return sane_interval(s->default_us[stream]) < MF_STREAM_OFF;
}

/* What SET_MESSAGE_INTERVAL 0 goes back to: it may be another one while an SDK is there. */
static int32_t default_of(const struct mf_stream_state *s, size_t stream)
{
    MF_ASSERT(stream < MF_STREAM_COUNT);
    if (!is_left_to_sdk(s, stream)) {
        return sane_interval(s->default_us[stream]);
    }
    if (s->sdk) {
        return k_stream[stream].interval_us[MF_PROFILE_onboard];
    }
    return s->default_us[stream] == OFF_BUT_FOR_SDK ? MF_STREAM_OFF : -s->default_us[stream];
}

void mf_stream_start(struct mf_vehicle *v, struct mf_link *link, const int32_t *interval_us,
                     mf_us_t now_us)
{
    struct mf_stream_state *s = &link->stream;
    MF_ASSERT(now_us >= 0 && interval_us != NULL && link->open);
    s->sdk = false;
    s->chosen = 0;
    s->default_us = interval_us;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        s->interval_us[i] = default_of(s, i);
        s->due_us[i] = (uint32_t)now_us;
    }
    s->next_us = now_us;
    send_due(v, link, now_us);
    wake(v, link);
}

/* Gives a stream its interval; the phase follows from it. The others keep their due times, so
 * next_us is found anew from all of them: this one may have been the earliest. */
static void retime(struct mf_stream_state *s, size_t stream, int32_t interval_us, mf_us_t now_us)
{
    MF_ASSERT(stream < MF_STREAM_COUNT);
    mf_us_t next_us = s->next_us;
    s->interval_us[stream] = interval_us;
    if (interval_us != MF_STREAM_OFF) {
        const mf_us_t due_us = next_multiple(now_us, interval_us);
        s->due_us[stream] = (uint32_t)due_us;
        next_us = mf_earlier(next_us, due_us);
    }
    s->next_us = MF_NEVER;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        s->next_us = mf_earlier(s->next_us, due_at(s, i, next_us));
    }
}

/* An SDK came, or went: what no client chose changes its pace. */
static void set_sdk(struct mf_vehicle *v, struct mf_link *link, bool sdk)
{
    struct mf_stream_state *s = &link->stream;
    MF_ASSERT(s->sdk != sdk);
    s->sdk = sdk;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        if (is_left_to_sdk(s, i) && (s->chosen >> i & 1u) == 0) {
            retime(s, i, default_of(s, i), v->instant_us);
        }
    }
    wake(v, link);
}

void mf_stream_sdk_heard(struct mf_vehicle *v, struct mf_link *link)
{
    const mf_us_t now_us = v->now.transport_us;
    MF_ASSERT(link->open);
    if (!link->stream.sdk) {
        set_sdk(v, link, true);
    }
    link->stream.sdk_us = (uint32_t)now_us;
    mf_wake_at(v, MF_TASK_LINKS, now_us + MF_SDK_PRESENT_US);
}

/* The low 32 bits of the time are enough: a link's task runs long before 71 minutes are over. */
mf_us_t mf_stream_sdk_run(struct mf_vehicle *v, struct mf_link *link, mf_us_t due_us)
{
    MF_ASSERT(link->open);
    if (!link->stream.sdk) {
        return MF_NEVER;
    }
    /* a HEARTBEAT of this pass is later than the due time: the difference has a sign */
    const int32_t silent_us = (int32_t)((uint32_t)due_us - link->stream.sdk_us);
    if (silent_us < MF_SDK_PRESENT_US) {
        return due_us - silent_us + MF_SDK_PRESENT_US;
    }
    set_sdk(v, link, false);
    return MF_NEVER;
}

/* PX4's way to say it: an interval of 0 is the default, below 0 is off. A stream that a client
 * chose stays so although an SDK comes or goes. */
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
    int32_t us = default_of(s, (size_t)stream);
    const uint64_t bit = UINT64_C(1) << stream;
    s->chosen = interval_us != 0.0f ? s->chosen | bit : s->chosen & ~bit;
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

/* At once, and besides the stream's own turns: those keep their phase. */
int mf_stream_request(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, mf_us_t now_us)
{
    const int stream = mf_stream_find(msgid);
    MF_ASSERT(link->open);
    if (stream < 0) {
        return stream;
    }
    union mf_msg m;
    const bool said =
        mf_encode(v, (enum mf_stream)stream, now_us, &m) && mf_link_send(v, link, msgid, &m);
    return said ? MF_E_OK : MF_E_NOENT;
}

/* Link by link, so that what belongs together leaves a link in one write. */
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
