/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Files that a program writes. An output never destroys an input of the same program, by whatever
 * name or link, nor a file that another program writes, nor the memory of a program that reads it.
 */
#ifndef MF_HOST_BASE_OUTPUT_H
#define MF_HOST_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** @brief Mark a file as an input: mf_output_open() refuses it from now on. A path without a file
 * is ignored. @param path  NULL or "": ignored */
void mf_output_keep(const char *path);

/** @brief True if a path leads to a file of mf_output_keep(). @param path  NULL: false */
bool mf_output_is_input(const char *path);

/** @brief Open an empty file for writing, and lock it until it is closed. A file with content is
 *  replaced, so a program that has it open or mapped keeps the old content. If the folder does not
 *  permit that, and for a device or a pipe, the path itself is opened.
 *  @param why  out: after a failure, one line without the path; errno is set, too
 *  @return a descriptor, closed by the caller and by exec; < 0: refused */
int mf_output_open(const char *path, const char **why);

/** @brief Open a stream, as mf_output_open() does. @return NULL: refused */
FILE *mf_output_stream(const char *path, const char **why);

/**
 * @brief Name a draft: a file in the folder of an output, which mf_output_place() gives the
 * output's name when it is complete. A device or a pipe cannot be replaced: there the draft is the
 * output itself.
 * @param draft  out [size]
 */
void mf_output_draft(const char *path, char *draft, size_t size);

/** @brief Give a complete draft the name of its output. @return false, with errno */
bool mf_output_place(const char *draft, const char *path);

/** @brief Replace a file by a text, in one step: a reader gets the old text or the new one.
 *  @return false, with errno */
bool mf_output_replace(const char *path, const char *text);

/** @brief Remove an incomplete draft. A device or a pipe stays. */
void mf_output_drop(const char *draft, const char *path);

/** @brief End the process with code 2 and a line, if the standard output has failed. Call it first
 * in main(). @param program  its name in that line; static */
void mf_output_judge_stdout(const char *program);

/** @brief Lock a folder until this process ends.
 * @param shared  other processes may also have a shared lock
 * @return false: another process has locked it */
bool mf_output_lock_folder(const char *path, bool shared);

#endif
