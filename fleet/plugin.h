/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plug-ins: plans, costs, detection, behaviours, schedulers, trust, radios, antennas, path loss,
 * weather, sensors, bodies and components of a user's own, as a shared object that mayfly-swarm
 * loads (docs/plugins.md). This header stands alone: it includes nothing of the tree, and a plug-in
 * links nothing of it.
 *
 *     const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry),
 * "mine", k_entries, 1};
 *
 *     cc -std=c11 -shared -fPIC -I MAYFLY mine.c -o mine.so
 *
 * Places are east, north, up of space.origin in metres, velocities m/s in the same frame, angles
 * radians, times seconds since the beginning. Whatever is pointed to belongs to the host and is
 * good until the function returns. A function that returns a text refuses to go on, and the text
 * says why; NULL is success. Equal calls must give equal answers: chance comes from chance() of the
 * host alone, and no function keeps anything but in its state.
 */
#ifndef MF_FLEET_PLUGIN_H
#define MF_FLEET_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Of this header. A plug-in of another version is refused. */
#define MF_PLUGIN_VERSION 1u
/** What the host looks for in the shared object. */
#define MF_PLUGIN_SYMBOL "mf_plugin"
/** Parameters of an entry; characters of a name or a text with its NUL. */
#define MF_PLUGIN_PARAMS_MAX 16u
#define MF_PLUGIN_NAME_MAX   32u
#define MF_PLUGIN_TEXT_MAX   64u
/** Most bytes of a state. */
#define MF_PLUGIN_STATE_MAX (64u * 1024u * 1024u)

/* ---- parameters: values of the scenario, by their names */

enum mf_plugin_type { MF_PLUGIN_REAL, MF_PLUGIN_WHOLE, MF_PLUGIN_BOOL, MF_PLUGIN_TEXT };

union mf_plugin_value {
    double real;
    int64_t whole;
    bool truth;
    const char *text;
};

struct mf_plugin_param {
    const char *name;
    enum mf_plugin_type type;
    double low, high;                /**< REAL, WHOLE: from .. to */
    union mf_plugin_value otherwise; /**< where the scenario gives none */
    const char *help;
};

/* ---- what the host does for a plug-in */

struct mf_plugin_host {
    /** The number after @p n others of a sequence, from 0 up to 1 (excluded). Pure. */
    double (*chance)(uint64_t key, uint64_t n);
};

/** What each instance of an entry is given. */
struct mf_plugin_self {
    const struct mf_plugin_host *host;
    const union mf_plugin_value *value; /**< [params of the entry], in its order */
    void *state;                        /**< [state_bytes], zeroed at first; of a behaviour, sensor
                                             and body: one of each member */
    uint64_t key;                       /**< of chance(): by seed, variation and member */
};

struct mf_plugin_place {
    double east, north, up; /**< [m] */
};

/* ---- plan: where the members of a team fly that searches an area */

struct mf_plugin_searcher {
    struct mf_plugin_place begins;
    double frames_per_s;
    double lateral_rad, horizontal_rad; /**< half the angles of view, along and across */
};

/** What is searched, and by whom. */
struct mf_plugin_area {
    const struct mf_plugin_place *corner; /**< [corners] of space.boundary; up is 0 */
    uint32_t corners;
    const struct mf_plugin_searcher *member; /**< [members] */
    uint32_t members;
    struct mf_plugin_place station; /**< where they begin and return to */
    double altitude_m, speed_mps;   /**< plan.altitude, plan.speed */
    double edge_m;                  /**< side of a square that all cameras see at once */
};

struct mf_plugin_goal {
    struct mf_plugin_place at; /**< kept in single precision */
    double speed_mps;
};

enum mf_plugin_where {
    MF_PLUGIN_INSTEAD, /**< of all that is left of the path */
    MF_PLUGIN_FIRST,   /**< before it */
    MF_PLUGIN_LAST     /**< behind it */
};

/** How a plan gives its paths. */
struct mf_plugin_paths {
    void *host;
    /** A member's path. Each goal lies within the boundary, or at the station: otherwise the run
     *  ends with a line that names it, whatever the plan returns. */
    bool (*go)(void *host, uint32_t member, enum mf_plugin_where where,
               const struct mf_plugin_goal *goal, uint32_t goals);
};

/** A camera reported something. */
struct mf_plugin_report {
    uint32_t member;
    struct mf_plugin_place at; /**< on the ground: up is 0 */
};

