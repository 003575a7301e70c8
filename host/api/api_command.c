/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: commands of MAVLink to the vehicle. */
#include "host/api/api_route.h"
#include "mavlink/enums.h"

#include <math.h>
#include <string.h>

#define PARAMS 7

const struct mf_api_field mf_api_command_fields[] = {
    {"command", "integer!:0..65535", "MAV_CMD"},
    {"param1", "number?:-1000000000..1000000000",
     "as the command has it; absent or null: not given"},
    {"param2", "number?:-1000000000..1000000000", ""},
    {"param3", "number?:-1000000000..1000000000", ""},
    {"param4", "number?:-1000000000..1000000000", ""},
    {"param5", "number?:-180..180", "latitude [deg], if the command names a place"},
    {"param6", "number?:-180..180", "longitude [deg]"},
    {"param7", "number?:-1000000000..1000000000", "altitude [m]"},
    {"frame", "string:amsl|home|terrain", "what an altitude is above; absent: amsl"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_result_fields[] = {
    {"command", "integer", "MAV_CMD"},
    {"result", "integer", "MAV_RESULT: 0 is accepted, 5 in progress"},
    {"name", "string", "of the result"},
    {"progress", "integer", "of one in progress [%]; 255: not known"},
    {NULL, NULL, NULL},
};

/* A frame, its word. */
#define FRAME_LIST(X)                            \
    X(MAV_FRAME_GLOBAL_INT, "amsl")              \
    X(MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, "home") \
    X(MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, "terrain")

/* Of MAV_RESULT, by number. */
static const char *const k_result[] = {
    "accepted",         "temporarily_rejected", "denied",    "unsupported",
    "failed",           "in_progress",          "cancelled", "command_long_only",
    "command_int_only", "unsupported_mav_frame"};

const char *mf_api_result_word(size_t result)
{
    return result < sizeof k_result / sizeof k_result[0] ? k_result[result] : "";
}

static double number(const struct mf_api_call *call, const char *name)
{
    const struct mf_json_member *m = mf_json_find(call->body, name);
    return m != NULL && m->kind == MF_JSON_NUMBER ? m->number : (double)NAN;
}

/* Degrees as COMMAND_INT has them; INT32_MAX: not given */
static int32_t degrees(double deg)
{
    return isnan(deg) ? INT32_MAX : (int32_t)lround(deg * 1e7);
}

/* @return false: refused */
static bool read_frame(struct mf_api_call *call, uint8_t *frame)
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
    *frame = k_frame[0].frame;
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
    const double command = number(call, "command");
    for (int i = 0; i < PARAMS; i++) {
        const char name[] = {'p', 'a', 'r', 'a', 'm', (char)('1' + i), '\0'};
        param[i] = number(call, name);
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
                                     .x = degrees(param[4]),
                                     .y = degrees(param[5]),
                                     .z = (float)param[6]};
    return read_frame(call, &m->frame);
}

void mf_api_post_command(struct mf_api_call *call)
{
    struct mf_msg_command_int m;
    struct mf_msg_command_ack ack;
    if (!read_command(call, &m)) {
        return;
    }
    const int result = call->api->ops->command(call->api->ops_ctx, &m, &ack);
    call->api->server->posted = true;
    if (result != MF_E_OK) {
        mf_api_refuse(call, 409, "%s",
                      result == MF_E_FULL ? "the vehicle has no link free for this API"
                                          : "no answer: a rule of misbehaviour holds it back");
        return;
    }
    mf_json_integer(&call->json, "command", ack.command);
    mf_json_integer(&call->json, "result", ack.result);
    mf_json_text(&call->json, "name", mf_api_result_word(ack.result));
    mf_json_integer(&call->json, "progress", ack.progress);
}
