/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The way of a recording out of a pod. Its file disappears with the pod's containers, but a
 * container's log stays as long as the pod. So a second container copies the file into its own log
 * as it grows: lines of base64, readable while the drone flies and after its end, by the tools that
 * every cluster has for logs. A kubelet
 * keeps the last 10 MiB of a log, which limits a recording.
 */
#ifndef MF_SIMCTL_RECORDING_H
#define MF_SIMCTL_RECORDING_H

#include <stddef.h>

/** Largest recording that such a log keeps whole [bytes]. */
#define SIMCTL_RECORDING_MAX 7000000

/** Name of a recording's file in the instance's folder. */
#define SIMCTL_RECORDING_FILE "flight.mfr"

/** The container, and what it runs: `simctl copy-recording FILE`. */
#define SIMCTL_RECORDER "mayfly-recorder"
#define SIMCTL_RECORD   "copy-recording"

/**
 * @brief Copy a file to standard output as it grows, until SIGTERM, then the rest of it. Waits for
 * the file to appear, and copies it from its start after it was truncated.
 * @return an exit code
 */
int simctl_recording_copy(const char *path);

/**
 * @brief Decode the last file that such a log contains. Skips lines that are not base64.
 * @param text  is written over  @return bytes of the file, at the beginning of @p text
 */
size_t simctl_recording_decode(char *text, size_t n);

#endif
