/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for those who watch the airspace: UTM_GLOBAL_POSITION, and remote identification, whose
 * units, ranges and values for "unknown" are those of ASTM F3411. Altitudes are above the
 * ellipsoid.
 *
 * PX4 hands the OPEN_DRONE_ID messages to a transmitter at 1 Hz; here they are sent on request, or
 * by --remote-id. "Unknown" is a value of its own in each field: zero would be a place off Africa,
 * or a vehicle that hovers. */
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/remote_id.h"
#include "firmware/report/encode.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <string.h>

#define ALTITUDE_UNKNOWN_M   (-1000.0f)
#define TIMESTAMP_UNKNOWN_S  65535.0f
#define DIRECTION_UNKNOWN    36100u /* [cdeg] */
#define SPEED_UNKNOWN_CMPS   25500
#define SPEED_MAX_CMPS       25425
#define CLIMB_UNKNOWN_CMPS   6300
#define CLIMB_MAX_CMPS       6200
#define TIME_WITHIN_100_MS   1u
#define AIRCRAFT_IN_THE_AREA 1u

/* 2019-01-01, from which SYSTEM counts [s since 1970]: ASTM F3411 gives it 32 bits. */
#define ODID_EPOCH_S 1546300800
#define HOUR_MS      3600000

/* Classes of accuracy: the n-th, from 1, is below the n-th limit [mm, mm/s]; 0: unknown. */
static const uint32_t k_horizontal[] = {18520000, 7408000, 3704000, 1852000, 926000, 555600,
                                        185200,   92600,   30000,   10000,   3000,   1000};
static const uint32_t k_vertical[] = {150000, 45000, 25000, 10000, 3000, 1000};
static const uint32_t k_speed[] = {10000, 3000, 1000, 300};

#define CLASS_OF(value, limits) class_of(value, limits, sizeof(limits) / sizeof(limits)[0])

/* Find the class of an accuracy. Limits fall, so the first classes are the ones that are met. 0
 * means an unknown accuracy, as the receiver claims without a fix. */
static uint8_t class_of(uint32_t value, const uint32_t *limits, size_t n)
{
    size_t met = 0;
    MF_ASSERT(n > 0 && limits[n - 1] <= limits[0]);
    while (value > 0 && met < n && value < limits[met]) {
        met++;
    }
    return (uint8_t)met;
}

static uint16_t within_u16(uint32_t value)
{
    return (uint16_t)(value < UINT16_MAX ? value : UINT16_MAX);
}

/* True if the vehicle falls, out of control. */
static bool falls(const struct mf_commander *c)
{
    return c->landed != MF_LANDED_ON_GROUND && (!c->armed || c->mode == MF_MODE_TERMINATION);
}

/* ---- UTM_GLOBAL_POSITION */

/* Fill in the position; each known value has a flag. Velocity accuracy is in cm/s in the message,
 * and in mm/s in the receiver's claim. */
static void utm_position(const struct mf_vehicle *v, const struct mf_estimate *e,
                         struct mf_msg_utm_global_position *m)
{
    MF_ASSERT(e->position);
    m->lat = mf_e7(e->pose.lat_deg);
    m->lon = mf_e7(e->pose.lon_deg);
    m->alt = mf_estimate_ellipsoid_mm(e, e->pose.alt_amsl_m);
    m->vx = mf_cmps(e->pose.vel_ned_mps[0]);
    m->vy = mf_cmps(e->pose.vel_ned_mps[1]);
    m->vz = mf_cmps(e->pose.vel_ned_mps[2]);
    m->h_acc = within_u16(e->fix.h_acc_mm);
    m->v_acc = within_u16(e->fix.v_acc_mm);
    m->vel_acc = within_u16(e->fix.vel_acc_mmps / 10u);
    m->flags |= UTM_DATA_AVAIL_FLAGS_POSITION_AVAILABLE | UTM_DATA_AVAIL_FLAGS_ALTITUDE_AVAILABLE |
                UTM_DATA_AVAIL_FLAGS_HORIZONTAL_VELO_AVAILABLE |
                UTM_DATA_AVAIL_FLAGS_VERTICAL_VELO_AVAILABLE;
    if (v->home.valid) {
        m->relative_alt = mf_mm(e->pose.alt_amsl_m) - mf_mm(v->home.takeoff_amsl_m);
        m->flags |= UTM_DATA_AVAIL_FLAGS_RELATIVE_ALTITUDE_AVAILABLE;
    }
}

/* Fill in the end of the leg, if it leads to a place; a landing ends on the ground below. */
static void utm_next(const struct mf_vehicle *v, const struct mf_estimate *e,
                     struct mf_msg_utm_global_position *m)
{
    const struct mf_leg *leg = &v->navigator.leg;
    if (!v->navigator.planned || leg->velocity || !e->position) {
        return;
    }
    MF_ASSERT(mf_abs(leg->lat_deg) <= 90.0);
    m->next_lat = mf_e7(leg->lat_deg);
    m->next_lon = mf_e7(leg->lon_deg);
    m->next_alt = mf_datum_ellipsoid_mm(&v->hal, e, (struct mf_geo){leg->lat_deg, leg->lon_deg},
                                        leg->land ? e->pose.ground_amsl_m : leg->alt_amsl_m);
    m->flags |= UTM_DATA_AVAIL_FLAGS_NEXT_WAYPOINT_AVAILABLE;
}

