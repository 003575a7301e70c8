/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plug-ins: plans, costs, detection, behaviours, schedulers, trust, radios, antennas, path loss,
 * weather, sensors, bodies and components of a user's own, as a shared object that mayfly-swarm
 * loads (docs/plugins.md). This header stands alone: it includes nothing of the tree, and a plug-in
 * links nothing of it.
 *
 *     const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry),
 *                                         "mine", k_entries, 1};
 *
 *     cc -std=c11 -shared -fPIC -I MAYFLY mine.c -o mine.so
 *
 * Places are east, north, up of space.origin in metres, velocities m/s in the same frame, angles
 * radians, times seconds since the beginning. The host owns everything that it passes by pointer; a
 * pointer is valid until the function returns. A function that returns a text ends the run, and the
 * text says why; NULL is success. Equal calls must give equal answers: random numbers come only
 * from the host's chance(), and no function keeps data outside its state.
 */
#ifndef MF_FLEET_PLUGIN_H
#define MF_FLEET_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Version of this header. The host refuses a plug-in of another version. */
#define MF_PLUGIN_VERSION 2u
/** Symbol that the host looks up in the shared object. */
#define MF_PLUGIN_SYMBOL "mf_plugin"
/** Maximum number of an entry's parameters; longest name and longest text, each with its NUL. */
#define MF_PLUGIN_PARAMS_MAX 16u
#define MF_PLUGIN_NAME_MAX   32u
#define MF_PLUGIN_TEXT_MAX   64u
/** Maximum size of a state [bytes]. */
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
    double low, high;                /**< REAL, WHOLE: least and greatest value */
    union mf_plugin_value otherwise; /**< value if the scenario does not set the parameter */
    const char *help;
};

/* ---- services of the host */

struct mf_plugin_host {
    /** Random number @p n, from 0, of a sequence: 0 up to 1 (excluded). Pure. */
    double (*chance)(uint64_t key, uint64_t n);
};

/** Data of one instance of an entry. */
struct mf_plugin_self {
    const struct mf_plugin_host *host;
    const union mf_plugin_value *value; /**< [params of the entry], in the order of its table */
    void *state;  /**< [state_bytes], zeroed at first; each member has one for its behaviour, sensor
                     and body */
    uint64_t key; /**< key for chance(), from seed, variation and member */
};

struct mf_plugin_place {
    double east, north, up; /**< [m] */
};

/* ---- plan: paths of a team that searches an area */

struct mf_plugin_searcher {
    struct mf_plugin_place begins;
    double frames_per_s;
    double lateral_rad, horizontal_rad; /**< half the angles of view, along and across */
};

/** Area of a search, and the members of its team. */
struct mf_plugin_area {
    const struct mf_plugin_place *corner; /**< [corners] of space.boundary; their up is 0 */
    uint32_t corners;
    const struct mf_plugin_searcher *member; /**< [members] */
    uint32_t members;
    struct mf_plugin_place station; /**< first and last place of all members */
    double altitude_m, speed_mps;   /**< plan.altitude, plan.speed */
    double edge_m;                  /**< side of a square that every camera sees at once */
};

struct mf_plugin_goal {
    struct mf_plugin_place at; /**< stored in single precision */
    double speed_mps;
};

enum mf_plugin_where {
    MF_PLUGIN_INSTEAD, /**< replaces the rest of the path */
    MF_PLUGIN_FIRST,   /**< before the rest of the path */
    MF_PLUGIN_LAST     /**< after the rest of the path */
};

/** Function by which a plan sets paths. */
struct mf_plugin_paths {
    void *host;
    /** Set a member's path. Each goal lies within the boundary, or at the station: otherwise the
     * run ends with a line that names it, whatever the plan returns. */
    bool (*go)(void *host, uint32_t member, enum mf_plugin_where where,
               const struct mf_plugin_goal *goal, uint32_t goals);
};

/** Report of a camera. */
struct mf_plugin_report {
    uint32_t member;
    struct mf_plugin_place at; /**< place on the ground: up is 0 */
};

struct mf_plugin_plan {
    /** Set the first paths. */
    const char *(*begin)(const struct mf_plugin_self *self, const struct mf_plugin_area *area,
                         const struct mf_plugin_paths *paths);
    /** Change paths after the reports of one step. NULL: paths never change. */
    const char *(*reported)(const struct mf_plugin_self *self, double time_s,
                            const struct mf_plugin_report *report, uint32_t reports,
                            const struct mf_plugin_paths *paths);
};

