/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Progress of the active mission, for mission.c and the navigator. Items stay in the store, and are
 * read one by one, so that missions of any length need no memory of an instance. The progress is
 * lost at a restart.
 */
#include "firmware/flight/mission_store.h"

#include "firmware/core/units.h"
#include "firmware/flight/items.h"
#include "mavlink/enums.h"

#include <string.h>

/* ---- items ---- */

static double param(const struct mf_item *item, int i)
{
    return (double)mf_f32_from_bits(item->param[i]);
}

int mf_mission_get(const struct mf_mission *m, const struct mf_hal *hal, uint16_t index,
                   struct mf_item *item)
{
    MF_ASSERT(item != NULL);
    return index < m->count ? mf_store_get(hal, MF_STORE_MISSION, index, item) : MF_E_RANGE;
}

static struct mf_store_info stored(const struct mf_hal *hal, enum mf_store_area area)
{
    struct mf_store_info info = {0}; /* a store that fails holds nothing */
    (void)mf_store_info(hal, area, &info);
    return info;
}

void mf_mission_take_up(struct mf_mission *m, const struct mf_hal *hal, uint16_t current)
{
    const struct mf_store_info info = stored(hal, MF_STORE_MISSION);
    m->tag = info.tag;
    m->count = info.count;
    m->finished = true; /* whatever was flown before */
    m->run = MF_RUN_NONE;
    mf_mission_begin(m, current < info.count ? current : 0);
}

void mf_mission_read_tags(struct mf_mission *m, const struct mf_hal *hal)
{
    m->fence_tag = stored(hal, MF_STORE_FENCE).tag;
    m->rally_tag = stored(hal, MF_STORE_RALLY).tag;
}

/* ---- progress ---- */

void mf_mission_begin(struct mf_mission *m, uint16_t seq)
{
    MF_ASSERT(seq == 0 || seq < m->count);
    if (m->finished) {
        m->finished = false;
        m->reached = -1;
        memset(m->jump, 0, sizeof m->jump);
    }
    m->current = seq;
    m->resumes = false;
}

bool mf_mission_activate(struct mf_mission *m)
{
    const bool again = m->run == MF_RUN_DISARMED && m->current + 1 == m->count;
    m->run = MF_RUN_BEGUN;
    if (again) {
        m->finished = true; /* also one that was broken off on the way to its last item */
        mf_mission_begin(m, 0);
    }
    return again;
}

/* Does it start or stop the camera's trigger? DO_SET_CAM_TRIGG_INTERVAL does not count, as in PX4.
 */
static bool is_trigger(const struct mf_item *item, bool *on)
{
    switch (item->command) {
    case MAV_CMD_DO_TRIGGER_CONTROL:
        *on = param(item, 0) >= 0.5 && param(item, 0) < 1.5;
        return true;
    case MAV_CMD_DO_SET_CAM_TRIGG_DIST:
        *on = param(item, 0) > 0.0;
        return true;
    case MAV_CMD_IMAGE_START_CAPTURE:
    case MAV_CMD_IMAGE_STOP_CAPTURE:
        *on = item->command == MAV_CMD_IMAGE_START_CAPTURE;
        return true;
    default:
        return false;
    }
}

void mf_mission_resume(struct mf_mission *m, const struct mf_hal *hal)
{
    struct mf_item item;
    int32_t place = -1; /* the last item before the current one that has a position */
    bool on = false;
    bool known = !m->resumes;
    m->resumes = true;
    for (int32_t i = m->current - 1; i >= 0 && (place < 0 || !known); i--) {
        if (mf_mission_get(m, hal, (uint16_t)i, &item) != MF_E_OK) {
            continue;
        }
        known = known || is_trigger(&item, &on);
        place = place < 0 && mf_item_moves(item.command) && mf_item_has_position(&item) ? i : place;
    }
    if (on && place >= 0) {
        m->current = (uint16_t)place;
    }
}

void mf_mission_disarmed(struct mf_mission *m)
{
    m->run = m->run == MF_RUN_NONE ? MF_RUN_NONE : MF_RUN_DISARMED;
}

void mf_mission_go_on(struct mf_mission *m, uint16_t seq)
{
    MF_ASSERT(seq < m->count);
    m->current = seq;
}

void mf_mission_finish(struct mf_mission *m)
{
    m->finished = true;
}

void mf_mission_reach(struct mf_mission *m, uint16_t seq)
{
    m->reached = seq;
}

void mf_mission_forget_reached(struct mf_mission *m)
{
    m->reached = -1;
}

/* ---- jumps ---- */

/* Read the counter of the DO_JUMP item @p seq. */
static uint16_t jumps_done(const struct mf_mission *m, uint16_t seq)
{
    for (unsigned i = 0; i < MF_JUMPS_MAX; i++) {
        if (m->jump[i].done > 0 && m->jump[i].seq == seq) {
            return m->jump[i].done;
        }
    }
    return 0;
}

/* NaN fails the comparison, too. */
static bool leads_to_an_item(const struct mf_mission *m, const struct mf_item *item)
{
    return param(item, 0) >= 0.0 && param(item, 0) < (double)m->count;
}

uint16_t mf_mission_jump_target(const struct mf_mission *m, uint16_t seq,
                                const struct mf_item *item)
{
    MF_ASSERT(seq < m->count);
    const double times = param(item, 1);
    const bool again = times < 0.0 || (double)jumps_done(m, seq) < times;
    if (!leads_to_an_item(m, item)) {
        return m->count;
    }
    return (uint16_t)(again ? (int)param(item, 0) : seq + 1);
}

/* Find the counter of the DO_JUMP item @p seq, or a free one. @return NULL: all are used */
static uint16_t *jump_counter(struct mf_mission *m, uint16_t seq)
{
    uint16_t *free_one = NULL;
    for (unsigned i = 0; i < MF_JUMPS_MAX; i++) {
        if (m->jump[i].done > 0 && m->jump[i].seq == seq) {
            return &m->jump[i].done;
        }
        if (m->jump[i].done == 0 && free_one == NULL) {
            m->jump[i].seq = seq;
            free_one = &m->jump[i].done;
        }
    }
    return free_one;
}

int mf_mission_jump(struct mf_mission *m, uint16_t seq, const struct mf_item *item, uint16_t *next)
{
    MF_ASSERT(seq < m->count && next != NULL);
    const double times = param(item, 1);
    if (!leads_to_an_item(m, item)) {
        *next = m->count;
        return MF_E_OK;
    }
    *next = (uint16_t)(seq + 1);
    /* Written so that NaN counts as 0 times. */
    if (!(times < 0.0)) { /* a jump without an end needs no counter */
        uint16_t *done = jump_counter(m, seq);
        if (done == NULL) {
            return MF_E_FULL;
        }
        if (!((double)*done < times)) {
            *done = 0; /* the next pass through this loop counts from 0 */
            return MF_E_OK;
        }
        (*done)++;
    }
    *next = (uint16_t)param(item, 0);
    return MF_E_OK;
}
