/* SPDX-License-Identifier: Apache-2.0 */
/* Table of a scenario's keys: name, type and meaning of each. Used by fleet/scenario,
 * scenario_given and boards/swarm/command. */
#include "fleet/scenario.h"

#include "fleet/behaviour_keys.h"
#include "fleet/key_forms.h"
#include "fleet/output_keys.h"
#include "fleet/place_keys.h"
#include "fleet/planner_keys.h"
#include "fleet/scenario_open.h"
#include "fleet/sweep.h"
#include "host/base/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words */

/* clang-format off */
#define X(name, word) word,
static const char *const k_late[] = {MF_SCENARIO_LATE_LIST(X) NULL};
static const char *const k_kind[] = {MF_SCENARIO_KIND_LIST(X) NULL};
static const char *const k_event[] = {MF_SCENARIO_EVENT_LIST(X) NULL};
static const char *const k_clock[] = {MF_SCENARIO_CLOCK_LIST(X) NULL};
#undef X
/* clang-format on */

/* ---- readers of values that are more than a number or a text */

/* Read "event", "fast", "real", or "x5": five times as fast as real time. */
static bool read_clock(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    struct mf_scenario *s = at;
    char text[MF_KEYS_TEXT_MAX];
    (void)key;
    if (!mf_reading_text(r, node, text)) {
        return false;
    }
    for (int32_t i = 0; k_clock[i] != NULL; i++) {
        if (strcmp(text, k_clock[i]) == 0) {
            s->time.clock = i;
            return true;
        }
    }
    double rate;
    const char *end = text[0] == 'x' ? mf_value_number(text + 1, &rate) : NULL;
    if (end == NULL || *end != '\0' || !(rate >= 0.01 && rate <= 10000.0)) {
        return mf_reading_refuse(r, mf_node_line(node),
                                 "'%.40s' is none of: event, fast, real, lockstep, or x0.01 to "
                                 "x10000 for a multiple of real time",
                                 text);
    }
    s->time.clock = MF_SCENARIO_CLOCK_REAL;
    s->time.rate = rate;
    return true;
}

/* Read seconds, or "idle". */
static bool read_end(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                     void *at)
{
    char text[MF_KEYS_TEXT_MAX];
    if (!mf_reading_text(r, node, text)) {
        return false;
    }
    if (strcmp(text, "idle") == 0) {
        *(double *)at = (double)INFINITY;
        return true;
    }
    return mf_reading_number(r, node, key->low, key->high, at);
}

static bool read_epoch(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    char text[MF_KEYS_TEXT_MAX];
    (void)key;
    return mf_reading_text(r, node, text) &&
           (mf_value_utc(text, at) ||
            mf_reading_refuse(r, mf_node_line(node),
                              "'%.40s' is no time such as 2026-03-01T12:00:00Z", text));
}

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

static bool read_variations(struct mf_reading *r, const struct mf_key *key,
                            const struct mf_node *node, void *at)
{
    (void)key;
    *(uint32_t *)at =
        (uint32_t)mf_node_count(node); /* mf_given_variation() has taken the chosen one before */
    return mf_node_kind(node) == MF_NODE_MAP ||
           mf_reading_refuse(r, mf_node_line(node), "must be a map of names to maps");
}

/* ---- defaults of lists */

