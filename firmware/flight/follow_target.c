/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of a target to follow (FOLLOW_TARGET): where it is, and how it moves. */
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

#define MOVES_MPS     0.5 /* slower than this a velocity is noise, and no direction */
#define SPEED_MAX_MPS 100.0
#define REPORT_MIN_S  0.02 /* two reports nearer than this say nothing about speed */

enum { CAN_POSITION = 1, CAN_VELOCITY = 2 }; /* est_capabilities */

/* Set the target's velocity: as sent, whatever the capabilities are (MAVSDK never sets that bit),
 * otherwise from the way since the last report. */
static void set_velocity(struct mf_followed *f, const struct mf_msg_follow_target *m,
                         struct mf_geo from, double past_s)
{
    double moved_m[2] = {0.0, 0.0};
    bool is_given = (m->est_capabilities & CAN_VELOCITY) != 0;
    for (int i = 0; i < 3; i++) {
        const bool sane = mf_abs((double)m->vel[i]) <= SPEED_MAX_MPS;
        f->vel_ned_mps[i] = sane ? m->vel[i] : 0.0f;
        is_given = is_given || f->vel_ned_mps[i] != 0.0f;
    }
    if (is_given || !(past_s >= REPORT_MIN_S)) {
        return;
    }
    /* Local frame of the last report: between two reports the target moves by metres. */
    mf_geo_to_local(from, (struct mf_geo){f->lat_deg, f->lon_deg}, moved_m);
    for (int i = 0; i < 2; i++) {
        const double speed = moved_m[i] / past_s;
        f->vel_ned_mps[i] = mf_abs(speed) <= SPEED_MAX_MPS ? (float)speed : 0.0f;
    }
}

void mf_on_follow_target(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_follow_target *m, mf_us_t now_us)
{
    struct mf_followed *f = &v->inputs.followed;
    const struct mf_geo before = {f->lat_deg, f->lon_deg};
    const double past_s = (double)(now_us - v->inputs.target.heard.at_us) * 1e-6;
    const double lat_deg = (double)m->lat / 1e7;
    const double lon_deg = (double)m->lon / 1e7;
    if ((m->est_capabilities & CAN_POSITION) == 0 || mf_abs(lat_deg) > 90.0 ||
        mf_abs(lon_deg) > 180.0 || mf_abs((double)m->alt) > MF_ALTITUDE_MAX_M ||
        !mf_datum_known(&v->hal, (struct mf_geo){lat_deg, lon_deg})) {
        from.link->stats.rx_rejected++;
        return;
    }
    const bool found = mf_input_heard(v, &v->inputs.target, now_us);
    f->lat_deg = lat_deg;
    f->lon_deg = lon_deg;
    f->alt_amsl_m = (double)m->alt;
    set_velocity(f, m, before, found ? 0.0 : past_s);
    MF_ASSERT(mf_finite((double)f->vel_ned_mps[0]) && mf_finite((double)f->vel_ned_mps[1]));
    const double north = (double)f->vel_ned_mps[0];
    const double east = (double)f->vel_ned_mps[1];
    /* A target that stops keeps its course: "behind it" stays the same side. */
    if (north * north + east * east > MOVES_MPS * MOVES_MPS) {
        f->course_rad = (float)mf_atan2(east, north);
    } else if (found) {
        f->course_rad = 0.0f;
    }
    if (v->commander.mode == MF_MODE_FOLLOW) {
        mf_navigator_steer(v, now_us);
    }
}
