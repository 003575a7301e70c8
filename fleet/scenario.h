/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scenario: members of a swarm, their behaviour, outputs and expectations. mf_scenario_read() reads
 * it from a file in YAML, whose keys stand in one table (scenario_keys.c); docs/swarm.md explains
 * them.
 */
#ifndef MF_FLEET_SCENARIO_H
#define MF_FLEET_SCENARIO_H

#include "fleet/behaviour.h"
#include "fleet/keys.h"
#include "fleet/scenario_arrivals.h"
#include "fleet/scenario_autopilot.h"
#include "fleet/scenario_body.h"
#include "fleet/scenario_chosen.h"
#include "fleet/scenario_grid.h"
#include "fleet/scenario_hosts.h"
#include "fleet/scenario_network.h"
#include "fleet/scenario_process.h"
#include "fleet/scenario_radio.h"
#include "fleet/scenario_search.h"
#include "fleet/scenario_sensor.h"
#include "fleet/scenario_weather.h"

/** Version of the file format, the value of the key "swarm". */
#define MF_SCENARIO_VERSION 1u

/** Capacities of one scenario. */
#define MF_SCENARIO_ENTITIES_MAX 64u
#define MF_SCENARIO_COUNT_MAX    1000000u /* members of all entities together */
#define MF_SCENARIO_FAULTS_MAX   8u
#define MF_SCENARIO_EXPECT_MAX   256u
#define MF_SCENARIO_RANGES_MAX   8u  /* keys of a sweep */
#define MF_SCENARIO_VALUE_MAX    48u /* characters of a listed value, with its NUL */

/** Farthest place from the origin along each axis [m]. */
#define MF_SCENARIO_FAR_M 1e6

#define MF_SCENARIO_FILE_MAX 200u
#define MF_SCENARIO_SPEC_MAX 160u
#define MF_SCENARIO_LINK_MAX 64u

/* Words of keys, in the order of their enums. */
#define MF_SCENARIO_CLOCK_LIST(X) \
    X(EVENT, "event") X(FAST, "fast") X(REAL, "real") X(LOCKSTEP, "lockstep")
#define MF_SCENARIO_LATE_LIST(X) X(RUN, "run") X(SKIP, "skip") X(FAIL, "fail")
#define MF_SCENARIO_KIND_LIST(X) \
    X(VEHICLE, "vehicle") X(AGENT, "agent") X(GHOST, "ghost") X(THING, "thing") X(BODY, "body")

/* Events of a vehicle: name and word. */
#define MF_SCENARIO_EVENT_LIST(X) \
    X(ARMED, "armed")             \
    X(DISARMED, "disarmed")       \
    X(IN_AIR, "in_air")           \
    X(LANDED, "landed")           \
    X(ITEM, "item")               \
    X(FINISHED, "finished")       \
    X(MODE, "mode")               \
    X(FAILSAFE, "failsafe")       \
    X(BREACH, "breach")           \
    X(CRASHED, "crashed")         \
    X(FROZEN, "frozen")           \
    X(VISITED, "visited")         \
    X(LOST, "lost")               \
    X(FOUND, "found")             \
    X(ARRIVED, "arrived")         \
    X(RETIRED, "retired")

/* clang-format off */
#define X(name, word) MF_SCENARIO_CLOCK_##name,
enum mf_scenario_clock { MF_SCENARIO_CLOCK_LIST(X) MF_SCENARIO_CLOCKS };
#undef X
#define X(name, word) MF_SCENARIO_LATE_##name,
enum mf_scenario_late { MF_SCENARIO_LATE_LIST(X) MF_SCENARIO_LATES };
#undef X
#define X(name, word) MF_SCENARIO_KIND_##name,
enum mf_scenario_kind { MF_SCENARIO_KIND_LIST(X) MF_SCENARIO_KINDS };
#undef X
#define X(name, word) MF_SCENARIO_EVENT_##name,
enum mf_scenario_event { MF_SCENARIO_EVENT_LIST(X) MF_SCENARIO_EVENTS };
#undef X
/* clang-format on */

/** Purpose of a member's random numbers. It is part of their keys, so these values never change. */
enum mf_scenario_purpose {
    MF_PURPOSE_PLACE = 1,
    MF_PURPOSE_BEHAVIOUR = 2,
    MF_PURPOSE_RADIO = 4,    /**< one sequence for all receptions */
    MF_PURPOSE_EFFECTOR = 6, /**< by the number of each effect */
    MF_PURPOSE_ARRIVAL = 7,  /**< time of arrival, and choice of the plan */
    MF_PURPOSE_WAY = 8,      /**< velocity of an object */
    MF_PURPOSE_NETWORK = 20, /**< one sequence for all packets */
    MF_PURPOSE_BODY = 24,    /**< body of a plug-in */
    /** sensors: plus 16 times the kind, plus the number among those of the kind */
    MF_PURPOSE_SENSOR = 256,
};

