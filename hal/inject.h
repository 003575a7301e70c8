/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: faults on request. The firmware only passes the request on; decorators around the
 * devices make it true, and the room drone/ judges whether it would show. */
#ifndef MF_HAL_INJECT_H
#define MF_HAL_INJECT_H

#include "hal/types.h"

/** Numbers that one fault may carry. */
#define MF_FAULT_VALUES 3u
/** Text that one fault may carry, with its NUL. */
#define MF_FAULT_TEXT_MAX 48u

/** Charge of the battery during these faults [percent]. */
#define MF_FAULT_LOW_PERCENT       12.0f
#define MF_FAULT_CRITICAL_PERCENT  6.0f
#define MF_FAULT_EMERGENCY_PERCENT 3.0f

/** Satellites that a position needs. */
#define MF_FAULT_LEAST_SATELLITES 4

/** Text of PREARM without a given text. */
#define MF_FAULT_DEFAULT_TEXT "fault injected"

/** Mark of a fault without a FAILURE_UNIT of MAVLink: only configuration and control begin it. */
#define MF_NO_UNIT 255
/** Mark of a fault with a FAILURE_UNIT, but without a FAILURE_TYPE; the unit's OK ends it. */
#define MF_NO_TYPE 255

/* clang-format off */
/** Lowest, highest and default of each value of a fault: none, one, two of their own, or three
 * alike. In parentheses: MF_FAULT_LIMITS makes an initializer of them. */
#define MF_V0                       (0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f)
#define MF_V1(low, high, a)         (low, high, a, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f)
#define MF_V2(l0, h0, a, l1, h1, b) (l0, h0, a, l1, h1, b, 0.0f, 0.0f, 0.0f)
#define MF_V3(low, high, a, b, c)   (low, high, a, low, high, b, low, high, c)
#define MF_FAULT_LIMITS(l0, h0, a, l1, h1, b, l2, h2, c) {{l0, h0, a}, {l1, h1, b}, {l2, h2, c}}
/* clang-format on */

/**
 * Every fault there is: name, spelling in configuration, MAVLink FAILURE_UNIT that clears it with
 * FAILURE_TYPE_OK, 0, the FAILURE_TYPE of the unit that asks for it, the values it takes, in words
 * ("" none, "TEXT" a text), their limits and defaults, what changes in which message.
 */