struct mf_plugin_plan {
    /** Initial paths. */
    const char *(*begin)(const struct mf_plugin_self *self, const struct mf_plugin_area *area,
                         const struct mf_plugin_paths *paths);
    /** Paths may change by what was reported in a step. NULL: they never do. */
    const char *(*reported)(const struct mf_plugin_self *self, double time_s,
                            const struct mf_plugin_report *report, uint32_t reports,
                            const struct mf_plugin_paths *paths);
};

/* ---- speed cost: what a second of flight costs a searcher, beside the station it is free */

struct mf_plugin_motion {
    uint32_t member;
    double time_s;
    struct mf_plugin_place at, velocity, thrust_n;
};

struct mf_plugin_cost {
    /** Not negative, finite. Times the step it is added to Energy_Used; without an entry of this
     *  kind it is the length of the thrust [N]. */
    double (*cost)(const struct mf_plugin_self *self, const struct mf_plugin_motion *motion);
};

/* ---- detection: how likely a camera reports what it has in its picture */

struct mf_plugin_look {
    uint32_t member;
    bool sought;           /**< it is of the kind that is sought: a report is right */
    double seen, mistaken; /**< of the object, as the scenario says */
    double height_m;       /**< of the camera above the ground, > 0 */
    double speed_mps;      /**< of the camera */
    double away_m;         /**< of the object from the point below the camera */
    double corner_m;       /**< of a corner of the picture from it */
};

struct mf_plugin_detection {
    /** From 0 to 1. */
    double (*probability)(const struct mf_plugin_self *self, const struct mf_plugin_look *look);
};

/* ---- behaviour: what a member does by itself, turn by turn (docs/swarm.md) */

/** What a sensor of the member has measured (docs/swarm.md#sensors). */
struct mf_plugin_reading {
    const char *kind;    /**< "range", ...; the name of a plug-in's */
    uint64_t count;      /**< measurements so far; 0: none, and nothing else counts */
    double time_s;       /**< of the last one */
    const double *value; /**< [values] of it; infinity: there was nothing to see */
    uint32_t values;
};

struct mf_plugin_member {
    uint32_t number; /**< in the swarm, from 1 */
    uint64_t turn;   /**< from 0 */
    double time_s;
    bool known; /**< its place is known; otherwise nothing else of it counts */
    bool armed, in_air;
    struct mf_plugin_place at, velocity;
    double height_m;                         /**< above its home */
    const struct mf_plugin_reading *reading; /**< [readings], as its entity lists sensors */
    uint32_t readings;
};

/** Orders; each returns whether it is accepted, or under way. */
struct mf_plugin_orders {
    void *host;
    bool (*arm)(void *host);
    bool (*take_off)(void *host, double height_m);
    /** A setpoint of a velocity. @param heading_rad  from north; NAN: as it is */
    void (*fly)(void *host, const struct mf_plugin_place *velocity, double heading_rad);
    /** Obey setpoints, of which one has just been given. */
    bool (*offboard)(void *host);
    /** Go to a place and stay there. @param speed_mps  <= 0: at its own */
    bool (*go)(void *host, const struct mf_plugin_place *at, double speed_mps);
    /** Any MAV_CMD that it obeys. @param param  [7] of COMMAND_INT; 5 and 6 are 1e-7 degrees */
    bool (*command)(void *host, uint16_t command, const double *param);
};

struct mf_plugin_behaviour {
    /** A turn. @return false: it wants no more turns */
    bool (*turn)(const struct mf_plugin_self *self, const struct mf_plugin_member *member,
                 const struct mf_plugin_orders *orders);
};

/* ---- scheduler: who does a task (docs/grid.md) */

struct mf_plugin_task {
    uint32_t number; /**< in the scenario, from 1 */
    int32_t priority;
    uint32_t deadline; /**< ticks from the assignment; 0: none */
    uint32_t grams;    /**< of what is carried */
};

/** A drone that is free and fit: its sensors, actuators and battery are enough. */
struct mf_plugin_worker {
    uint32_t number;       /**< among the drones, from 1 */
    uint32_t ticks;        /**< that it would take, by the map as its controller knows it */
    double trust, battery; /**< battery: part that is left */
};

struct mf_plugin_scheduler {
    /** @return place in @p worker of the one that gets the task; @p workers: it waits */
    uint32_t (*choose)(const struct mf_plugin_self *self, uint64_t tick,
                       const struct mf_plugin_task *task, const struct mf_plugin_worker *worker,
                       uint32_t workers);
};

