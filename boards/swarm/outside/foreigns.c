/* SPDX-License-Identifier: Apache-2.0 */
/* Moves bodies frame by frame, each when its autopilot has sent motor commands.
 * members/members.c calls its carrier, program/systems.c lists its system. */
#include "boards/swarm/outside/foreigns.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/members/carrier.h"
#include "boards/swarm/outside/foreign_internal.h"
#include "boards/swarm/processes/processes.h"
#include "firmware/state/state.h"
#include "fleet/place.h"
#include "math/chance.h"
#include "math/trig.h"
#include "world/mover_stepped.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define NS_PER_US 1000u
#define NS_PER_S  1000000000u
#define GRAVITY   9.80665
#define WAIT_MS   50 /* longest wait until a signal is noticed [ms] */

/* ---- set-up */

/* Begin a simulated body. Its mean wind is that of its place, as a vehicle has it; its gusts are
 * its own. */
static void begin_body(const struct swarm *w, struct foreign *f)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_autopilot *a = &f->e->autopilot;
    double neu_m[3], ne_mps[2];
    mf_geo_to_local((struct mf_geo){s->origin[0], s->origin[1]}, f->origin, neu_m);
    neu_m[2] = f->origin_amsl_m - s->origin[2];
    mf_weather_wind(&s->weather.is, neu_m, 0.0, ne_mps);
    const struct mf_foreign_settings settings = {
        .yaw_deg = a->yaw_deg,
        .mass_kg = a->mass_kg,
        .wind_mps = mf_length2(ne_mps[0], ne_mps[1]),
        .wind_from_deg = mf_deg(mf_atan2(-ne_mps[1], -ne_mps[0])),
        .gusts_mps = a->gusts_mps,
        .gust_time_s = a->gust_time_s,
        .gyro_rps = a->gyro_rps,
        .accel_mps2 = a->accel_mps2,
        .seed = {mf_scenario_chance(s, f->i, MF_PURPOSE_BODY), 1},
    };
    mf_foreign_begin(&f->body, &settings);
    f->state = f->body.state;
}

static int check_ports(struct swarm *w)
{
    int result = SWARM_OK;
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        const struct mf_scenario_autopilot *a = &e->autopilot;
        const uint32_t count = e->as == MF_SCENARIO_KIND_BODY && a->json_port > 0 ? e->count : 0;
        for (uint32_t i = 0; i < count && result == SWARM_OK; i++) {
            result = swarm_port_check(w, a->line, "autopilot.json",
                                      a->json_port + MF_SCENARIO_JSON_EACH * i, SOCK_DGRAM);
        }
    }
    if (result == SWARM_OK) {
        foreign_print_homes(w);
    }
    return result;
}

static void place_body(const struct swarm *w, struct foreign *f)
{
    const double *origin = foreign_frame(w);
    f->fd[FOREIGN_AUTOPILOT] = f->fd[FOREIGN_PLUGIN] = -1;
    f->shown = (struct mf_crowd_state){.landed = MF_LANDED_ON_GROUND, .reached = -1};
    f->rate_hz = (uint16_t)f->e->autopilot.rate_hz;
    if (foreign_is_plugins(f)) {
        f->origin = (struct mf_geo){origin[0], origin[1]};
        f->origin_amsl_m = origin[2];
        f->state.quaternion[0] = 1.0;
        return;
    }
    const struct mf_placed at = mf_place(w->scenario, f->i);
    f->origin = at.at;
    f->origin_amsl_m = at.alt_amsl_m;
    begin_body(w, f);
}

/* ---- frames */

void foreign_report_events(struct swarm *w, struct foreign *f)
{
    struct mf_crowd_state now = f->shown;
    const bool standing = foreign_is_plugins(f) ? !f->powered : f->body.rotors.standing;
    now.at_us = (mf_us_t)(f->at_ns / NS_PER_US);
    now.armed = f->powered;
    now.landed = standing ? MF_LANDED_ON_GROUND : MF_LANDED_IN_AIR;
    const uint32_t events = swarm_events(&f->shown, &now);
    if (events != 0) {
        swarm_systems_changed(w, &(struct swarm_change){0, f->i, events, &f->shown, &now});
    }
    f->shown = now;
}

/* Wait for an autopilot's next frame; if the autopilot is gone, make one without power at the last
 * rate.
 * @return false: the run is stopped */
static bool wait_for_pulses(struct swarm *w, struct foreign *f)
{
    uint8_t packet[MF_FOREIGN_AC_END];
    float motors[MF_FOREIGN_AC_MOTORS] = {0};
    if (foreign_is_json(f)) {
        if (!foreign_receive_json(w, f)) {
            return false;
        }
    } else if (!foreign_receive_motors(w, f, packet, motors)) {
        return false;
    }
    if (!f->has) {
        f->next = mf_foreign_ac_pulses(motors, f->rate_hz, f->body.frame_count + 1u);
        f->has = true;
    }
    return true;
}

