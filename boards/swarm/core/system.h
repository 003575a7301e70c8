/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A system is a part of a run: members, radio, an output, programs outside. It gives the run a
 * constant table of functions, and core/slots.h lists all systems. The run calls one function of
 * all systems, in the order of that list, before it calls the next function. Rooms call them only
 * by the functions below.
 */
#ifndef MF_BOARDS_SWARM_CORE_SYSTEM_H
#define MF_BOARDS_SWARM_CORE_SYSTEM_H

#include "hal-sim/crowd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct swarm;
struct swarm_arrival;
struct swarm_metrics;
struct swarm_operator_command;
struct mf_api_route;

/** Wall time and processor time that a run took [s]. */
struct swarm_took {
    double boot_s; /**< wall time until members fly */
    double wall_s; /**< wall time of the run after that */
    double cpu_s;  /**< processor time of the run after that */
};

/** Stages of a run, in their order. */
enum swarm_stage {
    SWARM_FIND,  /**< the plug-ins that the scenario names are found */
    SWARM_CHECK, /**< the machine has what the scenario needs: programs, free ports; nothing is
                    opened */
    SWARM_KEEP,  /**< with --checkpoint or --resume: an image of memory can hold the system's state
                  */
    SWARM_CONNECT, /**< sockets are opened, programs outside join; a replay leaves it out */
    SWARM_PREPARE, /**< the state is laid into the arena; --check does this, too, and ends here */
    SWARM_RESUME,  /**< only after a resume: pointers that the image has are set to memory of this
                      process */
    SWARM_OPEN,    /**< output files are opened; after a resume, too */
    SWARM_BOOT,    /**< members come into being; not after a resume */
    SWARM_BEGIN,   /**< timers are set, programs outside are awaited; not after a resume */
    SWARM_ATTACH,  /**< clients may come; after a resume, too */
    SWARM_DRAIN,   /**< members have come to w->now_us: the system writes the lines that shards have
                      gathered, in the order of time; cannot fail, as all below */
    SWARM_END,     /**< time passes no more */
    SWARM_FLUSH,   /**< an image of the run follows: buffered output goes to its files */
    SWARM_STAGES
};

/** A change of one member at one instant. */
struct swarm_change {
    uint32_t shard;  /**< of the crowd, whose thread reports it; 0: the run's own thread */
    uint32_t member; /**< its number */
    uint32_t events; /**< a bit per enum mf_scenario_event */
    const struct mf_crowd_state *before, *now;
};

/** Columns of the file of samples (outputs.csv), which some runs have. */
struct swarm_column {
    const char *names; /**< ",sent,heard": separated, with a comma before each; NULL: the end of the
                          table */
    bool (*is_there)(const struct swarm *w);
    /** Write the values of a member, with a comma before each; only the comma if the value is
     * unknown. */
    void (*write)(const struct swarm *w, uint32_t i, FILE *to);
};

/** Functions and tables of a system. Each may be NULL. */
struct swarm_system {
    const char *name;
    /** Size of the state that its slot has from the beginning, made of zeros; 0: the slot is NULL
     * until the system sets it. A checkpoint leaves this state out: it holds the arena, in which
     * SWARM_PREPARE lays what must go on (swarm_memory()). */
    size_t bytes;
    /** @return SWARM_OK, or SWARM_INPUT with an error set: the run ends */
    int (*on[SWARM_STAGES])(struct swarm *w);
    bool in_replay; /**< SWARM_CONNECT lets nothing join from outside: a replay has it, too */

    const struct swarm_metrics *metrics; /**< figures for Prometheus (core/metrics.h) */
    const struct swarm_column *columns;  /**< of the file of samples */
    const struct mf_api_route *routes;   /**< of the control API; a NULL path ends the table */
    const struct swarm_operator_command *commands; /**< of step mode; a NULL name ends the table */

    /** State of the system outside the arena. @param bytes  out @return NULL: none */
    void *(*get_saved)(struct swarm *w, uint64_t *bytes);
    /** Memory for that state of an image. @return NULL: there is not enough */
    void *(*restore)(struct swarm *w, uint64_t bytes);
    /** Choose links and devices of a vehicle that is about to boot. Any thread.
     *  @return MF_E_OK, or the error with which it cannot boot */
    int (*describe)(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                    struct mf_world_settings *world);
    /** Open telemetry of a vehicle that has booted. @return MF_E_OK or an error */
    int (*booted)(struct swarm *w, uint32_t i, struct mf_drone *drone);
    /** A member has changed. From the thread of its shard: what shards share must be locked or
     * atomic. */
    void (*changed)(struct swarm *w, const struct swarm_change *change);
    /* While time passes, from the thread of the run (time/run.c) */