/* ---- trust: what a task that has ended says of a drone */

struct mf_plugin_outcome {
    uint32_t worker;            /**< number among the drones, from 1 */
    double trust;               /**< before */
    uint32_t estimated, actual; /**< ticks */
    double battery;             /**< part that is left */
    bool done;                  /**< otherwise it failed, or was revoked */
};

struct mf_plugin_trust {
    /** @return from 0 to 1 */
    double (*trust)(const struct mf_plugin_self *self, const struct mf_plugin_outcome *outcome);
};

/* ---- radio: with what it transmits, and what it receives. Any thread, and without a state. */

struct mf_plugin_radio_sheet {
    double power_dbm;                    /**< of transmission; -100 to 100 */
    double sensitivity_dbm;              /**< weaker packets are not received */
    double least_snr_db;                 /**< below this signal over noise nothing is received */
    double frequency_mhz, width_mhz;     /**< band: it hears whose frequency lies in it; > 0 */
    double bits_per_s;                   /**< > 0 */
    double send_ma, receive_ma, idle_ma; /**< >= 0 */
};

struct mf_plugin_radio {
    /** Its data sheet, once. @p sheet holds that of a generic radio, which may be changed. */
    void (*describe)(const struct mf_plugin_self *self, struct mf_plugin_radio_sheet *sheet);
    /** Part of the packets that it receives at a signal over noise, from 0 to 1. */
    double (*reception)(const struct mf_plugin_self *self, double snr_db);
};

/* ---- antenna, the same all around its axis */

struct mf_plugin_antenna {
    /** Gain at an angle from the axis, -100 to 100 [dB]. Asked for 0, 10, ... 180 degrees, once. */
    double (*gain_db)(const struct mf_plugin_self *self, double angle_rad);
};

/* ---- path loss: how much weaker a packet is where it arrives. Any thread, and without a state. */

struct mf_plugin_way {
    struct mf_plugin_place from, to;
    double distance_m; /**< > 0 */
    double frequency_mhz;
    uint32_t sender, receiver; /**< numbers in the swarm, from 1 */
};

struct mf_plugin_path {
    /** Finite [dB]. */
    double (*loss_db)(const struct mf_plugin_self *self, const struct mf_plugin_way *way);
};

/* ---- weather: wind and named values by place and time. Any thread, and without a state. */

/** One of the two may be NULL. */
struct mf_plugin_weather {
    /** What is added to the wind of the scenario: where it blows to, finite; its up does not
     *  count. */
    void (*wind)(const struct mf_plugin_self *self, const struct mf_plugin_place *at, double time_s,
                 struct mf_plugin_place *velocity);
    /** A value that nothing in the scenario gives. @return false: there is none of that name */
    bool (*value)(const struct mf_plugin_self *self, const struct mf_plugin_place *at,
                  double time_s, const char *name, double *value);
};

/* ---- sensor: what a member measures (docs/swarm.md#sensors). Any thread, one member at a time. */

/** Most numbers of a measurement. */
#define MF_PLUGIN_VALUES_MAX 8u

/** A sensor at an instant. */
struct mf_plugin_sense {
    uint32_t number; /**< of its member in the swarm, from 1 */
    uint64_t count;  /**< measurements before this one */
    double time_s;
    struct mf_plugin_place at, velocity;        /**< of the sensor */
    struct mf_plugin_place ahead, right, below; /**< its axes, of length 1 */
    double roll_rad, pitch_rad, yaw_rad;        /**< of the member */
    double reach_m;
};

/** Somebody whom it finds. */
struct mf_plugin_found {
    uint32_t number; /**< in the swarm, from 1 */
    struct mf_plugin_place at;
    double away_m;
};

/** What a sensor can ask of the world, where it is. */
struct mf_plugin_world {
    const void *host;
    /** Distance to the first obstacle, or to the ground [m]; infinity: there is none within its
     *  reach. @param toward  of any length but 0 */
    double (*ray)(const void *host, const struct mf_plugin_place *toward);
    /** Other members of the entity `of` within its reach, in the order of their numbers.
     *  @param found  out: the first of them, [room] @return how many there are */
    uint32_t (*near)(const void *host, struct mf_plugin_found *found, uint32_t room);
    /** A value of the weather, or "wind_north", "wind_east". @return false: there is none */
    bool (*weather)(const void *host, const char *name, double *value);
};

