/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Controllers of time: the clients of the time socket. Each can hold vehicle time, let it run up to
 * a time or the next event, or leave it alone; the strictest counts. On lockstep, vehicle time
 * passes only as far as controllers permit. docs/time.md is the specification.
 *
 * A board that has a time socket calls, in each turn of its loop:
 *
 *     limit_us = mf_time_control_pass(&t, &report);   after each pass, for the pace
 *     mf_time_control_answer(&t);                     when the passes are over and their output
 *                                                     has been handed to the system
 *     mf_time_control_read(&t);                       if true: next turn without sleeping
 *
 * A command that is read in one turn takes effect after the first pass of the next one, at its end:
 * so all data sent to the vehicle before the command has arrived in it before time passes.
 * Allocates nothing; commands are untrusted.
 */
#ifndef MF_HOST_TIME_TIME_CONTROL_H
#define MF_HOST_TIME_TIME_CONTROL_H

#include "hal/serial.h"
#include "host/time/time_line.h"

/** Maximum number of controllers. */
#define MF_TIME_CONTROLLERS_MAX 4u

struct mf_time_controller {
    bool open;
    bool broken;      /**< the controller does not read: it no longer counts, and the board must
                         disconnect it */
    bool waiting;     /**< command was read, and takes effect after the next pass */
    bool asked;       /**< the controller wants a report at once */
    bool answered;    /**< HOLD: a report that time stands was sent */
    bool skipping;    /**< skips the rest of a line that was too long */
    bool watches;     /**< reports to the controller include the truth */
    bool lenient;     /**< a GO whose time is already over stops at once, and is not an error */
    uint16_t id;      /**< the board's id */
    uint16_t len;     /**< number of bytes in line */
    uint8_t action;   /**< enum mf_time_word except NOW: present effect on time */
    uint32_t events;  /**< EVENT: the vehicle's number of events at its start */
    mf_us_t until_us; /**< HOLD, GO: vehicle time at which time must stand */
    mf_us_t told_us;  /**< next due time of the vehicle that was last reported */
    struct mf_time_command command;
    struct mf_serial serial;
    char line[MF_TIME_LINE_MAX + 2u]; /**< bytes of the present line, and perhaps of later ones */
};

struct mf_time_control {
    bool lockstep;     /**< time passes only as far as a controller permits */
    bool reported;     /**< report is of the present boot */
    uint8_t sysid;     /**< system id of the vehicle */
    const char *clock; /**< name of the clock; static */
    uint16_t count;    /**< number of open controllers */
    struct mf_time_report report;
    const struct mf_pose *truth; /**< truth for watchers; NULL: unknown */
    struct mf_time_controller controller[MF_TIME_CONTROLLERS_MAX];
};

/** @brief Begin without controllers. @param clock  static text */
void mf_time_control_init(struct mf_time_control *t, bool lockstep, const char *clock,
                          uint8_t sysid);

/** @brief Open a controller, and greet it. @param id  the board's, for mf_time_control_close()
 * @return false: too many */
bool mf_time_control_open(struct mf_time_control *t, uint16_t id, const struct mf_serial *serial);

/** @brief Close a controller, and drop its hold of time. Unknown ids are ignored. */
void mf_time_control_close(struct mf_time_control *t, uint16_t id);

/** @brief Restart after a boot, at vehicle time 0: controllers that limited time hold it, and get a
 * report. */
void mf_time_control_boot(struct mf_time_control *t);

/** @brief Apply the commands that were read before the pass.
 * @return latest permitted vehicle time; MF_NEVER */
mf_us_t mf_time_control_pass(struct mf_time_control *t, const struct mf_time_report *report);

/** @brief True if a controller watches the truth, so that `truth` must be set before answers. */
bool mf_time_control_watched(const struct mf_time_control *t);

/** @brief True if a controller holds time, or limits it. */
bool mf_time_control_exists(const struct mf_time_control *t);

/** @brief Set the bytes of clients so far, for later reports. @param out  bytes handed to the
 * system */
void mf_time_control_count(struct mf_time_control *t, uint64_t in, uint64_t out);

/** @brief Send reports to controllers whose time stands now, and to those that requested one. */
void mf_time_control_answer(struct mf_time_control *t);

/** @brief Read at most one line of each controller. @return true: a command waits for the next
 * pass, or another line is to be read */
bool mf_time_control_read(struct mf_time_control *t);

/** @brief Find a controller that must be disconnected, since it does not read its reports. @return
 * its id, or MF_E_NOENT */
int mf_time_control_broken(const struct mf_time_control *t);

#endif