static void entity_defaults(void *at)
{
    struct mf_scenario_entity *e = at;
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
    mf_scenario_entity_defaults(&e->seeker, &e->object);
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

static void expect_defaults(void *at)
{
    *(struct mf_scenario_expect *)at = (struct mf_scenario_expect){
        .event = -1,
        .never = -1,
        .item = UINT32_MAX,
        .by_s = (double)NAN,
        .between_s = {(double)NAN, (double)NAN},
        .at_s = (double)NAN,
        .position = {(double)NAN, 0.0, 0.0},
        .within_m = 1.0,
    };
}

/* ---- the table */

#define ENTITY(field) offsetof(struct mf_scenario_entity, field)
#define EXPECT(field) offsetof(struct mf_scenario_expect, field)
#define TOP(field)    offsetof(struct mf_scenario, field)

static const char *const k_ghost_links[] = {"tcpout:", "udp:", "udpout:", "serial:", "bus", NULL};
static const char *const k_mocap[] = {"tcpout:", "udp:", "udpout:", "serial:", NULL};
static const char *const k_no_prefix[] = {"", NULL};

#define ENTITY_REAL(key, field, least, most, text)                                   \
    {                                                                                \
        .name = (key), .type = MF_KEY_REAL, .offset = ENTITY(field), .low = (least), \
        .high = (most), .help = (text)                                               \
    }

#define ENTITY_MAP(key, field, table, text)                                           \
    {                                                                                 \
        .name = (key), .type = MF_KEY_MAP, .offset = ENTITY(field), .keys = &(table), \
        .help = (text)                                                                \
    }

static const struct mf_key k_entity[] = {
    {.name = "name",
     .type = MF_KEY_TEXT,
     .offset = ENTITY(name),
     .size = MF_SCENARIO_NAME_MAX,
     .help = "its members are name.1, name.2, ..."},
    {.name = "count",
     .type = MF_KEY_WHOLE,
     .offset = ENTITY(count),
     .low = 1,
     .high = MF_SCENARIO_COUNT_MAX,
     .help = "members; of arrivals: how many come in all; 1"},
    {.name = "as",
     .type = MF_KEY_WORD,
     .offset = ENTITY(as),
     .words = k_kind,
     .help =
         "vehicle: the whole firmware; agent: a body that obeys orders; ghost: a drone elsewhere, "
         "by MAVLink, motion capture or the bus; body: a quadrotor with motors that an autopilot "
         "of "
         "others flies"},
    ENTITY_MAP("autopilot", autopilot, mf_scenario_autopilot_keys,
               "body: who turns its motors (docs/foreign-autopilots.md)"),
    ENTITY_MAP("body", body, mf_scenario_body_keys, "what moves"),
    {.name = "place",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(place),
     .read = mf_place_read,
     .keys = &mf_place_keys,
     .help = "where they begin: [north, east, up], station, boundary, another entity's name, or a "
             "map"},
    {.name = "thing",
     .type = MF_KEY_WORD,
     .offset = ENTITY(object.thing),
     .words = mf_scenario_thing_words,
     .help = "object: what is sought, or mistaken for it; hive: where a planner sends members out; "
             "beacon: has a radio; in a world of cells charger, or mover: goes to and fro; none"},
    ENTITY_REAL(
        "speed", object.speed_mps, 0, 1000,
        "of an object: up to it along north and east, by chance [m/s]; 1 in a search, else 0"),
    ENTITY_REAL("seen", object.seen, 0, 1,
                "of an object that is sought: part that is reported at best; 1"),
    ENTITY_REAL("mistaken", object.mistaken, 0, 1,
                "of one that is not: part that is taken for it at worst; 0.4"),
    {.name = "pollen",
     .type = MF_KEY_WHOLE,
     .offset = ENTITY(object.pollen),
     .low = 0,
     .high = 1000,
     .help = "of an object that a hive seeks: what the first visit takes; 1"},
    ENTITY_REAL("recharge", object.recharge_s, 0, 1e6, "of a hive: how long it takes [s]; 30"),
    {.name = "seeks",
     .type = MF_KEY_TEXT,
     .offset = ENTITY(seeker.seeks),
     .size = MF_SCENARIO_KIND_MAX,
     .help = "entity of objects that its camera looks for"},
    ENTITY_MAP("camera", seeker, mf_scenario_camera_keys, "it looks straight down"),
    {.name = "plan",
     .type = MF_KEY_TEXT,
     .offset = ENTITY(plan),
     .size = MF_SCENARIO_FILE_MAX,
     .help = "file (.plan, QGC WPL) whose mission, fence and rally points each has, moved from the "
             "plan's home to its own"},
    {.name = "start",
     .type = MF_KEY_REAL,
     .offset = ENTITY(start_s),
     .low = 0,
     .high = 1e7,
     .help = "when their missions or behaviours begin [s]; 1"},
    ENTITY_MAP("arrivals", arrivals, mf_scenario_arrivals_keys,
               "members appear one after the other, fly a plan, land and are gone"),
    ENTITY_MAP("behaviour", behaviour, mf_behaviour_keys, "what each does by itself"),
    {.name = "sensors",
     .type = MF_KEY_LIST,
     .offset = ENTITY(sensor),
     .defaults = mf_sensor_defaults,
     .size = sizeof(struct mf_scenario_sensor),
     .most = MF_SCENARIO_SENSORS_MAX,
     .count_at = ENTITY(sensors),
     .keys = &mf_sensor_keys,
     .help = "what each measures"},
    ENTITY_MAP("sensor_link", sensor_link, mf_sensor_link_keys,
               "what its sensors send on its MAVLink links, of a vehicle or a ghost"),
    ENTITY_MAP("radio", radio, mf_scenario_radio_keys,
               "with which each hears what others broadcast; columns of csv"),
    ENTITY_MAP("send", send, mf_scenario_send_keys, "what each broadcasts by its radio"),
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
    ENTITY_REAL("hold_after", ghost.hold_s, 0, 1e6,
                "ghost: without news it is extrapolated for so long, then held [s]; 0.5"),
    ENTITY_REAL("lost_after", ghost.lost_s, 0.01, 1e6,
                "ghost: lost so long after its last news [s]; 2"),
    ENTITY_REAL("speed_max", ghost.speed_max_mps, 0.01, 1e5,
                "ghost: places that need a higher speed are refused and counted [m/s]; 100"),
    {.name = "time_socket",
     .type = MF_KEY_OTHER,
     .offset = ENTITY(time_socket),
     .read = mf_addresses_read,
     .words = k_no_prefix,
     .help = "ghost: HOST:PORT where its time is granted (docs/time.md); of several {list: [...]}"},
    ENTITY_REAL("rate", cell.rate, 0.001, 1e6, "of a charger [mAh per tick]; 100"),
    {.name = "cell",
     .type = MF_KEY_MAP,
     .offset = ENTITY(cell),
     .keys = &mf_scenario_cell_keys,
     .help = "in a world of cells: what else it is"},
    {.name = "battery",
     .type = MF_KEY_MAP,
     .offset = ENTITY(cell),
     .keys = &mf_scenario_battery_keys,
     .help = "of a drone in a world of cells or of a member of a hive; none: it needs none"},
    {.name = "actuators",
     .type = MF_KEY_ARRAY,
     .offset = ENTITY(cell.actuator),
     .size = sizeof(struct mf_scenario_actuator),
     .most = MF_GRID_EQUIPMENT_MAX,
     .count_at = ENTITY(cell.actuators),
     .keys = &mf_scenario_actuator_keys,
     .help = "of a drone in a world of cells: how it works on attributes"},
    {.name = "params",
     .type = MF_KEY_OTHER,
     .read = read_params,
     .open = true,
     .help = "parameters of the firmware: {MPC_XY_CRUISE: 12}"},
    {.name = "settings",
     .type = MF_KEY_OTHER,
     .read = read_settings,
     .open = true,
     .help = "settings of the world around each (docs/options.md): {battery.capacity: 3000}"},
    {.name = "faults",
     .type = MF_KEY_OTHER,
     .read = read_faults,
     .help = "faults of each, as on the command line of mayfly: [\"gps_off@60s+10s\"]"},
};
static const struct mf_keys k_entities = {k_entity, COUNT_OF(k_entity), NULL, ENTITY(line)};

#define LINKS(field) offsetof(struct mf_scenario_links, field)

static const struct mf_key k_window[] = {
    {.name = "port",
     .type = MF_KEY_WHOLE,
     .offset = LINKS(window.port) - LINKS(window),
     .low = 1,
     .high = UINT16_MAX,
     .help = "of 127.0.0.1, TCP and UDP"},
    {.name = "vehicles",
     .type = MF_KEY_OTHER,
     .offset = LINKS(window.vehicles) - LINKS(window),
     .read = mf_chosen_read,
     .help = "which: an entity, a member, or a list of these; 250 at most"},
};
static const struct mf_keys k_window_keys = {k_window, COUNT_OF(k_window), "port", SIZE_MAX};

#define X(name, word) word,
static const char *const k_transport_words[] = {MF_SCENARIO_TRANSPORT_LIST(X) NULL};
#undef X

static const struct mf_key k_links[] = {
    {.name = "address",
     .type = MF_KEY_TEXT,
     .offset = LINKS(address),
     .size = MF_SCENARIO_ADDRESS_MAX,
     .help = "127.64.0.0:5760: vehicle n has the n-th address after it, TCP and UDP; elsewhere "
             "10.42.0.0/16:5760"},
    {.name = "group",
     .type = MF_KEY_WHOLE,
     .offset = LINKS(group),
     .low = 1,
     .high = UINT16_MAX,
     .help = "port of 127.0.0.1 with vehicles 1 to 250, the next one with 251 to 500, ...; TCP "
             "and UDP"},
    {.name = "window",
     .type = MF_KEY_MAP,
     .offset = LINKS(window),
     .keys = &k_window_keys,
     .help = "a port with chosen vehicles"},
    {.name = "udp",
     .type = MF_KEY_TEXT,
     .offset = LINKS(udp),
     .size = MF_SCENARIO_ADDRESS_MAX,
     .help = "HOST:PORT: vehicle 1 sends there, vehicle 2 to the next port, ..."},
    {.name = "api",
     .type = MF_KEY_TEXT,
     .offset = LINKS(api),
     .size = MF_SCENARIO_ADDRESS_MAX,
     .help = "[HOST:]PORT of the control API, without HOST of 127.0.0.1"},
    {.name = "token",
     .type = MF_KEY_TEXT,
     .offset = LINKS(token),
     .size = MF_SCENARIO_TOKEN_MAX,
     .help = "that requests from other machines need: \"${TOKEN}\""},
    WORD("transport", LINKS(transport), k_transport_words,
         "what time-outs and heartbeats towards clients go by: the wall, or the vehicle's time, as "
         "in lockstep (docs/time.md); wall"),
};
static const struct mf_keys k_links_keys = {k_links, COUNT_OF(k_links), "address", LINKS(line)};

static const struct mf_key k_time[] = {
    {.name = "clock",
     .type = MF_KEY_OTHER,
     .read = read_clock,
     .loose = true,
     .help = "event, fast, real, lockstep, or x5: five times real time; event"},
    {.name = "end",
     .type = MF_KEY_OTHER,
     .offset = TOP(time.end_s),
     .low = 0.001,
     .high = 1e7,
     .read = read_end,
     .loose = true,
     .help = "seconds, or idle: when nothing happens any more; idle"},
    {.name = "catch_up",
     .type = MF_KEY_WORD,
     .offset = TOP(time.late),
     .words = k_late,
     .loose = true,
     .help = "a host that is late: run faster, skip what was lost, or fail; run"},
    {.name = "epoch",
     .type = MF_KEY_OTHER,
     .offset = TOP(time.epoch_us),
     .read = read_epoch,
     .help = "UTC at time 0, such as 2026-03-01T12:00:00Z; not known"},
    {.name = "tick",
     .type = MF_KEY_REAL,
     .offset = TOP(grid.tick_s),
     .low = 0.001,
     .high = 3600,
     .help = "of a world of cells [s]; 1"},
    {.name = "step",
     .type = MF_KEY_REAL,
     .offset = TOP(time.step_s),
     .low = 0.0001,
     .high = 1,
     .help = "of bodies that are stepped [s]; 0.01"},
};
/* Offsets are relative to the scenario, so that "clock" can set two fields. */
static const struct mf_keys k_time_keys = {k_time, COUNT_OF(k_time), NULL, SIZE_MAX};

static const struct mf_key k_space[] = {
    {.name = "origin",
     .type = MF_KEY_TRIPLE,
     .offset = TOP(origin),
     .low = -1000,
     .high = 20000,
     .help = "[latitude, longitude, altitude] [deg, deg, m AMSL] of north 0, east 0, up 0"},
    {.name = "boundary",
     .type = MF_KEY_OTHER,
     .offset = TOP(search),
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .read = mf_scenario_read_boundary,
     .help = "corners of an area: [[north, east], ...] of the origin [m]"},
    {.name = "cells",
     .type = MF_KEY_MAP,
     .offset = TOP(grid),
     .keys = &mf_scenario_cells_keys,
     .help = "a world of cells (docs/grid.md)"},
    {.name = "attributes",
     .type = MF_KEY_OTHER,
     .offset = TOP(grid),
     .read = mf_scenario_read_attributes,
     .help = "of cells: [[x, y, name, value], ...], or [x, y, z, name, value]"},
    {.name = "blocked",
     .type = MF_KEY_OTHER,
     .offset = TOP(grid.blocked),
     .high = MF_SCENARIO_CELL_FAR,
     .read = mf_scenario_read_cells,
     .help = "cells where nobody can be: [[x, y], ...], or [x, y, z]"},
    {.name = "hidden",
     .type = MF_KEY_OTHER,
     .offset = TOP(grid.hidden),
     .high = MF_SCENARIO_CELL_FAR,
     .read = mf_scenario_read_cells,
     .help = "blocked cells that no controller knows before a drone has met them"},
    {.name = "station",
     .type = MF_KEY_TRIPLE,
     .offset = TOP(search.station),
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .help = "where a team begins and returns to: [north, east, up] [m]; the origin"},
    {.name = "weather",
     .type = MF_KEY_MAP,
     .offset = TOP(weather),
     .keys = &mf_scenario_weather_keys,
     .help = "what the air does"},
    {.name = "obstacles",
     .type = MF_KEY_LIST,
     .offset = TOP(search.obstacle),
     .defaults = mf_scenario_obstacle_defaults,
     .size = sizeof(struct mf_scenario_obstacle),
     .most = MF_SCENARIO_OBSTACLES_MAX,
     .count_at = TOP(search.obstacles),
     .keys = &mf_scenario_obstacle_keys,
     .help = "what is in the way: a team that searches flies around it, range measures it, "
             "contacts are told"},
};
static const struct mf_keys k_space_keys = {k_space, COUNT_OF(k_space), NULL, SIZE_MAX};

static const struct mf_key k_expect[] = {
    {.name = "of",
     .type = MF_KEY_OTHER,
     .offset = EXPECT(of),
     .read = mf_chosen_read,
     .help = "of whom: an entity, a member, or a list of these; everybody"},
    {.name = "event",
     .type = MF_KEY_WORD,
     .offset = EXPECT(event),
     .words = k_event,
     .help = "it happens to each of them"},
    {.name = "never",
     .type = MF_KEY_WORD,
     .offset = EXPECT(never),
     .words = k_event,
     .help = "it happens to none of them"},
    {.name = "item",
     .type = MF_KEY_WHOLE,
     .offset = EXPECT(item),
     .low = 0,
     .high = UINT16_MAX,
     .help = "which item is reached, from 0"},
    {.name = "by",
     .type = MF_KEY_REAL,
     .offset = EXPECT(by_s),
     .low = 0,
     .high = 1e7,
     .help = "at this time or before it [s]"},
    {.name = "between",
     .type = MF_KEY_PAIR,
     .offset = EXPECT(between_s),
     .low = 0,
     .high = 1e7,
     .help = "[earliest, latest] [s]"},
    {.name = "mode",
     .type = MF_KEY_TEXT,
     .offset = EXPECT(mode),
     .size = MF_SCENARIO_NAME_MAX,
     .help = "mode, at the time \"at\""},
    {.name = "position",
     .type = MF_KEY_TRIPLE,
     .offset = EXPECT(position),
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .help = "[north, east, up] of the origin, at the time \"at\" [m]"},
    {.name = "task",
     .type = MF_KEY_WHOLE,
     .offset = EXPECT(task),
     .low = 1,
     .high = MF_GRID_TASKS_MAX,
     .help = "world of cells: this task is done, the first one is 1"},
    {.name = "found",
     .type = MF_KEY_TEXT,
     .offset = EXPECT(found),
     .size = MF_FIELD_NAME_MAX,
     .help = "world of cells: a drone has reported this attribute"},
    {.name = "within",
     .type = MF_KEY_REAL,
     .offset = EXPECT(within_m),
     .low = 0,
     .high = MF_SCENARIO_FAR_M,
     .help = "of that position [m]; 1"},
    {.name = "at",
     .type = MF_KEY_REAL,
     .offset = EXPECT(at_s),
     .low = 0,
     .high = 1e7,
     .help = "when mode or position is looked at [s]; at the end"},
};
static const struct mf_keys k_expects = {k_expect, COUNT_OF(k_expect), NULL, EXPECT(line)};

static const struct mf_key k_top[] = {
    {.name = "swarm",
     .type = MF_KEY_WHOLE,
     .offset = TOP(version),
     .low = MF_SCENARIO_VERSION,
     .high = MF_SCENARIO_VERSION,
     .help = "version of these keys: 1"},
    {.name = "title",
     .type = MF_KEY_TEXT,
     .offset = TOP(title),
     .size = MF_KEYS_TEXT_MAX,
     .help = "for people"},
    {.name = "seed",
     .type = MF_KEY_LONG,
     .offset = TOP(seed),
     .low = 0,
     .high = INT32_MAX,
     .help = "of everything that is left to chance; 1"},
    {.name = "time", .type = MF_KEY_MAP, .keys = &k_time_keys, .help = "how time passes"},
    {.name = "space", .type = MF_KEY_MAP, .keys = &k_space_keys, .help = "where all of it is"},
    {.name = "medium",
     .type = MF_KEY_MAP,
     .offset = TOP(medium),
     .keys = &mf_scenario_medium_keys,
     .help = "the air between radios"},
    {.name = "entities",
     .type = MF_KEY_LIST,
     .offset = TOP(entity),
     .defaults = entity_defaults,
     .size = sizeof(struct mf_scenario_entity),
     .most = MF_SCENARIO_ENTITIES_MAX,
     .count_at = TOP(entities),
     .keys = &k_entities,
     .help = "who takes part"},
    {.name = "plan",
     .type = MF_KEY_MAP,
     .offset = TOP(search),
     .keys = &mf_scenario_plan_keys,
     .help = "how a team searches space.boundary (docs/papers.md)"},
    {.name = "planner",
     .type = MF_KEY_MAP,
     .offset = TOP(planner),
     .keys = &mf_planner_keys,
     .help = "who sends members through a world that it splits into cells (docs/hive.md)"},
    {.name = "detection",
     .type = MF_KEY_MAP,
     .offset = TOP(search),
     .keys = &mf_scenario_detection_keys,
     .help = "how likely a camera reports an object"},
    {.name = "controllers",
     .type = MF_KEY_LIST,
     .offset = TOP(grid.controller),
     .defaults = mf_scenario_controller_defaults,
     .size = sizeof(struct mf_scenario_controller),
     .most = MF_GRID_CONTROLLERS_MAX,
     .count_at = TOP(grid.controllers),
     .keys = &mf_scenario_controller_keys,
     .help = "who hands out tasks in a world of cells; ticks in the order of their ids"},
    {.name = "effector",
     .type = MF_KEY_MAP,
     .offset = TOP(grid),
     .keys = &mf_scenario_effector_keys,
     .help = "what disturbs a world of cells"},
    {.name = "outputs",
     .type = MF_KEY_MAP,
     .offset = TOP(outputs),
     .keys = &mf_output_keys,
     .help = "what is written down"},
    {.name = "links",
     .type = MF_KEY_MAP,
     .offset = TOP(links),
     .keys = &k_links_keys,
     .loose = true,
     .help = "how programs outside reach the vehicles"},
    {.name = "cost",
     .type = MF_KEY_MAP,
     .offset = TOP(search.cost),
     .keys = &mf_scenario_own_keys,
     .help = "what flight costs a searcher: of a plug-in; the length of its thrust"},
    {.name = "components",
     .type = MF_KEY_LIST,
     .offset = TOP(component),
     .defaults = mf_component_defaults,
     .size = sizeof(struct mf_scenario_component),
     .most = MF_SCENARIO_COMPONENTS_MAX,
     .count_at = TOP(components),
     .keys = &mf_component_keys,
     .help = "programs beside the run: loggers and bridges that are told of members"},
    {.name = "plugins",
     .type = MF_KEY_LIST,
     .offset = TOP(plugin),
     .defaults = mf_scenario_plugin_defaults,
     .size = sizeof(struct mf_scenario_plugin),
     .most = MF_SCENARIO_PLUGINS_MAX,
     .count_at = TOP(plugins),
     .keys = &mf_scenario_plugin_keys,
     .help = "shared objects with plans and more of one's own (docs/plugins.md)"},
    {.name = "bus",
     .type = MF_KEY_MAP,
     .offset = TOP(bus),
     .keys = &mf_scenario_bus_keys,
     .help = "where programs take part (docs/bus.md)"},
    {.name = "network",
     .type = MF_KEY_LIST,
     .offset = TOP(network),
     .defaults = mf_scenario_network_defaults,
     .size = sizeof(struct mf_scenario_network),
     .most = MF_SCENARIO_NETWORKS_MAX,
     .count_at = TOP(networks),
     .keys = &mf_scenario_network_keys,
     .one = true,
     .help = "who carries packets of programs outside (docs/cosim.md)"},
    {.name = "flows",
     .type = MF_KEY_LIST,
     .offset = TOP(flow),
     .size = sizeof(struct mf_scenario_flow),
     .most = MF_SCENARIO_FLOWS_MAX,
     .count_at = TOP(flows),
     .keys = &mf_scenario_flow_keys,
     .help = "links of MAVLink clients over any of the networks (docs/cosim.md)"},
    {.name = "processes",
     .type = MF_KEY_LIST,
     .offset = TOP(process),
     .defaults = mf_scenario_process_defaults,
     .size = sizeof(struct mf_scenario_process),
     .most = MF_SCENARIO_PROCESSES_MAX,
     .count_at = TOP(processes),
     .keys = &mf_scenario_process_keys,
     .help = "programs that are started with the swarm, in this order (docs/cosim.md)"},
    {.name = "gzuav",
     .type = MF_KEY_MAP,
     .offset = TOP(gzuav),
     .keys = &mf_scenario_gzuav_keys,
     .help = "where clients of gzuav take part (docs/cosim.md)"},
    {.name = "hosts",
     .type = MF_KEY_MAP,
     .offset = TOP(hosts),
     .keys = &mf_scenario_hosts_keys,
     .help = "other processes that carry vehicles, here or elsewhere (docs/cosim.md)"},
    {.name = "expect",
     .type = MF_KEY_LIST,
     .offset = TOP(expect),
     .defaults = expect_defaults,
     .size = sizeof(struct mf_scenario_expect),
     .most = MF_SCENARIO_EXPECT_MAX,
     .count_at = TOP(expects),
     .keys = &k_expects,
     .help = "what must hold; the run fails if it does not"},
    {.name = "sweep",
     .type = MF_KEY_MAP,
     .offset = TOP(sweep),
     .keys = &mf_sweep_keys,
     .help = "the runs of mayfly-swarm sweep"},
    {.name = "variations",
     .type = MF_KEY_OTHER,
     .offset = TOP(variations),
     .read = read_variations,
     .help = "{name: {dotted.key: value}}: what --variation NAME changes"},
};
const struct mf_keys mf_scenario_keys = {k_top, COUNT_OF(k_top), NULL, SIZE_MAX};
