/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about who the vehicle is and in what state; and the way from a stream to its encoder.
 *
 * Clients choose what they do by what an autopilot says of itself: MAVSDK and QGroundControl treat
 * this one as PX4 because of its version, its capabilities and its modes. Where a field has no
 * meaning here, it has the value that PX4 gives it without the hardware in question, so that
 * clients stay on ways that were tested with PX4. */
#include "firmware/report/encode.h"

#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/mode.h"
#include "firmware/report/metadata.h"
#include "firmware/state/vehicle.h"
#include "firmware/state/version.h"
#include "mavlink/enums.h"

/* Capabilities that clients may rely on: PX4's set. */
#define CAPABILITIES                                                                 \
    (MAV_PROTOCOL_CAPABILITY_MISSION_FLOAT | MAV_PROTOCOL_CAPABILITY_PARAM_FLOAT |   \
     MAV_PROTOCOL_CAPABILITY_MISSION_INT | MAV_PROTOCOL_CAPABILITY_COMMAND_INT |     \
     MAV_PROTOCOL_CAPABILITY_FTP | MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE |   \
     MAV_PROTOCOL_CAPABILITY_SET_ATTITUDE_TARGET |                                   \
     MAV_PROTOCOL_CAPABILITY_SET_POSITION_TARGET_LOCAL_NED |                         \
     MAV_PROTOCOL_CAPABILITY_FLIGHT_TERMINATION | MAV_PROTOCOL_CAPABILITY_MAVLINK2 | \
     MAV_PROTOCOL_CAPABILITY_MISSION_FENCE | MAV_PROTOCOL_CAPABILITY_MISSION_RALLY)
_Static_assert(CAPABILITIES == 0xE8FF, "as PX4 says them");

/* Custom versions in PX4's form: the vendor's version, last part first, and the beginning of a
 * commit's hash, last byte first. Letters replace the hash: bytes must not differ by commit. */
#define CUSTOM_VERSION                                                                \
    {                                                                                 \
        MF_VERSION_PATCH, MF_VERSION_MINOR, MF_VERSION_MAJOR, 'L', 'F', 'Y', 'A', 'M' \
    }

/* ESTIMATOR_STATUS: what does not depend on the receiver, and what does. */
#define ESTIMATOR_INERTIAL                                                     \
    (ESTIMATOR_ATTITUDE | ESTIMATOR_VELOCITY_HORIZ | ESTIMATOR_VELOCITY_VERT | \
     ESTIMATOR_POS_VERT_ABS)
#define ESTIMATOR_POSITION                                                              \
    (ESTIMATOR_POS_HORIZ_REL | ESTIMATOR_POS_HORIZ_ABS | ESTIMATOR_PRED_POS_HORIZ_REL | \
     ESTIMATOR_PRED_POS_HORIZ_ABS)

/* Pulse widths of the motors [us]: PX4's PWM_MAIN_DIS and _MIN by default, and half way up where it
 * hovers. */
#define PWM_DISARMED 900u
#define PWM_IDLE     1000u
#define PWM_HOVER    1500u
#define RPM_PER_US   10
#define MOTORS       4u

/* A client's channels arrive or do not. */
#define RSSI_PERCENT 100

/* STORAGE_STATUS_EMPTY: no medium. SDKs ask for it before they look for flight logs. */
#define STORAGE_EMPTY 0
#define STORAGE_READY 2
#define MIB           1048576.0

/* PX4 counts all but these two among the advanced ones: QGroundControl hides those
 * from beginners. */
static uint32_t mode_properties(enum mf_mode mode)
{
    const bool simple = mode == MF_MODE_ALTCTL || mode == MF_MODE_POSCTL;
    return (simple ? 0u : (unsigned)MAV_MODE_PROPERTY_ADVANCED) |
           (mf_mode_info(mode)->selectable ? 0u : (unsigned)MAV_MODE_PROPERTY_NOT_USER_SELECTABLE);
}

/* Encode a mode by its index, so that a client can request missing ones; number_modes shows it when
 * it has all. */
