/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/flight.h"

#include "math/trig.h"
#include "mavlink/enums.h"
#include "tools/fly/names.h"

#include <string.h>

/* Wall time [us]. */
#define PUMP_US  200000
#define NUDGE_US 3000000 /* armed, and the mission does not start */
#define HOLD_US \
    3000000 /* after the mission PX4 changes to Hold without a command, ArduPilot does not */
#define DISARM_US 15000000 /* on the ground, and it does not disarm itself */
#define SETTLE_US 1500000  /* for one more position after the end */

#define MOVED_M    1.0 /* counts as progress */
#define AIRBORNE_M 1.0
#define END_MISS_M 20.0 /* a landing farther from the expected place is a failure */

static const struct mf_msg_mission_item_int *last_item(const struct fly_flight *f)
{
    return &f->plan->item[f->plan->count - 1];
}

/* ---- taking notes: called for every message, during every call */

static void note_seen(struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    fly_flight_tell(f, FLY_PLAIN, "%s %s, system %u component %u, mode %s, %s",
                    fly_autopilot_name(s->autopilot).text, fly_type_name(s->type).text, s->sysid,
                    s->compid, fly_mode_name(s->autopilot, s->custom_mode).text,
                    s->armed ? "armed" : "disarmed");
}

static void note_armed(struct fly_flight *f)
{
    const int64_t now = fly_client_now(f->client);
    if (f->state.armed && !f->armed_once) {
        f->armed_once = true;
        f->arm_wall_us = now;
        f->arm_vehicle_us = f->state.time_us;
        f->mission_us = now;
        fly_state_track(&f->state);
    }
    f->end_wall_us = now;
    f->end_vehicle_us = f->state.time_us;
    fly_flight_tell(f, FLY_PLAIN, "%s", f->state.armed ? "armed" : "disarmed");
}

static void note_mode(struct fly_flight *f)
{
    fly_flight_tell(f, FLY_PLAIN, "mode %s",
                    fly_mode_name(f->state.autopilot, f->state.custom_mode).text);
}

static void note_landed(struct fly_flight *f)
{
    if (f->armed_once) {
        fly_flight_tell(f, FLY_PLAIN, "%s, %.1f m above home",
                        fly_landed_name(f->state.landed).text, f->state.alt_rel_m);
    }
}

static const char *item_name(const struct fly_flight *f, uint16_t seq, struct fly_name *name)
{
    *name = fly_command_name(seq < f->plan->count ? f->plan->item[seq].command : 0);
    return name->text;
}

static void note_current(struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    struct fly_name name;
    if (!f->armed_once || s->current >= f->plan->count) {
        return;
    }
    const struct mf_msg_mission_item_int *item = &f->plan->item[s->current];
    if (fly_item_has_place(item)) {
        fly_flight_tell(f, FLY_PLAIN, "to item %u, %s, %.0f m away", s->current,
                        item_name(f, s->current, &name),
                        fly_state_distance_m(s, fly_item_place(item)));
    } else {
        fly_flight_tell(f, FLY_PLAIN, "to item %u, %s", s->current,
                        item_name(f, s->current, &name));
    }
}

static void note_reached(struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    struct fly_name name;
    if (!f->armed_once) {
        return;
    }
    if (f->leg_count < FLY_LEGS_MAX) {
        f->leg[f->leg_count++] = (struct fly_leg){
            .seq = s->reached,
            .command = s->reached < f->plan->count ? f->plan->item[s->reached].command : 0,
            .vehicle_us = s->time_us - f->arm_vehicle_us,
            .wall_us = fly_client_now(f->client) - f->arm_wall_us,
            .place = s->place,
            .alt_rel_m = s->alt_rel_m,
            .speed_mps = s->speed_mps,
        };
    }
    fly_flight_tell(f, FLY_GOOD, "item %u, %s, reached: %.7f, %.7f, %.1f m up, %.1f m/s",
                    s->reached, item_name(f, s->reached, &name), s->place.lat_deg, s->place.lon_deg,
                    s->alt_rel_m, s->speed_mps);
}

static void note_text(struct fly_flight *f)
{
    const uint8_t severity = f->state.severity;
    const enum fly_tone tone = severity <= MAV_SEVERITY_ERROR     ? FLY_BAD
                               : severity == MAV_SEVERITY_WARNING ? FLY_WARN
                                                                  : FLY_PLAIN;
    fly_flight_tell(f, tone, "vehicle: %s", f->state.text);
}

static void note_reboot(struct fly_flight *f)
{
    if (f->armed_once) {
        (void)fly_flight_fail(f, "the vehicle restarted in flight");
    }
}

/* Is every item of the mission done? Item reports may be lost, so there is more than one way to
 * know. */
