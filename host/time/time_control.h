/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Controllers of time: whoever is connected to the time socket. Each can hold vehicle time, let it
 * run up to a time or the next event, or have nothing to do with it; the strictest counts. On
 * lockstep, vehicle time passes only as far as they let it. docs/time.md is the specification.
 *
 * A board that has any calls, in each turn of its loop:
 *
 *     limit_us = mf_time_control_pass(&t, &report);   after each pass, for the pace
 *     mf_time_control_answer(&t);                     when the passes are over and what they sent
 *                                                     has been handed to the system
 *     mf_time_control_read(&t);                       if true: come back without sleeping
 *
 * What is read in one turn takes effect after the first pass of the next one, at its end: so
 * everything that was sent to the vehicle before the command has arrived in it before time goes on.
 * Nothing is allocated; what arrives is not trusted.
 */
#ifndef MF_HOST_TIME_TIME_CONTROL_H
#define MF_HOST_TIME_TIME_CONTROL_H

#include "hal/serial.h"
#include "host/time/time_line.h"

/** Controllers at once. */
#define MF_TIME_CONTROLLERS_MAX 4u

struct mf_time_controller {
    bool open;
    bool broken;      /**< it does not read: it counts no more, and the board shall let it go */
    bool waiting;     /**< command was read, and takes effect after the next pass */
    bool asked;       /**< wants a report at once */
    bool answered;    /**< HOLD: it has been told that time stands */
    bool skipping;    /**< the rest of a line that was too long */
    bool watches;     /**< is told the truth, too */
    bool lenient;     /**< GO to what is over by then stops at once, and is no error */
    uint16_t id;      /**< the board's */
    uint16_t len;     /**< of line */
    uint8_t action;   /**< enum mf_time_word, but NOW: what it does to time */
    uint32_t events;  /**< EVENT: the vehicle's count when it began */
    mf_us_t until_us; /**< HOLD, GO: vehicle time at which time stands */
    mf_us_t told_us;  /**< what it was told of when the vehicle wants to run next */
    struct mf_time_command command;
    struct mf_serial serial;
    char line[MF_TIME_LINE_MAX + 2u]; /**< what has arrived of it, and maybe of later ones */
};

struct mf_time_control {
    bool lockstep;     /**< time passes only as far as somebody lets it */
    bool reported;     /**< report is of this boot */
    uint8_t sysid;     /**< of the vehicle */
    const char *clock; /**< its name; static */
    uint16_t count;    /**< controllers that are open */
    struct mf_time_report report;
    const struct mf_pose *truth; /**< what watchers are told; NULL: nothing */
    struct mf_time_controller controller[MF_TIME_CONTROLLERS_MAX];
};

/** @brief Nobody controls time yet. @param clock  static text */
void mf_time_control_init(struct mf_time_control *t, bool lockstep, const char *clock,
                          uint8_t sysid);

/** @brief A controller came; it is greeted. @param id  the board's, for mf_time_control_close()
 *  @return false if there are too many */
bool mf_time_control_open(struct mf_time_control *t, uint16_t id, const struct mf_serial *serial);

/** @brief It is gone, what it held with it. Unknown ids are ignored. */
void mf_time_control_close(struct mf_time_control *t, uint16_t id);

/** @brief Vehicle time is 0 again: who held time or let it run holds it, and is told. */
void mf_time_control_boot(struct mf_time_control *t);

/** @brief A pass is over: commands that were read before it take effect.
 *  @return vehicle time that is permitted at most; MF_NEVER */
mf_us_t mf_time_control_pass(struct mf_time_control *t, const struct mf_time_report *report);

/** @brief Does anybody want to be told the truth? Then it must be there when they are answered. */
bool mf_time_control_watched(const struct mf_time_control *t);

/** @brief Does anybody hold time, or let it run up to somewhere? */
bool mf_time_control_exists(const struct mf_time_control *t);

/** @brief Bytes of clients so far, which the reports that follow show. @param out  handed to the
 * system */
void mf_time_control_count(struct mf_time_control *t, uint64_t in, uint64_t out);

/** @brief Tell those for whom time stands now, and those who asked. */
void mf_time_control_answer(struct mf_time_control *t);

/** @brief Read at most one line of each. @return whether a command waits for the next pass, or
 * another line to be read */
bool mf_time_control_read(struct mf_time_control *t);

/** @brief One that must be let go, since it does not read what it is told. @return its id, or
 * MF_E_NOENT */
int mf_time_control_broken(const struct mf_time_control *t);

#endif
