/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that steer: orbits, and streams of setpoints, of sticks, of a target to follow. */
#include "mavlink/enums.h"
#include "tests/sim/states.h"

void states_orbit(struct states *s)
{
    const uint8_t frame = states_any_frame(s);
    states_command_int(s, MAV_CMD_DO_ORBIT,
                       (const float[4]){(float)states_between(s, -60.0, 60.0),
                                        (float)states_between(s, -2.0, 10.0),
                                        (float)states_below(s, 6), 0.0f},
                       frame);
}

void states_roi(struct states *s)
{
    static const uint16_t k_command[] = {
        MAV_CMD_NAV_ROI,          MAV_CMD_DO_SET_ROI_LOCATION, MAV_CMD_DO_SET_ROI_LOCATION,
        MAV_CMD_DO_SET_ROI_SYSID, MAV_CMD_DO_SET_ROI_NONE,     MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET,
        MAV_CMD_DO_SET_ROI};
    const uint8_t frame = states_any_frame(s);
    const float param1 = (float)states_below(s, 5);
    states_command_int(s, STATES_PICK(s, k_command), (const float[4]){param1}, frame);
}

/* Any mask and frame, or, in a careful input, one of velocity or of a place. */
static void setpoint(struct states *s, unsigned port)
{
    static const uint16_t k_mask[] = {0xDC7, 0xDF8, 0x5C7, 0x9F8, 0xC38};
    const struct mf_msg_set_position_target_local_ned m = {
        .x = states_any_float(s),
        .y = states_any_float(s),
        .z = s->careful ? (float)states_between(s, -30.0, 1.0) : states_any_float(s),
        .vx = states_any_float(s),
        .vy = states_any_float(s),
        .vz = s->careful ? (float)states_between(s, -2.0, 2.0) : states_any_float(s),
        .afx = states_any_float(s),
        .yaw = states_any_float(s),
        .yaw_rate = states_any_float(s),
        .type_mask = s->careful ? STATES_PICK(s, k_mask) : (uint16_t)states_below(s, 65536),
        .target_system = states_any_target(s),
        .target_component = states_any_target(s),
        .coordinate_frame = s->careful ? MAV_FRAME_LOCAL_NED : (uint8_t)states_below(s, 22),
    };
    const struct mf_msg_set_attitude_target attitude = {
        .q = {1.0f, states_any_float(s) * 0.01f, states_any_float(s) * 0.01f, 0.0f},
        .body_yaw_rate = states_any_float(s),
        .thrust = (float)states_between(s, 0.0, 1.0),
        .target_system = states_any_target(s),
        .target_component = states_any_target(s),
        .type_mask = (uint8_t)(s->careful ? 7 : states_below(s, 256)),
    };
    if (states_chance(s, 75)) {
        states_feed(s, port, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    } else {
        states_feed(s, port, MF_MSG_SET_ATTITUDE_TARGET, &attitude);
    }
}

static void sticks(struct states *s, unsigned port)
{
    const struct mf_msg_manual_control m = {
        .x = (int16_t)((int)states_below(s, 2301) - 1150),
        .y = (int16_t)((int)states_below(s, 2301) - 1150),
        .z = (int16_t)((int)states_below(s, 1301) - 150),
        .r = (int16_t)((int)states_below(s, 2301) - 1150),
        .target = states_any_target(s),
    };
    states_feed(s, port, MF_MSG_MANUAL_CONTROL, &m);
}

static void target(struct states *s, unsigned port)
{
    const struct mf_msg_follow_target m = {
        .lat = states_any_x(s, STATES_HOME_X),
        .lon = states_any_x(s, STATES_HOME_Y),
        .alt = states_any_altitude(s, false),
        .vel = {states_any_float(s), states_any_float(s), 0.0f},
        .est_capabilities = (uint8_t)states_below(s, 4),
    };
    states_feed(s, port, MF_MSG_FOLLOW_TARGET, &m);
}

/* A stream of them, a mode that needs it, the stream again, and silence. */
void states_steer(struct states *s)
{
    static const struct {
        void (*say)(struct states *s, unsigned port);
        enum mf_mode mode;
    } k_way[] = {{setpoint, MF_MODE_OFFBOARD}, {sticks, MF_MODE_POSCTL}, {sticks, MF_MODE_ALTCTL},
                 {sticks, MF_MODE_STABILIZED}, {sticks, MF_MODE_MANUAL}, {sticks, MF_MODE_ACRO},
                 {target, MF_MODE_FOLLOW}};
    const size_t way = states_below(s, sizeof k_way / sizeof k_way[0]);
    const uint32_t custom = mf_mode_custom(k_way[way].mode);
    const unsigned port = states_any_port(s);
    for (uint32_t i = states_below(s, 12); i < 20; i++) {
        if (i == 12) {
            states_command(
                s, MAV_CMD_DO_SET_MODE,
                (const float[7]){1.0f, (float)(custom >> 16 & 0xFFu), (float)(custom >> 24)});
        }
        if (s->port[port].link >= 0) {
            k_way[way].say(s, port);
        }
        states_go_on(s, (mf_us_t)states_below(s, 200000) + 1);
    }
}