/* ---- speed cost: cost of a second of flight, except near the station, where flight is free */

struct mf_plugin_motion {
    uint32_t member;
    double time_s;
    struct mf_plugin_place at, velocity, thrust_n;
};

struct mf_plugin_cost {
    /** Cost of a second, not negative, finite. The host adds it, times the step, to Energy_Used;
     * without an entry of this kind the cost is the length of the thrust [N]. */
    double (*cost)(const struct mf_plugin_self *self, const struct mf_plugin_motion *motion);
};

/* ---- detection: probability that a camera reports an object in its picture */

struct mf_plugin_look {
    uint32_t member;
    bool sought; /**< the object is of the kind that the camera seeks: a report is right */
    double seen, mistaken; /**< the object's values in the scenario */
    double height_m;       /**< height of the camera above the ground, > 0 */
    double speed_mps;      /**< speed of the camera */
    double away_m;         /**< distance of the object from the point below the camera */
    double corner_m; /**< distance of a corner of the picture from the point below the camera */
};

struct mf_plugin_detection {
    /** Probability of a report, 0 to 1. */
    double (*probability)(const struct mf_plugin_self *self, const struct mf_plugin_look *look);
};

/* ---- behaviour: orders of a member, turn by turn (docs/swarm-manual.md) */

/** Last measurement of one of the member's sensors (docs/swarm-manual.md#sensors). */
struct mf_plugin_reading {
    const char *kind;    /**< "range", ...; for a plug-in's sensor its name */
    uint64_t count;      /**< number of measurements so far; 0: the other fields are void */
    double time_s;       /**< time of the last measurement */
    const double *value; /**< [values] of the last measurement; infinity: nothing within reach */
    uint32_t values;
};

struct mf_plugin_member {
    uint32_t number; /**< in the swarm, from 1 */
    uint64_t turn;   /**< from 0 */
    double time_s;
    bool known; /**< the member's place is known; false: the following fields are void */
    bool armed, in_air;
    struct mf_plugin_place at, velocity;
    double height_m; /**< height above the member's home */
    const struct mf_plugin_reading
        *reading; /**< [readings], in the order of the entity's sensors */
    uint32_t readings;
};

/** Orders; each returns true if the member has accepted it, or its answer is still under way. */
struct mf_plugin_orders {
    void *host;
    bool (*arm)(void *host);
    bool (*take_off)(void *host, double height_m);
    /** Send a velocity setpoint. @param heading_rad  from north; NAN: unchanged */
    void (*fly)(void *host, const struct mf_plugin_place *velocity, double heading_rad);
    /** Begin to obey setpoints, right after one was sent. */
    bool (*offboard)(void *host);
    /** Fly to a place and stay there. @param speed_mps  <= 0: the member's own speed */
    bool (*go)(void *host, const struct mf_plugin_place *at, double speed_mps);
    /** Send any MAV_CMD that the member obeys. @param param  [7] of COMMAND_INT; 5 and 6 are 1e-7
     * degrees */
    bool (*command)(void *host, uint16_t command, const double *param);
    /** Let the member's radio broadcast a packet now, of up to 280 bytes. @return false: the member
     * lacks a radio, the packet is too long, or 8 packets of the member wait */
    bool (*transmit)(void *host, const uint8_t *bytes, size_t size);
};

/** Packet that the radio of a member has received. */
struct mf_plugin_packet {
    uint32_t receiver, sender; /**< numbers in the swarm, from 1 */
    uint32_t number;           /**< among the sender's packets, from 0 */
    double time_s;
    double strength_dbm; /**< NAN: it came by a network, which knows no strength */
    const uint8_t *bytes;
    size_t size;
};

/** Function by which a member answers a packet. */
struct mf_plugin_air {
    void *host;
    /** Let the member's radio broadcast a packet when the received one has ended: after its bits at
     * its sender's rate, a microsecond at least. Otherwise like transmit() of the orders. */
    bool (*transmit)(void *host, const uint8_t *bytes, size_t size);
};

struct mf_plugin_behaviour {
    /** Take a turn. @return false: the member needs no more turns */
    bool (*turn)(const struct mf_plugin_self *self, const struct mf_plugin_member *member,
                 const struct mf_plugin_orders *orders);
    /** Receive a packet, between two turns, whether or not the member needs more turns. NULL: the
     * behaviour hears nothing. Orders wait for the next turn. */
    void (*received)(const struct mf_plugin_self *self, const struct mf_plugin_packet *packet,
                     const struct mf_plugin_air *air);
};