bool mf_encode_available_modes(uint8_t index, struct mf_msg_available_modes *m)
{
    if (index == 0 || index > MF_MODE_COUNT) {
        return false;
    }
    const enum mf_mode mode = (enum mf_mode)(index - 1);
    const struct mf_mode_info *info = mf_mode_info(mode);
    MF_ASSERT(info->text[0] != '\0');
    *m = (struct mf_msg_available_modes){
        .custom_mode = mf_mode_custom(mode),
        .properties = mode_properties(mode),
        .number_modes = MF_MODE_COUNT,
        .mode_index = index,
        .standard_mode = info->standard,
    };
    /* the name of a standard mode is not ours */
    const size_t limit =
        info->standard == MAV_STANDARD_MODE_NON_STANDARD ? sizeof m->mode_name - 1 : 0;
    for (size_t i = 0; i < limit && info->text[i] != '\0'; i++) {
        m->mode_name[i] = info->text[i];
    }
    return true;
}

/* The id of the hardware twice: uid2 is the one that clients are to use, uid is for those that know
 * no other. */
bool mf_encode_autopilot_version(const struct mf_vehicle *v, mf_us_t t_us,
                                 struct mf_msg_autopilot_version *m)
{
    MF_ASSERT(v->sysid > 0);
    (void)t_us;
    *m = (struct mf_msg_autopilot_version){
        .capabilities =
            v->ftp != NULL ? CAPABILITIES : CAPABILITIES & ~(uint64_t)MAV_PROTOCOL_CAPABILITY_FTP,
        .uid = v->uid,
        .flight_sw_version = MF_PX4_RELEASE,
        .middleware_sw_version = MF_PX4_RELEASE,
        .flight_custom_version = CUSTOM_VERSION,
        .middleware_custom_version = CUSTOM_VERSION,
        .os_custom_version = CUSTOM_VERSION,
    };
    for (size_t i = 0; i < sizeof v->uid; i++) {
        m->uid2[i] = (uint8_t)(v->uid >> (8 * i));
    }
    return true;
}

/* MAVLink 2, and 1 at least: by these numbers a client learns that it may send version 2. */
bool mf_encode_protocol_version(const struct mf_vehicle *v, mf_us_t t_us,
                                struct mf_msg_protocol_version *m)
{
    (void)v, (void)t_us;
    *m = (struct mf_msg_protocol_version){.version = 200, .min_version = 100, .max_version = 203};
    return true;
}

/* The times are since boot, in spite of their names, as in PX4. */
bool mf_encode_flight_information(const struct mf_vehicle *v, mf_us_t t_us,
                                  struct mf_msg_flight_information *m)
{
    const struct mf_commander *c = &v->commander;
    const bool landed = c->landed == MF_LANDED_ON_GROUND && c->landed_us > c->armed_us;
    MF_ASSERT(c->armed_us >= 0 && c->took_off_us >= 0 && c->landed_us >= 0);
    *m = (struct mf_msg_flight_information){
        .arming_time_utc = (uint64_t)c->armed_us,
        .takeoff_time_utc = (uint64_t)c->took_off_us,
        .flight_uuid = (uint64_t)mf_param_i(&v->params, MF_PARAM_COM_FLIGHT_UUID),
        .time_boot_ms = mf_boot_ms(t_us),
        .landing_time = landed ? mf_boot_ms(c->landed_us) : 0,
    };
    return true;
}

/* The medium of the flight logs, with whatever else it keeps, as PX4 does. */
bool mf_encode_storage_information(const struct mf_vehicle *v, mf_us_t t_us,
                                   struct mf_msg_storage_information *m)
{
    struct mf_archive_room room;
    *m = (struct mf_msg_storage_information){
        .time_boot_ms = mf_boot_ms(t_us), .storage_id = 1, .status = STORAGE_EMPTY};
    if (mf_archive_room(&v->hal, &room) != MF_E_OK) {
        return true;
    }
    MF_ASSERT(room.free <= room.total);
    m->storage_count = 1;
    m->status = STORAGE_READY;
    m->total_capacity = (float)((double)room.total / MIB);
    m->available_capacity = (float)((double)room.free / MIB);
    m->used_capacity = m->total_capacity - m->available_capacity;
    m->read_speed = m->write_speed = mf_nan_f32();
    return true;
}

/* Encode the receiver's time; an unknown time is 0, which clients must not read as 1970. */
bool mf_encode_system_time(const struct mf_estimate *e, struct mf_msg_system_time *m)
{
    const int64_t utc_us = e->fix.utc_us;
    *m = (struct mf_msg_system_time){
        .time_unix_usec = utc_us >= MF_UTC_KNOWN_US ? (uint64_t)utc_us : 0,
        .time_boot_ms = mf_boot_ms(e->t_us),
    };
    return true;
}

