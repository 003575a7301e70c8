/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of refused plans, for host/api, boards/swarm and tools/fly. */
#include "host/spec/plan_text.h"

#include "drone/item_text.h"
#include "firmware/flight/items.h"
#include "mavlink/enums.h"

#include <stdio.h>

static const struct {
    uint16_t command; /* MAV_CMD */
    const char *text;
} k_command[] = {
    {MAV_CMD_NAV_WAYPOINT, "waypoint"},
    {MAV_CMD_NAV_LOITER_UNLIM, "loiter"},
    {MAV_CMD_NAV_LOITER_TURNS, "loiter turns"},
    {MAV_CMD_NAV_LOITER_TIME, "loiter time"},
    {MAV_CMD_NAV_RETURN_TO_LAUNCH, "return"},
    {MAV_CMD_NAV_LAND, "land"},
    {MAV_CMD_NAV_TAKEOFF, "takeoff"},
    {MAV_CMD_NAV_LOITER_TO_ALT, "loiter to altitude"},
    {MAV_CMD_NAV_SPLINE_WAYPOINT, "spline waypoint"},
    {MAV_CMD_NAV_VTOL_TAKEOFF, "VTOL takeoff"},
    {MAV_CMD_NAV_VTOL_LAND, "VTOL land"},
    {MAV_CMD_NAV_DELAY, "delay"},
    {MAV_CMD_CONDITION_DELAY, "delay"},
    {MAV_CMD_CONDITION_YAW, "heading"},
    {MAV_CMD_DO_JUMP, "jump"},
    {MAV_CMD_DO_CHANGE_SPEED, "change speed"},
    {MAV_CMD_DO_SET_HOME, "set home"},
    {MAV_CMD_DO_LAND_START, "land start"},
    {MAV_CMD_DO_SET_SERVO, "set servo"},
    {MAV_CMD_DO_DIGICAM_CONTROL, "camera"},
    {MAV_CMD_DO_MOUNT_CONTROL, "gimbal"},
    {MAV_CMD_DO_SET_CAM_TRIGG_DIST, "camera distance"},
    {MAV_CMD_DO_SET_ROI, "region of interest"},
    {MAV_CMD_IMAGE_START_CAPTURE, "images start"},
    {MAV_CMD_IMAGE_STOP_CAPTURE, "images stop"},
    {MAV_CMD_VIDEO_START_CAPTURE, "video start"},
    {MAV_CMD_VIDEO_STOP_CAPTURE, "video stop"},
    {MAV_CMD_NAV_ROI, "region of interest"},
    {MAV_CMD_CONDITION_DISTANCE, "distance"},
    {MAV_CMD_CONDITION_GATE, "gate"},
    {MAV_CMD_DO_SET_ACTUATOR, "set actuator"},
    {MAV_CMD_DO_SET_ROI_LOCATION, "region of interest"},
    {MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET, "region of interest"},
    {MAV_CMD_DO_SET_ROI_NONE, "no region of interest"},
    {MAV_CMD_DO_FENCE_ENABLE, "enable fence"},
    {MAV_CMD_DO_GRIPPER, "gripper"},
    {MAV_CMD_DO_SET_CAM_TRIGG_INTERVAL, "camera interval"},
    {MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW, "gimbal"},
    {MAV_CMD_DO_TRIGGER_CONTROL, "camera trigger"},
    {MAV_CMD_DO_WINCH, "winch"},
    {MAV_CMD_NAV_FENCE_RETURN_POINT, "fence return point"},
    {MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, "corner"},
    {MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION, "corner to stay out"},
    {MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, "circle"},
    {MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION, "circle to stay out"},
    {MAV_CMD_NAV_RALLY_POINT, "rally point"},
};

void mf_plan_command_text(uint16_t command, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof k_command / sizeof k_command[0]; i++) {
        if (k_command[i].command == command) {
            (void)snprintf(text, size, "%s", k_command[i].text);
            return;
        }
    }
    (void)snprintf(text, size, "command %u", command);
}

const char *mf_plan_result_word(uint8_t result)
{
    static const char *const k_word[] = {[MAV_MISSION_ACCEPTED] = "accepted",
                                         [MAV_MISSION_ERROR] = "error",
                                         [MAV_MISSION_UNSUPPORTED_FRAME] = "unsupported frame",
                                         [MAV_MISSION_UNSUPPORTED] = "unsupported command",
                                         [MAV_MISSION_NO_SPACE] = "no space",
                                         [MAV_MISSION_INVALID] = "invalid",
                                         [MAV_MISSION_INVALID_PARAM1] = "invalid param1",
                                         [MAV_MISSION_INVALID_PARAM2] = "invalid param2",
                                         [MAV_MISSION_INVALID_PARAM3] = "invalid param3",
                                         [MAV_MISSION_INVALID_PARAM4] = "invalid param4",
                                         [MAV_MISSION_INVALID_PARAM5_X] = "invalid latitude",
                                         [MAV_MISSION_INVALID_PARAM6_Y] = "invalid longitude",
                                         [MAV_MISSION_INVALID_PARAM7] = "invalid altitude",
                                         [MAV_MISSION_INVALID_SEQUENCE] = "invalid sequence",
                                         [MAV_MISSION_DENIED] = "denied",
                                         [MAV_MISSION_OPERATION_CANCELLED] = "cancelled"};
    return result < sizeof k_word / sizeof k_word[0] ? k_word[result] : "unknown result";
}

const char *mf_plan_part_word(uint8_t type)
{
    static const char *const k_word[MF_PLAN_PARTS] = {"mission", "geofence", "rally points"};
    MF_ASSERT(type < MF_PLAN_PARTS);
    return k_word[type];
}

struct mf_plan_verdict mf_plan_refused_item(uint8_t type,
                                            const struct mf_msg_mission_item_int *item,
                                            uint16_t seq, uint8_t result)
{
    struct mf_plan_verdict verdict = {.result = result, .type = type, .seq = seq};
    const struct mf_item stored = mf_item_of(item);
    mf_item_explain(false, type, &stored, result, &verdict.why);
    return verdict;
}

struct mf_plan_verdict mf_plan_refused_part(uint8_t type, uint16_t count, uint8_t result)
{
    struct mf_plan_verdict verdict = {.result = result, .type = type, .seq = -1};
    verdict.why.len = (size_t)snprintf(verdict.why.s, sizeof verdict.why.s, "%s for %u items",
                                       mf_plan_result_word(result), count);
    return verdict;
}

const char *mf_plan_refusal_text(const struct mf_plan_verdict *verdict, uint16_t command,
                                 char *text)
{
    char name[40], item[72] = "";
    mf_plan_command_text(command, name, sizeof name);
    if (verdict->seq >= 0) {
        (void)snprintf(item, sizeof item, "item %ld (%s): ", (long)verdict->seq, name);
    }
    (void)snprintf(text, MF_PLAN_REFUSAL_MAX, "%s: %s%s (MAV_MISSION_RESULT %u)",
                   mf_plan_part_word(verdict->type), item,
                   verdict->why.len > 0 ? verdict->why.s : mf_plan_result_word(verdict->result),
                   verdict->result);
    return text;
}
