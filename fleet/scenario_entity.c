/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of entities. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_entity.h"

#include "fleet/behaviour_keys.h"
#include "fleet/key_forms.h"
#include "fleet/scenario.h"
#include "math/chance.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define X(name, word) word,
static const char *const k_kind[] = {MF_SCENARIO_KIND_LIST(X) NULL};
#undef X
/* clang-format on */

#define ENTITY(field) offsetof(struct mf_scenario_entity, field)

/* Destination of the names and numbers of an open map. */
struct values {
    struct mf_scenario_value *value;
    uint32_t count;
};

static bool read_one(struct mf_reading *r, const char *name, int line, const struct mf_node *node,
                     void *ctx)
{
    struct values *all = ctx;
    struct mf_scenario_value *value = &all->value[all->count];
    if (strlen(name) >= sizeof value->name) {
        return mf_reading_refuse(r, line, "a name has 31 characters at most");
    }
    memcpy(value->name, name, strlen(name) + 1u);
    value->line = line;
    all->count++;
    return mf_reading_number(r, node, -1e12, 1e12, &value->value);
}

static bool read_values(struct mf_reading *r, const struct mf_node *node,
                        struct mf_scenario_value **value, uint32_t *count)
{
    struct values all = {.value = mf_reading_pair_array(r, node, sizeof **value)};
    const bool good = all.value != NULL && mf_reading_pairs(r, node, read_one, &all);
    *value = all.value;
    *count = all.count;
    return good;
}

static bool read_params(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                        void *at)
{
    struct mf_scenario_entity *e = at;
    (void)key;
    return read_values(r, node, &e->param, &e->params);
}

static bool read_settings(struct mf_reading *r, const struct mf_key *key,
                          const struct mf_node *node, void *at)
{
    struct mf_scenario_entity *e = at;
    (void)key;
    return read_values(r, node, &e->setting, &e->settings);
}

static bool read_faults(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                        void *at)
{
    struct mf_scenario_entity *e = at;
    char text[MF_KEYS_TEXT_MAX];
    (void)key;
    if (mf_node_kind(node) != MF_NODE_LIST || mf_node_count(node) > MF_SCENARIO_FAULTS_MAX) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a list of at most %u faults",
                                 MF_SCENARIO_FAULTS_MAX);
    }
    e->faults = (uint32_t)mf_node_count(node);
    e->fault = mf_reading_array(r, mf_node_line(node), e->faults, sizeof *e->fault);
    if (e->fault == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < e->faults; i++) {
        const struct mf_node *fault = mf_node_at(r->tree, node, i);
        if (!mf_reading_text(r, fault, text)) {
            return false;
        }
        if (strlen(text) >= MF_SCENARIO_SPEC_MAX) {
            return mf_reading_refuse(r, mf_node_line(fault), "must have less than %u characters",
                                     MF_SCENARIO_SPEC_MAX);
        }
        (void)snprintf(e->fault[i].spec, sizeof e->fault[i].spec, "%.159s", text);
        e->fault[i].line = mf_node_line(fault);
    }
    return true;
}

void mf_scenario_entity_defaults(void *entity)
{
    struct mf_scenario_entity *e = entity;
    e->count = 1;
    e->start_s = 1.0;
    e->arrivals.remote_id = true;
    e->place.spacing_m = 10.0;
    mf_scenario_body_defaults(&e->body);
    mf_scenario_autopilot_defaults(&e->autopilot);
    e->ghost.hold_s = 0.5;
    e->ghost.lost_s = 2.0;
    e->ghost.speed_max_mps = 100.0;
    mf_scenario_cell_defaults(&e->cell);
    mf_scenario_search_entity_defaults(&e->seeker, &e->object);
    mf_scenario_radio_defaults(&e->radio, &e->send);
    e->behaviour = (struct mf_behaviour){.rate_hz = 10.0,
                                         .height_m = {20.0, 20.0},
                                         .speed_max_mps = 2.0,
                                         .speed_sigma_mps = 0.2,
                                         .heading_sigma_rad = 0.2,
                                         .radius_m = 30.0,
                                         .separation_m = 10.0,
                                         .separate = 1.0,
                                         .align = 0.5,
                                         .cohere = 0.05,
                                         .near_dbm = -58.0,
                                         .cell_m = 10.0};
    e->sensor_link = (struct mf_scenario_sensor_link){20.0, 5000.0};
}

