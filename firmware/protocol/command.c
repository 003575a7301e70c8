/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/command.h"

#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/protocol/command_list.h"
#include "firmware/protocol/command_value.h"
#include "firmware/report/encode.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* Value of params 5 and 6 together that means INT32_MAX ("not given") converted to a float, one
 * unit in the last place below. It is not a place on Earth, and the client's intent is unknown: PX4
 * denies it. */
#define NO_PLACE 2147483520.0f
/* Value of COMMAND_INT's x and y that means copied bits of a not-a-number. */
#define NO_PLACE_INT 0x7FF80000

static double not_given(void)
{
    return (double)__builtin_nanf("");
}

static const struct {
    uint16_t id;
    bool place; /* a frame means something only to a command that has one */
    int (*serve)(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us);
} k_command[] = {
#define X(name, handler, place) {MAV_CMD_##name, place, mf_command_##handler},
    COMMAND_LIST(X)
#undef X
};

#define COMMANDS (sizeof k_command / sizeof k_command[0])

/* @return its place in the table, COMMANDS: nowhere */
static size_t find_command(uint16_t id)
{
    size_t i = 0;
    while (i < COMMANDS && k_command[i].id != id) {
        i++;
    }
    return i;
}

static int serve_command(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const size_t i = find_command(c->id);
    return i < COMMANDS ? k_command[i].serve(v, c, now_us) : MF_E_NOSUPP;
}

static bool names_a_place(uint16_t id)
{
    const size_t i = find_command(id);
    return i < COMMANDS && k_command[i].place;
}

/* Note a command and its result for observers: the control API and the shell's dmesg. */
static void remember(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    if (v->journal == NULL) {
        return;
    }
    struct mf_answers *answers = &v->journal->answers;
    MF_ASSERT(result <= MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME);
    answers->results[result < MF_RESULTS ? result : MF_RESULTS - 1]++;
    answers->last[answers->count++ % MF_ANSWERS_KEPT] =
        (struct mf_answer){v->instant_us, c->id, result, c->from.sysid, c->from.compid};
}

/* IN_PROGRESS is a yes: the second acknowledgement follows. */
static void count(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    if (result == MAV_RESULT_ACCEPTED || result == MAV_RESULT_IN_PROGRESS) {
        v->counters.commands_accepted++;
    } else {
        v->counters.commands_refused++;
    }
    remember(v, c, result);
}

static void acknowledge(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    MF_ASSERT(c->from.link != NULL && c->from.link->open);
    const struct mf_msg_command_ack ack = {
        .command = c->id,
        .result = result,
        .target_system = c->from.sysid,
        .target_component = c->from.compid,
    };
    count(v, c, result);
    mf_link_answer(v, c->from, MF_MSG_COMMAND_ACK, &ack);
}

/* PX4's answer to a command that does nothing here. */
static uint8_t idle_result(const struct mf_vehicle *v, uint16_t id)
{
    switch (id) {
    case MAV_CMD_NAV_LAND_LOCAL:
    case MAV_CMD_NAV_VTOL_TAKEOFF:
    case MAV_CMD_DO_SET_ACTUATOR:
    case MAV_CMD_DO_GO_AROUND:
    case MAV_CMD_DO_GRIPPER:
    case MAV_CMD_ACTUATOR_TEST:
    case MAV_CMD_EXTERNAL_ATTITUDE_ESTIMATE:
    case MAV_CMD_LOGGING_START:
    case MAV_CMD_LOGGING_STOP:
    case MAV_CMD_EXTERNAL_POSITION_ESTIMATE:
        return MAV_RESULT_ACCEPTED;
    case MAV_CMD_DO_SET_SAFETY_SWITCH_STATE:
    case MAV_CMD_FIXED_MAG_CAL_YAW:
        return v->commander.armed ? MAV_RESULT_TEMPORARILY_REJECTED : MAV_RESULT_ACCEPTED;
    case MAV_CMD_DO_LAND_START:
        return MAV_RESULT_CANCELLED;
    case MAV_CMD_DO_AUTOTUNE_ENABLE:
        return MAV_RESULT_DENIED;
    case MAV_CMD_CONTROL_HIGH_LATENCY:
        return MAV_RESULT_FAILED;
    default:
        return MAV_RESULT_UNSUPPORTED;
    }
}

/* Two modules of PX4 answer some commands: the first one whatever the parameters say. */
static void answer_before(struct mf_vehicle *v, const struct mf_command *c)
{
    switch (c->id) {
    case MAV_CMD_DO_SET_MODE:
    case MAV_CMD_EXTERNAL_WIND_ESTIMATE:
        acknowledge(v, c, MAV_RESULT_ACCEPTED);
        break;
    case MAV_CMD_DO_GRIPPER:
        acknowledge(v, c, MAV_RESULT_IN_PROGRESS);
        break;
    default:
        break;
    }
}

/* Handlers answer with errors, which have a MAV_RESULT each. */
static uint8_t result_of(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int err = serve_command(v, c, now_us);
    MF_ASSERT(err <= MF_E_OK);
    return err == MF_E_NOSUPP && v->options.px4_strict ? idle_result(v, c->id)
                                                       : mf_err_mav_result(err);
}

/* Run the command of a message, and answer its sender. */
static void serve_peer(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (v->options.px4_strict) {
        answer_before(v, c);
    }
    acknowledge(v, c, result_of(v, c, now_us));
}

uint8_t mf_command_run(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const uint8_t result = result_of(v, c, now_us);
    count(v, c, result);
    return result;
}

