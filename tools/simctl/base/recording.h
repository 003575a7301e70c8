/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a recording leaves a pod. Its file goes with the pod's containers; a container's log stays as
 * long as the pod. So a container beside the drone copies the file into its own log as it grows:
 * lines of base64, readable while the drone flies and after its end, by what every cluster offers
 * for logs. A kubelet keeps the last 10 MiB of a log, hence the limit.
 */
#ifndef MF_SIMCTL_RECORDING_H
#define MF_SIMCTL_RECORDING_H

#include <stddef.h>

/** Largest recording that such a log keeps whole [bytes]. */
#define SIMCTL_RECORDING_MAX 7000000

/** Its file, in a folder of the instance. */
#define SIMCTL_RECORDING_FILE "flight.mfr"

/** The container, and what it runs: `simctl copy-recording FILE`. */
#define SIMCTL_RECORDER "mayfly-recorder"
#define SIMCTL_RECORD   "copy-recording"

/** @brief Copy a file to standard output as it grows, until SIGTERM; then what it still has. A file
 *  that is not there yet is waited for; one that begins anew is copied anew.
 *  @return an exit code */
int simctl_recording_copy(const char *path);

/** @brief The file that such a log holds: the last one that began.
 *  @param text  is written over; what is no base64 is left out  @return its bytes, at the beginning
 *  of @p text */
size_t simctl_recording_decode(char *text, size_t n);

#endif
