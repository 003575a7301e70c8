/* SPDX-License-Identifier: Apache-2.0 */
/** Fault schedules as users write them: "gps_off@30s+10s", several with commas. */
#ifndef MF_HOST_SPEC_FAULTSPEC_H
#define MF_HOST_SPEC_FAULTSPEC_H

#include "hal/inject.h"

/** Why a specification was refused, with its NUL. */
#define MF_FAULT_REASON_MAX 256u

/** Longest specification, with its NUL. */
#define MF_FAULT_SPEC_MAX 192u

/**
 * @brief Read one specification: NAME[=VALUES][@WHEN][+DURATION].
 *
 * VALUES are as many numbers as the fault takes, with ':' between them, each of which may be left
 * out from the end on (a '%' behind a number is ignored), or its text. WHEN is a time, or what
 * happens to the vehicle, with a time after it if that is wanted: "@takeoff", "@waypoint3:5s".
 * Without it the fault is there from the start, without a duration for ever. A time is a number, in
 * seconds, or with one of the units us, ms, s, m, min, h.
 * @param text    [n], need not be terminated
 * @param reason  out on error: one line [MF_FAULT_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE
 */
int mf_fault_spec_parse(const char *text, size_t n, struct mf_fault_plan *plan, char *reason);

/** @brief The same back. @param text  out [MF_FAULT_SPEC_MAX] */
void mf_fault_spec_print(const struct mf_fault_plan *plan, char *text);

/** @brief How a fault is spelled. @return static */
const char *mf_fault_name(enum mf_fault fault);

/** @brief What values it takes: "" none, "TEXT" a text, or a word for each number.
 * @return static */
const char *mf_fault_words(enum mf_fault fault);

/** @brief The fault of a name. @return enum mf_fault, or MF_E_NOENT */
int mf_fault_find(const char *name);

/** @brief How many numbers a fault takes. */
unsigned mf_fault_value_count(enum mf_fault fault);

/** @brief There is no fault of a name. @param reason  out: what is near [MF_FAULT_REASON_MAX]
 *  @return MF_E_RANGE */
int mf_fault_unknown(const char *name, char *reason);

/** @brief May value @p i of a fault be this? @param reason  out on error [MF_FAULT_REASON_MAX]
 *  @return MF_E_OK or MF_E_RANGE */
int mf_fault_check_value(enum mf_fault fault, unsigned i, double value, char *reason);

/** @brief More values were given than a fault takes. @param reason  out [MF_FAULT_REASON_MAX]
 *  @return MF_E_RANGE */
int mf_fault_too_many(enum mf_fault fault, char *reason);

#endif
