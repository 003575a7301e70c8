/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One flight, from the first HEARTBEAT to the last: find the vehicle, wait until it is ready,
 * upload, arm, follow, bring it down, sum up.
 *
 * Legs and durations are in the vehicle's time, which may pass a hundred times faster than the
 * wall's, in which time-outs are.
 */
#ifndef MF_TOOLS_FLY_FLIGHT_H
#define MF_TOOLS_FLY_FLIGHT_H

#include "tools/fly/client.h"
#include "tools/fly/console.h"
#include "tools/fly/plan.h"
#include "tools/fly/state.h"
#include "tools/fly/transfer.h"

/* Exit codes of the program. */
#define FLY_EXIT_FLOWN      0
#define FLY_EXIT_FAILED     1
#define FLY_EXIT_USAGE      2
#define FLY_EXIT_NO_VEHICLE 3

/* Patience, wall time [us]. */
#define FLY_FIND_US  15000000  /**< for a connection and a HEARTBEAT */
#define FLY_READY_US 90000000  /**< for the pre-arm checks; ArduPilot takes 42 s */
#define FLY_LOST_US  10000000  /**< without a word from the vehicle */
#define FLY_AWAY_US  30000000  /**< in another mode, before the mission counts as broken off */
#define FLY_STALL_US 300000000 /**< without any progress, beyond what the item itself takes */
#define FLY_ARM_US   10000000  /**< of tries to arm */

/** Most reached items that the summary lists. */
#define FLY_LEGS_MAX 2000u

/** The user's choices. */
struct fly_options {
    const char *endpoint;
    const char *plan_path;  /**< NULL: the built-in square */
    enum mf_plan_home home; /**< of a file of waypoints */
    double takeoff_alt_m;
    double side_m;
    double speed_mps; /**< 0: the vehicle's own */
    double timeout_s; /**< wall time for all of it; 0: none */
    bool quiet;
    bool json;
    bool verify;
    bool land;   /**< end by landing where the mission ends instead of returning */
    bool stay;   /**< end in the air where the mission ends */
    bool upload; /**< end when the mission is stored: nothing is flown */
};

/** A reached mission item. */
struct fly_leg {
    uint16_t seq;
    uint16_t command;
    int64_t vehicle_us; /**< since arming */
    int64_t wall_us;    /**< since arming */
    struct mf_geo place;
    double alt_rel_m;
    double speed_mps;
};

/** A flight. Zero it, set the first five, run it. Large: keep it off the stack. */
struct fly_flight {
    const struct fly_options *options;
    struct fly_client *client; /**< its observer must be fly_flight_observe, with this flight */
    struct fly_console *console;
    struct mf_plan *plan;     /**< loaded; or empty, then the square is flown */
    const volatile int *stop; /**< not 0: the user wants to leave; may be NULL */

    struct fly_state state;
    struct fly_transfer transfer;
    struct fly_leg leg[FLY_LEGS_MAX];
    size_t leg_count;

    int64_t begin_us; /**< wall time at which the work began */
    int64_t upload_wall_us;
    int64_t arm_wall_us;
    int64_t arm_vehicle_us;
    int64_t end_wall_us;
    int64_t end_vehicle_us;

    bool armed_once; /**< the flight has begun */
    bool started;    /**< seen armed in mission mode */
    bool was_in_air;
    bool nudged;   /**< MISSION_START was sent after all */
    bool finished; /**< all of the mission's items are done */
    bool returned; /**< the way down has begun, commanded or not */
    bool landing;  /**< that way is straight down, at our command */
    bool over;
    bool disarm_sent;

    /* wall times */
    int64_t mission_us;           /**< last seen flying the mission */
    int64_t finished_us;          /**< since when it is done */
    int64_t progress_us;          /**< last sign of it ... */
    struct mf_geo progress_place; /**< position at the last progress */
    double progress_alt_m;

    const char *target_name; /**< where it should have ended; NULL: nowhere in particular */
    struct mf_geo target;
    double miss_m;
    char reason[512]; /**< why it failed, one line; empty if it did not */
};

/** @brief Observer of the client. @param ctx  the flight */
void fly_flight_observe(void *ctx, const struct fly_message *message);

/** @brief Fly. Events go to the console. @return exit code: flown, failed or no vehicle */
int fly_flight_run(struct fly_flight *f);

/* ---- functions that flight.c, which begins a flight, and follow.c, which ends it, share */

/** @brief Note why the flight failed; the first reason stays. @return -1 */
__attribute__((format(printf, 2, 3))) int fly_flight_fail(struct fly_flight *f, const char *format,
                                                          ...);

/** @brief Print an event line with its time: the wall's before arming, the vehicle's after it. */
__attribute__((format(printf, 3, 4))) void fly_flight_tell(struct fly_flight *f, enum fly_tone tone,
                                                           const char *format, ...);

/** @brief Check that the user, --timeout and the vehicle let the flight go on.
 *  @return 0; -1 with a reason */
int fly_flight_check_patience(struct fly_flight *f);

/** @brief Handle messages until one came or @p wait_us passed.
 *  @return 0; -1 if the flight cannot go on, with a reason */
int fly_flight_pump(struct fly_flight *f, int64_t wait_us);

/** @brief A command by its number and parameters 1 to 3, the others 0.
 *  @return as fly_client_command() */
int fly_flight_command(struct fly_flight *f, uint16_t command, float p1, float p2, float p3);

/** @brief Send a command by its number and parameters 1 and 2. Its answer is not awaited. */
void fly_flight_send(struct fly_flight *f, uint16_t command, float p1, float p2);

/** @brief Ask for one message, now. Its answer is not awaited. */
void fly_flight_ask(struct fly_flight *f, uint32_t message);

/** @brief True for a vehicle that flies and is not a plane. */
bool fly_is_copter(const struct fly_state *s);

/** @brief HEARTBEAT.custom_mode in which this vehicle flies missions. */
uint32_t fly_mission_mode(const struct fly_state *s);

/** @brief True in modes that bring the vehicle down by themselves. */
bool fly_is_down_mode(const struct fly_state *s);

/** @brief Watch the armed vehicle until it is disarmed, or holds and may stay.
 *  @return 0, or -1 with a reason */
int fly_follow(struct fly_flight *f);

/** @brief Take note of what a message changed. @param changes  bits of enum fly_change */
void fly_follow_note(struct fly_flight *f, unsigned changes);

#endif
