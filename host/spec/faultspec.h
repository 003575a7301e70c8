/* SPDX-License-Identifier: Apache-2.0 */
/** Fault schedules as users write them: "gps_off@30s+10s", several with commas. */
#ifndef MF_HOST_SPEC_FAULTSPEC_H
#define MF_HOST_SPEC_FAULTSPEC_H

#include "hal/inject.h"

/** Longest reason for refusing a specification, with its NUL. */
#define MF_FAULT_REASON_MAX 256u

/** Longest specification, with its NUL. */
#define MF_FAULT_SPEC_MAX 192u

/**
 * @brief Read one specification: NAME[=VALUES][@WHEN][+DURATION].
 *
 * VALUES are as many numbers as the fault takes, with ':' between them, each of which may be left
 * out from the end on (a '%' after a number is ignored), or its text. WHEN is a time, or an event
 * of the vehicle, with a time after it if desired: "@takeoff", "@waypoint3:5s". Without WHEN the
 * fault begins at the start, without DURATION it never ends. A time is a number, in seconds, or
 * with one of the units us, ms, s, m, min, h.
 * @param text  [n], need not be terminated
 * @param reason  out on error: one line [MF_FAULT_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE
 */
int mf_fault_spec_parse(const char *text, size_t n, struct mf_fault_plan *plan, char *reason);

/** @brief Write a plan as a specification. @param text  out [MF_FAULT_SPEC_MAX] */
void mf_fault_spec_print(const struct mf_fault_plan *plan, char *text);

/** @brief Name of a fault. @return static */
const char *mf_fault_name(enum mf_fault fault);

/** @brief Words for a fault's values: "" none, "TEXT" a text, or a word for each number.
 * @return static */
const char *mf_fault_words(enum mf_fault fault);

/** @brief Fault of a name. @return enum mf_fault, or MF_E_NOENT */
int mf_fault_find(const char *name);

/** @brief Number of a fault's numeric values. */
unsigned mf_fault_value_count(enum mf_fault fault);

/** @brief Report an unknown name. @param reason  out: with the nearest name [MF_FAULT_REASON_MAX]
 * @return MF_E_RANGE */
int mf_fault_unknown(const char *name, char *reason);

/** @brief Check value @p i of a fault. @param reason  out on error [MF_FAULT_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE */
int mf_fault_check_value(enum mf_fault fault, unsigned i, double value, char *reason);

/** @brief Report too many values for a fault. @param reason  out [MF_FAULT_REASON_MAX]
 * @return MF_E_RANGE */
int mf_fault_too_many(enum mf_fault fault, char *reason);

#endif