enum mf_place_kind {
    MF_PLACE_POINT,
    MF_PLACE_GRID,
    MF_PLACE_CUBE,
    MF_PLACE_DISC,
    MF_PLACE_LIST,
    MF_PLACE_GEO,
    MF_PLACE_ENTITY,   /**< the places of another entity's members */
    MF_PLACE_STATION,  /**< at space.station */
    MF_PLACE_BOUNDARY, /**< random, within space.boundary */
    MF_PLACE_ARRIVALS, /**< random, within arrivals.in */
};

/** First places of an entity's members: north, east, up from the origin [m]. */
struct mf_scenario_place {
    enum mf_place_kind kind;
    double at[3];   /**< POINT: the place; GRID, CUBE: its corner; GEO: latitude, longitude, AMSL */
    double grid[2]; /**< columns, to the east; rows, to the north */
    double spacing_m;              /**< GRID */
    double cube[2];                /**< CUBE: lowest, highest of each axis */
    double disc[3];                /**< DISC: centre and radius */
    uint32_t places;               /**< LIST: number of places */
    double (*list)[3];             /**< [places] */
    char of[MF_SCENARIO_NAME_MAX]; /**< ENTITY: name of the other entity */
};

struct mf_scenario_value {
    char name[MF_SCENARIO_NAME_MAX];
    double value;
    int line;
};

struct mf_scenario_fault {
    char spec[MF_SCENARIO_SPEC_MAX];
    int line;
};

/** Addresses of ghosts, one for each member. */
struct mf_scenario_addresses {
    uint32_t count;
    int line;
    char (*text)[MF_SCENARIO_LINK_MAX]; /**< [count] */
};

/** Entity: a group of equal members. */
struct mf_scenario_entity {
    char name[MF_SCENARIO_NAME_MAX];
    int line;
    uint32_t count;
    uint32_t first; /**< number in the swarm of its first member, from 0 */
    int32_t as;     /**< enum mf_scenario_kind */
    struct mf_scenario_body_settings body;
    struct mf_scenario_autopilot autopilot; /**< BODY: autopilot that controls the motors */
    struct mf_scenario_place place;
    char plan[MF_SCENARIO_FILE_MAX]; /**< file of the mission; "": without */
    int plan_line;
    double start_s; /**< start of the mission, or of the arrivals */
    struct mf_scenario_arrivals arrivals;
    struct mf_behaviour behaviour;
    struct mf_scenario_own own; /**< behaviour OWN: entry of the plug-in */
    uint32_t sensors;
    struct mf_scenario_sensor *sensor; /**< [sensors] */
    struct mf_scenario_sensor_link sensor_link;
    struct mf_scenario_radio radio;
    struct mf_scenario_send send;
    struct mf_scenario_seeker seeker;
    struct mf_scenario_object object;
    struct mf_scenario_cell cell; /**< in a world of cells: battery, actuators, charger */
    struct mf_scenario_addresses link,
        time_socket; /**< GHOST: its MAVLink links; the time sockets that grant its time */
    struct mf_scenario_addresses mocap; /**< GHOST: source of its place, by motion capture */
    struct {
        double hold_s, lost_s; /**< GHOST: the track is extrapolated until hold_s after a message,
                                  then held, then lost */
        double speed_max_mps;  /**< GHOST: places that need a greater speed are refused */
    } ghost;
    uint32_t params, settings, faults;
    struct mf_scenario_value *param;   /**< [params] */
    struct mf_scenario_value *setting; /**< [settings] */
    struct mf_scenario_fault *fault;   /**< [faults] */
};

/** Output file; "%n" in its name is the number of a member. */
struct mf_scenario_output {
    char file[MF_SCENARIO_FILE_MAX]; /**< "": not written */
    int line;
    double every_s;
    struct mf_scenario_chosen of;
};

/** Longest address, longest token, each with its NUL. */
#define MF_SCENARIO_ADDRESS_MAX 80u
#define MF_SCENARIO_TOKEN_MAX   130u

#define MF_SCENARIO_PLUGINS_MAX 8u

/** Shared object of a plug-in (fleet/plugin.h). */
struct mf_scenario_plugin {
    int line;
    char file[MF_SCENARIO_FILE_MAX];
    double limit_s; /**< longest wall time of one call of a function */
};

#define MF_SCENARIO_COMPONENTS_MAX 4u

/** Component: a program of the user's, or an entry of a plug-in, that runs next to the swarm
 * (docs/swarm-manual.md#components). */
