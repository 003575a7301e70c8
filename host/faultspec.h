/* SPDX-License-Identifier: Apache-2.0 */
/** Fault schedules as users write them: "gps_off@30s+10s", several with commas. */
#ifndef MF_HOST_FAULTSPEC_H
#define MF_HOST_FAULTSPEC_H

#include "hal/inject.h"

/** Why a specification was refused, with its NUL. */
#define MF_FAULT_REASON_MAX 256u

struct mf_fault_spec {
    enum mf_fault fault;
    mf_us_t from_us; /**< vehicle time */
    mf_us_t to_us;   /**< vehicle time, after from_us; MF_NEVER: for ever */
};

/**
 * @brief Read one specification: NAME[@TIME][+DURATION]. Without @ from the start, without + for
 * ever. A time is a number, in seconds, or with one of the units us, ms, s, min, h.
 * @param text    [n], need not be terminated
 * @param reason  out on error: one line [MF_FAULT_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE
 */
int mf_fault_spec_parse(const char *text, size_t n, struct mf_fault_spec *spec, char *reason);

/** @brief How a fault is spelled. @return static */
const char *mf_fault_name(enum mf_fault fault);

#endif