static const char *const k_ghost_links[] = {"tcpout:", "udp:", "udpout:", "serial:", "bus", NULL};
static const char *const k_mocap[] = {"tcpout:", "udp:", "udpout:", "serial:", NULL};
static const char *const k_no_prefix[] = {"", NULL};

static const struct mf_key k_entity[] = {
    NAME("name", ENTITY(name), MF_SCENARIO_NAME_MAX, "its members are name.1, name.2, ..."),
    WHOLE("count", ENTITY(count), 1, MF_SCENARIO_COUNT_MAX,
          "members; of arrivals: how many come in all; 1"),
    WORD("as", ENTITY(as), k_kind,
         "vehicle: the whole firmware; agent: a body that obeys orders; ghost: a drone elsewhere, "
         "by MAVLink, motion capture or the bus; body: a quadrotor with motors that a foreign "
         "autopilot flies"),
    MAP("autopilot", ENTITY(autopilot), mf_scenario_autopilot_keys,
        "body: the autopilot that turns its motors (docs/foreign-autopilots.md)"),
    MAP("body", ENTITY(body), mf_scenario_body_keys, "how each moves"),
    {.name = "place",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(place),
     .read = mf_place_read,
     .keys = &mf_place_keys,
     .help = "where they begin: [north, east, up], station, boundary, another entity's name, or a "
             "map"},
    WORD("thing", ENTITY(object.thing), mf_scenario_thing_words,
         "object: what is sought, or mistaken for it; hive: where a planner sends members out; "
         "beacon: has a radio; in a world of cells charger, or mover: goes to and fro; none"),
    REAL("speed", ENTITY(object.speed_mps), 0, 1000,
         "of an object: up to it along north and east, by chance [m/s]; 1 in a search, else 0"),
    TRIPLE("velocity", ENTITY(object.velocity_mps), -1000, 1000,
           "of an object, in place of speed: [north, east, up] [m/s]; up in a search only"),
    REAL("height", ENTITY(object.height_m), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
         "of an object of a search, above the ground [m]; below it negative; that of its place"),
    NAME("type", ENTITY(object.type), MF_SCENARIO_KIND_MAX,
         "of an object of a search: what seeks names; the name of its entity"),
    REAL("seen", ENTITY(object.seen), 0, 1,
         "of an object that is sought: part that is reported at best; 1"),
    REAL("mistaken", ENTITY(object.mistaken), 0, 1,
         "of an object that is not sought: part that is taken for a sought one at worst; 0.4"),
    WHOLE("pollen", ENTITY(object.pollen), 0, 1000,
          "of an object that a hive seeks: what the first visit takes; 1"),
    REAL("recharge", ENTITY(object.recharge_s), 0, 1e6, "of a hive: duration of a charge [s]; 30"),
    NAME("seeks", ENTITY(seeker.seeks), MF_SCENARIO_KIND_MAX,
         "type of objects that its camera looks for, or their entity"),
    MAP("camera", ENTITY(seeker), mf_scenario_camera_keys, "camera that looks straight down"),
    NAME("plan", ENTITY(plan), MF_SCENARIO_FILE_MAX,
         "file (.plan, QGC WPL) whose mission, fence and rally points each has, moved from the "
         "plan's home to its own"),
    REAL("start", ENTITY(start_s), 0, 1e7, "when their missions or behaviours begin [s]; 1"),
    MAP("arrivals", ENTITY(arrivals), mf_scenario_arrivals_keys,
        "members appear one after the other, fly a plan, land and are gone"),
    MAP("behaviour", ENTITY(behaviour), mf_behaviour_keys, "behaviour of each, without orders"),
    LIST_OF("sensors", struct mf_scenario_entity, sensor, sensors, MF_SCENARIO_SENSORS_MAX,
            mf_sensor_keys, mf_sensor_defaults, "sensors of each"),
    MAP("sensor_link", ENTITY(sensor_link), mf_sensor_link_keys,
        "of a vehicle or a ghost: messages of its sensors on its MAVLink links"),
    MAP("radio", ENTITY(radio), mf_scenario_radio_keys,
        "radio with which each receives broadcasts; columns of csv"),
    MAP("send", ENTITY(send), mf_scenario_send_keys, "broadcasts of each by its radio"),
    {.name = "link",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(link),
     .read = mf_addresses_read,
     .words = k_ghost_links,
     .help = "ghost: its MAVLink: tcpout:HOST:PORT, udp:[HOST:]PORT, udpout:HOST:PORT or "
             "serial:DEVICE:BAUD, with #SYSTEM behind it where a link has several; or bus "
             "(docs/bus.md); of several ghosts {list: [...]}"},
    {.name = "mocap",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(mocap),
     .read = mf_addresses_read,
     .words = k_mocap,
     .help = "ghost: where ATT_POS_MOCAP with its place comes from, written as a link"},
    REAL("hold_after", ENTITY(ghost.hold_s), 0, 1e6,
         "ghost: time without news for which it is extrapolated, then held [s]; 0.5"),
    REAL("lost_after", ENTITY(ghost.lost_s), 0.01, 1e6,
         "ghost: time without news after which it is lost [s]; 2"),
    REAL("speed_max", ENTITY(ghost.speed_max_mps), 0.01, 1e5,
         "ghost: places that need a higher speed are refused and counted [m/s]; 100"),
    {.name = "time_socket",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(time_socket),
     .read = mf_addresses_read,
     .words = k_no_prefix,
     .help = "ghost: HOST:PORT where its time is granted (docs/time.md); of several {list: [...]}"},
    REAL("rate", ENTITY(cell.rate), 0.001, 1e6, "of a charger [mAh per tick]; 100"),
    MAP("cell", ENTITY(cell), mf_scenario_cell_keys, "in a world of cells: what else it is"),
    MAP("battery", ENTITY(cell), mf_scenario_battery_keys,
        "battery of a drone in a world of cells or of a member of a hive; none: it needs none"),
    {.name = "actuators",
     .type = MF_KEY_ARRAY,
     .offset = ENTITY(cell.actuator),
     .size = sizeof(struct mf_scenario_actuator),
     .most = MF_GRID_EQUIPMENT_MAX,
     .count_at = ENTITY(cell.actuators),
     .keys = &mf_scenario_actuator_keys,
     .help = "of a drone in a world of cells: actuators that work on attributes"},
    OPEN("params", 0, read_params, "parameters of the firmware: {MPC_XY_CRUISE: 12}"),
    OPEN("settings", 0, read_settings,
         "settings of the world around each (docs/options.md): {battery.capacity: 3000}"),
    OTHER("faults", 0, read_faults,
          "faults of each, as on the command line of mayfly: [\"gps_off@60s+10s\"]"),
};
const struct mf_keys mf_scenario_entity_keys = {k_entity, COUNT_OF(k_entity), NULL, ENTITY(line)};

