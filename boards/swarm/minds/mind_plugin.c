/* SPDX-License-Identifier: Apache-2.0 */
/* Runs behaviours of plug-ins: passes them the state of a member, and their orders to its order
 * port. minds.c calls it; main.c frees its memory. */
#include "boards/swarm/minds/mind_plugin.h"

#include "boards/swarm/core/plugins.h"
#include "boards/swarm/minds/outbox.h"
#include "boards/swarm/space/senses.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <stdlib.h>

/* Context of the plug-in's orders during a turn or a reception. */
struct turn {
    const struct mf_order_port *port; /* NULL: a reception */
    struct swarm *w;
    uint32_t i;
    mf_us_t due_us; /* time at which packets leave */
};

/* ---- orders */

static bool arm_member(void *host)
{
    const struct turn *t = host;
    return mf_order_arm(t->port);
}

static bool take_off_to(void *host, double height_m)
{
    const struct turn *t = host;
    return mf_order_take_off(t->port, (float)height_m);
}

static void fly_at_velocity(void *host, const struct mf_plugin_place *velocity, double heading_rad)
{
    const struct turn *t = host;
    const float ned_mps[3] = {(float)velocity->north, (float)velocity->east, (float)-velocity->up};
    mf_order_velocity(t->port, ned_mps, (float)heading_rad);
}

static bool enter_offboard(void *host)
{
    const struct turn *t = host;
    return mf_order_offboard(t->port);
}

static bool go_to_place(void *host, const struct mf_plugin_place *at, double speed_mps)
{
    const struct turn *t = host;
    const double *origin = t->w->scenario->origin;
    if (!(mf_abs(at->north) <= MF_SCENARIO_FAR_M && mf_abs(at->east) <= MF_SCENARIO_FAR_M)) {
        return false;
    }
    const struct mf_geo to =
        mf_geo_from_local((struct mf_geo){origin[0], origin[1]}, at->north, at->east);
    return mf_order_go(t->port, (int32_t)(to.lat_deg * 1e7), (int32_t)(to.lon_deg * 1e7),
                       (float)(origin[2] + at->up), (float)speed_mps);
}

static int32_t to_int32(double x)
{
    return mf_abs(x) < 2e9 ? (int32_t)x : 0;
}

static bool send_command(void *host, uint16_t number, const double *param)
{
    const struct turn *t = host;
    const struct mf_msg_command_int m = {.command = number,
                                         .param1 = (float)param[0],
                                         .param2 = (float)param[1],
                                         .param3 = (float)param[2],
                                         .param4 = (float)param[3],
                                         .x = to_int32(param[4]),
                                         .y = to_int32(param[5]),
                                         .z = (float)param[6]};
    return mf_order_command(t->port, &m);
}

static bool transmit_packet(void *host, const uint8_t *bytes, size_t size)
{
    const struct turn *t = host;
    return swarm_outbox_add(t->w, t->i, bytes, size, t->due_us) == NULL;
}

/* ---- the plug-in's view */

static struct mf_plugin_member view_member(const struct turn *t, uint32_t i, uint32_t turn,
                                           mf_us_t at_us)
{
    struct mf_order_view view;
    double ne_m[2];
    const double *origin = t->w->scenario->origin;
    struct mf_plugin_member m = {.number = i + 1u, .turn = turn, .time_s = (double)at_us / 1e6};
    t->port->ops->look(t->port->ctx, &view);
    if (!view.known) {
        return m;
    }
    mf_geo_to_local(
        (struct mf_geo){origin[0], origin[1]},
        (struct mf_geo){(double)view.position.lat / 1e7, (double)view.position.lon / 1e7}, ne_m);
    m.known = true;
    m.armed = view.armed;
    m.in_air = view.landed == MAV_LANDED_STATE_IN_AIR;
    m.at = (struct mf_plugin_place){ne_m[1], ne_m[0], (double)view.position.alt / 1e3 - origin[2]};
    m.velocity =
        (struct mf_plugin_place){(double)view.position.vy / 100.0, (double)view.position.vx / 100.0,
                                 (double)-view.position.vz / 100.0};
    m.height_m = (double)view.position.relative_alt / 1e3;
    return m;
}

/* Number of sensors of an entity's members; 0 in a world of cells, whose sensors are of other
 * kinds. */
static uint32_t sensors_of(const struct swarm *w, const struct mf_scenario_entity *e)
{
    return swarm_has(w, SWARM_SLOT_SENSES) ? e->sensors : 0;
}