static uint64_t end_ns(const struct foreign *f)
{
    return f->at_ns + NS_PER_S / (f->has ? f->next.frame_rate_hz : f->rate_hz);
}

static void trace_frame(struct swarm *w, const struct foreign *f)
{
    char text[SWARM_TRACE_BYTES_MAX];
    if (swarm_trace_of(w) != NULL) {
        swarm_trace_bytes(f->next.pwm_us, f->next.channels * sizeof f->next.pwm_us[0], text);
        swarm_trace(swarm_trace_of(w), f->at_ns, "autopilot of %u: %s", (unsigned)f->i, text);
    }
}

static void step_body(struct swarm *w, struct foreign *f)
{
    trace_frame(w, f);
    const enum mf_foreign_took took = mf_foreign_take(&f->body, &f->next);
    MF_ASSERT(took != MF_FOREIGN_REPEATED);
    if (took == MF_FOREIGN_RESTARTED) {
        f->begun_ns = f->at_ns;
        swarm_trace(swarm_trace_of(w), f->at_ns, "autopilot of %u has begun anew", (unsigned)f->i);
    }
    f->has = false;
    f->rate_hz = f->next.frame_rate_hz;
    f->powered = false;
    for (size_t k = 0; k < f->body.rotors.settings.rotors; k++) {
        f->powered |= f->body.rotors.command[k] > 0.0;
    }
    f->at_ns = f->begun_ns + f->body.time_ns;
    f->state = f->body.state;
    swarm_foreigns_of(w)->steps++;
    if (f->fd[FOREIGN_AUTOPILOT] >= 0 && foreign_is_json(f)) {
        foreign_answer_json(w, f, false);
    } else if (f->fd[FOREIGN_AUTOPILOT] >= 0) {
        foreign_send_state(w, f);
    }
    foreign_report_events(w, f);
}

static void send_first_states(struct swarm *w)
{
    const struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    for (uint32_t k = 0; k < foreigns->count; k++) {
        struct foreign *f = &foreigns->all[k];
        if (!foreign_is_plugins(f) && !foreign_is_json(f)) {
            foreign_send_state(w, f);
        }
    }
}

/* Wait for autopilots and plugins, then send the first states. Autopilots in virtual time come only
 * when the run lets their time begin: limit_by_frames() waits for them. */
static int begin_bodies(struct swarm *w)
{
    if (swarm_foreigns_of(w) == NULL || swarm_processes_has_virtual(w)) {
        return SWARM_OK;
    }
    if (!foreign_door_gather(w)) {
        return swarm_silence_of(w)->stops ? SWARM_INPUT : SWARM_OK;
    }
    send_first_states(w);
    return SWARM_OK;
}

/* Find the earliest end of a frame of the bodies that have not reached @p until_ns; wait for these
 * frames.
 * @return false: the run is stopped */
static bool find_first_end(struct swarm *w, uint64_t until_ns, uint64_t *first_ns)
{
    *first_ns = UINT64_MAX;
    for (uint32_t k = 0; k < swarm_foreigns_of(w)->count; k++) {
        struct foreign *f = &swarm_foreigns_of(w)->all[k];
        if (foreign_is_plugins(f) || f->at_ns >= until_ns) {
            continue;
        }
        if (swarm_processes_has_virtual(w) && !foreign_has_frame(w, f, 0)) {
            continue; /* the autopilot may be in virtual time, and stand: limit_by_frames() */
        }
        if (!f->has && !wait_for_pulses(w, f)) {
            return false;
        }
        *first_ns = end_ns(f) < *first_ns ? end_ns(f) : *first_ns;
    }
    return true;
}

static void run_bodies(struct swarm *w, mf_us_t until_us)
{
    const struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    const uint64_t until_ns = (uint64_t)(until_us > 0 ? until_us : 0) * NS_PER_US;
    uint64_t first_ns;
    while (foreigns != NULL && find_first_end(w, until_ns, &first_ns) && first_ns <= until_ns) {
        foreign_door_look(w);
        for (uint32_t k = 0; k < foreigns->count; k++) {
            struct foreign *f = &foreigns->all[k];
            if (!foreign_is_plugins(f) && f->has && end_ns(f) == first_ns) {
                step_body(w, f);
            }
        }
    }
}

static mf_us_t next_frame_us(const struct swarm *w)
{
    const struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; foreigns != NULL && k < foreigns->count; k++) {
        const struct foreign *f = &foreigns->all[k];
        if (!foreign_is_plugins(f)) {
            next_us = mf_earlier(next_us, (mf_us_t)((end_ns(f) + NS_PER_US - 1u) / NS_PER_US));
        }
    }
    return next_us;
}

