/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: MAVLink commands to the vehicle. */
#include "drone/plan_check.h"
#include "firmware/state/journal.h"
#include "host/api/api_route.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <math.h>
#include <string.h>

#define PARAMS 7

/* Actions, each with the command that ground stations send for it: word, MAV_CMD, param1, param2,
 * param3, members that the action takes. Modes of MAV_CMD_DO_SET_MODE are PX4's: main mode 4 is
 * AUTO. */
#define ACTION_LIST(X)                                                             \
    X("arm", MAV_CMD_COMPONENT_ARM_DISARM, 1, NAN, NAN, 0)                         \
    X("disarm", MAV_CMD_COMPONENT_ARM_DISARM, 0, NAN, NAN, 0)                      \
    X("takeoff", MAV_CMD_NAV_TAKEOFF, NAN, NAN, NAN, ALTITUDE)                     \
    X("goto", MAV_CMD_DO_REPOSITION, -1, 1, 0, PLACE | ALTITUDE | HEADING | SPEED) \
    X("hold", MAV_CMD_DO_SET_MODE, MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, 4, 3, 0)     \
    X("start_mission", MAV_CMD_MISSION_START, 0, 0, NAN, 0)                        \
    X("return", MAV_CMD_NAV_RETURN_TO_LAUNCH, NAN, NAN, NAN, 0)                    \
    X("land", MAV_CMD_NAV_LAND, NAN, NAN, NAN, 0)

#define ACTION_WORDS "arm|disarm|takeoff|goto|hold|start_mission|return|land"

enum { PLACE = 1, ALTITUDE = 2, HEADING = 4, SPEED = 8 };

/* Members of actions: word, bit, lowest and highest value. */
#define MEMBER_LIST(X)                          \
    X("lat_deg", PLACE, -90.0, 90.0)            \
    X("lon_deg", PLACE, -180.0, 180.0)          \
    X("alt_m", ALTITUDE, -1000000.0, 1000000.0) \
    X("heading_deg", HEADING, -360.0, 360.0)    \
    X("speed_mps", SPEED, 0.0, 1000.0)

