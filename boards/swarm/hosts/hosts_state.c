/* SPDX-License-Identifier: Apache-2.0 */
/* Encode and decode states, poses, flock members and sums of vehicles. hosts.c, hosts_apply.c and
 * the files leaf*.c call it. */
#include "boards/swarm/hosts/hosts_state.h"

#include "firmware/state/state.h"

#include <string.h>

enum { ARMED = 1, FAILSAFE = 2, BREACH = 4, FALLING = 8, FINISHED = 16, FROZEN = 32 };

void swarm_put_state(struct mf_hosts_writer *w, const struct mf_crowd_state *state)
{
    const unsigned flags = (state->armed ? ARMED : 0u) | (state->failsafe ? FAILSAFE : 0u) |
                           (state->breach ? BREACH : 0u) | (state->falling ? FALLING : 0u) |
                           (state->finished ? FINISHED : 0u) | (state->frozen ? FROZEN : 0u);
    mf_hosts_put_u(w, (uint64_t)state->at_us, 8);
    mf_hosts_put_u(w, state->mode, 1);
    mf_hosts_put_u(w, state->landed, 1);
    mf_hosts_put_u(w, flags, 1);
    mf_hosts_put_u(w, (uint32_t)state->reached, 4);
}

struct mf_crowd_state swarm_read_state(struct mf_hosts_record *r)
{
    struct mf_crowd_state state = {.at_us = mf_hosts_time(r)};
    const uint8_t mode = (uint8_t)mf_hosts_u(r, 1), landed = (uint8_t)mf_hosts_u(r, 1);
    const unsigned flags = (unsigned)mf_hosts_u(r, 1);
    state.mode = mode < MF_MODE_COUNT ? mode : 0;
    state.landed = landed <= MF_LANDED_LANDING ? landed : MF_LANDED_ON_GROUND;
    state.armed = (flags & ARMED) != 0;
    state.failsafe = (flags & FAILSAFE) != 0;
    state.breach = (flags & BREACH) != 0;
    state.falling = (flags & FALLING) != 0;
    state.finished = (flags & FINISHED) != 0;
    state.frozen = (flags & FROZEN) != 0;
    state.reached = (int32_t)(uint32_t)mf_hosts_u(r, 4);
    r->lacks = r->lacks || state.at_us == MF_NEVER;
    return state;
}

/* Offsets in struct mf_pose: doubles, floats, a flag. Records have its numbers as they lie in
 * memory, since both ends are the same program. */
#define POSE_FLOATS offsetof(struct mf_pose, vel_ned_mps)
#define POSE_END    offsetof(struct mf_pose, on_ground)

#define PLACE_MOST_M 1e8 /* twice around the Earth; in cells of 0.1 m it fits into 32 bits */
#define RATE_MOST    1e8f

void swarm_put_pose(struct mf_hosts_writer *w, const struct mf_pose *pose)
{
    mf_hosts_put_raw(w, pose, POSE_END);
    mf_hosts_put_u(w, pose->on_ground ? 1 : 0, 1);
}

struct mf_pose swarm_read_pose(struct mf_hosts_record *r)
{
    struct mf_pose pose = {.on_ground = false};
    double place[POSE_FLOATS / sizeof(double)];
    float rates[(POSE_END - POSE_FLOATS) / sizeof(float)];
    mf_hosts_f64(r, place, sizeof place / sizeof place[0], PLACE_MOST_M);
    mf_hosts_f32(r, rates, sizeof rates / sizeof rates[0], RATE_MOST);
    memcpy(&pose, place, sizeof place);
    memcpy((uint8_t *)&pose + POSE_FLOATS, rates, sizeof rates);
    pose.on_ground = mf_hosts_u(r, 1) != 0;
    r->lacks = r->lacks || !(pose.lat_deg >= -90.0 && pose.lat_deg <= 90.0 &&
                             pose.lon_deg >= -180.0 && pose.lon_deg <= 180.0);
    return pose;
}

void swarm_put_flock_member(struct mf_hosts_writer *w, const struct mf_flock_member *member)
{
    mf_hosts_put_raw(w, member->neu_m, sizeof member->neu_m);
    mf_hosts_put_raw(w, member->vel_ne_mps, sizeof member->vel_ne_mps);
    mf_hosts_put_u(w, member->flies ? 1 : 0, 1);
}

struct mf_flock_member swarm_read_flock_member(struct mf_hosts_record *r)
{
    struct mf_flock_member member = {.flies = false};
    mf_hosts_f64(r, member.neu_m, 3, PLACE_MOST_M);
    mf_hosts_f32(r, member.vel_ne_mps, 2, RATE_MOST);
    member.flies = mf_hosts_u(r, 1) != 0 && !r->lacks;
    return member;
}

void swarm_put_sum(struct mf_hosts_writer *w, const struct swarm_sum *sum)
{
    mf_hosts_put_u(w, (uint64_t)sum->next_us, 8);
    mf_hosts_put_u(w, sum->idle ? 1 : 0, 1);
    mf_hosts_put_u(w, sum->steps, 8);
    mf_hosts_put_u(w, sum->refused, 4);
    mf_hosts_put_u(w, sum->frozen, 4);
    mf_hosts_put_u(w, sum->armed, 4);
    mf_hosts_put_u(w, sum->up, 4);
}

struct swarm_sum swarm_read_sum(struct mf_hosts_record *r)
{
    struct swarm_sum sum = {.next_us = mf_hosts_time(r)};
    sum.idle = mf_hosts_u(r, 1) != 0;
    sum.steps = mf_hosts_u(r, 8);
    sum.refused = (uint32_t)mf_hosts_u(r, 4);
    sum.frozen = (uint32_t)mf_hosts_u(r, 4);
    sum.armed = (uint32_t)mf_hosts_u(r, 4);
    sum.up = (uint32_t)mf_hosts_u(r, 4);
    return sum;
}

void swarm_sum_add(struct swarm_sum *to, const struct swarm_sum *sum)
{
    to->next_us = mf_earlier(to->next_us, sum->next_us);
    to->idle = to->idle && sum->idle;
    to->steps += sum->steps;
    to->refused += sum->refused;
    to->frozen += sum->frozen;
    to->armed += sum->armed;
    to->up += sum->up;
}
