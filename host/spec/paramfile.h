/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Files of parameters, as ground stations save them.
 *
 * QGroundControl's .params: vehicle, component, name, value, MAV_PARAM_TYPE, with tabs between
 * them. MAVProxy's and Mission Planner's .parm and .param: name, value, with blanks or a comma
 * between them. In each, '#' begins a comment, and empty lines are skipped. A file may have lines
 * of both forms.
 */
#ifndef MF_HOST_SPEC_PARAMFILE_H
#define MF_HOST_SPEC_PARAMFILE_H

#include <stdbool.h>
#include <stddef.h>

/** Size of names, with the NUL: longer than any vehicle's name, so that a longer one stays
 * unknown. */
#define MF_PARAMFILE_NAME_MAX 40u
/** Longest file [bytes]. */
#define MF_PARAMFILE_BYTES_MAX (512u * 1024u)

/** State of reading a text: begin with mf_paramfile_begin(). */
struct mf_paramfile {
    const char *at, *end;
    unsigned line;
};

/** Parameter of a file. */
struct mf_paramfile_entry {
    char name[MF_PARAMFILE_NAME_MAX];
    double value;  /**< NaN, if the file says "nan" */
    int component; /**< MAV_COMPONENT; -1: the file does not contain it */
    unsigned line; /**< from 1 */
};

/** @brief Begin. @param text  [n] and a NUL; a byte order mark before it is skipped */
struct mf_paramfile mf_paramfile_begin(const char *text, size_t n);

/** @brief Read the next parameter.
 * @param error  out: one line, "LINE: what", on error
 * @return 1; 0: the end; MF_E_RANGE */
int mf_paramfile_next(struct mf_paramfile *file, struct mf_paramfile_entry *entry, char *error,
                      size_t error_size);

#endif