/* ---- autopilots in virtual time */

/* True if programs in virtual time stand until the run lets time pass. */
static bool do_programs_stand(const struct swarm *w)
{
    return w->hold.permitted_us > w->now_us;
}

/* Find a body whose autopilot has not sent its next frame. If programs in virtual time stand, only
 * an autopilot on the wall's clock can still send it: wait a little. */
static struct foreign *find_without_frame(struct swarm *w)
{
    const struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    for (uint32_t k = 0; k < foreigns->count; k++) {
        if (!foreign_has_frame(w, &foreigns->all[k], do_programs_stand(w) ? WAIT_MS : 0)) {
            return &foreigns->all[k];
        }
    }
    return NULL;
}

/* Check the patience with the autopilot that time waits for. Its time counts while programs in
 * virtual time stand. @param f  NULL: none */
static enum swarm_patience_verdict check_patience(struct swarm *w, struct foreign *f)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    if (f != a->awaited || !do_programs_stand(w)) {
        swarm_patience_end(w, &a->patience);
        a->awaited = f;
    }
    return f != NULL && do_programs_stand(w)
               ? foreign_check_patience(w, f, FOREIGN_AUTOPILOT, &a->patience)
               : SWARM_PATIENCE_LASTS;
}

/* Let time stand until each autopilot has sent its next frame, and end its pieces with frames. With
 * programs in virtual time the run must not wait for a frame while time passes: its sender may be
 * one of them, which run when time stands only. */
static mf_us_t limit_by_frames(struct swarm *w, mf_us_t next_us)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    (void)next_us;
    if (a == NULL || !swarm_processes_has_virtual(w)) {
        return MF_NEVER;
    }
    struct foreign *f = a->begun ? find_without_frame(w) : foreign_door_find_missing(w);
    const bool drops = check_patience(w, f) == SWARM_PATIENCE_DROPS;
    if (!a->begun && swarm_processes_has_failed(w)) {
        return w->now_us;
    }
    if (!a->begun && (f == NULL || drops)) {
        foreign_door_begin(w);
        send_first_states(w);
        return w->now_us;
    }
    if (drops) {
        foreign_disconnect(w, f, FOREIGN_AUTOPILOT, foreign_silent);
    }
    const mf_us_t end_us = next_frame_us(w);
    return f != NULL ? w->now_us : end_us > w->now_us ? end_us : w->now_us + 1;
}

uint64_t swarm_foreigns_sent_bytes(const struct swarm *w)
{
    return swarm_foreigns_of(w) != NULL ? swarm_foreigns_of(w)->sent_bytes : 0;
}

static uint64_t count_frames(const struct swarm *w)
{
    return swarm_foreigns_of(w) != NULL ? swarm_foreigns_of(w)->steps : 0;
}

static bool have_bodies_failed(const struct swarm *w)
{
    return swarm_foreigns_of(w) != NULL && swarm_foreigns_of(w)->failed;
}

/* ---- state for other parts */

static struct mf_crowd_state get_state(const struct swarm *w, uint32_t i)
{
    return foreign_of(w, i)->shown;
}

/* Extrapolate the state after the last frame to @p at_us. */
static struct mf_stepped_state extrapolate_state(const struct foreign *f, mf_us_t at_us)
{
    const struct mf_foreign_state *s = &f->state;
    const int64_t ahead_ns = at_us * (int64_t)NS_PER_US - (int64_t)f->at_ns;
    const double dt_s = ahead_ns > 0 ? (double)ahead_ns * 1e-9 : 0.0;
    struct mf_stepped_state state = {
        .pos_m = s->pos_m,
        .vel_mps = s->vel_mps,
        .attitude = {s->quaternion[0], s->quaternion[1], s->quaternion[2], s->quaternion[3]},
        .rate_rps = s->gyro_rps,
        .standing = f->shown.landed == MF_LANDED_ON_GROUND,
    };
    if (!foreign_is_plugins(f)) {
        state.rate_rps = f->body.rotors.body.rate_rps; /* true rates, without a sensor's noise */
        state.acc_mps2 =
            mf_vec3_add(mf_rigid_to_ned(state.attitude, f->body.rotors.body.specific_force_mps2),
                        (struct mf_vec3){0.0, 0.0, GRAVITY});
    }
    if (!state.standing) {
        const struct mf_vec3 more_m = mf_vec3_add(mf_vec3_times(state.vel_mps, dt_s),
                                                  mf_vec3_times(state.acc_mps2, 0.5 * dt_s * dt_s));
        state.pos_m = mf_vec3_add(state.pos_m, more_m);
        state.vel_mps = mf_vec3_add(state.vel_mps, mf_vec3_times(state.acc_mps2, dt_s));
    }
    return state;
}

