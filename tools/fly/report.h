/* SPDX-License-Identifier: Apache-2.0 */
/** The summary of a flight, for people and for programs. */
#ifndef MF_TOOLS_FLY_REPORT_H
#define MF_TOOLS_FLY_REPORT_H

#include "tools/fly/flight.h"

/** @brief Verdict, times, legs. Quiet: the verdict only.
 *  @param exit_code  of fly_flight_run() */
void fly_report(const struct fly_flight *f, int exit_code);

/** @brief Print the summary as one JSON object. Times in seconds, lengths in metres, null: not
 * known. */
void fly_report_json(const struct fly_flight *f, int exit_code, FILE *out);

#endif
