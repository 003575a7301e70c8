/* SPDX-License-Identifier: Apache-2.0 */
/** Journal of a vehicle: what it has done, for observers. Data types only; the board owns the
 * memory. */
#ifndef MF_FIRMWARE_STATE_JOURNAL_H
#define MF_FIRMWARE_STATE_JOURNAL_H

#include "firmware/state/limits.h"
#include "firmware/state/say.h"
#include "hal/types.h"

/** Values of MAV_RESULT that are counted; later ones count as the last. */
#define MF_RESULTS 7u

/** An answer to a command. */
struct mf_answer {
    mf_us_t t_us;     /**< vehicle time */
    uint16_t command; /**< MAV_CMD */
    uint8_t result;   /**< MAV_RESULT */
    uint8_t sysid;    /**< who had sent it */
    uint8_t compid;   /**< of the same */
};

/** Last answers to commands, for observers: the n-th is at n % MF_ANSWERS_KEPT. */
struct mf_answers {
    uint32_t count;
    uint32_t results[MF_RESULTS]; /**< by MAV_RESULT */
    struct mf_answer last[MF_ANSWERS_KEPT];
};

/** A mission item that was done. */
struct mf_arrival {
    mf_us_t t_us; /**< vehicle time */
    uint16_t seq;
};

/** Last items that a mission has reached, for observers: the n-th is at n % MF_ARRIVALS_KEPT.
 * Several may have the same instant. */
struct mf_arrivals {
    uint32_t count;
    struct mf_arrival last[MF_ARRIVALS_KEPT];
};

/** Journal of a vehicle for observers: the control API, and dmesg in its shell. */
struct mf_journal {
    struct mf_texts_said texts;
    struct mf_answers answers;
    struct mf_arrivals arrivals;
};

#endif
