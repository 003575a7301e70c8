/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about where the vehicle is, how fast it moves, and where it goes.
 *
 * Each altitude has the zero that its message defines: mean sea level (alt, AMSL), home (relative),
 * the local frame's origin (altitude_local, LOCAL_POSITION_NED.z). Clients compare them across
 * messages, so all of them are made of the same estimate, and millimetres are rounded once
 * (mf_mm()). */
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/home.h"
#include "firmware/report/encode.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* VFR_HUD.throttle in the air [%]: what hovers. */
#define HOVER_THROTTLE 50u

/* Masks of values that a target lacks: always the acceleration, and the place or the velocity. */
#define PLACE_IGNORE                                                         \
    (POSITION_TARGET_TYPEMASK_X_IGNORE | POSITION_TARGET_TYPEMASK_Y_IGNORE | \
     POSITION_TARGET_TYPEMASK_Z_IGNORE)
#define VEL_IGNORE                                                             \
    (POSITION_TARGET_TYPEMASK_VX_IGNORE | POSITION_TARGET_TYPEMASK_VY_IGNORE | \
     POSITION_TARGET_TYPEMASK_VZ_IGNORE)
#define ACC_IGNORE                                                             \
    (POSITION_TARGET_TYPEMASK_AX_IGNORE | POSITION_TARGET_TYPEMASK_AY_IGNORE | \
     POSITION_TARGET_TYPEMASK_AZ_IGNORE)

/* 0 .. 35999; UINT16_MAX, MAVLink's "unknown", never: attitude does not depend on the receiver. */
static uint16_t heading_cdeg(float yaw_rad)
{
    const int32_t cdeg = mf_round_i32(mf_deg((double)yaw_rad) * 1e2);
    MF_ASSERT(cdeg >= -36000 && cdeg < 36000);
    return (uint16_t)(cdeg < 0 ? cdeg + 36000 : cdeg);
}

/* The difference of the millimetres, so that the messages agree to the last digit. While a fault
 * hides home the height stays: it is counted from where the vehicle took off. */
static int32_t relative_mm(const struct mf_vehicle *v, double alt_amsl_m)
{
    return v->home.valid || v->home.hidden ? mf_mm(alt_amsl_m) - mf_mm(v->home.takeoff_amsl_m) : 0;
}

/* PX4 sends nothing while its position is not valid, so clients take silence for "lost"; a repeated
 * old position would look like a hover. */
bool mf_encode_global_position_int(const struct mf_vehicle *v, const struct mf_estimate *e,
                                   struct mf_msg_global_position_int *m)
{
    if (!e->position) {
        return false;
    }
    MF_ASSERT(mf_abs(e->pose.lat_deg) <= 90.0 && mf_abs(e->pose.lon_deg) <= 180.0);
    *m = (struct mf_msg_global_position_int){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .lat = mf_e7(e->pose.lat_deg),
        .lon = mf_e7(e->pose.lon_deg),
        .alt = mf_mm(e->pose.alt_amsl_m),
        .relative_alt = relative_mm(v, e->pose.alt_amsl_m),
        .vx = mf_cmps(e->pose.vel_ned_mps[0]),
        .vy = mf_cmps(e->pose.vel_ned_mps[1]),
        .vz = mf_cmps(e->pose.vel_ned_mps[2]),
        .hdg = heading_cdeg(e->pose.yaw_rad),
    };
    return true;
}

/* About the origin, which the first fix sets and SET_GPS_GLOBAL_ORIGIN may move. */
bool mf_encode_local_position_ned(const struct mf_vehicle *v, const struct mf_estimate *e,
                                  struct mf_msg_local_position_ned *m)
{
    float ned_m[3];
    if (!e->position) {
        return false;
    }
    MF_ASSERT(v->origin.valid); /* the first position set it */
    mf_estimate_local(&v->origin, &e->pose, ned_m);
    *m = (struct mf_msg_local_position_ned){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .x = ned_m[0],
        .y = ned_m[1],
        .z = ned_m[2],
        .vx = e->pose.vel_ned_mps[0],
        .vy = e->pose.vel_ned_mps[1],
        .vz = e->pose.vel_ned_mps[2],
    };
    return true;
}

/* A receiver without a fix: PX4's values for "unknown". */
static struct mf_msg_gps_raw_int no_fix(const struct mf_fix *fix, mf_us_t t_us)
{
    MF_ASSERT(fix->type < MF_FIX_3D);
    return (struct mf_msg_gps_raw_int){
        .time_usec = (uint64_t)t_us,
        .eph = UINT16_MAX,
        .epv = UINT16_MAX,
        .vel = UINT16_MAX,
        .cog = UINT16_MAX,
        .fix_type = fix->type,
        .satellites_visible = fix->type == MF_FIX_NONE ? UINT8_MAX : fix->satellites,
    };
}

/* Encode the receiver's report, not the estimate: a glitch is visible here first. Its time is that
 * of the report, which a receiver that repeats itself does not advance. */