struct mf_scenario_component {
    int line;
    char run[MF_SCENARIO_FILE_MAX]; /**< command for a shell; "": the component is an entry of a
                                       plug-in */
    struct mf_scenario_own own;
    double every_s;
    uint32_t queue; /**< maximum number of lines that wait for the component */
    struct mf_scenario_chosen of;
};

/** Bus (docs/bus.md), to which participants connect. */
struct mf_scenario_bus {
    int line;
    char listen[MF_SCENARIO_LINK_MAX + 48u]; /**< "[HOST:]PORT" or "unix:PATH"; "": no bus */
    char token[MF_SCENARIO_TOKEN_MAX];
    double tick_s;        /**< interval of STATE frames to controllers and observers */
    uint32_t controllers; /**< number of controllers that time 0 waits for */
    double patience_s;    /**< wall time to wait for a silent controller; 0: without limit */
    int32_t silent;       /**< enum mf_scenario_silent: what to do after patience_s */
};

/** Planner that sends out members (fleet/hive.h). */
struct mf_scenario_planner {
    int line;
    int32_t kind; /**< 0: hive; -1: no planner */
    struct mf_scenario_chosen of;
    double cell_m, height_m, speed_mps, rate_hz, reach_m, lost_s;
};

/** Time of the vehicles' transport: word. */
#define MF_SCENARIO_TRANSPORT_LIST(X) X(WALL, "wall") X(VEHICLE, "vehicle")

/* clang-format off */
#define X(name, word) MF_SCENARIO_TRANSPORT_##name,
enum mf_scenario_transport { MF_SCENARIO_TRANSPORT_LIST(X) MF_SCENARIO_TRANSPORTS };
#undef X
/* clang-format on */

/** Links by which programs outside reach the vehicles; "" and 0: not this way. */
struct mf_scenario_links {
    int32_t transport; /**< enum mf_scenario_transport */
    int line;
    char address[MF_SCENARIO_ADDRESS_MAX]; /**< address and port of the first vehicle,
                                              "127.64.0.0:5760"; vehicle n has the n-th */
    uint32_t group;                        /**< shared port of the first 250 vehicles */
    struct {
        uint32_t port;
        struct mf_scenario_chosen vehicles;
    } window;
    char udp[MF_SCENARIO_ADDRESS_MAX]; /**< "HOST:PORT" to which the first vehicle sends */
    char api[MF_SCENARIO_ADDRESS_MAX]; /**< address of the control API, "[HOST:]PORT" */
    char token[MF_SCENARIO_TOKEN_MAX]; /**< token of the control API */
};

struct mf_scenario_expect {
    int line;
    struct mf_scenario_chosen of;
    int32_t event; /**< enum mf_scenario_event that must happen; -1: not set */
    int32_t never; /**< enum mf_scenario_event that must not happen; -1: not set */
    char mode[MF_SCENARIO_NAME_MAX];
    uint32_t item;       /**< ITEM: number of the mission item */
    bool any_item;       /**< ITEM: any item, since the file does not say which */
    double by_s;         /**< latest time; NAN: not set */
    double between_s[2]; /**< earliest and latest time; NAN: not set */
    double at_s;         /**< time of mode or position; NAN: the end of the run */
    double position[3];  /**< north, east, up of the origin; NAN: not set */
    double within_m;
    uint32_t task;                 /**< world of cells: task that must be done; 0: not set */
    char found[MF_FIELD_NAME_MAX]; /**< world of cells: attribute that drones must report; "": not
                                      set */
};

/** Change of a key's value from run to run of a sweep. */
enum mf_sweep_kind {
    MF_SWEEP_FOR,     /**< first, last, step: a run for each */
    MF_SWEEP_EACH,    /**< one run for each of some texts */
    MF_SWEEP_UNIFORM, /**< random: lowest, highest */
    MF_SWEEP_NORMAL,  /**< random: mean, standard deviation */
};

/** A key whose values a sweep changes. */
struct mf_sweep_range {
    char key[MF_YAML_KEY_MAX]; /**< dotted key, or name of ${NAME} */
    int line;
    enum mf_sweep_kind kind;
    double number[3];
    uint32_t values;                     /**< FOR, EACH: number of values */
    char (*text)[MF_SCENARIO_VALUE_MAX]; /**< EACH: [values] */
};

/** Runs of a sweep, which sweep.h counts. */
struct mf_scenario_sweep {
    int32_t over; /**< 1: one run for each variation */
    uint32_t ranges;
    struct mf_sweep_range *range; /**< [ranges] */
    uint32_t count;               /**< number of draws of random values; 0: not set */
};

