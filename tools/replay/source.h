/* SPDX-License-Identifier: Apache-2.0 */
/** A recording being read: its records, and where in time and on which link they stand. */
#ifndef MF_TOOLS_REPLAY_SOURCE_H
#define MF_TOOLS_REPLAY_SOURCE_H

#include "host/record/recording.h"

#include <stdio.h>

/** Number of links that a recording may have; higher numbers are not names. */
#define REPLAY_LINKS 256u

struct replay_source {
    const char *name; /**< of the file, for errors */
    FILE *file;
    struct mf_recording_reader reader;
    enum mf_recording_state state; /**< of the last record asked for */
    struct mf_record record;       /**< the last one */
    bool begun;                    /**< a vehicle was started */
    bool complete;                 /**< an END was read */
    int64_t epoch_utc_us;          /**< of vehicle time 0 of this boot */
    int64_t vehicle_us;            /**< vehicle time at this record */
    int64_t transport_us;
    char link[REPLAY_LINKS][MF_RECORD_NAME_BYTES]; /**< who is, or was, on each link */
};

/** @brief Read from an open file. */
void replay_source_init(struct replay_source *s, const char *name, FILE *file);

/** @brief The next record. @return whether there is one; else s->state says why not */
bool replay_next(struct replay_source *s);

/**
 * @brief Text of the fault of a recording that did not end with END, without the file's name.
 * @return a text of the source or static; NULL: no fault
 */
const char *replay_complaint(const struct replay_source *s);

/** @brief The name of a link, or "" */
const char *replay_link_name(const struct replay_source *s, uint16_t link);

/** @brief Say on stderr what is wrong with a recording that did not end with END.
 *  @return whether it is of no use: damaged, or without a vehicle */
bool replay_complain(const struct replay_source *s);

/** @brief Read a file to find the link to show.
 *  @param wanted its number; -1: the one with the most input, since that is where a ground station
 *  was; the lowest number of several
 *  @return its number; -1 after an error that was reported, such as that it was never open */
int replay_choose_link(const char *name, int wanted);

/** @brief True if a file begins as a recording; prints the fault if it does not. */
bool replay_is_recording(const char *name);

/** @brief Is there such a file, and does it begin as a recording? Says nothing. */
bool replay_begins_as_recording(const char *name);

/** @brief Is there such a file, and nothing in it? Says nothing. */
bool replay_is_empty(const char *name);

/** @brief fopen() for reading; says what is wrong. @return NULL then */
FILE *replay_open(const char *name);

#endif