bool mf_encode_gps_raw_int(const struct mf_estimate *e, struct mf_msg_gps_raw_int *m)
{
    const struct mf_fix *fix = &e->fix;
    if (fix->type < MF_FIX_3D) {
        *m = no_fix(fix, e->t_us);
        return true;
    }
    *m = (struct mf_msg_gps_raw_int){
        .time_usec = (uint64_t)fix->t_us,
        .lat = fix->lat_e7,
        .lon = fix->lon_e7,
        .alt = fix->alt_amsl_mm,
        .eph = fix->hdop_x100,
        .epv = fix->vdop_x100,
        .vel = fix->vel_cmps,
        .cog = fix->cog_cdeg,
        .fix_type = fix->type,
        .satellites_visible = fix->satellites,
        .alt_ellipsoid = fix->alt_ellipsoid_mm,
        .h_acc = fix->h_acc_mm,
        .v_acc = fix->v_acc_mm,
        .vel_acc = fix->vel_acc_mmps,
    };
    return true;
}

/* Fill in the heights above ground, by terrain, since a rangefinder is missing. PX4's
 * altitude_terrain is the ground's own, above the origin; MAVLink defines it as the vehicle's above
 * the ground. */
static void above_ground(const struct mf_vehicle *v, const struct mf_pose *pose,
                         struct mf_msg_altitude *m)
{
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    double ground_m;
    if (mf_datum_ground(&v->hal, &v->estimate, here, &ground_m) == MF_E_OK) {
        const float height_m = (float)(pose->alt_amsl_m - ground_m);
        m->bottom_clearance = height_m > 0.0f ? height_m : 0.0f;
        m->altitude_terrain =
            v->options.px4_strict ? m->altitude_local - m->bottom_clearance : height_m;
    }
}

/* altitude_monotonic is PX4's barometric altitude, which no reset of the estimate makes jump; in a
 * standard atmosphere it is the altitude AMSL. */
bool mf_encode_altitude(const struct mf_vehicle *v, const struct mf_estimate *e,
                        struct mf_msg_altitude *m)
{
    const struct mf_pose *pose = &e->pose;
    *m = (struct mf_msg_altitude){
        .time_usec = (uint64_t)e->t_us,
        .altitude_monotonic = (float)pose->alt_amsl_m,
        .altitude_amsl = (float)pose->alt_amsl_m,
        .altitude_local = v->origin.valid ? (float)(pose->alt_amsl_m - v->origin.amsl_m) : 0.0f,
        .altitude_relative = (float)mf_home_relative_m(&v->home, pose->alt_amsl_m),
        .altitude_terrain = mf_nan_f32(),
        .bottom_clearance = mf_nan_f32(),
    };
    above_ground(v, pose, m);
    return true;
}

/* Throttle is a share of what the motors can do; a multicopter that holds its height needs half of
 * it. */
bool mf_encode_vfr_hud(const struct mf_vehicle *v, const struct mf_estimate *e,
                       struct mf_msg_vfr_hud *m)
{
    const struct mf_pose *pose = &e->pose;
    const double north_mps = (double)pose->vel_ned_mps[0], east_mps = (double)pose->vel_ned_mps[1];
    const bool flying = v->commander.armed && v->commander.landed != MF_LANDED_ON_GROUND;
    *m = (struct mf_msg_vfr_hud){
        .airspeed = mf_nan_f32(), /* no sensor */
        .groundspeed = (float)mf_length2(north_mps, east_mps),
        .alt = (float)pose->alt_amsl_m,
        .climb = 0.0f - pose->vel_ned_mps[2], /* not -x, which makes a zero negative */
        .heading = (int16_t)(heading_cdeg(pose->yaw_rad) / 100u),
        .throttle = flying ? HOVER_THROTTLE : 0u,
    };
    return true;
}

/* Find the end of the present leg, or its velocity. @return false: no leg is flown, or the position
 * is unknown */
static bool target_of(const struct mf_vehicle *v, const struct mf_estimate *e,
                      struct mf_pose *target)
{
    const struct mf_leg *leg = &v->navigator.leg;
    MF_ASSERT(target != &v->estimate.pose);
    if (!v->navigator.planned || !e->position) {
        return false;
    }
    *target = (struct mf_pose){
        .lat_deg = leg->velocity ? e->pose.lat_deg : leg->lat_deg,
        .lon_deg = leg->velocity ? e->pose.lon_deg : leg->lon_deg,
        .alt_amsl_m = leg->land       ? e->pose.ground_amsl_m
                      : leg->velocity ? e->pose.alt_amsl_m
                                      : leg->alt_amsl_m,
        .yaw_rad = leg->yaw_rad,
        .yawspeed_rps = leg->spin_rps,
    };
    for (size_t i = 0; i < 3; i++) {
        target->vel_ned_mps[i] = leg->velocity ? leg->vel_ned_mps[i] : mf_nan_f32();
    }
    return true;
}

/* Only while a circle is flown: QGroundControl shows it as long as this message comes. The sign of
 * the radius is the direction, clockwise if positive. */