/* A failsafe is an emergency to those who watch, although the vehicle knows what it does. */
static uint8_t utm_flight_state(const struct mf_commander *c)
{
    if (c->landed == MF_LANDED_ON_GROUND) {
        return UTM_FLIGHT_STATE_GROUND;
    }
    if (falls(c)) {
        return UTM_FLIGHT_STATE_NOCTRL;
    }
    return c->failsafe ? UTM_FLIGHT_STATE_EMERGENCY : UTM_FLIGHT_STATE_AIRBORNE;
}

/* Encode the message of a drone in managed airspace. The id is the hardware's, which is not
 * registered; BASIC_ID has a registered one. */
bool mf_encode_utm_global_position(const struct mf_vehicle *v, const struct mf_estimate *e,
                                   struct mf_msg_utm_global_position *m)
{
    *m = (struct mf_msg_utm_global_position){
        .flight_state = utm_flight_state(&v->commander),
        .flags = UTM_DATA_AVAIL_FLAGS_UAS_ID_AVAILABLE,
    };
    for (size_t i = 0; i < sizeof v->uid; i++) {
        m->uas_id[i] = (uint8_t)(v->uid >> (8 * i));
    }
    if (e->fix.utc_us >= MF_UTC_KNOWN_US) {
        m->time = (uint64_t)e->fix.utc_us;
        m->flags |= UTM_DATA_AVAIL_FLAGS_TIME_VALID;
    }
    if (e->position) {
        utm_position(v, e, m);
    }
    utm_next(v, e, m);
    return true;
}

/* ---- remote identification */

/* Encode the identity of the vehicle: the board's card, or the default one. */
bool mf_encode_open_drone_id_basic_id(const struct mf_vehicle *v, mf_us_t t_us,
                                      struct mf_msg_open_drone_id_basic_id *m)
{
    const struct mf_remote_id_card card = mf_remote_id_card(&v->remote_id, v->uid);
    (void)t_us;
    *m = (struct mf_msg_open_drone_id_basic_id){.id_type = card.id_type, .ua_type = card.ua_type};
    for (size_t i = 0; i < sizeof m->uas_id; i++) {
        m->uas_id[i] = card.uas_id[i];
    }
    return true;
}

/* Status in remote identification. It lacks a value for a vehicle out of control, which UTM has: a
 * fall is an emergency. */
static uint8_t odid_status(const struct mf_commander *c)
{
    if (c->landed == MF_LANDED_ON_GROUND) {
        return MAV_ODID_STATUS_GROUND;
    }
    return c->failsafe || falls(c) ? MAV_ODID_STATUS_EMERGENCY : MAV_ODID_STATUS_AIRBORNE;
}

/* Fill in the velocity over ground and up; a standing vehicle lacks a direction. */
static void put_velocity(const struct mf_pose *pose, struct mf_msg_open_drone_id_location *m)
{
    const double north_mps = (double)pose->vel_ned_mps[0], east_mps = (double)pose->vel_ned_mps[1];
    const int32_t speed_cmps = mf_round_i32(mf_length2(north_mps, east_mps) * 1e2);
    const int32_t up_cmps = mf_round_i32((double)pose->vel_ned_mps[2] * -1e2);
    MF_ASSERT(speed_cmps >= 0);
    m->speed_horizontal = (uint16_t)mf_clamp_i32(speed_cmps, 0, SPEED_MAX_CMPS);
    m->speed_vertical = (int16_t)mf_clamp_i32(up_cmps, -CLIMB_MAX_CMPS, CLIMB_MAX_CMPS);
    if (speed_cmps > 0) {
        const int32_t cdeg = mf_round_i32(mf_deg(mf_atan2(east_mps, north_mps)) * 1e2);
        MF_ASSERT(cdeg >= -18000 && cdeg <= 18000);
        m->direction = (uint16_t)((cdeg + 36000) % 36000);
    }
}

/* Fill in the position of the estimate, not of the receiver: other aircraft must avoid the place
 * that the vehicle believes in. */
static void put_fix(const struct mf_estimate *e, struct mf_msg_open_drone_id_location *m)
{
    MF_ASSERT(e->position);
    m->latitude = mf_e7(e->pose.lat_deg);
    m->longitude = mf_e7(e->pose.lon_deg);
    m->altitude_geodetic = (float)((double)mf_estimate_ellipsoid_mm(e, e->pose.alt_amsl_m) / 1e3);
    m->horizontal_accuracy = CLASS_OF(e->fix.h_acc_mm, k_horizontal);
    m->vertical_accuracy = CLASS_OF(e->fix.v_acc_mm, k_vertical);
    m->speed_accuracy = CLASS_OF(e->fix.vel_acc_mmps, k_speed);
    put_velocity(&e->pose, m);
}