static struct mf_pose get_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct foreign *f = foreign_of(w, i);
    const struct mf_stepped_state state = extrapolate_state(f, at_us);
    const struct mf_geo at = mf_geo_from_local(f->origin, state.pos_m.x, state.pos_m.y);
    struct mf_pose pose = {
        .lat_deg = at.lat_deg,
        .lon_deg = at.lon_deg,
        .alt_amsl_m = f->origin_amsl_m - state.pos_m.z,
        .ground_amsl_m = f->origin_amsl_m,
        .on_ground = state.standing,
    };
    mf_stepped_show(&state, &pose);
    return pose;
}

static uint64_t digest_bodies(const struct swarm *w, uint64_t digest)
{
    const struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    for (uint32_t k = 0; foreigns != NULL && k < foreigns->count; k++) {
        const struct foreign *f = &foreigns->all[k];
        const double *number = (const double *)&f->state;
        for (size_t n = 0; n < sizeof f->state / sizeof *number; n++) {
            uint64_t word;
            memcpy(&word, &number[n], sizeof word);
            digest = mf_chance_u64(digest ^ word, 1);
        }
        digest = mf_chance_u64(digest ^ f->at_ns, 1);
    }
    return digest;
}

static void print_summary(const struct swarm *w)
{
    const struct swarm_foreigns *f = swarm_foreigns_of(w);
    uint64_t refused = 0;
    if (f == NULL) {
        return;
    }
    for (uint32_t k = 0; k < f->count; k++) {
        refused += f->all[k].refused;
    }
    (void)printf("bodies    %u, %llu frames, %llu datagrams refused\n", (unsigned)f->count,
                 (unsigned long long)f->steps, (unsigned long long)refused);
}

static void close_bodies(struct swarm *w, int code)
{
    (void)code;
    if (swarm_foreigns_of(w) != NULL) {
        foreign_door_close(w);
        free(swarm_foreigns_of(w)->all);
        free(swarm_foreigns_of(w));
        w->state[SWARM_SLOT_FOREIGNS] = NULL;
    }
}

static const struct swarm_carrier k_bodies = {.state = get_state,
                                              .pose = get_pose,
                                              .run = run_bodies,
                                              .next_us = next_frame_us,
                                              .count_steps = count_frames,
                                              .digest = digest_bodies};

static int open_bodies(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_entity *first = swarm_find_kind(s, MF_SCENARIO_KIND_BODY);
    const uint32_t count = swarm_count_kind(s, MF_SCENARIO_KIND_BODY);
    if (first == NULL || count == 0) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_FOREIGNS] = calloc(1, sizeof *swarm_foreigns_of(w));
    struct foreign *all =
        calloc(count, sizeof *all); /* a body points into itself, so it must not move */
    if (swarm_foreigns_of(w) == NULL || all == NULL) {
        free(all);
        return swarm_refuse(w, first->line, "%s: no memory", first->name);
    }
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    w->members.carrier[MF_SCENARIO_KIND_BODY] = &k_bodies;
    a->tick_us = -1;
    a->all = all;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        a->first[k] = a->count;
        for (uint32_t i = 0; e->as == MF_SCENARIO_KIND_BODY && i < e->count; i++) {
            struct foreign *f = &all[a->count++];
            f->i = e->first + i;
            f->e = e;
            place_body(w, f);
            a->plugins += foreign_is_plugins(f) ? 1u : 0u;
        }
    }
    return foreign_door_open(w);
}

static int refuse_checkpoint(struct swarm *w)
{
    const struct mf_scenario_entity *body = swarm_find_kind(w->scenario, MF_SCENARIO_KIND_BODY);
    return body == NULL ? SWARM_OK
                        : swarm_refuse(w, body->line,
                                       "%s: its autopilot runs in another process, which no "
                                       "checkpoint and no recording of ghosts can hold",
                                       body->name);
}

static int refuse_replay(struct swarm *w)
{
    return w->command->replay != NULL ? refuse_checkpoint(w) : SWARM_OK;
}

const struct swarm_system swarm_foreigns_system = {
    .name = "bodies of autopilots",
    .on = {[SWARM_CHECK] = check_ports,
           [SWARM_KEEP] = refuse_checkpoint,
           [SWARM_CONNECT] = open_bodies,
           [SWARM_PREPARE] = refuse_replay,
           [SWARM_BEGIN] = begin_bodies},
    .limit_us = limit_by_frames,
    .has_failed = have_bodies_failed,
    .print_summary = print_summary,
    .close = close_bodies,
};