/* clang-format off */
#define MF_FAULT_LIST(X) \
    X(GPS_OFF, "gps_off", 4, 1, "", MF_V0, \
      "GPS_RAW_INT.fix_type 0; SYS_STATUS GPS bit cleared; GLOBAL_POSITION_INT stops") \
    X(GPS_NO_FIX, "gps_no_fix", 4, MF_NO_TYPE, "", MF_V0, \
      "GPS_RAW_INT.fix_type 1, 3 satellites; SYS_STATUS GPS bit cleared; GLOBAL_POSITION_INT stops") \
    X(GPS_STUCK, "gps_stuck", 4, 2, "", MF_V0, \
      "GPS_RAW_INT repeats its last answer: time_usec, position and speed stand still") \
    X(GPS_JAM, "gps_jam", 4, 3, "", MF_V0, \
      "GPS_RAW_INT.fix_type 1, no satellites, eph and epv unknown; as gps_no_fix") \
    X(GPS_GLITCH, "gps_glitch", 4, 4, "NORTH:EAST:DOWN m", MF_V3(-1e5f, 1e5f, 30, 0, 0), \
      "every reported position is off by the vector at once; HIL_STATE_QUATERNION is not") \
    X(GPS_DRIFT, "gps_drift", 4, MF_NO_TYPE, "NORTH:EAST:DOWN m/s", MF_V3(-100, 100, 1, 0, 0), \
      "every reported position moves away at that rate, the first 25 mm at once; HIL_STATE_QUATERNION does not") \
    X(GPS_SATELLITES, "gps_satellites", 4, MF_NO_TYPE, "NUMBER", MF_V1(0, 60, 5), \
      "GPS_RAW_INT.satellites_visible; with less than 4 also as gps_no_fix") \
    X(GPS_ACCURACY, "gps_accuracy", 4, MF_NO_TYPE, "HORIZONTAL:VERTICAL m", MF_V2(0, 1000, 20, 0, 1000, 30), \
      "GPS_RAW_INT.h_acc and v_acc; eph and epv grow in proportion") \
    X(GPS_DATUM, "gps_datum", 4, MF_NO_TYPE, "", MF_V0, \
      "GPS_RAW_INT.alt_ellipsoid equals alt: no geoid, as in other simulators") \
    X(BATTERY, "battery", 100, MF_NO_TYPE, "PERCENT", MF_V1(0, 100, 50), \
      "SYS_STATUS.battery_remaining and BATTERY_STATUS, voltage in proportion") \
    X(BATTERY_DRAIN, "battery_drain", 100, MF_NO_TYPE, "PERCENT/min", MF_V1(0, 6000, 10), \
      "SYS_STATUS.voltage_battery sags at once, 1 mV for each %/min; battery_remaining falls at that rate") \
    X(BATTERY_LOW, "battery_low", 100, MF_NO_TYPE, "", MF_V0, \
      "battery_remaining 12 %, if it was more: BATTERY_STATUS.charge_state LOW (BAT_LOW_THR)") \
    X(BATTERY_CRITICAL, "battery_critical", 100, MF_NO_TYPE, "", MF_V0, \
      "battery_remaining 6 %, if it was more: BATTERY_STATUS.charge_state CRITICAL (BAT_CRIT_THR)") \
    X(BATTERY_EMERGENCY, "battery_emergency", 100, MF_NO_TYPE, "", MF_V0, \
      "battery_remaining 3 %, if it was more: BATTERY_STATUS.charge_state EMERGENCY (BAT_EMERGEN_THR)") \
    X(BATTERY_OFF, "battery_off", 100, 1, "", MF_V0, \
      "battery_remaining 0 %, as PX4") \
    X(BATTERY_VOLTAGE, "battery_voltage", 100, MF_NO_TYPE, "V", MF_V1(0, 100, 13.2f), \
      "SYS_STATUS.voltage_battery and BATTERY_STATUS.voltages") \
    X(GYRO_OFF, "gyro_off", 0, 1, "", MF_V0, \
      "SYS_STATUS 3D_GYRO bit cleared; not armable") \
    X(GYRO_STUCK, "gyro_stuck", 0, 2, "", MF_V0, \
      "SYS_STATUS 3D_GYRO bit cleared; not armable") \
    X(ACCEL_OFF, "accel_off", 1, 1, "", MF_V0, \
      "SYS_STATUS 3D_ACCEL bit cleared; not armable") \
    X(ACCEL_STUCK, "accel_stuck", 1, 2, "", MF_V0, \
      "SYS_STATUS 3D_ACCEL bit cleared; not armable") \
    X(MAG_OFF, "mag_off", 2, 1, "", MF_V0, \
      "SYS_STATUS 3D_MAG bit cleared; not armable") \
    X(MAG_STUCK, "mag_stuck", 2, 2, "", MF_V0, \
      "SYS_STATUS 3D_MAG bit cleared; not armable") \
    X(BARO_OFF, "baro_off", 3, 1, "", MF_V0, \
      "SYS_STATUS ABSOLUTE_PRESSURE bit cleared; not armable") \
    X(BARO_STUCK, "baro_stuck", 3, 2, "", MF_V0, \
      "SYS_STATUS ABSOLUTE_PRESSURE bit cleared; not armable") \
    X(MOTOR_OFF, "motor_off", 101, 1, "", MF_V0, \
      "SYS_STATUS MOTOR_OUTPUTS bit cleared; in the air it falls, HEARTBEAT CRITICAL; not armable") \
    X(BREACH_TELEPORT, "breach_teleport", MF_NO_UNIT, MF_NO_TYPE, "DISTANCE m:BEARING deg", \
      MF_V2(0, 1e5f, 110, -360, 360, 0), \
      "the vehicle is that far away at once, truly; GLOBAL_POSITION_INT.lat, lon; cleared: it stays there") \
    X(BREACH_DRIFT, "breach_drift", MF_NO_UNIT, MF_NO_TYPE, "SPEED m/s:BEARING deg", \
      MF_V2(0, 100, 5, -360, 360, 0), \
      "the vehicle truly moves away like that, the first 25 mm at once; GLOBAL_POSITION_INT.lat, lon; cleared: it stays there") \
    X(WIND, "wind", MF_NO_UNIT, MF_NO_TYPE, "SPEED m/s:FROM deg", MF_V2(0, 50, 10, -360, 360, 0), \
      "WIND_COV.wind_x, wind_y; in the air ATTITUDE leans into it") \
    X(RC_LOST, "rc_lost", 104, 1, "", MF_V0, \
      "SYS_STATUS RC_RECEIVER bit present, not healthy; sticks are ignored") \
    X(PREARM, "prearm", MF_NO_UNIT, MF_NO_TYPE, "TEXT", MF_V0, \
      "SYS_STATUS PREARM_CHECK bit cleared; arming is denied with that text") \
    X(HOME_LOST, "home_lost", MF_NO_UNIT, MF_NO_TYPE, "", MF_V0, \
      "HOME_POSITION stops; RTL is refused; Remote ID and UTM_GLOBAL_POSITION give no height") \
    X(HEARTBEAT_OFF, "heartbeat_off", 105, 1, "", MF_V0, \
      "HEARTBEAT stops on all links, nothing else does") \
    X(HEARTBEAT_LATE, "heartbeat_late", 105, MF_NO_TYPE, "SECONDS", MF_V1(0, 3600, 4), \
      "HEARTBEAT comes so much later than a second after the last one") \
    X(UTC_STEP, "utc_step", 4, MF_NO_TYPE, "SECONDS", MF_V1(-8e8f, 8e8f, 3600), \
      "SYSTEM_TIME.time_unix_usec, if it is known, is off by that")