/* The atmosphere is the standard one, so the altitude by pressure is that above mean sea level. */
static float pressure_altitude(const struct mf_vehicle *v, const struct mf_estimate *e)
{
    MF_ASSERT(e->t_us >= 0);
    const bool lost = (mf_sensors_lost(&v->hal, e->t_us) >> MF_SENSOR_BARO & 1u) != 0;
    return lost ? ALTITUDE_UNKNOWN_M : (float)e->pose.alt_amsl_m;
}

/* Encode the location. Without a fix, the altitude by pressure and the height above the take-off
 * are still known. */
bool mf_encode_open_drone_id_location(const struct mf_vehicle *v, const struct mf_estimate *e,
                                      struct mf_msg_open_drone_id_location *m)
{
    const double alt_amsl_m = e->pose.alt_amsl_m;
    *m = (struct mf_msg_open_drone_id_location){
        .status = odid_status(&v->commander),
        .altitude_barometric = pressure_altitude(v, e),
        .altitude_geodetic = ALTITUDE_UNKNOWN_M,
        .height_reference = MAV_ODID_HEIGHT_REF_OVER_TAKEOFF,
        .height = v->home.valid ? (float)(alt_amsl_m - v->home.takeoff_amsl_m) : ALTITUDE_UNKNOWN_M,
        .timestamp = TIMESTAMP_UNKNOWN_S,
        .direction = DIRECTION_UNKNOWN,
        .speed_horizontal = SPEED_UNKNOWN_CMPS,
        .speed_vertical = CLIMB_UNKNOWN_CMPS,
    };
    if (e->fix.utc_us >= MF_UTC_KNOWN_US) {
        m->timestamp = (float)((double)(e->fix.utc_us / MF_MS_US % HOUR_MS) / 1e3);
        m->timestamp_accuracy = TIME_WITHIN_100_MS;
    }
    if (e->position) {
        put_fix(e, m);
    }
    return true;
}

/* The operator stands where the vehicle took off (location type 0), unless a ground station knows
 * better. */
static struct mf_remote_operator assumed(const struct mf_remote_id *r, uint64_t uid)
{
    const struct mf_remote_id_card card = mf_remote_id_card(r, uid);
    const bool eu = card.category_eu != 0 || card.class_eu != 0;
    struct mf_remote_operator o = {
        .area_ceiling_m = ALTITUDE_UNKNOWN_M,
        .area_floor_m = ALTITUDE_UNKNOWN_M,
        .alt_ellipsoid_m = ALTITUDE_UNKNOWN_M,
        .area_count = AIRCRAFT_IN_THE_AREA,
        .classification_type =
            eu ? MAV_ODID_CLASSIFICATION_TYPE_EU : MAV_ODID_CLASSIFICATION_TYPE_UNDECLARED,
        .category_eu = card.category_eu,
        .class_eu = card.class_eu,
    };
    if (r->takeoff_known) {
        o.lat_e7 = r->takeoff_lat_e7;
        o.lon_e7 = r->takeoff_lon_e7;
        o.alt_ellipsoid_m = (float)((double)r->takeoff_alt_ellipsoid_mm / 1e3);
    }
    return o;
}

bool mf_encode_open_drone_id_system(const struct mf_vehicle *v, const struct mf_estimate *e,
                                    struct mf_msg_open_drone_id_system *m)
{
    const struct mf_remote_id *r = &v->remote_id;
    const struct mf_remote_operator o = r->operator_given ? r->said : assumed(r, v->uid);
    const int64_t utc_s = e->fix.utc_us / MF_SECOND_US;
    MF_ASSERT(utc_s - ODID_EPOCH_S <= (int64_t)UINT32_MAX);
    *m = (struct mf_msg_open_drone_id_system){
        .operator_latitude = o.lat_e7,
        .operator_longitude = o.lon_e7,
        .operator_altitude_geo = o.alt_ellipsoid_m,
        .area_ceiling = o.area_ceiling_m,
        .area_floor = o.area_floor_m,
        .area_count = o.area_count,
        .area_radius = o.area_radius,
        .operator_location_type = o.location_type,
        .classification_type = o.classification_type,
        .category_eu = o.category_eu,
        .class_eu = o.class_eu,
        .timestamp = (uint32_t)(utc_s >= ODID_EPOCH_S ? utc_s - ODID_EPOCH_S : 0),
    };
    return true;
}

/* Encode the operator, if a ground station has sent one. Its data come back with their type,
 * addressed to all. */
bool mf_encode_open_drone_id_operator_id(const struct mf_vehicle *v, mf_us_t t_us,
                                         struct mf_msg_open_drone_id_operator_id *m)
{
    const struct mf_remote_id *r = &v->remote_id;
    const struct mf_remote_id_card card = mf_remote_id_card(r, v->uid);
    (void)t_us;
    *m = (struct mf_msg_open_drone_id_operator_id){.operator_id_type = r->operator_id_type};
    memcpy(m->operator_id, r->operator_id_given ? r->operator_id : card.operator_id,
           sizeof m->operator_id);
    return true;
}