const struct mf_api_field mf_api_command_fields[] = {
    {"action", "string/:" ACTION_WORDS, "action of the vehicle; or give command"},
    {"lat_deg", "number?:-90..90", "goto: latitude of the target [deg]"},
    {"lon_deg", "number?:-180..180", "goto: longitude of the target [deg]"},
    {"alt_m", "number?:-1000000..1000000",
     "goto, takeoff: altitude of the target [m]; absent: the present one, or MIS_TAKEOFF_ALT"},
    {"heading_deg", "number?:-360..360",
     "goto: heading, clockwise from true north [deg]; absent: towards the target"},
    {"speed_mps", "number?:0..1000", "goto: horizontal speed [m/s]; absent: MPC_XY_CRUISE"},
    {"command", "integer/:0..65535", "MAV_CMD, with its parameters; or give action"},
    {"param1", "number?:-1000000000..1000000000",
     "parameter 1 of the command; absent or null: NaN, as in the other six"},
    {"param2", "number?:-1000000000..1000000000", "parameter 2 of the command"},
    {"param3", "number?:-1000000000..1000000000", "parameter 3 of the command"},
    {"param4", "number?:-1000000000..1000000000", "parameter 4 of the command"},
    {"param5", "number?:-180..180", "parameter 5 of the command: latitude [deg]"},
    {"param6", "number?:-180..180", "parameter 6 of the command: longitude [deg]"},
    {"param7", "number?:-1000000000..1000000000", "parameter 7 of the command: altitude [m]"},
    {"frame", "string:amsl|home|terrain",
     "zero of the altitude: mean sea level, home or the ground; absent: home for an action, amsl "
     "for a command"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_result_fields[] = {
    {"command", "integer", "MAV_CMD of the answer"},
    {"result", "integer", "MAV_RESULT: 0 is accepted, 5 in progress"},
    {"name", "string", "the result in words"},
    {"progress", "integer", "progress of a command in progress [%]; 255: not known"},
    {"reason", "string?",
     "reason of a refusal, or why an accepted command is not flown, in the vehicle's words; null"},
    {NULL, NULL, NULL},
};

/* Frames of altitude: MAV_FRAME, word of the API. */
#define FRAME_LIST(X)                            \
    X(MAV_FRAME_GLOBAL_INT, "amsl")              \
    X(MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, "home") \
    X(MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, "terrain")

/* Words of MAV_RESULT, by number. */
static const char *const k_result[] = {
    "accepted",         "temporarily_rejected", "denied",    "unsupported",
    "failed",           "in_progress",          "cancelled", "command_long_only",
    "command_int_only", "unsupported_mav_frame"};

const char *mf_api_result_word(size_t result)
{
    return result < sizeof k_result / sizeof k_result[0] ? k_result[result] : "";
}

static double find_number(const struct mf_api_call *call, const char *name)
{
    const struct mf_json_member *m = mf_json_find(call->body, name);
    return m != NULL && m->kind == MF_JSON_NUMBER ? m->number : (double)NAN;
}

/* Convert degrees for COMMAND_INT; INT32_MAX: not given */
static int32_t to_e7(double deg)
{
    return isnan(deg) ? INT32_MAX : (int32_t)lround(deg * 1e7);
}

/* Read the frame of a command. @param otherwise  frame without a member "frame" @return false:
 * refused */
static bool read_frame(struct mf_api_call *call, uint8_t *frame, uint8_t otherwise)
{
    static const struct {
        uint8_t frame;
        const char *word;
    } k_frame[] = {
#define X(frame, word) {frame, word},
        FRAME_LIST(X)
#undef X
    };
    const struct mf_json_member *m = mf_json_find(call->body, "frame");
    *frame = otherwise;
    for (size_t i = 0; m != NULL; i++) {
        if (i == sizeof k_frame / sizeof k_frame[0]) {
            mf_api_refuse(call, 422, "frame must be amsl, home or terrain, not '%.40s'", m->text);
            return false;
        }
        if (strcmp(m->text, k_frame[i].word) == 0) {
            *frame = k_frame[i].frame;
            break;
        }
    }
    return true;
}

static bool read_command(struct mf_api_call *call, struct mf_msg_command_int *m)
{
    double param[PARAMS];
    const double command = find_number(call, "command");
    for (int i = 0; i < PARAMS; i++) {
        const char name[] = {'p', 'a', 'r', 'a', 'm', (char)('1' + i), '\0'};
        param[i] = find_number(call, name);
        const double most = i == 4 || i == 5 ? 180.0 : 1e9;
        if (param[i] < -most || param[i] > most) {
            mf_api_refuse(call, 422, "%s must be %g .. %g", name, -most, most);
            return false;
        }
    }
    if (!(command >= 0 && command <= UINT16_MAX && trunc(command) == command)) {
        mf_api_refuse(call, 422, "command must be a whole number, 0 .. 65535: a MAV_CMD");
        return false;
    }
    *m = (struct mf_msg_command_int){.command = (uint16_t)command,
                                     .param1 = (float)param[0],
                                     .param2 = (float)param[1],
                                     .param3 = (float)param[2],
                                     .param4 = (float)param[3],
                                     .x = to_e7(param[4]),
                                     .y = to_e7(param[5]),
                                     .z = (float)param[6]};
    return read_frame(call, &m->frame, MAV_FRAME_GLOBAL_INT);
}

/* ---- actions */

struct action {
    const char *word;
    uint16_t command;
    double param1, param2, param3;
    unsigned takes; /* bits of the members that the action takes */
};

static const struct action k_action[] = {
#define X(word, command, param1, param2, param3, takes) \
    {word, command, (double)(param1), (double)(param2), (double)(param3), takes},
    ACTION_LIST(X)
#undef X
};

/* Find an action by its word. @return NULL: refused */
static const struct action *find_action(struct mf_api_call *call, const char *word)
{
    for (size_t i = 0; i < sizeof k_action / sizeof k_action[0]; i++) {
        if (strcmp(k_action[i].word, word) == 0) {
            return &k_action[i];
        }
    }
    mf_api_refuse(call, 422, "action must be one of " ACTION_WORDS ", not '%.40s'", word);
    return NULL;
}

/* Check that the action takes each member of the body. @return false: refused */
static bool check_members(struct mf_api_call *call, const struct action *action)
{
    static const struct {
        const char *word;
        unsigned bit;
        double low, high;
    } k_member[] = {
#define X(word, bit, low, high) {word, bit, low, high},
        MEMBER_LIST(X)
#undef X
    };
    for (size_t i = 0; i < call->body->count; i++) {
        const struct mf_json_member *m = &call->body->member[i];
        const bool is_frame = strcmp(m->name, "frame") == 0 && (action->takes & ALTITUDE) != 0;
        size_t k = 0;
        while (k < sizeof k_member / sizeof k_member[0] && strcmp(k_member[k].word, m->name) != 0) {
            k++;
        }
        const bool known = k < sizeof k_member / sizeof k_member[0];
        if (strcmp(m->name, "action") != 0 && !is_frame &&
            (!known || (action->takes & k_member[k].bit) == 0)) {
            mf_api_refuse(call, 422, "%s takes no '%s'", action->word, m->name);
            return false;
        }
        if (known && (m->number < k_member[k].low || m->number > k_member[k].high)) {
            mf_api_refuse(call, 422, "%s must be %g .. %g", m->name, k_member[k].low,
                          k_member[k].high);
            return false;
        }
    }
    return true;
}

static bool read_action(struct mf_api_call *call, const char *word, struct mf_msg_command_int *m)
{
    const struct action *action = find_action(call, word);
    if (action == NULL || !check_members(call, action)) {
        return false;
    }
    const double lat = find_number(call, "lat_deg"), lon = find_number(call, "lon_deg");
    if ((action->takes & PLACE) != 0 && isnan(lat + lon)) {
        mf_api_refuse(call, 422, "%s needs lat_deg and lon_deg", word);
        return false;
    }
    const double speed = find_number(call, "speed_mps"), heading = find_number(call, "heading_deg");
    *m = (struct mf_msg_command_int){.command = action->command,
                                     .param1 = (float)(isnan(speed) ? action->param1 : speed),
                                     .param2 = (float)action->param2,
                                     .param3 = (float)action->param3,
                                     .param4 =
                                         (float)mf_rad(heading), /* in radians, as PX4 expects it */
                                     .x = to_e7(lat),
                                     .y = to_e7(lon),
                                     .z = (float)find_number(call, "alt_m")};
    return read_frame(call, &m->frame, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT);
}

bool mf_api_asked(struct mf_api_call *call, int result)
{
    call->api->server->posted = true;
    if (result != MF_E_OK) {
        mf_api_refuse(call, 409, "%s",
                      result == MF_E_FULL ? "the vehicle has no link free for this API"
                                          : "no answer: a rule of misbehaviour holds it back");
    }
    return result == MF_E_OK;
}

/* Read the command or the action of the body, which must have exactly one of them. @return false:
 * refused */
static bool read_any(struct mf_api_call *call, struct mf_msg_command_int *m)
{
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    if ((action != NULL) == (mf_json_find(call->body, "command") != NULL)) {
        mf_api_refuse(call, 422,
                      "an action (" ACTION_WORDS ") or a command (MAV_CMD), one of them");
        return false;
    }
    return action != NULL ? read_action(call, action->text, m) : read_command(call, m);
}

/* Count the texts that the vehicle has sent since the boot. */
static uint32_t count_texts(const struct mf_api_call *call)
{
    const struct mf_journal *journal = mf_vehicle_journal(call->api->vehicle);
    return journal != NULL ? journal->texts.count : 0;
}

/* Write the reason of a refusal: the fault of a mission that cannot be flown, or the first text
 * that the vehicle sent after @p texts others. PX4 accepts a reposition outside the fence, and only
 * a critical text says that the vehicle does not fly there: it is a reason, too. */
static void write_reason(struct mf_api_call *call, const struct mf_msg_command_ack *ack,
                         uint32_t texts)
{
    struct mf_text why;
    const struct mf_journal *journal = mf_vehicle_journal(call->api->vehicle);
    const bool refused =
        ack->result != MAV_RESULT_ACCEPTED && ack->result != MAV_RESULT_IN_PROGRESS;
    if (refused && ack->command == MAV_CMD_MISSION_START &&
        !mf_plan_feasible(call->api->vehicle, NULL, &why)) {
        mf_json_text(&call->json, "reason", why.s);
    } else if (count_texts(call) > texts &&
               (refused || journal->texts.last[texts % MF_TEXTS_KEPT].severity <= MF_CRITICAL)) {
        mf_json_text(&call->json, "reason", journal->texts.last[texts % MF_TEXTS_KEPT].s);
    } else {
        mf_json_null(&call->json, "reason");
    }
}

void mf_api_post_command(struct mf_api_call *call)
{
    struct mf_msg_command_int m;
    struct mf_msg_command_ack ack;
    const uint32_t texts = count_texts(call);
    if (!read_any(call, &m) ||
        !mf_api_asked(call, call->api->ops->command(call->api->ops_ctx, &m, &ack))) {
        return;
    }
    mf_json_integer(&call->json, "command", ack.command);
    mf_json_integer(&call->json, "result", ack.result);
    mf_json_text(&call->json, "name", mf_api_result_word(ack.result));
    mf_json_integer(&call->json, "progress", ack.progress);
    write_reason(call, &ack, texts);
}