static bool mission_done(const struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    if (f->plan->count == 0) { /* the vehicle was armed before the plan was made */
        return false;
    }
    const uint16_t last = (uint16_t)(f->plan->count - 1);
    const uint16_t end = last_item(f)->command;
    const bool at_last = s->has_current && s->current == last;
    if (s->has_reached && s->reached == last) {
        return true;
    }
    if (!f->started || !f->was_in_air) {
        return false;
    }
    return (at_last && s->mission_state == MISSION_STATE_COMPLETE) ||
           (at_last && end == MAV_CMD_NAV_RETURN_TO_LAUNCH && fly_is_down_mode(s)) ||
           (at_last && end == MAV_CMD_NAV_LAND && !s->armed);
}

static void note_progress(struct fly_flight *f, unsigned changes)
{
    const struct fly_state *s = &f->state;
    const unsigned events = FLY_ARMED | FLY_MODE | FLY_LANDED | FLY_CURRENT | FLY_REACHED;
    const bool moved =
        (changes & FLY_POSITION) != 0 && (fly_state_distance_m(s, f->progress_place) > MOVED_M ||
                                          mf_abs(s->alt_rel_m - f->progress_alt_m) > MOVED_M);
    if ((changes & events) != 0 || moved) {
        f->progress_us = fly_client_now(f->client);
        f->progress_place = s->place;
        f->progress_alt_m = s->alt_rel_m;
    }
}

static void note_phase(struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    const int64_t now = fly_client_now(f->client);
    if (s->armed && s->custom_mode == fly_mission_mode(s)) {
        f->started = true;
        f->mission_us = now;
    }
    f->was_in_air = f->was_in_air || s->landed == MAV_LANDED_STATE_IN_AIR ||
                    (s->armed && s->alt_rel_m > AIRBORNE_M);
    if (!f->finished && mission_done(f)) {
        f->finished = true;
        f->finished_us = now;
        fly_flight_tell(f, FLY_GOOD, "mission finished");
    }
}

void fly_follow_note(struct fly_flight *f, unsigned changes)
{
    static const struct {
        unsigned change;
        void (*note)(struct fly_flight *f);
    } k_note[] = {
        {FLY_SEEN, note_seen},       {FLY_TEXT, note_text},       {FLY_REBOOT, note_reboot},
        {FLY_ARMED, note_armed},     {FLY_MODE, note_mode},       {FLY_LANDED, note_landed},
        {FLY_REACHED, note_reached}, {FLY_CURRENT, note_current},
    };
    for (size_t i = 0; i < sizeof k_note / sizeof k_note[0]; i++) {
        if ((changes & k_note[i].change) != 0) {
            k_note[i].note(f);
        }
    }
    note_progress(f, changes);
    if (f->armed_once) {
        note_phase(f);
    }
}

/* ---- judging */

static bool in_mission(const struct fly_flight *f)
{
    return f->state.custom_mode == fly_mission_mode(&f->state);
}

/* The mission brings itself down: nothing is left to command. */
static bool ends_itself(const struct fly_flight *f)
{
    const uint16_t end = last_item(f)->command;
    return end == MAV_CMD_NAV_RETURN_TO_LAUNCH || end == MAV_CMD_NAV_LAND ||
           end == MAV_CMD_NAV_VTOL_LAND || fly_is_down_mode(&f->state);
}

/* Time that an item takes without any visible progress. */
static int64_t item_hold_us(const struct fly_flight *f)
{
    const uint16_t seq = f->state.current;
    if (seq >= f->plan->count) {
        return 0;
    }
    switch (f->plan->item[seq].command) {
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_LOITER_TIME:
    case MAV_CMD_NAV_DELAY:
    case MAV_CMD_CONDITION_DELAY: {
        const double hold_s = (double)mf_f32_from_bits(f->plan->item[seq].param1);
        return hold_s > 0.0 && hold_s < 1e6 ? (int64_t)(hold_s * 1e6) : 0;
    }
    default:
        return 0;
    }
}

static int broken_off(struct fly_flight *f, const char *how)
{
    const char *why = f->state.complaint;
    return fly_flight_fail(f, "%s in mode %s, on the way to item %u of %u%s%s", how,
                           fly_mode_name(f->state.autopilot, f->state.custom_mode).text,
                           f->state.current, f->plan->count,
                           why[0] == '\0' ? "" : "; the vehicle says: ", why);
}

/* Armed, and the mission is not done: is it getting there? */
static int check_mission(struct fly_flight *f)
{
    const int64_t now = fly_client_now(f->client);
    if (!f->started && !f->nudged && now - f->arm_wall_us > NUDGE_US) {
        f->nudged = true;
        (void)fly_flight_command(f, MAV_CMD_MISSION_START, 0, 0,
                                 0); /* the modes tell what came of it */
    }
    if (!fly_is_down_mode(&f->state) && now - f->mission_us > FLY_AWAY_US) {
        return broken_off(f, f->started ? "the mission was left" : "the mission did not start");
    }
    return 0;
}