    /** Learn the engine's next instant, at @p at_us: members come to it. */
    void (*announce_instant)(struct swarm *w, mf_us_t at_us);
    /** Read what clients and programs have sent, before a controller of time gets its answer.
     *  @param pending  its command takes effect next: no program in virtual time runs any more
     *  @return true: the engine may have an earlier instant now */
    bool (*sync)(struct swarm *w, bool pending);
    /** Limit the next piece of time.
     *  @param next_us  next instant at which anything happens; MF_NEVER: none
     *  @return w->now_us: time stands; MF_NEVER: any time */
    mf_us_t (*limit_us)(struct swarm *w, mf_us_t next_us);
    /** Advance a simulator outside up to @p to_us. @return time that it has reached: before
     *  @p to_us the engine has an instant now */
    mf_us_t (*advance_outside)(struct swarm *w, mf_us_t to_us);
    /** Read what clients have sent during a piece of time.
     *  @return true: the engine may have an earlier instant now */
    bool (*serve)(struct swarm *w);
    /** Act while time stands. @param pending  a command of a controller takes effect next
     *  @return true: nothing will let time go on, and the run is over */
    bool (*on_standstill)(struct swarm *w, bool pending);
    /** Wait for clients. @param wait_s  at most, of the wall @return false: there can be none */
    bool (*sleep)(struct swarm *w, double wait_s);
    /** The engine has done an instant. @return true: the run is over when members have come to it
     */
    bool (*is_over)(const struct swarm *w);
    /** Nothing is left to do: the run ends now, whatever its end is. */
    bool (*is_done)(const struct swarm *w);
    /** Number of timers that only watch, and keep no run alive. */
    uint32_t (*count_watches)(const struct swarm *w);
    /** A world in steps is at the beginning of a step, or rests: write a picture to a file if one
     * is due at @p at_us. */
    void (*record)(struct swarm *w, mf_us_t at_us);
    /** Does a run to idleness not wait for it? */
    bool (*is_idle)(const struct swarm *w);
    /** Take a packet that a network has brought to a member. @return true: the system is its
     * receiver */
    bool (*arrived)(struct swarm *w, const struct swarm_arrival *arrival);
    /** Has a program outside, or a plug-in, ended the run? An error is set. */
    bool (*has_failed)(const struct swarm *w);
    /** The error of has_failed() is bad input: the run ends with that exit code, without a summary.
     */
    bool refuses;

    /** Finish after the end of time. @param goes_on  another process resumes from a checkpoint */
    void (*finish)(struct swarm *w, bool goes_on);
    /** Mix what the system has done into @p digest. */
    uint64_t (*digest)(const struct swarm *w, uint64_t digest);
    /** Print lines of the summary on the standard output. */
    void (*print_summary)(const struct swarm *w);
    /** Print all lines of the summary between the scenario and the hash, for a world whose summary
     * is not that of members. */
    void (*print_world_summary)(const struct swarm *w, const struct swarm_took *took);
    /** @return how many things did not come out as the scenario expects; < 0: a report could not be
     *  written, with an error set */
    int (*judge)(struct swarm *w, bool goes_on);
    /** Output files are complete. @return false: one of them is not */
    bool (*complete)(struct swarm *w);
    /** Programs outside learn the exit code, sockets close, memory is freed; also after an error in
     * any stage, and after --check. In the reverse order of the list. */
    void (*close)(struct swarm *w, int code);
};

/** @brief Run one stage of all systems. @return SWARM_OK, or that of the first system that fails */
int swarm_systems_do(struct swarm *w, enum swarm_stage stage);

/** @brief Write the names of the columns that this run has. */
void swarm_systems_name_columns(const struct swarm *w, FILE *to);

/** @brief Write the values of member @p i in those columns. */
void swarm_systems_write_columns(const struct swarm *w, uint32_t i, FILE *to);

/** @brief Give a packet to the system that receives it. @return false: no system does */
bool swarm_systems_arrived(struct swarm *w, const struct swarm_arrival *arrival);

/** @brief Report a change of a member to all systems. Any thread. */
void swarm_systems_changed(struct swarm *w, const struct swarm_change *change);

/** @brief Complete the set-up of a vehicle that boots. @return MF_E_OK, or the first error */
int swarm_systems_describe(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                           struct mf_world_settings *world);

/** @brief A vehicle has booted. @return MF_E_OK, or the first error */
int swarm_systems_booted(struct swarm *w, uint32_t i, struct mf_drone *drone);

void swarm_systems_announce_instant(struct swarm *w, mf_us_t at_us);
bool swarm_systems_sync(struct swarm *w, bool pending);

/** @return the earliest limit */
mf_us_t swarm_systems_limit_us(struct swarm *w, mf_us_t next_us);

/** @return how far the first came that stops short of @p to_us */
mf_us_t swarm_systems_advance_outside(struct swarm *w, mf_us_t to_us);

void swarm_systems_record(struct swarm *w, mf_us_t at_us);
bool swarm_systems_serve(struct swarm *w);
bool swarm_systems_on_standstill(struct swarm *w, bool pending);

/** @brief Wait for clients if there can be any; else sleep. */
void swarm_systems_sleep(struct swarm *w, double wait_s);

bool swarm_systems_have_ended(const struct swarm *w);

/** @brief Is nothing left to do for any system? */
bool swarm_systems_are_done(const struct swarm *w);

/** @return the sum of all */
uint32_t swarm_systems_count_watches(const struct swarm *w);

/** @brief Does a run to idleness wait for no system? */
bool swarm_systems_are_idle(const struct swarm *w);

/** @brief @p digest, and what all systems have done. */
uint64_t swarm_systems_digest(const struct swarm *w, uint64_t digest);

/** @brief Has any system failed? */
bool swarm_systems_have_failed(const struct swarm *w);

/** @brief Has a system failed whose error is bad input? */
bool swarm_systems_have_refused(const struct swarm *w);

void swarm_systems_finish(struct swarm *w, bool goes_on);
void swarm_systems_print_summary(const struct swarm *w);

/** @brief Print the summary of the world. @return false: its summary is that of members */
bool swarm_systems_print_world_summary(const struct swarm *w, const struct swarm_took *took);

/** @return how much of the scenario's expectations failed; < 0: an error is set */
int swarm_systems_judge(struct swarm *w, bool goes_on);

/** @return false: an output file is not complete */
bool swarm_systems_complete(struct swarm *w);

void swarm_systems_close(struct swarm *w, int code);

#endif
