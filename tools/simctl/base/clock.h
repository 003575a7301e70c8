/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Containers that give onboard software in a pod the drone's clock (docs/virtual-time.md). A
 * container before all others copies the library of virtual time into a volume, in which the
 * drone's socket lies, too. The environment of the onboard container, whose image is not prepared
 * for it, names library and socket.
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