static int come_down(struct fly_flight *f)
{
    const bool land = f->options->land;
    if (ends_itself(f)) {
        f->returned = true;
        return 0;
    }
    if (in_mission(f) && fly_client_now(f->client) - f->finished_us < HOLD_US) {
        return 0;
    }
    if (f->options->stay) {
        f->over = true;
        return 0;
    }
    const int result =
        fly_flight_command(f, land ? MAV_CMD_NAV_LAND : MAV_CMD_NAV_RETURN_TO_LAUNCH, 0, 0, 0);
    f->returned = true;
    f->landing = land;
    if (result != MAV_RESULT_ACCEPTED) {
        return fly_flight_fail(f, "%s: %s", land ? "landing" : "return",
                               result < 0 ? fly_err_text(result) : fly_result_name(result).text);
    }
    fly_flight_tell(f, FLY_PLAIN, "%s commanded", land ? "landing" : "return");
    return 0;
}

static void disarm_if_forgotten(struct fly_flight *f)
{
    if (f->finished && !f->disarm_sent && f->state.landed == MAV_LANDED_STATE_ON_GROUND &&
        fly_client_now(f->client) - f->progress_us > DISARM_US) {
        f->disarm_sent = true;
        (void)fly_flight_command(f, MAV_CMD_COMPONENT_ARM_DISARM, 0, 0, 0);
    }
}

static int judge_flight(struct fly_flight *f)
{
    if (f->reason[0] != '\0') {
        return -1;
    }
    if (!f->state.armed) {
        f->over = true;
        return f->finished ? 0 : broken_off(f, "disarmed before the mission was done,");
    }
    if (fly_client_now(f->client) - f->progress_us > FLY_STALL_US + item_hold_us(f)) {
        return broken_off(f, "no progress for minutes,");
    }
    if (!f->finished) {
        return check_mission(f);
    }
    disarm_if_forgotten(f);
    return f->returned ? 0 : come_down(f);
}

static void show_live(struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    const int64_t now = fly_client_now(f->client);
    struct fly_name name;
    fly_console_live(f->console, now, "T+%7.1f s  %s, item %u of %u %s, %.1f m up, %.1f m/s",
                     (double)(s->time_us - f->arm_vehicle_us) * 1e-6,
                     fly_mode_name(s->autopilot, s->custom_mode).text, s->current, f->plan->count,
                     item_name(f, s->current, &name), s->alt_rel_m, s->speed_mps);
}

/* ---- the end */

static void settle(struct fly_flight *f)
{
    const uint32_t positions = f->state.positions;
    const int64_t until = fly_client_now(f->client) + SETTLE_US;
    fly_flight_ask(f, MF_MSG_GLOBAL_POSITION_INT);
    while (f->state.positions == positions && fly_client_now(f->client) < until) {
        if (fly_flight_pump(f, PUMP_US) != 0) {
            f->reason[0] = '\0'; /* the flight is over; who leaves now may */
            return;
        }
    }
}

static void find_target(struct fly_flight *f)
{
    const bool landed_there = last_item(f)->command == MAV_CMD_NAV_LAND || f->landing;
    const bool went_home = f->returned && !landed_there;
    for (uint16_t i = f->plan->count; i > 0 && !went_home; i--) {
        if (fly_item_has_place(&f->plan->item[i - 1])) {
            f->target = fly_item_place(&f->plan->item[i - 1]);
            f->target_name = "the last item";
            break;
        }
    }
    if (f->target_name == NULL && f->state.has_home) {
        f->target = f->state.home;
        f->target_name = "home";
    }
    if (f->target_name != NULL) {
        f->miss_m = fly_state_distance_m(&f->state, f->target);
    }
}

int fly_follow(struct fly_flight *f)
{
    f->progress_us = fly_client_now(f->client);
    while (!f->over) {
        if (fly_flight_pump(f, PUMP_US) != 0 || judge_flight(f) != 0) {
            if (f->state.armed) {
                fly_flight_tell(f, FLY_WARN, "the vehicle is left armed in mode %s",
                                fly_mode_name(f->state.autopilot, f->state.custom_mode).text);
            }
            return -1;
        }
        show_live(f);
    }
    if (f->state.armed) {
        f->end_wall_us = fly_client_now(f->client);
        f->end_vehicle_us = f->state.time_us;
    }
    settle(f);
    find_target(f);
    if (f->target_name != NULL && f->miss_m > END_MISS_M && f->state.type != MAV_TYPE_FIXED_WING) {
        return fly_flight_fail(f, "it ended %.0f m from %s", f->miss_m, f->target_name);
    }
    return 0;
}