/* ---- scheduler: assignment of tasks to drones (docs/grid.md) */

struct mf_plugin_task {
    uint32_t number; /**< number in the scenario, from 1 */
    int32_t priority;
    uint32_t deadline; /**< ticks from the assignment; 0: no deadline */
    uint32_t grams;    /**< weight of the cargo */
};

/** Drone that is free and fit for a task: its sensors, actuators and battery are enough. */
struct mf_plugin_worker {
    uint32_t number;       /**< number among the drones, from 1 */
    uint32_t ticks;        /**< estimated duration of the task, by its controller's map */
    double trust, battery; /**< battery: share of the capacity that is left */
};

struct mf_plugin_scheduler {
    /** Choose a drone for a task. @return its index in @p worker; @p workers: leave the task in the
     * queue */
    uint32_t (*choose)(const struct mf_plugin_self *self, uint64_t tick,
                       const struct mf_plugin_task *task, const struct mf_plugin_worker *worker,
                       uint32_t workers);
};

/* ---- trust: a controller's trust in a drone after a task */

struct mf_plugin_outcome {
    uint32_t worker;            /**< number among the drones, from 1 */
    double trust;               /**< trust before the task */
    uint32_t estimated, actual; /**< ticks, each 1 or more */
    double battery;             /**< share of the battery's capacity that is left */
    bool done;                  /**< false: the task failed, or was revoked */
};

struct mf_plugin_trust {
    /** Compute the new trust. @return 0 to 1 */
    double (*trust)(const struct mf_plugin_self *self, const struct mf_plugin_outcome *outcome);
};

/* ---- radio: its transmission and reception. The host calls from any thread, and without a
 * state. */

struct mf_plugin_radio_sheet {
    double power_dbm;       /**< transmission power; -100 to 100 */
    double sensitivity_dbm; /**< the radio does not receive weaker packets */
    double least_snr_db;    /**< the radio does not receive packets below this signal over noise */
    double frequency_mhz,
        width_mhz;     /**< band: the radio receives senders whose frequency lies in it; > 0 */
    double bits_per_s; /**< > 0 */
    double send_ma, receive_ma, idle_ma; /**< >= 0 */
};

struct mf_plugin_radio {
    /** Describe the radio, once. @p sheet holds a generic radio, which the function may change. */
    void (*describe)(const struct mf_plugin_self *self, struct mf_plugin_radio_sheet *sheet);
    /** Share of the packets that the radio receives at a signal over noise, 0 to 1. */
    double (*reception)(const struct mf_plugin_self *self, double snr_db);
};

/* ---- antenna, symmetric about its axis */

struct mf_plugin_antenna {
    /** Gain at an angle from the axis, -100 to 100 [dB]. The host calls it once for 0, 10, ... 180
     * degrees. */
    double (*gain_db)(const struct mf_plugin_self *self, double angle_rad);
};

/* ---- path loss: attenuation of a packet on its way. Any thread, and without a state. */

struct mf_plugin_way {
    struct mf_plugin_place from, to;
    double distance_m; /**< > 0 */
    double frequency_mhz;
    uint32_t sender, receiver; /**< numbers in the swarm, from 1 */
};

struct mf_plugin_path {
    /** Attenuation, finite [dB]. */
    double (*loss_db)(const struct mf_plugin_self *self, const struct mf_plugin_way *way);
};

/* ---- weather: wind and named values by place and time. Any thread, and without a state. */

/** A weather; one of its functions may be NULL. */
struct mf_plugin_weather {
    /** Velocity that is added to the scenario's wind: the direction that it blows to, finite; the
     * host ignores its up. */
    void (*wind)(const struct mf_plugin_self *self, const struct mf_plugin_place *at, double time_s,
                 struct mf_plugin_place *velocity);
    /** Value that the scenario does not define. @return false: the plug-in does not know the
     * name */
    bool (*value)(const struct mf_plugin_self *self, const struct mf_plugin_place *at,
                  double time_s, const char *name, double *value);
};

/* ---- sensor: measurements of a member (docs/swarm-manual.md#sensors). Any thread, one member at a
 * time. */