bool mf_encode_orbit_execution_status(const struct mf_vehicle *v, mf_us_t t_us,
                                      struct mf_msg_orbit_execution_status *m)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    const struct mf_orbit *o = &v->navigator.orbit;
    if (!v->commander.armed || v->commander.mode != MF_MODE_ORBIT || v->navigator.begin) {
        return false;
    }
    *m = (struct mf_msg_orbit_execution_status){
        .time_usec = (uint64_t)t_us,
        .radius = o->radius_m,
        .x = mf_e7(o->lat_deg),
        .y = mf_e7(o->lon_deg),
        .z = (float)o->alt_amsl_m,
        .frame = MAV_FRAME_GLOBAL,
    };
    return true;
}

/* A bit that is set says "ignore". A field that is ignored is NaN as well, for clients that do not
 * look at the mask. */
static uint16_t target_mask(const struct mf_pose *target)
{
    const bool has_yaw = target->yaw_rad == target->yaw_rad; /* NaN: keeps its heading */
    const bool spins = !has_yaw && target->yawspeed_rps != 0.0f;
    const bool flies = target->vel_ned_mps[0] == target->vel_ned_mps[0];
    return (uint16_t)(ACC_IGNORE | (flies ? PLACE_IGNORE : VEL_IGNORE) |
                      (has_yaw ? 0 : POSITION_TARGET_TYPEMASK_YAW_IGNORE) |
                      (spins ? 0 : POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE));
}

/* PX4 shows the setpoint of its position controller, which moves along the way; here the leg is
 * flown in closed form, so its end is shown. */
bool mf_encode_position_target_local_ned(const struct mf_vehicle *v, const struct mf_estimate *e,
                                         struct mf_msg_position_target_local_ned *m)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    struct mf_pose target;
    float ned_m[3];
    if (!target_of(v, e, &target)) {
        return false;
    }
    mf_estimate_local(&v->origin, &target, ned_m);
    const float none = mf_nan_f32();
    const bool velocity = v->navigator.leg.velocity;
    MF_ASSERT(velocity == mf_finite((double)target.vel_ned_mps[2]));
    *m = (struct mf_msg_position_target_local_ned){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .x = velocity ? none : ned_m[0],
        .y = velocity ? none : ned_m[1],
        .z = velocity ? none : ned_m[2],
        .vx = target.vel_ned_mps[0],
        .vy = target.vel_ned_mps[1],
        .vz = target.vel_ned_mps[2],
        .afx = none,
        .afy = none,
        .afz = none,
        .yaw = target.yaw_rad,
        .yaw_rate = target.yawspeed_rps != 0.0f ? target.yawspeed_rps : none,
        .type_mask = target_mask(&target),
        .coordinate_frame = MAV_FRAME_LOCAL_NED,
    };
    return true;
}

/* Encode the target as latitude and longitude. */
bool mf_encode_position_target_global_int(const struct mf_vehicle *v, const struct mf_estimate *e,
                                          struct mf_msg_position_target_global_int *m)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    struct mf_pose target;
    if (!target_of(v, e, &target)) {
        return false;
    }
    const float none = mf_nan_f32();
    *m = (struct mf_msg_position_target_global_int){
        .time_boot_ms = mf_boot_ms(e->t_us),
        .lat_int = mf_e7(target.lat_deg),
        .lon_int = mf_e7(target.lon_deg),
        .alt = (float)target.alt_amsl_m,
        .vx = target.vel_ned_mps[0],
        .vy = target.vel_ned_mps[1],
        .vz = target.vel_ned_mps[2],
        .afx = none,
        .afy = none,
        .afz = none,
        .yaw = target.yaw_rad,
        .yaw_rate = target.yawspeed_rps != 0.0f ? target.yawspeed_rps : none,
        .type_mask = target_mask(&target),
        .coordinate_frame = MAV_FRAME_GLOBAL_INT,
    };
    return true;
}

/* Encode the distance to the target. A leg by velocity has its target here: distance 0, and a
 * meaningless bearing. */
bool mf_encode_nav_controller_output(const struct mf_vehicle *v, const struct mf_estimate *e,
                                     struct mf_msg_nav_controller_output *m)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    struct mf_pose target;
    if (!target_of(v, e, &target)) {
        return false;
    }
    const struct mf_pose *pose = &e->pose;
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){target.lat_deg, target.lon_deg});
    const int16_t bearing_deg = (int16_t)mf_round_i32(mf_deg(line.azimuth_from_rad));
    MF_ASSERT(line.distance_m >= 0.0 && bearing_deg >= -180 && bearing_deg <= 180);
    *m = (struct mf_msg_nav_controller_output){
        .nav_roll = (float)mf_deg((double)pose->roll_rad),
        .nav_pitch = (float)mf_deg((double)pose->pitch_rad),
        .alt_error = (float)(pose->alt_amsl_m - target.alt_amsl_m),
        .nav_bearing = bearing_deg,
        .target_bearing = bearing_deg,
        .wp_dist = (uint16_t)mf_clamp_i32(mf_round_i32(line.distance_m), 0, UINT16_MAX),
    };
    return true;
}