struct mf_scenario {
    uint32_t version;
    char title[MF_KEYS_TEXT_MAX];
    uint64_t seed;
    struct {
        int32_t clock;    /**< enum mf_scenario_clock */
        double rate;      /**< REAL: vehicle seconds per second of the wall */
        double end_s;     /**< end of the run; INFINITY: when no event is left */
        int32_t late;     /**< enum mf_scenario_late */
        int64_t epoch_us; /**< UTC at time 0; 0: unknown */
        double step_s;    /**< step of stepped bodies */
    } time;
    double origin[3]; /**< latitude, longitude, AMSL */
    uint32_t entities;
    struct mf_scenario_entity *entity; /**< [entities] */
    uint32_t members;                  /**< number of members of all entities */
    struct {
        struct mf_scenario_output csv, kml, czml, geojson, tlog, record, events, stats, tasks, map,
            trace, radio, contacts, hive, sensors, recording;
        struct mf_scenario_output overhead, video;
        struct mf_scenario_output page; /**< file: its address; every_s: wall time */
        struct mf_scenario_output pictures;
        double video_fps;
        bool plots; /**< true: overhead and video are written */
    } outputs;
    struct mf_scenario_links links;
    struct mf_scenario_bus bus;
    uint32_t networks; /**< at least 1: the built-in network if the file names no other */
    struct mf_scenario_network *network; /**< [networks] */
    uint32_t flows;
    struct mf_scenario_flow *flow; /**< [flows]: flows of all networks */
    struct mf_scenario_gzuav gzuav;
    struct mf_scenario_hosts hosts;
    uint32_t processes;
    struct mf_scenario_process *process; /**< [processes] */
    uint32_t components;
    struct mf_scenario_component *component; /**< [components] */
    uint32_t plugins;
    struct mf_scenario_plugin *plugin; /**< [plugins] */
    struct mf_scenario_weather weather;
    struct mf_scenario_search search;
    struct mf_scenario_grid grid;
    struct mf_scenario_planner planner;
    struct mf_scenario_medium medium;
    uint32_t expects;
    struct mf_scenario_expect *expect; /**< [expects] */
    struct mf_scenario_sweep sweep;
    uint32_t variations;                  /**< number of variations in the file */
    char variation[MF_SCENARIO_NAME_MAX]; /**< name of the chosen variation; "": none chosen */
    uint32_t variation_number;
    uint64_t sum; /**< sum of all values but those that a run which continues from a checkpoint may
                     change: links, and end, clock and catch_up of time */
    struct mf_keys_block *blocks; /**< memory of all arrays; mf_scenario_free() releases it */
};

/** Additions of the command line. */
struct mf_scenario_given {
    const char *variation;  /**< name or number; NULL: not chosen */
    const char *const *set; /**< [sets] "NAME=VALUE" or "dotted.key=VALUE" */
    size_t sets;
};

/** @brief Read a scenario. @param file  name of the file, for errors  @param text  [n]
 * @param s  out: owns all that its pointers point to; release it by mf_scenario_free(), also after
 * an error  @param error  out [MF_KEYS_ERROR_MAX]: one line  @return MF_E_OK or MF_E_RANGE */
int mf_scenario_read(const char *file, const char *text, size_t n,
                     const struct mf_scenario_given *given, struct mf_scenario *s, char *error);

/** @brief Release the arrays of a scenario, and clear it. @param s  read, or all 0 */
void mf_scenario_free(struct mf_scenario *s);

/** @brief The entity of a member. @param i  below s->members */
const struct mf_scenario_entity *mf_scenario_entity_of(const struct mf_scenario *s, uint32_t i);

/** @brief Find an entity by its name. @return NULL: unknown */
const struct mf_scenario_entity *mf_scenario_entity_named(const struct mf_scenario *s,
                                                          const char *name);

/** @brief Write a member's name, "walker.7312"; for an entity with one member "walker".
 * @param text  out [MF_SCENARIO_NAME_MAX + 12] */
void mf_scenario_member_name(const struct mf_scenario *s, uint32_t i, char *text);

/** @brief Find the members of an entity's or a member's name. @param from, to  out: from .. to -
 * 1  @return false: unknown */
bool mf_scenario_find(const struct mf_scenario *s, const char *name, uint32_t *from, uint32_t *to);

/** @brief Key of a member's random numbers (math/chance.h). */
uint64_t mf_scenario_chance(const struct mf_scenario *s, uint32_t i,
                            enum mf_scenario_purpose purpose);

/** @brief True if a member is among the chosen. @param otherwise  answer if the list is empty */
bool mf_scenario_is_chosen(const struct mf_scenario *s, const struct mf_scenario_chosen *chosen,
                           uint32_t i, bool otherwise);

/** @brief True if programs outside can reach the vehicles by any link. */
bool mf_scenario_is_linked(const struct mf_scenario *s);

/** Table of all keys. */
extern const struct mf_keys mf_scenario_keys;

#endif
