/* SPDX-License-Identifier: Apache-2.0 */
/** Which programs can follow virtual time: those into which the library of virtual time is loaded.
 */
#ifndef MF_HOST_TIME_VIRTUAL_PROGRAM_H
#define MF_HOST_TIME_VIRTUAL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/** Longest reason, with its NUL. */
#define MF_VIRTUAL_REASON_MAX 512u

/** @brief Where a command is, as execvp() finds it. @param path  out [PATH_MAX] */
bool mf_virtual_find(const char *name, char *path);

/** @brief Is this program dynamically linked, of this machine and with this C library, and will it
 * keep its environment? Scripts are as good as their interpreters. A file that is no program is
 * none of this function's business: true.
 *  @param reason  out if false: one line [MF_VIRTUAL_REASON_MAX] */
bool mf_virtual_can_follow(const char *path, char *reason);

/** @brief The library that belongs to a program: beside it, or in ../lib/mayfly.
 *  @param path  out [PATH_MAX] */
bool mf_virtual_library(const char *program, char *path);

#endif