/* Two commands are answered whatever component they name, as by PX4: a client that does not know
 * the vehicle yet asks them first. */
static bool addressed(const struct mf_vehicle *v, struct mf_peer from, uint16_t id, uint8_t system,
                      uint8_t component)
{
    const bool any =
        id == MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES || id == MAV_CMD_REQUEST_PROTOCOL_VERSION;
    return mf_means_us(v, from, system, any ? 0 : component);
}

void mf_on_command_long(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_command_long *m, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    if (!addressed(v, from, m->command, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_command c = {
        .from = from,
        .id = m->command,
        .param = {m->param1, m->param2, m->param3, m->param4, m->param5, m->param6, m->param7},
        .lat_deg = (double)m->param5,
        .lon_deg = (double)m->param6,
        .alt_amsl_m = (double)m->param7,
    };
    if (m->param5 >= NO_PLACE && m->param6 >= NO_PLACE) {
        acknowledge(v, &c, MAV_RESULT_DENIED);
    } else {
        serve_peer(v, &c, now_us);
    }
}

/* Both coordinates INT32_MAX: MAVLink's "not given" in integers, which a COMMAND_LONG says by
 * not-a-number. */
static struct mf_geo place_of(const struct mf_msg_command_int *m)
{
    const bool given = m->x != INT32_MAX || m->y != INT32_MAX;
    return (struct mf_geo){given ? (double)m->x / 1e7 : not_given(),
                           given ? (double)m->y / 1e7 : not_given()};
}

/* Check that the ground is known at a place above the ground; a text has the reason of a
 * refusal. */
static uint8_t check_ground(struct mf_vehicle *v, const struct mf_msg_command_int *m,
                            mf_us_t now_us)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    double ground_m;
    const int err = mf_datum_ground(&v->hal, e, place_of(m), &ground_m);
    if (err == MF_E_NOENT) {
        (void)mf_command_refuse(v, MF_E_DENIED, "Command denied: " MF_DATUM_NO_GROUND);
    }
    return err == MF_E_OK ? MAV_RESULT_ACCEPTED : MAV_RESULT_DENIED;
}

/* Result of a COMMAND_INT because of its frame. PX4 accepts one frame only. */
static uint8_t check_frame(struct mf_vehicle *v, const struct mf_msg_command_int *m, mf_us_t now_us)
{
    if (v->options.px4_strict) {
        return m->frame == MAV_FRAME_GLOBAL_INT ? MAV_RESULT_ACCEPTED
                                                : MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME;
    }
    switch (m->frame) {
    case MAV_FRAME_GLOBAL:
    case MAV_FRAME_GLOBAL_INT:
        return MAV_RESULT_ACCEPTED;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        return v->home.valid || !names_a_place(m->command) ? MAV_RESULT_ACCEPTED
                                                           : MAV_RESULT_DENIED;
    case MAV_FRAME_GLOBAL_TERRAIN_ALT:
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return names_a_place(m->command) ? check_ground(v, m, now_us) : MAV_RESULT_DENIED;
    case MAV_FRAME_MISSION:
        return names_a_place(m->command) ? MAV_RESULT_DENIED : MAV_RESULT_ACCEPTED;
    default:
        return MAV_RESULT_DENIED;
    }
}

/* MAVSDK asks for an orbit at an absolute altitude in frame 3, which PX4 does not look at. */
static bool is_relative(const struct mf_msg_command_int *m)
{
    return m->frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT ||
           (m->frame == MAV_FRAME_GLOBAL_RELATIVE_ALT && m->command != MAV_CMD_DO_ORBIT);
}

/* Zero of the altitudes of a message's frame. It is computed before the frame is checked, and
 * unused if the frame is wrong. */
static double zero_amsl_m(const struct mf_vehicle *v, const struct mf_msg_command_int *m)
{
    double zero_m = 0.0;
    if (is_relative(m)) {
        return v->home.alt_amsl_m;
    }
    if (mf_datum_is_terrain(m->frame)) {
        /* without ground that is known the command was denied */
        (void)mf_datum_ground(&v->hal, &v->estimate, place_of(m), &zero_m);
    }
    MF_ASSERT(mf_finite(zero_m));
    return zero_m;
}

void mf_on_command_int(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_command_int *m, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    if (!addressed(v, from, m->command, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_geo place = place_of(m);
    const bool garbled = m->x == NO_PLACE_INT && m->y == NO_PLACE_INT;
    const uint8_t result = garbled ? MAV_RESULT_DENIED : check_frame(v, m, now_us);
    const struct mf_command c = {
        .from = from,
        .id = m->command,
        .param = {m->param1, m->param2, m->param3, m->param4, (float)place.lat_deg,
                  (float)place.lon_deg, m->z},
        .lat_deg = place.lat_deg,
        .lon_deg = place.lon_deg,
        .alt_amsl_m = (double)m->z + zero_amsl_m(v, m),
    };
    if (result == MAV_RESULT_ACCEPTED) {
        serve_peer(v, &c, now_us);
    } else {
        acknowledge(v, &c, result);
    }
}

void mf_on_set_mode(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_set_mode *m,
                    mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    const struct mf_command c = {.from = from, .id = MAV_CMD_DO_SET_MODE};
    if (!mf_means_us(v, from, m->target_system, 0)) {
        return;
    }
    const int32_t main = (int32_t)(m->custom_mode >> 16 & 0xFFu);
    const int32_t sub = (int32_t)(m->custom_mode >> 24);
    acknowledge(v, &c,
                mf_err_mav_result(mf_command_change_mode(v, m->base_mode, main, sub, now_us)));
}