struct mf_plugin_sensor {
    /** @param value  out: [MF_PLUGIN_VALUES_MAX] numbers; infinity, which they are before: there
     *  is nothing to see. The noise `sigma` is added to them. */
    void (*measure)(const struct mf_plugin_self *self, const struct mf_plugin_sense *sense,
                    const struct mf_plugin_world *world, double *value);
};

/* ---- body: how an agent moves, step by step. Any thread, one member at a time. */

struct mf_plugin_step {
    uint32_t number;                 /**< of the member in the swarm, from 1 */
    double time_s, dt_s;             /**< when the step begins, and how long it lasts */
    bool works;                      /**< its motors do; otherwise it is told nothing, and falls */
    struct mf_plugin_place velocity; /**< that it is told */
    double heading_rad;              /**< the same; from north */
    struct mf_plugin_place wind;     /**< of the air, where it is; up is 0 */
    double ground_m;                 /**< up */
};

struct mf_plugin_moves {
    struct mf_plugin_place at, velocity;
    double roll_rad, pitch_rad, yaw_rad;
};

struct mf_plugin_body {
    /** A step. On the ground it is asked from when it is told to rise; where it would be below, it
     *  stands. @param moves  in: at the beginning; out: at the end, finite */
    void (*step)(const struct mf_plugin_self *self, const struct mf_plugin_step *step,
                 struct mf_plugin_moves *moves);
};

/* ---- component: what is beside a run, as a logger. In a thread of its own, for as long as it
 * likes: no limit counts, and the run does not wait for it. */

/** A member as it was at an instant. */
struct mf_plugin_told {
    uint32_t number; /**< in the swarm, from 1 */
    const char *name, *mode;
    double time_s;
    struct mf_plugin_place at, velocity;
    double heading_rad;
};

struct mf_plugin_component {
    void (*told)(const struct mf_plugin_self *self, const struct mf_plugin_told *told);
    /** The run is over. NULL: nothing is left to do. */
    void (*end)(const struct mf_plugin_self *self);
};

/* ---- the table */

/** Kinds: name, member of the table, how the scenario chooses an entry of it. */
#define MF_PLUGIN_KIND_LIST(X)                                                  \
    X(PLAN, plan, "plan: {kind: own, name: NAME}")                              \
    X(COST, cost, "cost: {name: NAME}")                                         \
    X(DETECTION, detection, "detection: {model: own, name: NAME}")              \
    X(BEHAVIOUR, behaviour, "entities[].behaviour: {kind: own, name: NAME}")    \
    X(SCHEDULER, scheduler, "controllers[].scheduler: {kind: own, name: NAME}") \
    X(TRUST, trust, "controllers[].trust: {name: NAME}")                        \
    X(RADIO, radio, "entities[].radio: {kind: own, name: NAME}")                \
    X(ANTENNA, antenna, "entities[].radio: {gain: {name: NAME}}")               \
    X(PATH, path, "medium: {kind: own, name: NAME, range: METRES}")             \
    X(WEATHER, weather, "space.weather: {kind: own, name: NAME}")               \
    X(SENSOR, sensor, "entities[].sensors: [{kind: own, name: NAME}]")          \
    X(BODY, body, "entities[].body: {kind: own, name: NAME}")                   \
    X(COMPONENT, component, "components: [{name: NAME}]")

/* clang-format off */
#define X(NAME, member, key) MF_PLUGIN_##NAME,
enum mf_plugin_kind { MF_PLUGIN_KIND_LIST(X) MF_PLUGIN_KINDS };
#undef X
/* clang-format on */

struct mf_plugin_entry {
    enum mf_plugin_kind kind;
    const char *name; /**< by which a scenario chooses it */
    const char *help;
    const struct mf_plugin_param *param; /**< [params] */
    uint32_t params;
    size_t state_bytes;
    /* the one of its kind; the others are NULL */
#define X(NAME, member, key) const struct mf_plugin_##member *member;
    MF_PLUGIN_KIND_LIST(X)
#undef X
};

struct mf_plugin {
    uint32_t version;                    /**< MF_PLUGIN_VERSION */
    uint32_t entry_bytes;                /**< sizeof(struct mf_plugin_entry) */
    const char *name;                    /**< for people */
    const struct mf_plugin_entry *entry; /**< [entries] */
    uint32_t entries;
};

/** What a plug-in defines. */
extern const struct mf_plugin mf_plugin;

#endif