/** Maximum count of numbers in a measurement. */
#define MF_PLUGIN_VALUES_MAX 8u

/** State of a sensor at an instant. */
struct mf_plugin_sense {
    uint32_t number; /**< number of its member in the swarm, from 1 */
    uint64_t count;  /**< number of measurements before this one */
    double time_s;
    struct mf_plugin_place at, velocity;        /**< of the sensor */
    struct mf_plugin_place ahead, right, below; /**< axes of the sensor, of length 1 */
    double roll_rad, pitch_rad, yaw_rad;        /**< attitude of the member */
    double reach_m;
};

/** Member within reach of a sensor. */
struct mf_plugin_found {
    uint32_t number; /**< in the swarm, from 1 */
    struct mf_plugin_place at;
    double away_m;
};

/** Functions by which a sensor observes the world at its place. */
struct mf_plugin_world {
    const void *host;
    /** Distance to the first obstacle, or to the ground [m]; infinity: none within reach.
     * @param toward  direction, of any length but 0 */
    double (*ray)(const void *host, const struct mf_plugin_place *toward);
    /** Find other members of the entity `of` within reach, in the order of their numbers.
     * @param found  out: the first of them, [room]  @return number of members within reach */
    uint32_t (*near)(const void *host, struct mf_plugin_found *found, uint32_t room);
    /** Value of the weather, or "wind_north", "wind_east". @return false: unknown name */
    bool (*weather)(const void *host, const char *name, double *value);
};

struct mf_plugin_sensor {
    /** Measure. @param value  out: [MF_PLUGIN_VALUES_MAX] numbers, at first infinity, which means
     * nothing within reach. The host adds noise `sigma` to them. */
    void (*measure)(const struct mf_plugin_self *self, const struct mf_plugin_sense *sense,
                    const struct mf_plugin_world *world, double *value);
};

/* ---- body: motion of an agent, step by step. Any thread, one member at a time. */

struct mf_plugin_step {
    uint32_t number;     /**< number of the member in the swarm, from 1 */
    double time_s, dt_s; /**< start of the step, and its duration */
    bool works;          /**< the motors work; false: the body gets no order, and falls */
    struct mf_plugin_place velocity; /**< ordered velocity */
    double heading_rad;              /**< ordered heading, from north */
    struct mf_plugin_place wind;     /**< wind at the body's place; its up is 0 */
    double ground_m;                 /**< up of the ground below the body */
};

struct mf_plugin_moves {
    struct mf_plugin_place at, velocity;
    double roll_rad, pitch_rad, yaw_rad;
};

struct mf_plugin_body {
    /** Compute a step. The host calls it for a body on the ground from its order to rise on; where
     * the result would be below the ground, the body stands. @param moves  in: state before; out:
     * state after the step, finite */
    void (*step)(const struct mf_plugin_self *self, const struct mf_plugin_step *step,
                 struct mf_plugin_moves *moves);
};

/* ---- component: a program beside a run, such as a logger, in its own thread: without limits of
 * time, and the run does not wait for it. */

/** State of a member at an instant. */
struct mf_plugin_told {
    uint32_t number; /**< in the swarm, from 1 */
    const char *name, *mode;
    double time_s;
    struct mf_plugin_place at, velocity;
    double heading_rad;
};

struct mf_plugin_component {
    void (*told)(const struct mf_plugin_self *self, const struct mf_plugin_told *told);
    /** Called once after the run. NULL: not needed. */
    void (*end)(const struct mf_plugin_self *self);
};

/* ---- the table */

/** Kinds: name, field of the table, the scenario's way to choose an entry. */
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
    const char *name; /**< name by which a scenario chooses the entry */
    const char *help;
    const struct mf_plugin_param *param; /**< [params] */
    uint32_t params;
    size_t state_bytes;
    /* The entry's kind sets its own field; the others are NULL. */
#define X(NAME, member, key) const struct mf_plugin_##member *member;
    MF_PLUGIN_KIND_LIST(X)
#undef X
};

struct mf_plugin {
    uint32_t version;                    /**< MF_PLUGIN_VERSION */
    uint32_t entry_bytes;                /**< sizeof(struct mf_plugin_entry) */
    const char *name;                    /**< name of the plug-in, for messages to users */
    const struct mf_plugin_entry *entry; /**< [entries] */
    uint32_t entries;
};

/** Symbol that a plug-in must define. */
extern const struct mf_plugin mf_plugin;

#endif
