/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How onboard software in a pod gets the drone's clock (docs/virtual-time.md): a container before
 * all others copies the library of virtual time into a volume, in which the drone's socket lies,
 * too. The onboard container, whose image knows nothing of it, loads the one and finds the other by
 * its environment.
 */
#ifndef MF_SIMCTL_CLOCK_H
#define MF_SIMCTL_CLOCK_H

/** The container, and what it runs: `simctl copy-virtual-time FOLDER`. */
#define SIMCTL_CLOCK      "mayfly-time"
#define SIMCTL_CLOCK_COPY "copy-virtual-time"

/** The drone's socket, in that folder. */
#define SIMCTL_CLOCK_SOCKET "world"

/** @brief Copy the library that belongs to this program into a folder. @return an exit code */
int simctl_clock_copy(const char *folder);

#endif
