/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that run outside of virtual time, although their process belongs to the world: the
 * library was not loaded, or the program cannot follow. A program joins before its main(), so a
 * process without a connection that has come farther is one of them. The drone names and ends it.
 */
#ifndef MF_BOARDS_POSIX_VIRTUAL_OUTSIDE_H
#define MF_BOARDS_POSIX_VIRTUAL_OUTSIDE_H

#include "boards/posix/virtual.h"

/** Room for the name of a process, with its NUL. */
#define BOARD_VIRTUAL_NAME_BYTES 32u

/** @brief Read a file of a process in /proc, without its last character, which is a newline.
 *  @param text  out [size]; "": the process has ended, or is not readable */
void board_virtual_read(int32_t pid, const char *what, char *text, size_t size);

/** @brief True if a process is a child of another one, or is not readable. */
bool board_virtual_is_child(int32_t pid, int32_t parent);

/** @brief Look at processes without a connection in a few milliseconds. */
void board_virtual_look_soon(struct board_virtual *x);

/** @brief Look at processes without a connection, if it is time for that: refuse those that run a
 *  program that never joins. @return wall time of the next look; MF_NEVER */
mf_us_t board_virtual_look(struct board *b);

/** @brief Refuse a process because too many have joined: name it, and end it. */
void board_virtual_refuse_full(struct board *b, struct board_virtual_place *p);

/** @brief Refuse a program that has run to its end without a connection. */
void board_virtual_ended(struct board *b, struct board_virtual_place *p);

#endif
