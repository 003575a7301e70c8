/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/flight.h"

#include "host/spec/plan_text.h"
#include "mavlink/enums.h"
#include "tools/fly/names.h"

#include <math.h>
#include <string.h>

#define PUMP_US      200000
#define ASK_US       1000000 /* between requests for what is missing */
#define ASK_RATES_US 3000000 /* without that, ask for streams */
#define WORRY_US     1500000 /* say what we wait for */
#define JUDGE_US     2500000 /* MISSION_CURRENT comes once a second */
#define ARM_PAUSE_US 1000000
#define ARM_SEEN_US  5000000 /* an accepted arming shows in HEARTBEAT within this */
#define FAR_M        10000.0 /* PX4 refuses a first waypoint farther away (MIS_DIST_1WP) */

void fly_flight_observe(void *ctx, const struct fly_message *message)
{
    struct fly_flight *f = ctx;
    if (fly_client_is_target(f->client, message)) {
        fly_follow_note(f, fly_state_update(&f->state, message));
    }
}

/* A refusal in words, with the vehicle's last complaint, which says why. */
static int refused(struct fly_flight *f, const char *what, int result)
{
    const char *why = f->state.complaint;
    return fly_flight_fail(f, "%s: %s%s%s", what,
                           result < 0 ? fly_err_text(result) : fly_result_name(result).text,
                           why[0] == '\0' ? "" : ", the vehicle says: ", why);
}

/* ---- phase: find the vehicle */

