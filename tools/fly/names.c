/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/names.h"

#include "host/spec/plan_text.h"
#include "mavlink/enums.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct entry {
    uint32_t value;
    const char *text;
};

#define PX4(main, sub) ((uint32_t)(main) << 16 | (uint32_t)(sub) << 24)

/* clang-format off */
static const struct entry k_px4_mode[] = {
    {PX4(1, 0), "MANUAL"}, {PX4(2, 0), "ALTCTL"}, {PX4(3, 0), "POSCTL"}, {PX4(3, 1), "ORBIT"},
    {PX4(3, 2), "POSITION_SLOW"}, {PX4(4, 1), "READY"}, {PX4(4, 2), "TAKEOFF"},
    {PX4(4, 3), "HOLD"}, {PX4(4, 4), "MISSION"}, {PX4(4, 5), "RTL"}, {PX4(4, 6), "LAND"},
    {PX4(4, 8), "FOLLOW_TARGET"}, {PX4(4, 9), "PRECLAND"}, {PX4(4, 10), "VTOL_TAKEOFF"},
    {PX4(5, 0), "ACRO"}, {PX4(6, 0), "OFFBOARD"}, {PX4(7, 0), "STABILIZED"},
    {PX4(10, 0), "TERMINATION"}, {PX4(11, 0), "ALTITUDE_CRUISE"},
};

static const struct entry k_copter_mode[] = {
    {0, "STABILIZE"}, {1, "ACRO"}, {2, "ALT_HOLD"}, {3, "AUTO"}, {4, "GUIDED"}, {5, "LOITER"},
    {6, "RTL"}, {7, "CIRCLE"}, {9, "LAND"}, {16, "POSHOLD"}, {17, "BRAKE"}, {21, "SMART_RTL"},
};

static const struct entry k_autopilot[] = {
    {MAV_AUTOPILOT_GENERIC, "generic autopilot"}, {MAV_AUTOPILOT_ARDUPILOTMEGA, "ArduPilot"},
    {MAV_AUTOPILOT_PX4, "PX4"},
};

static const struct entry k_type[] = {
    {MAV_TYPE_FIXED_WING, "plane"}, {MAV_TYPE_QUADROTOR, "quadrotor"},
    {MAV_TYPE_COAXIAL, "coaxial"},
    {MAV_TYPE_HELICOPTER, "helicopter"}, {MAV_TYPE_GROUND_ROVER, "rover"},
    {MAV_TYPE_SURFACE_BOAT, "boat"}, {MAV_TYPE_SUBMARINE, "submarine"},
    {MAV_TYPE_HEXAROTOR, "hexarotor"}, {MAV_TYPE_OCTOROTOR, "octorotor"},
    {MAV_TYPE_TRICOPTER, "tricopter"}, {MAV_TYPE_VTOL_QUADROTOR, "VTOL"},
    {MAV_TYPE_DODECAROTOR, "dodecarotor"},
};

static const struct entry k_result[] = {
    {MAV_RESULT_ACCEPTED, "accepted"}, {MAV_RESULT_TEMPORARILY_REJECTED, "temporarily rejected"},
    {MAV_RESULT_DENIED, "denied"}, {MAV_RESULT_UNSUPPORTED, "unsupported"},
    {MAV_RESULT_FAILED, "failed"}, {MAV_RESULT_CANCELLED, "cancelled"},
};

static const struct entry k_landed[] = {
    {MAV_LANDED_STATE_ON_GROUND, "on the ground"}, {MAV_LANDED_STATE_IN_AIR, "in the air"},
    {MAV_LANDED_STATE_TAKEOFF, "taking off"}, {MAV_LANDED_STATE_LANDING, "landing"},
};

static const struct entry k_sensor[] = {
    {MAV_SYS_STATUS_SENSOR_3D_GYRO, "gyroscope"}, {MAV_SYS_STATUS_SENSOR_3D_ACCEL, "accelerometer"},
    {MAV_SYS_STATUS_SENSOR_3D_MAG, "compass"},
    {MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE, "barometer"},
    {MAV_SYS_STATUS_SENSOR_DIFFERENTIAL_PRESSURE, "airspeed"}, {MAV_SYS_STATUS_SENSOR_GPS, "GPS"},
    {MAV_SYS_STATUS_SENSOR_XY_POSITION_CONTROL, "position"},
    {MAV_SYS_STATUS_SENSOR_Z_ALTITUDE_CONTROL, "altitude"},
    {MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS, "motors"},
    {MAV_SYS_STATUS_SENSOR_RC_RECEIVER, "remote control"},
    {MAV_SYS_STATUS_GEOFENCE, "geofence"}, {MAV_SYS_STATUS_AHRS, "attitude"},
    {MAV_SYS_STATUS_SENSOR_BATTERY, "battery"}, {MAV_SYS_STATUS_PREARM_CHECK, "pre-arm check"},
};
/* clang-format on */

static const char *find(const struct entry *table, size_t n, uint32_t value)
{
    for (size_t i = 0; i < n; i++) {
        if (table[i].value == value) {
            return table[i].text;
        }
    }
    return NULL;
}

static struct fly_name name(const struct entry *table, size_t n, uint32_t value, const char *kind)
{
    struct fly_name out;
    const char *text = find(table, n, value);
    if (text != NULL) {
        snprintf(out.text, sizeof out.text, "%s", text);
    } else {
        snprintf(out.text, sizeof out.text, "%s %lu", kind, (unsigned long)value);
    }
    return out;
}

#define NAME(table, value, kind) name(table, sizeof(table) / sizeof(table)[0], value, kind)

struct fly_name fly_mode_name(uint8_t autopilot, uint32_t custom_mode)
{
    return autopilot == MAV_AUTOPILOT_ARDUPILOTMEGA ? NAME(k_copter_mode, custom_mode, "mode")
                                                    : NAME(k_px4_mode, custom_mode, "mode");
}

struct fly_name fly_command_name(uint16_t command)
{
    struct fly_name out = {""};
    mf_plan_command_text(command, out.text, sizeof out.text);
    return out;
}

struct fly_name fly_autopilot_name(uint8_t autopilot)
{
    return NAME(k_autopilot, autopilot, "autopilot");
}

struct fly_name fly_type_name(uint8_t type)
{
    return NAME(k_type, type, "vehicle type");
}

struct fly_name fly_result_name(int result)
{
    return NAME(k_result, (uint32_t)result, "result");
}

struct fly_name fly_mission_result_name(uint8_t result)
{
    struct fly_name out;
    snprintf(out.text, sizeof out.text, "%s", mf_plan_result_word(result));
    return out;
}

struct fly_name fly_landed_name(uint8_t landed_state)
{
    return NAME(k_landed, landed_state, "landed state");
}

void fly_sensor_names(uint32_t bits, char *text, unsigned long size)
{
    text[0] = '\0';
    for (unsigned bit = 0; bit < 32; bit++) {
        const size_t used = strlen(text);
        if ((bits >> bit & 1u) != 0) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                     NAME(k_sensor, 1u << bit, "sensor").text);
        }
    }
}