/* Encode the state of the estimate. It lacks a filter with innovations to show, but has the
 * receiver's accuracies, and the flags by which MAVSDK's health and QGroundControl's checks see
 * whether the position is valid. */
bool mf_encode_estimator_status(const struct mf_estimate *e, struct mf_msg_estimator_status *m)
{
    float h_m = mf_nan_f32();
    float v_m = h_m;
    if (e->position) {
        mf_estimate_accuracy(e, &h_m, &v_m);
    }
    *m = (struct mf_msg_estimator_status){
        .time_usec = (uint64_t)e->t_us,
        .pos_horiz_accuracy = h_m,
        .pos_vert_accuracy = v_m,
        /* heights and velocities do not need the receiver, as the body knows them by itself */
        .flags = e->position ? ESTIMATOR_INERTIAL | ESTIMATOR_POSITION : ESTIMATOR_INERTIAL,
    };
    return true;
}

/* Those that run are all alike: the body is moved as a whole. */
bool mf_encode_servo_output_raw(const struct mf_vehicle *v, mf_us_t t_us,
                                struct mf_msg_servo_output_raw *m)
{
    const uint16_t turning_us = v->commander.landed == MF_LANDED_ON_GROUND ? PWM_IDLE : PWM_HOVER;
    const uint16_t motor_us = v->commander.armed ? turning_us : PWM_DISARMED;
    MF_ASSERT(v->commander.landed <= MF_LANDED_LANDING);
    uint16_t us[4];
    for (unsigned i = 0; i < 4; i++) {
        const bool meant = v->watched.motor == 0 || v->watched.motor == i + 1;
        us[i] = v->watched.motors_failed && meant ? PWM_DISARMED : motor_us;
    }
    *m = (struct mf_msg_servo_output_raw){
        .time_usec = (uint32_t)t_us,
        .servo1_raw = us[0],
        .servo2_raw = us[1],
        .servo3_raw = us[2],
        .servo4_raw = us[3],
    };
    return true;
}

static int32_t rpm(uint16_t pulse_us)
{
    return RPM_PER_US * ((int32_t)pulse_us - (int32_t)PWM_DISARMED);
}

/* Encode the outputs as PX4 does: pulse widths as floats, and a bit of each existing output. */
bool mf_encode_actuator_output_status(const struct mf_vehicle *v, mf_us_t t_us,
                                      struct mf_msg_actuator_output_status *m)
{
    struct mf_msg_servo_output_raw servo;
    (void)mf_encode_servo_output_raw(v, t_us, &servo);
    *m = (struct mf_msg_actuator_output_status){
        .time_usec = (uint64_t)t_us,
        .active = MOTORS,
        .actuator = {(float)servo.servo1_raw, (float)servo.servo2_raw, (float)servo.servo3_raw,
                     (float)servo.servo4_raw},
    };
    return true;
}

/* Speeds that go with the pulse widths: 0 at that of a motor that stands, 6000 at that of hovering.
 * A controller knows no more of its motor here. */
bool mf_encode_esc_status(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_esc_status *m)
{
    const float unknown = mf_nan_f32();
    struct mf_msg_servo_output_raw servo;
    (void)mf_encode_servo_output_raw(v, t_us, &servo);
    *m = (struct mf_msg_esc_status){
        .time_usec = (uint64_t)t_us,
        .rpm = {rpm(servo.servo1_raw), rpm(servo.servo2_raw), rpm(servo.servo3_raw),
                rpm(servo.servo4_raw)},
        .voltage = {unknown, unknown, unknown, unknown},
        .current = {unknown, unknown, unknown, unknown},
    };
    return true;
}

/* Encode the channels of a transmitter that a client plays; without one it is silent, as PX4 is. */
bool mf_encode_rc_channels(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_rc_channels *m)
{
    const struct mf_channels *c = &v->inputs.channels;
    const uint16_t *raw = c->raw;
    MF_ASSERT(c->count <= MF_CHANNELS_MAX);
    *m = (struct mf_msg_rc_channels){
        .time_boot_ms = mf_boot_ms(t_us),
        .chan1_raw = raw[0],
        .chan2_raw = raw[1],
        .chan3_raw = raw[2],
        .chan4_raw = raw[3],
        .chan5_raw = raw[4],
        .chan6_raw = raw[5],
        .chan7_raw = raw[6],
        .chan8_raw = raw[7],
        .chan9_raw = raw[8],
        .chan10_raw = raw[9],
        .chan11_raw = raw[10],
        .chan12_raw = raw[11],
        .chan13_raw = raw[12],
        .chan14_raw = raw[13],
        .chan15_raw = raw[14],
        .chan16_raw = raw[15],
        .chan17_raw = raw[16],
        .chan18_raw = raw[17],
        .chancount = c->count,
        .rssi = RSSI_PERCENT,
    };
    const mf_us_t timeout_us =
        (mf_us_t)((double)mf_param_f(&v->params, MF_PARAM_COM_RC_LOSS_T) * 1e6);
    return !v->imposed.rc_lost && mf_inputs_have_channels(&v->inputs, &v->now, timeout_us);
}