static int find_vehicle(struct fly_flight *f)
{
    const int64_t until = f->begin_us + FLY_FIND_US;
    while (!f->state.seen) {
        struct fly_message in;
        const int got = fly_client_next(f->client, fly_client_now(f->client) + PUMP_US, &in);
        if (got < 0) {
            return fly_flight_fail(f, "the connection was closed before a HEARTBEAT came");
        }
        if (got == 1 && fly_is_autopilot(&in)) {
            f->client->target_sysid = in.sysid;
            f->client->target_compid = in.compid;
            f->client->heard_us = fly_client_now(f->client);
            in.order = 1; /* this message made the client choose the vehicle */
            fly_flight_observe(f, &in);
        } else if (fly_client_now(f->client) > until) {
            return fly_flight_fail(f, "no HEARTBEAT of a vehicle within %d s",
                                   FLY_FIND_US / 1000000);
        }
        if (fly_flight_check_patience(f) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- phase: wait until it is ready */

static void ask_for_missing(struct fly_flight *f)
{
    if (!f->state.has_health) {
        fly_flight_ask(f, MF_MSG_SYS_STATUS);
    }
    if (!f->state.has_position) {
        fly_flight_ask(f, MF_MSG_GLOBAL_POSITION_INT);
    }
    if (!f->state.has_home) {
        fly_flight_ask(f, MF_MSG_HOME_POSITION);
    }
}

/* Request streams: ArduPilot sends none on a link before a request. */
static void ask_for_streams(struct fly_flight *f)
{
    static const struct {
        uint32_t id;
        float interval_us;
    } k_stream[] = {
        {MF_MSG_GLOBAL_POSITION_INT, 100000}, {MF_MSG_SYS_STATUS, 1000000},
        {MF_MSG_EXTENDED_SYS_STATE, 500000},  {MF_MSG_MISSION_CURRENT, 500000},
        {MF_MSG_HOME_POSITION, 2000000},
    };
    for (size_t i = 0; i < sizeof k_stream / sizeof k_stream[0]; i++) {
        fly_flight_send(f, MAV_CMD_SET_MESSAGE_INTERVAL, (float)k_stream[i].id,
                        k_stream[i].interval_us);
    }
    fly_flight_send(f, MAV_CMD_RUN_PREARM_CHECKS, 0, 0);
}

static int await_ready(struct fly_flight *f)
{
    const int64_t start = fly_client_now(f->client);
    int64_t ask_us = start;
    int64_t rates_us = start + ASK_RATES_US;
    char reason[256];
    char told[256] = "";
    if (f->state.armed) {
        return fly_flight_fail(f, "the vehicle is armed already; disarm it first");
    }
    while (!fly_state_ready(&f->state, reason, sizeof reason)) {
        const int64_t now = fly_client_now(f->client);
        if (now >= ask_us) {
            ask_for_missing(f);
            ask_us = now + ASK_US;
        }
        if (now >= rates_us) {
            ask_for_streams(f);
            rates_us = now + FLY_LOST_US;
        }
        if (now - start > WORRY_US && strcmp(told, reason) != 0) {
            fly_flight_tell(f, FLY_WARN, "waiting: %s", reason);
            memcpy(told, reason, sizeof told);
        }
        if (now - start > FLY_READY_US) {
            return fly_flight_fail(f, "not ready after %d s: %s", FLY_READY_US / 1000000, reason);
        }
        if (fly_flight_pump(f, PUMP_US) != 0) {
            const size_t used = strlen(f->reason);
            snprintf(f->reason + used, sizeof f->reason - used, ": %s", reason);
            return -1;
        }
    }
    fly_flight_tell(f, FLY_PLAIN, "ready at %.7f, %.7f, %.1f m AMSL", f->state.place.lat_deg,
                    f->state.place.lon_deg, f->state.alt_amsl_m);
    return 0;
}

/* ---- phase: the mission */

static int insert(struct fly_flight *f, uint16_t index, const struct mf_msg_mission_item_int *item)
{
    return fly_plan_insert(f->plan, index, item) == 0
               ? 0
               : fly_flight_fail(f, "the plan is full: no room for one more item");
}

static int insert_speed(struct fly_flight *f)
{
    const struct mf_msg_mission_item_int item = {
        .param1 = mf_f32_bits(SPEED_TYPE_GROUNDSPEED),
        .param2 = mf_f32_bits((float)f->options->speed_mps),
        .param3 = mf_f32_bits(-1.0f), /* throttle: no change */
        .command = MAV_CMD_DO_CHANGE_SPEED,
        .frame = MAV_FRAME_MISSION,
        .autocontinue = 1,
    };
    /* behind the take-off: PX4 wants that first */
    const bool takeoff = f->plan->item[0].command == MAV_CMD_NAV_TAKEOFF;
    return f->options->speed_mps > 0.0 ? insert(f, takeoff ? 1 : 0, &item) : 0;
}

/* ArduPilot's item 0 is its home. */
static int insert_home(struct fly_flight *f)
{
    const struct mf_msg_mission_item_int item = {
        .x = (int32_t)lround(f->state.home.lat_deg * 1e7),
        .y = (int32_t)lround(f->state.home.lon_deg * 1e7),
        .z = mf_f32_bits((float)f->state.home_alt_m),
        .command = MAV_CMD_NAV_WAYPOINT,
        .frame = MAV_FRAME_GLOBAL,
        .autocontinue = 1,
    };
    return f->state.autopilot == MAV_AUTOPILOT_ARDUPILOTMEGA ? insert(f, 0, &item) : 0;
}

/* A take-off without a place is from here; not every autopilot takes "not given" for that. */
static void place_takeoffs(struct fly_flight *f)
{
    for (uint16_t i = 0; i < f->plan->count; i++) {
        struct mf_msg_mission_item_int *item = &f->plan->item[i];
        if (item->command == MAV_CMD_NAV_TAKEOFF &&
            (item->x == MF_PLAN_NOT_GIVEN || item->y == MF_PLAN_NOT_GIVEN)) {
            item->x = (int32_t)lround(f->state.place.lat_deg * 1e7);
            item->y = (int32_t)lround(f->state.place.lon_deg * 1e7);
        }
    }
}

static void warn_of_plan(struct fly_flight *f)
{
    const struct mf_plan *plan = f->plan;
    for (uint16_t i = 0; i < plan->count; i++) {
        if (fly_item_has_place(&plan->item[i])) {
            const double m = fly_state_distance_m(&f->state, fly_item_place(&plan->item[i]));
            if (m > FAR_M) {
                fly_flight_tell(f, FLY_WARN, "the plan begins %.0f km from the vehicle", m * 1e-3);
            }
            return;
        }
    }
}

static int prepare_plan(struct fly_flight *f)
{
    const struct fly_options *o = f->options;
    if (f->plan->count == 0) {
        fly_plan_square(f->plan, f->state.home, o->takeoff_alt_m, o->side_m);
        fly_flight_tell(f, FLY_PLAIN, "plan: a square of %g m, %g m above home", o->side_m,
                        o->takeoff_alt_m);
    } else {
        fly_flight_tell(f, FLY_PLAIN, "plan: %s, %u items", o->plan_path, f->plan->count);
    }
    place_takeoffs(f);
    warn_of_plan(f);
    return insert_speed(f) != 0 || insert_home(f) != 0 ? -1 : 0;
}

/* PX4 judges a mission after it has acknowledged it, and says so in MISSION_CURRENT. */
static int await_judgement(struct fly_flight *f)
{
    const int64_t until = fly_client_now(f->client) + JUDGE_US;
    const char *why = f->state.complaint;
    f->state.has_current = false;
    fly_flight_ask(f, MF_MSG_MISSION_CURRENT);
    while (fly_client_now(f->client) < until) {
        if (fly_flight_pump(f, PUMP_US) != 0) {
            return -1;
        }
        if (f->state.has_current && f->state.mission_state != MISSION_STATE_NO_MISSION) {
            return 0;
        }
    }
    if (!f->state.has_current) {
        return 0; /* it says nothing of it */
    }
    return fly_flight_fail(f, "the vehicle does not accept the mission%s%s",
                           why[0] == '\0' ? "" : ", it says: ", why);
}

/* The part, the item and the reason, as the control API words them, and the vehicle's own text. */
static int refuse_list(struct fly_flight *f, const struct fly_mission *list,
                       const struct fly_transfer *how)
{
    char text[MF_PLAN_REFUSAL_MAX];
    const struct mf_msg_mission_item_int *item = &list->item[how->seq];
    const struct mf_plan_verdict verdict =
        how->requested ? mf_plan_refused_item(list->type, item, how->seq, how->result)
                       : mf_plan_refused_part(list->type, list->count, how->result);
    const char *why = f->state.complaint;
    return fly_flight_fail(f, "the vehicle refuses the %s%s%s",
                           mf_plan_refusal_text(&verdict, item->command, text),
                           why[0] == '\0' ? "" : ", it says: ", why);
}

static int upload_list(struct fly_flight *f, const struct fly_mission *list)
{
    const char *name = mf_plan_part_word(list->type);
    struct fly_transfer how = {0};
    const int err = fly_upload(f->client, list, f->options->verify, &how);
    f->transfer.repeats = (uint16_t)(f->transfer.repeats + how.repeats);
    f->transfer.restarts = (uint16_t)(f->transfer.restarts + how.restarts);
    if (err == FLY_E_REFUSED) {
        return refuse_list(f, list, &how);
    }
    if (err != FLY_E_OK) {
        const bool refused = how.result != MAV_MISSION_ACCEPTED;
        return fly_flight_fail(f, "upload of the %s, item %u: %s%s%s", name, how.seq,
                               fly_err_text(err), refused ? "; the vehicle answers " : "",
                               refused ? fly_mission_result_name(how.result).text : "");
    }
    fly_flight_tell(f, FLY_PLAIN, "%s of %u items uploaded%s%s", name, list->count,
                    f->options->verify ? ", read back and compared" : "",
                    how.repeats + how.restarts > 0 ? " (with repeats)" : "");
    if (how.altered > 0) {
        fly_flight_tell(f, FLY_PLAIN, "the vehicle did not keep %u parameters it has no use for",
                        how.altered);
    }
    return 0;
}

/* Fence and rally points come first: with them the mission is judged. What the plan does not hold
 * stays on the vehicle as it is. */
static int upload(struct fly_flight *f)
{
    struct mf_plan *plan = f->plan;
    f->state.complaint[0] = '\0';
    if (prepare_plan(f) != 0) {
        return -1;
    }
    f->upload_wall_us = fly_client_now(f->client);
    const struct fly_mission fence = {
        .item = plan->fence, .count = plan->fence_count, .type = MAV_MISSION_TYPE_FENCE};
    const struct fly_mission rally = {
        .item = plan->rally, .count = plan->rally_count, .type = MAV_MISSION_TYPE_RALLY};
    const struct fly_mission mission = {
        .item = plan->item,
        .count = plan->count,
        .type = MAV_MISSION_TYPE_MISSION,
        .skip_first = f->state.autopilot == MAV_AUTOPILOT_ARDUPILOTMEGA,
    };
    if ((fence.count > 0 && upload_list(f, &fence) != 0) ||
        (rally.count > 0 && upload_list(f, &rally) != 0) || upload_list(f, &mission) != 0) {
        return -1;
    }
    return await_judgement(f);
}

/* ---- phase: start */

static int set_mode(struct fly_flight *f, uint32_t mode)
{
    const bool px4 = f->state.autopilot != MAV_AUTOPILOT_ARDUPILOTMEGA;
    const float p2 = px4 ? (float)(mode >> 16 & 0xFFu) : (float)mode;
    const float p3 = px4 ? (float)(mode >> 24) : 0.0f;
    const int result =
        fly_flight_command(f, MAV_CMD_DO_SET_MODE, MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, p2, p3);
    if (result == MAV_RESULT_ACCEPTED) {
        return 0;
    }
    char what[64];
    snprintf(what, sizeof what, "mode %s", fly_mode_name(f->state.autopilot, mode).text);
    return refused(f, what, result);
}

/* A vehicle may say "not yet" although its checks were good a moment ago. */
static int arm(struct fly_flight *f)
{
    const int64_t until = fly_client_now(f->client) + FLY_ARM_US;
    int result = fly_flight_command(f, MAV_CMD_COMPONENT_ARM_DISARM, 1, 0, 0);
    while ((result == MAV_RESULT_TEMPORARILY_REJECTED || result == MAV_RESULT_FAILED) &&
           fly_client_now(f->client) < until) {
        const int64_t again = fly_client_now(f->client) + ARM_PAUSE_US;
        while (fly_client_now(f->client) < again) {
            if (fly_flight_pump(f, PUMP_US) != 0) {
                return -1;
            }
        }
        result = fly_flight_command(f, MAV_CMD_COMPONENT_ARM_DISARM, 1, 0, 0);
    }
    if (result != MAV_RESULT_ACCEPTED) {
        return refused(f, "arming", result);
    }
    const int64_t seen_us = fly_client_now(f->client) + ARM_SEEN_US;
    while (!f->armed_once && fly_client_now(f->client) < seen_us) {
        if (fly_flight_pump(f, PUMP_US) != 0) {
            return -1;
        }
    }
    return f->armed_once ? 0 : fly_flight_fail(f, "arming was accepted, but it stays disarmed");
}

/* PX4 starts a mission when armed in mission mode; ArduPilot's copter arms in GUIDED and is then
 * told to start. */
static int start(struct fly_flight *f)
{
    const bool px4 = f->state.autopilot != MAV_AUTOPILOT_ARDUPILOTMEGA;
    const uint32_t guided = 4;
    f->state.has_reached = false;
    if (px4) {
        return set_mode(f, fly_mission_mode(&f->state)) != 0 ? -1 : arm(f);
    }
    if (fly_is_copter(&f->state) && set_mode(f, guided) != 0) {
        return -1;
    }
    if (arm(f) != 0 || set_mode(f, fly_mission_mode(&f->state)) != 0) {
        return -1;
    }
    const int result = fly_flight_command(f, MAV_CMD_MISSION_START, 0, 0, 0);
    return result == MAV_RESULT_ACCEPTED ? 0 : refused(f, "mission start", result);
}

/* ---- all of it */

int fly_flight_run(struct fly_flight *f)
{
    static const struct {
        int (*run)(struct fly_flight *f);
        int exit_code;
    } k_phase[] = {
        {find_vehicle, FLY_EXIT_NO_VEHICLE}, {await_ready, FLY_EXIT_FAILED},
        {upload, FLY_EXIT_FAILED},           {start, FLY_EXIT_FAILED},
        {fly_follow, FLY_EXIT_FAILED},
    };
    f->begin_us = f->begin_us != 0 ? f->begin_us : fly_client_now(f->client);
    const size_t phases = f->options->upload ? 3 : sizeof k_phase / sizeof k_phase[0];
    for (size_t i = 0; i < phases; i++) {
        if (k_phase[i].run(f) != 0) {
            f->end_wall_us = fly_client_now(f->client);
            f->end_vehicle_us = f->state.time_us;
            return k_phase[i].exit_code;
        }
    }
    return FLY_EXIT_FLOWN;
}
