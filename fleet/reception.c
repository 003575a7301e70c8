/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what members do that listen to each other; boards/swarm/minds/rx_minds.c calls it. */
#include "fleet/reception.h"

#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/frame.h"

#define FLIES_MM 1000 /* a member above this height is in the air */

static struct mf_en place_of(const struct mf_msg_global_position_int *p, const double *origin)
{
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){(double)p->lat / 1e7, (double)p->lon / 1e7}, ne_m);
    return (struct mf_en){ne_m[1], ne_m[0]};
}

/* Half the side of the square that a camera sees at any heading. */
static double sees_m(const struct mf_scenario_entity *e, double height_m)
{
    return height_m * mf_tan(mf_smaller(e->seeker.lateral_rad, e->seeker.horizontal_rad));
}

void mf_reception_position(const struct mf_survey *s, struct mf_survey_member *m,
                           const struct mf_scenario_entity *e, const double *origin,
                           const struct mf_packet *packet)
{
    struct mf_frame frame;
    struct mf_msg_global_position_int p;
    if (!mf_frame_read(packet->bytes, packet->size, &frame) || frame.info == NULL ||
        frame.info->id != MF_MSG_GLOBAL_POSITION_INT) {
        return;
    }
    mf_msg_unpack(frame.info, frame.payload, frame.len, &p);
    mf_survey_hear(s, m, packet->sender, place_of(&p, origin), p.relative_alt > FLIES_MM,
                   sees_m(e, (double)p.relative_alt / 1e3));
}

/* Land a member that has finished. A refused order is repeated in the next turn. */
static void land(struct mf_mind *mind, const struct mf_order_port *port)
{
    mind->phase = mf_order_land(port) ? (uint8_t)MF_BEHAVIOUR_DONE : mind->phase;
}

void mf_reception_climb(struct mf_gradient *g, const struct mf_scenario_entity *e,
                        struct mf_mind *mind, const struct mf_order_port *port)
{
    float vel_ned_mps[3];
    if (g->done) {
        land(mind, port);
        return;
    }
    mf_gradient_steer(g, &e->behaviour, mind, vel_ned_mps);
    mf_behave_fly(mind, port, vel_ned_mps);
}

void mf_reception_survey(const struct mf_survey *s, struct mf_survey_member *m,
                         const struct mf_scenario_entity *e, const double *origin,
                         struct mf_mind *mind, const struct mf_order_port *port)
{
    struct mf_order_view view;
    struct mf_en to;
    port->ops->look(port->ctx, &view);
    if (!view.known) {
        return;
    }
    const struct mf_en at = place_of(&view.position, origin);
    const double yaw_rad = mf_rad((double)view.position.hdg / 100.0);
    const double height_m = (double)view.position.relative_alt / 1e3;
    mf_survey_see(s, m,
                  &(struct mf_coverage_frame){at,
                                              {mf_sin(yaw_rad), mf_cos(yaw_rad)},
                                              height_m * mf_tan(e->seeker.lateral_rad),
                                              height_m * mf_tan(e->seeker.horizontal_rad)});
    if (!mf_survey_turn(s, m, at, &to)) {
        land(mind, port);
        return;
    }
    const double north = to.n - at.n, east = to.e - at.e, away_m = mf_length2(north, east);
    const double speed_mps = mf_smaller(e->behaviour.speed_max_mps, away_m);
    const double per_m = away_m > 0.0 ? speed_mps / away_m : 0.0;
    const float vel_ned_mps[3] = {(float)(north * per_m), (float)(east * per_m), 0.0f};
    mind->heading_rad = (float)mf_atan2(east, north);
    mf_behave_fly(mind, port, vel_ned_mps);
}