/* PX4 estimates the wind from drag; here it is what the body reports, and a calm without a model of
 * wind. */
bool mf_encode_wind_cov(const struct mf_estimate *e, struct mf_msg_wind_cov *m)
{
    const struct mf_pose *pose = &e->pose;
    *m = (struct mf_msg_wind_cov){
        .time_usec = (uint64_t)e->t_us,
        .wind_x = pose->wind_ne_mps[0],
        .wind_y = pose->wind_ne_mps[1],
        .var_horiz = pose->gusts_mps,
    };
    return true;
}

/* Zero is the best there is: a body without motors that shake. QGroundControl's page of vibration
 * asks for it. */
bool mf_encode_vibration(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_vibration *m)
{
    (void)v;
    *m = (struct mf_msg_vibration){.time_usec = (uint64_t)t_us};
    return true;
}

/* Encode the address of the metadata, in the newer and the older form. They are files, so only a
 * vehicle with FTP has them. */
bool mf_encode_component_metadata(const struct mf_vehicle *v, mf_us_t t_us,
                                  struct mf_msg_component_metadata *m)
{
    static const struct mf_msg_component_metadata k_none = {.uri = MF_METADATA_GENERAL_URI};
    if (v->ftp == NULL) {
        return false;
    }
    *m = k_none;
    m->time_boot_ms = mf_boot_ms(t_us);
    MF_ASSERT(v->ftp->tree.hal != NULL);
    m->file_crc = mf_metadata_seal(v->ftp->tree.seal, MF_METADATA_GENERAL).crc;
    return true;
}

/* The older name of the same, which MAVLink has deprecated and some clients still ask for. */
bool mf_encode_component_information(const struct mf_vehicle *v, mf_us_t t_us,
                                     struct mf_msg_component_information *m)
{
    static const struct mf_msg_component_information k_none = {.general_metadata_uri =
                                                                   MF_METADATA_GENERAL_URI};
    if (v->ftp == NULL) {
        return false;
    }
    *m = k_none;
    m->time_boot_ms = mf_boot_ms(t_us);
    MF_ASSERT(v->ftp->tree.hal != NULL);
    m->general_metadata_file_crc = mf_metadata_seal(v->ftp->tree.seal, MF_METADATA_GENERAL).crc;
    return true;
}

/* The list of modes never changes: neither does the number by which clients notice. QGroundControl
 * asks for all modes again when it does. */
bool mf_encode_available_modes_monitor(const struct mf_vehicle *v, mf_us_t t_us,
                                       struct mf_msg_available_modes_monitor *m)
{
    (void)v, (void)t_us;
    *m = (struct mf_msg_available_modes_monitor){.seq = 0};
    return true;
}

/* Calls of each kind of encoder: the estimate is updated here, and nowhere else in report/. */
#define MADE_OF_STATE(name)    mf_encode_##name(v, t_us, &m->name)
#define MADE_OF_VEHICLE(name)  mf_encode_##name(v, t_us, &m->name)
#define MADE_OF_ESTIMATE(name) mf_encode_##name(mf_estimate_at(v, t_us), &m->name)
#define MADE_OF_BOTH(name)     mf_encode_##name(v, mf_estimate_at(v, t_us), &m->name)

bool mf_encode(struct mf_vehicle *v, enum mf_stream stream, mf_us_t t_us, union mf_msg *m)
{
    MF_ASSERT(t_us >= 0 && t_us < MF_NEVER);
    switch (stream) {
#define X(NAME, name, of, sim, px4, onboard, min) \
    case MF_STREAM_##NAME:                        \
        return MADE_OF_##of(name);
        MF_STREAM_LIST(X)
#undef X
    case MF_STREAM_COUNT:
        break;
    }
    MF_ASSERT(false);
    return false;
}