/* clang-format on */

/** Faults whose values must have some size to have a visible effect: how many of the first values
 * count, and the least magnitude that one of them must have. */
#define MF_FAULT_LEAST_LIST(X)   \
    X(GPS_GLITCH, 3, 0.02f)      \
    X(GPS_DRIFT, 3, 0.02f)       \
    X(BATTERY_DRAIN, 1, 0.01f)   \
    X(BREACH_TELEPORT, 1, 0.02f) \
    X(BREACH_DRIFT, 1, 0.02f)    \
    X(WIND, 1, 0.01f)            \
    X(HEARTBEAT_LATE, 1, 0.001f) \
    X(UTC_STEP, 1, 0.001f)

enum mf_fault {
#define X(name, ...) MF_FAULT_##name,
    MF_FAULT_LIST(X)
#undef X
        MF_FAULT_COUNT
};

/** Events of a vehicle for which a fault may wait: name, spelling in configuration. WAYPOINT has a
 * number: that of a mission item, from 0. */
#define MF_HAPPENING_LIST(X) \
    X(BOOT, "boot")          \
    X(ARMED, "arm")          \
    X(TAKEOFF, "takeoff")    \
    X(WAYPOINT, "waypoint")  \
    X(LANDED, "landing")     \
    X(DISARMED, "disarm")

enum mf_happening {
#define X(name, spelling) MF_HAPPENING_##name,
    MF_HAPPENING_LIST(X)
#undef X
        MF_HAPPENING_COUNT
};

/** Values of a fault. */
struct mf_fault_values {
    float value[MF_FAULT_VALUES];
    char text[MF_FAULT_TEXT_MAX];
};

/** Lowest, highest and default of one value. */
struct mf_fault_limit {
    float low, high, by_default;
};

/** Limits of all values of all faults (MF_FAULT_LIST). */
extern const struct mf_fault_limit mf_fault_limit[MF_FAULT_COUNT][MF_FAULT_VALUES];

/** Default values of a fault. */
struct mf_fault_values mf_fault_default(enum mf_fault fault);

/** Check that values are large enough for a visible effect (MF_FAULT_LEAST_LIST). @return 0.0f, or
 * the least magnitude that one of them must have */
float mf_fault_least(enum mf_fault fault, const struct mf_fault_values *with);

/** Fault of a schedule. */
struct mf_fault_plan {
    enum mf_fault fault;
    enum mf_happening on; /**< the first one counts */
    uint16_t index;       /**< of WAYPOINT */
    mf_us_t after_us;     /**< from that on; after BOOT it is the vehicle time */
    mf_us_t for_us;       /**< MF_NEVER: without an end */
    struct mf_fault_values with;
};

/** Fault of a schedule that is not over. */
struct mf_fault_planned {
    struct mf_fault_plan plan;
    mf_us_t from_us; /**< MF_NEVER: what it waits for has not happened */
    mf_us_t to_us;   /**< MF_NEVER: without an end, or with an unknown one */
};

struct mf_inject_ops {
    /** Switch a fault on or off from @p t_us on; devices answer as it has it at once, so that one
     * may be tried and taken back. @param with  NULL: the defaults of the table
     * @return MF_E_OK: what the table names changes with its next message; MF_E_NOSUPP: nothing
     * here shows it; MF_E_AGAIN: not while another fault hides it; MF_E_DENIED: it shows that
     * already; MF_E_RANGE: a value, or all too small to show */
    int (*set)(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
               const struct mf_fault_values *with);
    /** Is a fault active at @p t_us? @param with  out, if it is; may be NULL */
    bool (*active)(void *ctx, mf_us_t t_us, enum mf_fault fault, struct mf_fault_values *with);
    /** Advance to @p t_us: faults that began or ended up to then take effect.
     * @return the first instant after it at which a fault of the schedule begins or ends, or
     * MF_NEVER */
    mf_us_t (*next)(void *ctx, mf_us_t t_us);
    /** The vehicle says what happened at @p t_us, so that a schedule may follow it.
     * @return whether one does: ask next() again */
    bool (*happened)(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index);
    /** Add to the schedule, at @p t_us. What the plan waits for counts from then on. One that
     * begins at once must show as one on request.
     * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: it begins before @p t_us, or a value; else
     * as set() */
    int (*plan)(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan);
    /** Take all of a fault out of the schedule, at @p t_us: under way it ends. */
    void (*unplan)(void *ctx, mf_us_t t_us, enum mf_fault fault);
    /** Read a fault of the schedule that is not over at @p t_us. @param index  from 0 @return
     * false: there are no more */
    bool (*planned)(void *ctx, mf_us_t t_us, uint32_t index, struct mf_fault_planned *planned);
    /** A unit fails by a type (MAVLink's FAILURE_UNIT, FAILURE_TYPE), and in no other of its ways
     * any more; OK ends all of its ways. NULL: this device does not know units. @return as set() */
    int (*unit)(void *ctx, mf_us_t t_us, int32_t unit, int32_t type);
};

#endif
