/* SPDX-License-Identifier: Apache-2.0 */
/* Behaviours that need their own member's state only: rise, walk, waypoints. Called by
 * boards/swarm/minds, heard, ghost_receive and hive. */
#include "fleet/behaviour.h"

#include "math/chance.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/noise.h"

/* Random numbers of one turn. Their order is part of every recorded hash. */
enum { DRAW_HEADING, DRAW_SPEED, DRAWS };
/* Random numbers of the start come from another sequence than those of the turns. */
#define BEGIN_SEQUENCE UINT64_C(0x626567696E)
enum { DRAW_HEIGHT, DRAW_FIRST_HEADING };

/* A member has reached its height within NEAR_MM, and a point within NEAR_M. */
#define NEAR_MM 500
#define NEAR_M  1.0
/* Repeat an order that shows no effect after this time [s]. */
#define AGAIN_S 2.0

struct mf_mind mf_mind_begin(const struct mf_behaviour *b, uint64_t key)
{
    const uint64_t begin = mf_chance_u64(key, BEGIN_SEQUENCE);
    const double height_m =
        b->height_m[0] + (b->height_m[1] - b->height_m[0]) * mf_chance_unit(begin, DRAW_HEIGHT);
    const double heading_rad = 2.0 * MF_PI * mf_chance_unit(begin, DRAW_FIRST_HEADING);
    return (struct mf_mind){.key = key,
                            .heading_rad = (float)mf_wrap_pi(heading_rad),
                            .height_m = (float)height_m,
                            .speed_mps =
                                b->kind == MF_BEHAVIOUR_FLOCK ? (float)b->speed_max_mps : 0.0f};
}

mf_us_t mf_behaviour_period_us(const struct mf_behaviour *b)
{
    return (mf_us_t)(1e6 / b->rate_hz + 0.5);
}

/* Has the last order to take off had no effect for AGAIN_S? */
static bool is_overdue(const struct mf_behaviour *b, const struct mf_mind *mind)
{
    return (double)(mind->turns - mind->asked) >= AGAIN_S * b->rate_hz;
}

bool mf_behave_rise(const struct mf_behaviour *b, struct mf_mind *mind,
                    const struct mf_order_port *port, struct mf_order_view *view)
{
    if (mind->phase >= MF_BEHAVIOUR_GO) {
        return true;
    }
    port->ops->look(port->ctx, view);
    if (!view->known) {
        return false;
    }
    const double lacks_mm = (double)mind->height_m * 1e3 - (double)view->position.relative_alt;
    if (lacks_mm <= NEAR_MM) {
        mind->phase = MF_BEHAVIOUR_GO;
        return true;
    }
    if (mind->phase == MF_BEHAVIOUR_GROUND || (is_overdue(b, mind) && view->position.vz == 0)) {
        (void)mf_order_arm(port);
        (void)mf_order_take_off(port, mind->height_m);
        mind->phase = MF_BEHAVIOUR_CLIMB;
        mind->asked = mind->turns;
    }
    return false;
}

void mf_behave_fly(struct mf_mind *mind, const struct mf_order_port *port,
                   const float vel_ned_mps[3])
{
    mf_order_velocity(port, vel_ned_mps, mind->heading_rad);
    if (!mind->going) {
        mind->going = mf_order_offboard(port);
    }
}

/* ---- walk: at random, as Simbeeotic's bees do */

static void walk(const struct mf_behaviour *b, struct mf_mind *mind,
                 const struct mf_order_port *port)
{
    const uint64_t n = (uint64_t)mind->turns * DRAWS;
    const double turn = b->heading_sigma_rad * mf_noise_gauss(mind->key, n + DRAW_HEADING);
    const double speed =
        (double)mind->speed_mps + b->speed_sigma_mps * mf_noise_gauss(mind->key, n + DRAW_SPEED);
    const double held = speed < 0.0 ? 0.0 : speed > b->speed_max_mps ? b->speed_max_mps : speed;
    mind->heading_rad = (float)mf_wrap_pi((double)mind->heading_rad + turn);
    mind->speed_mps = (float)held;
    const float vel_ned_mps[3] = {(float)(held * mf_cos((double)mind->heading_rad)),
                                  (float)(held * mf_sin((double)mind->heading_rad)), 0.0f};
    mf_behave_fly(mind, port, vel_ned_mps);
}

/* ---- waypoints: from point to point */

static bool is_there(const struct mf_order_view *view, struct mf_geo to, double amsl_m)
{
    double d[2];
    const struct mf_geo is = {(double)view->position.lat / 1e7, (double)view->position.lon / 1e7};
    mf_geo_to_local(to, is, d);
    return mf_length2(d[0], d[1]) <= NEAR_M &&
           mf_abs(amsl_m - (double)view->position.alt / 1e3) <= NEAR_M;
}

static struct mf_geo place_of(const struct mf_behaviour_home *home, const double point[3])
{
    return mf_geo_from_local((struct mf_geo){home->lat_deg, home->lon_deg}, point[0], point[1]);
}

/* Aim at the next point, after the member has reached the present one. */
static void take_next(const struct mf_behaviour *b, struct mf_mind *mind)
{
    mind->going = false;
    mind->point++;
    if (mind->point == b->points && b->loop) {
        mind->point = 0;
    }
    if (mind->point == b->points) {
        mind->phase = MF_BEHAVIOUR_DONE;
    }
}

static void fly_waypoints(const struct mf_behaviour *b, struct mf_mind *mind,
                          const struct mf_behaviour_home *home, const struct mf_order_port *port)
{
    if (mind->going) {
        struct mf_order_view view;
        const double *point = b->point[mind->point];
        port->ops->look(port->ctx, &view);
        if (!view.known || !is_there(&view, place_of(home, point), home->alt_amsl_m + point[2])) {
            return;
        }
        take_next(b, mind);
    }
    if (mind->phase != MF_BEHAVIOUR_DONE) {
        const double *point = b->point[mind->point];
        const struct mf_geo to = place_of(home, point);
        mind->going = mf_order_go(port, (int32_t)(to.lat_deg * 1e7), (int32_t)(to.lon_deg * 1e7),
                                  (float)(home->alt_amsl_m + point[2]), (float)b->speed_max_mps);
    }
}

bool mf_behave(const struct mf_behaviour *b, struct mf_mind *mind,
               const struct mf_behaviour_home *home, const struct mf_order_port *port)
{
    struct mf_order_view view;
    MF_ASSERT(b->kind == MF_BEHAVIOUR_WALK || b->kind == MF_BEHAVIOUR_WAYPOINTS);
    if (mf_behave_rise(b, mind, port, &view)) {
        if (b->kind == MF_BEHAVIOUR_WALK) {
            walk(b, mind, port);
        } else {
            fly_waypoints(b, mind, home, port);
        }
    }
    mind->turns++;
    return mind->phase != MF_BEHAVIOUR_DONE;
}