bool mf_scenario_entity_settle(struct mf_reading *r, struct mf_scenario *s,
                               struct mf_scenario_entity *e)
{
    static const char k_letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (e->name[0] == '\0') {
        (void)snprintf(e->name, sizeof e->name, "entity%u", (unsigned)(e - s->entity) + 1u);
    }
    if (e->name[strspn(e->name, k_letters)] != '\0') {
        return mf_entity_refuse(r, e, "name '%s' must have letters, digits, - and _ only");
    }
    if (mf_scenario_entity_named(s, e->name) != e) {
        return mf_entity_refuse(r, e, "two entities are called '%s'");
    }
    e->first = s->members;
    e->chance = mf_chance_text(0, e->name);
    s->members += e->count;
    return s->members <= MF_SCENARIO_COUNT_MAX ||
           mf_entity_refuse(r, e, "%s: all entities together have more than 1000000 members");
}

bool mf_scenario_entity_check(struct mf_reading *r, struct mf_scenario *s,
                              struct mf_scenario_entity *e)
{
    if (e->as != MF_SCENARIO_KIND_VEHICLE &&
        (e->plan[0] != '\0' || e->params + e->settings + e->faults > 0)) {
        return mf_entity_refuse(r, e, "%s: only vehicles have plan, params, settings and faults");
    }
    return e->as != MF_SCENARIO_KIND_THING || mf_scenario_goes_by_steps(s) ||
           (e->behaviour.kind == MF_BEHAVIOUR_NONE && e->sensors + e->link.count == 0) ||
           mf_entity_refuse(r, e, "%s: a thing has no behaviour, sensors and link");
}