static void read_sensors(const struct swarm *w, const struct mf_scenario_entity *e, uint32_t i,
                         struct mf_plugin_reading *reading)
{
    for (uint32_t k = 0; k < sensors_of(w, e); k++) {
        const struct swarm_sensed *sensed = swarm_get_sensed(w, i, k);
        const struct mf_scenario_sensor *sensor = &e->sensor[k];
        const bool own = sensor->kind == MF_SCENARIO_SENSOR_OWN;
        reading[k] = (struct mf_plugin_reading){.kind = own ? sensor->own.name
                                                            : mf_sensor_word(sensor->kind),
                                                .count = sensed->count,
                                                .time_s = (double)sensed->at_us / 1e6,
                                                .value = sensed->value,
                                                .values = mf_sensor_values(sensor->kind)};
    }
}

/* @return [entities]; NULL: none has a behaviour of a plug-in */
static struct swarm_plugin *plugins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_MIND_PLUGIN];
}

bool swarm_mind_plugin_turn(struct swarm *w, uint32_t i, uint32_t turn, mf_us_t at_us, void *state,
                            const struct mf_order_port *port)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct swarm_plugin *o = &plugins_of(w)[e - w->scenario->entity];
    struct turn t = {port, w, i, at_us};
    struct mf_plugin_self self = o->self;
    struct mf_plugin_reading reading[MF_SCENARIO_SENSORS_MAX];
    struct mf_plugin_member member = view_member(&t, i, turn, at_us);
    const struct mf_plugin_orders orders = {
        &t,          arm_member,   take_off_to,    fly_at_velocity, enter_offboard,
        go_to_place, send_command, transmit_packet};
    read_sensors(w, e, i, reading);
    member.reading = reading;
    member.readings = sensors_of(w, e);
    self.state = state;
    self.key = mf_scenario_chance(w->scenario, i, MF_PURPOSE_BEHAVIOUR);
    swarm_plugin_enter(o);
    const bool more = o->entry->behaviour->turn(&self, &member, &orders);
    swarm_plugin_leave();
    return more;
}

bool swarm_mind_plugin_hears(const struct swarm *w, uint32_t entity)
{
    const struct mf_plugin_entry *e = plugins_of(w) != NULL ? plugins_of(w)[entity].entry : NULL;
    return e != NULL && e->behaviour->received != NULL;
}

void swarm_mind_plugin_receive(struct swarm *w, const struct swarm_heard *heard, void *state)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, heard->i);
    const struct swarm_plugin *o = &plugins_of(w)[e - w->scenario->entity];
    const struct mf_packet *p = heard->delivery->packet;
    struct turn t = {NULL, w, heard->i, heard->end_us};
    struct mf_plugin_self self = o->self;
    const struct mf_plugin_air air = {&t, transmit_packet};
    const struct mf_plugin_packet packet = {.receiver = heard->i + 1u,
                                            .sender = p->sender + 1u,
                                            .number = p->number,
                                            .time_s = (double)heard->at_us / 1e6,
                                            .strength_dbm = heard->delivery->strength_dbm,
                                            .bytes = p->bytes,
                                            .size = p->size};
    self.state = state;
    self.key = mf_scenario_chance(w->scenario, heard->i, MF_PURPOSE_BEHAVIOUR);
    swarm_plugin_enter(o);
    o->entry->behaviour->received(&self, &packet, &air);
    swarm_plugin_leave();
}

/* ---- set-up */

int swarm_mind_plugin_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    struct swarm_plugin *own = calloc(s->entities, sizeof *own);
    w->state[SWARM_SLOT_MIND_PLUGIN] = own;
    if (own == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    for (uint32_t i = 0; result == SWARM_OK && i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        char key[MF_SCENARIO_NAME_MAX + 16u];
        (void)snprintf(key, sizeof key, "%s.behaviour", e->name);
        if (e->behaviour.kind == MF_BEHAVIOUR_OWN) {
            result = swarm_plugin_find(w, &e->own, MF_PLUGIN_BEHAVIOUR, key, e->line, &own[i]);
        }
    }
    return result;
}

size_t swarm_mind_plugin_bytes(const struct swarm *w, uint32_t entity)
{
    const struct mf_plugin_entry *e = plugins_of(w) != NULL ? plugins_of(w)[entity].entry : NULL;
    return e != NULL ? (e->state_bytes + 15u) / 16u * 16u : 0;
}

void swarm_mind_plugin_free(struct swarm *w)
{
    free(plugins_of(w));
}
