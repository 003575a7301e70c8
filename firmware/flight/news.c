/* SPDX-License-Identifier: Apache-2.0 */
/* Messages after changes, and HEARTBEAT: on all links, on both clocks. */
#include "firmware/flight/news.h"

#include "firmware/core/log_record.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/encode_state.h"
#include "firmware/link/link.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

#define HEARTBEAT_US MF_SECOND_US

/* The encoders of MF_NEWS_LIST; HEARTBEAT has clocks of its own. */
static bool encode(struct mf_vehicle *v, enum mf_news news, mf_us_t t_us, union mf_msg *m)
{
    switch (news) {
    case MF_NEWS_SYS_STATUS:
        return mf_encode_sys_status(v, t_us, &m->sys_status);
    case MF_NEWS_MISSION_CURRENT:
        return mf_encode_mission_current(v, t_us, &m->mission_current);
    case MF_NEWS_GPS_GLOBAL_ORIGIN:
        return mf_encode_gps_global_origin(v, t_us, &m->gps_global_origin);
    case MF_NEWS_FENCE_STATUS:
        return mf_encode_fence_status(v, t_us, &m->fence_status);
    case MF_NEWS_HOME_POSITION:
        return mf_encode_home_position(v, t_us, &m->home_position);
    case MF_NEWS_EXTENDED_SYS_STATE:
        return mf_encode_extended_sys_state(v, t_us, &m->extended_sys_state);
    case MF_NEWS_CURRENT_MODE:
        return mf_encode_current_mode(v, t_us, &m->current_mode);
    /* mf_announce() sends HEARTBEAT instead, and sets its next due time. */
    case MF_NEWS_HEARTBEAT:
    case MF_NEWS_COUNT:
    default:
        MF_ASSERT(false);
        return false;
    }
}

/* Make a message. @return false: no link is open, or the message has no content now */
static bool make(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us, union mf_msg *m)
{
    return v->links_open > 0 && encode(v, news, now_us, m);
}

void mf_news_tell(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us)
{
    union mf_msg m;
    if (make(v, news, now_us, &m)) {
        (void)mf_links_tell(v, mf_news_msgid(news), &m);
    }
}

void mf_news_send(struct mf_vehicle *v, enum mf_news news, mf_us_t now_us)
{
    union mf_msg m;
    if (make(v, news, now_us, &m)) {
        mf_links_send(v, mf_news_msgid(news), &m);
    }
}

static mf_us_t period_us(const struct mf_vehicle *v)
{
    return HEARTBEAT_US + v->imposed.late_us;
}

/* A period after @p now_us, on either clock; a vehicle without links shows no life. */
static mf_us_t next_beat_us(const struct mf_vehicle *v, mf_us_t now_us)
{
    return v->links_open > 0 ? now_us + period_us(v) : MF_NEVER;
}

static bool is_mute(const struct mf_vehicle *v)
{
    return v->links_open == 0 || v->imposed.silent;
}

/* HEARTBEAT on every link by vehicle time, once at an instant. Where a link is left out because it
 * has seen this instant's already, its second of the wall began with that one: vehicle time
 * may stand. */
static void heartbeat_all(struct mf_vehicle *v, mf_us_t vehicle_us)
{
    struct mf_msg_heartbeat m;
    bool each = true;
    if (!is_mute(v)) {
        mf_encode_heartbeat(v, &m);
        each = mf_links_tell(v, MF_MSG_HEARTBEAT, &m);
    }
    if (each) {
        mf_wake_only_at(v, MF_TASK_HEARTBEAT_WALL, next_beat_us(v, v->now.transport_us));
    }
    mf_wake_only_at(v, MF_TASK_HEARTBEAT, next_beat_us(v, vehicle_us));
}

static mf_us_t shifted(mf_us_t due_us, mf_us_t now_us, mf_us_t by_us)
{
    if (due_us == MF_NEVER || by_us == 0) {
        return due_us;
    }
    /* Never in the past: one that would have been due by now is due now. */
    return due_us + by_us > now_us ? due_us + by_us : now_us;
}

void mf_heartbeat_shift(struct mf_vehicle *v, mf_us_t now_us, mf_us_t by_us)
{
    /* On both clocks, since the wall's HEARTBEAT would otherwise fill the requested gap. */
    const mf_us_t wall_us = v->now.transport_us;
    mf_wake_only_at(v, MF_TASK_HEARTBEAT, shifted(v->due_us[MF_TASK_HEARTBEAT], now_us, by_us));
    mf_wake_only_at(v, MF_TASK_HEARTBEAT_WALL,
                    shifted(v->due_us[MF_TASK_HEARTBEAT_WALL], wall_us, by_us));
}

void mf_heartbeat_start(struct mf_vehicle *v, struct mf_link *link)
{
    struct mf_msg_heartbeat m;
    MF_ASSERT(link->open && v->links_open > 0);
    /* MAVSDK and QGroundControl say nothing on TCP before they have seen one. */
    if (!v->imposed.silent) {
        mf_encode_heartbeat(v, &m);
        (void)mf_link_send(v, link, MF_MSG_HEARTBEAT, &m);
    }
    mf_wake_at(v, MF_TASK_HEARTBEAT, v->now.vehicle_us + period_us(v));
    mf_wake_at(v, MF_TASK_HEARTBEAT_WALL, v->now.transport_us + period_us(v));
}

mf_us_t mf_heartbeat_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us >= 0);
    /* A host that slept for hours sends one, not thousands. */
    if (v->now.vehicle_us - due_us > HEARTBEAT_US * MF_OVERRUN_PERIODS) {
        v->counters.overruns++;
        due_us = v->now.vehicle_us;
    }
    heartbeat_all(v, due_us);
    return v->due_us[MF_TASK_HEARTBEAT];
}

/* Send an additional HEARTBEAT by wall time. The due times of vehicle time stay, so that they do
 * not depend on the wall. */
mf_us_t mf_heartbeat_wall_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us <= v->now.transport_us);
    struct mf_msg_heartbeat m;
    if (!is_mute(v)) {
        mf_encode_heartbeat(v, &m);
        mf_links_send(v, MF_MSG_HEARTBEAT, &m); /* a repetition where vehicle time stands */
    }
    return next_beat_us(v, v->now.transport_us);
}

void mf_announce(struct mf_vehicle *v, mf_us_t now_us)
{
    v->counters.events++;
    mf_log_wake(v, now_us);
    /* PX4 tells with its next period. MAVSDK reads mode and arming from HEARTBEAT: its tests would
     * wait up to a second each. */
    heartbeat_all(v, now_us);
    mf_news_tell(v, MF_NEWS_EXTENDED_SYS_STATE, now_us);
    mf_news_tell(v, MF_NEWS_CURRENT_MODE, now_us);
}
