/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of sensors. Called by boards/swarm/sense_links. */
#include "fleet/sensor_messages.h"

#include "fleet/bytes.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <math.h>

/* Values of MAVLink's enums and of its XML. */
#define LASER              0u  /* MAV_DISTANCE_SENSOR */
#define ROTATION_PITCH_90  24u /* MAV_SENSOR_ORIENTATION: up */
#define ROTATION_PITCH_270 25u /* down */
#define ROTATION_CUSTOM    100u
#define GOOD               255u /* quality of the flow */
#define SURE               100u /* % of the signal */
#define FLOW_CRC_EXTRA     138u
#define FLOW_BYTES         44u
#define HEADER_BYTES       10u

static uint16_t cm(double m)
{
    const double whole = mf_larger(m * 100.0 + 0.5, 0.0);
    return (uint16_t)mf_smaller(whole, (double)UINT16_MAX);
}

/* Convert a distance to centimetres. Infinity (nothing is in reach) becomes the greatest distance
 * plus 1 cm, as MAVLink has it. */
static uint16_t seen_cm(double m, double reach_m)
{
    const uint16_t most = cm(mf_smaller(reach_m, 655.0));
    const uint16_t seen = mf_finite(m) ? cm(m) : UINT16_MAX;
    return seen <= most ? seen : (uint16_t)(most + 1u);
}

static double between_0_and_360(double deg)
{
    return deg < 0.0 ? deg + 360.0 : deg >= 360.0 ? deg - 360.0 : deg;
}

/* Orientation of a sensor as MAVLink's enum. */
static uint8_t orientation_of(const struct mf_scenario_sensor *s)
{
    const double eighths = between_0_and_360(s->yaw_deg) / 45.0;
    if (s->pitch_deg == 0.0 && eighths == (double)(uint8_t)eighths) {
        return (uint8_t)((uint8_t)eighths % 8u); /* NONE, YAW_45, ... YAW_315 */
    }
    if (s->yaw_deg == 0.0 && mf_abs(s->pitch_deg) == 90.0) {
        return s->pitch_deg > 0.0 ? ROTATION_PITCH_90 : ROTATION_PITCH_270;
    }
    return ROTATION_CUSTOM;
}

static size_t frame_distance(const struct mf_sensor_report *r, const struct mf_sender *from,
                             uint8_t out[MF_FRAME_MAX])
{
    const struct mf_scenario_sensor *s = r->sensor;
    const double variance_cm2 = s->sigma * s->sigma * 1e4;
    struct mf_msg_distance_sensor m = {
        .time_boot_ms = (uint32_t)(r->at_us / 1000),
        .max_distance = cm(mf_smaller(s->reach_m, 655.0)),
        .current_distance = seen_cm(r->value[0], s->reach_m),
        .type = LASER,
        .id = r->id,
        .orientation = orientation_of(s),
        .covariance = variance_cm2 < 254.0 ? (uint8_t)mf_round_i32(variance_cm2) : 254u,
        .signal_quality = SURE};
    if (m.orientation == ROTATION_CUSTOM) {
        const struct mf_sin_cos yaw = mf_sin_cos(0.5 * mf_rad(s->yaw_deg));
        const struct mf_sin_cos pitch = mf_sin_cos(0.5 * mf_rad(s->pitch_deg));
        m.quaternion[0] = (float)(yaw.cos * pitch.cos);
        m.quaternion[1] = (float)(-yaw.sin * pitch.sin);
        m.quaternion[2] = (float)(yaw.cos * pitch.sin);
        m.quaternion[3] = (float)(yaw.sin * pitch.cos);
    }
    return mf_frame_encode(from, mf_msg_find(MF_MSG_DISTANCE_SENSOR), &m, out);
}

static size_t frame_ring(const struct mf_sensor_report *r, const struct mf_sender *from,
                         uint8_t out[MF_FRAME_MAX])
{
    struct mf_msg_obstacle_distance m = {.time_usec = (uint64_t)r->at_us,
                                         .max_distance = cm(mf_smaller(r->sensor->reach_m, 655.0)),
                                         .sensor_type = LASER,
                                         .increment = 360u / MF_SENSOR_RAYS,
                                         .increment_f = 360.0f / (float)MF_SENSOR_RAYS,
                                         .angle_offset = (float)r->sensor->yaw_deg,
                                         .frame = MAV_FRAME_BODY_FRD};
    _Static_assert(sizeof m.distances == MF_SENSOR_RAYS * sizeof(uint16_t), "a ray each");
    for (uint32_t n = 0; n < MF_SENSOR_RAYS; n++) {
        m.distances[n] = seen_cm((double)r->ray[n], r->sensor->reach_m);
    }
    return mf_frame_encode(from, mf_msg_find(MF_MSG_OBSTACLE_DISTANCE), &m, out);
}

