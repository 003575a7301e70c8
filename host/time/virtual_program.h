/* SPDX-License-Identifier: Apache-2.0 */
/** Test which programs can follow virtual time: those into which the library of virtual time is
 * loaded. */
#ifndef MF_HOST_TIME_VIRTUAL_PROGRAM_H
#define MF_HOST_TIME_VIRTUAL_PROGRAM_H

#include "host/time/virtual_message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest reason, with its NUL. */
#define MF_VIRTUAL_REASON_MAX 512u

/** Reason for refusing a program or library in Go. */
#define MF_VIRTUAL_IS_GO \
    "it is written in Go, whose runtime makes system calls without the C library"

/** Reason for refusing a program that has run. */
#define MF_VIRTUAL_NOT_LOADED \
    MF_VIRTUAL_LIBRARY " was not loaded into it; its loader's line on stderr says why"

/** @brief Find a command as execvp() does. @param path  out [PATH_MAX] */
bool mf_virtual_find(const char *name, char *path);

/** @brief True if a program is linked dynamically for this machine and with glibc, keeps its
 *  environment, and is not written in Go. A script is as good as its interpreter. A file that is
 *  not a program is true, too: the caller's exec() refuses it.
 *  @param reason  out if false: one line [MF_VIRTUAL_REASON_MAX] */
bool mf_virtual_can_follow(const char *path, char *reason);

/** @brief True if a process that has not joined a world may still do so. False if it runs a program
 *  that cannot follow, or one whose loader has passed over the library.
 *  @param reason  out if false: one line [MF_VIRTUAL_REASON_MAX] */
bool mf_virtual_can_join(int32_t pid, char *reason);

/** @brief True if a file is a program or library in Go, whose runtime makes its system calls
 *  without the C library. */
bool mf_virtual_is_go(const char *path);

/** @brief Find the library that belongs to a program: in its folder, or in ../lib/mayfly.
 * @param path  out [PATH_MAX] */
bool mf_virtual_library(const char *program, char *path);

#endif