static uint8_t *put_float(uint8_t *at, double value)
{
    return mf_bytes_put_u(at, mf_f32_bits((float)value), 4);
}

/* Encode OPTICAL_FLOW_RAD here, because the table of messages is the firmware's, and lacks messages
 * that it never reads. */
static size_t frame_flow(const struct mf_sensor_report *r, const struct mf_sender *from,
                         uint8_t out[MF_FRAME_MAX])
{
    static const uint8_t k_extra = FLOW_CRC_EXTRA;
    const double period_s = 1.0 / r->sensor->rate_hz;
    const bool sees = mf_finite(r->value[2]);
    uint8_t *at = out;
    at = mf_bytes_put_u(at, MF_STX_V2 | FLOW_BYTES << 8, 4); /* length, and no flags */
    *at++ = from->seq;
    *at++ = from->sysid;
    *at++ = from->compid;
    at = mf_bytes_put_u(at, MF_SENSOR_OPTICAL_FLOW_RAD, 3);
    at = mf_bytes_put_u(at, (uint64_t)r->at_us, 8);
    at = mf_bytes_put_u(at, (uint64_t)(period_s * 1e6 + 0.5), 4);
    for (uint32_t n = 0; n < 2; n++) {
        at = put_float(at, r->value[n] * period_s);
    }
    for (uint32_t n = 3; n < 6; n++) { /* rotation of the sensor */
        at = put_float(at, r->value[n] * period_s);
    }
    at = mf_bytes_put_u(at, 0, 4); /* age of the distance: it is of the same instant */
    at = put_float(at, sees ? r->value[2] : -1.0);
    at = mf_bytes_put_u(at, 0, 2); /* temperature */
    *at++ = r->id;
    *at++ = sees ? GOOD : 0;
    MF_ASSERT(at == out + HEADER_BYTES + FLOW_BYTES);
    while (at[-1] == 0) { /* MAVLink 2 omits trailing zeros */
        at--;
    }
    out[1] = (uint8_t)(at - out - (ptrdiff_t)HEADER_BYTES);
    const uint16_t crc = mf_crc16(mf_crc16(0xFFFFu, out + 1, (size_t)(at - out) - 1u), &k_extra, 1);
    return (size_t)(mf_bytes_put_u(at, crc, 2) - out);
}

bool mf_sensor_has_message(int32_t kind)
{
    return kind == MF_SCENARIO_SENSOR_RANGE || kind == MF_SCENARIO_SENSOR_RING ||
           kind == MF_SCENARIO_SENSOR_OPTICAL_FLOW;
}

size_t mf_sensor_frame(const struct mf_sensor_report *report, const struct mf_sender *from,
                       uint8_t out[MF_FRAME_MAX])
{
    switch (report->sensor->kind) {
    case MF_SCENARIO_SENSOR_RANGE:
        return frame_distance(report, from, out);
    case MF_SCENARIO_SENSOR_RING:
        return frame_ring(report, from, out);
    case MF_SCENARIO_SENSOR_OPTICAL_FLOW:
        return frame_flow(report, from, out);
    default:
        return 0;
    }
}

bool mf_sensor_may(struct mf_sensor_bounds *b, const struct mf_scenario_sensor_link *link,
                   uint32_t k, mf_us_t at_us, size_t bytes)
{
    MF_ASSERT(k < MF_SCENARIO_SENSORS_MAX && at_us >= b->at_us);
    const double passed_s = (double)(at_us - b->at_us) / 1e6;
    const double owed = mf_larger(b->owed_bytes - passed_s * link->bytes_per_s, 0.0);
    if (link->rate_hz <= 0.0 || at_us < b->next_us[k] || owed + (double)bytes > link->bytes_per_s) {
        return false;
    }
    /* a microsecond early, because measurements happen at whole microseconds */
    b->next_us[k] = at_us + (mf_us_t)(1e6 / link->rate_hz) - 1;
    b->owed_bytes = owed + (double)bytes;
    b->at_us = at_us;
    return true;
}
