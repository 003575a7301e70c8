/* SPDX-License-Identifier: Apache-2.0 */
/** The command line of replay: options and the recording in any order. */
#ifndef MF_TOOLS_REPLAY_OPTIONS_H
#define MF_TOOLS_REPLAY_OPTIONS_H

#include "tools/replay/child.h"

#define EXIT_BAD_INPUT 2
/** An output that is standard output. */
#define OPTIONS_STDOUT "-"

/** Outputs of a flight. */
enum export { EXPORT_HTML, EXPORT_JSON, EXPORT_KML, EXPORT_TLOG, EXPORTS };

struct options {
    struct replay_conform conform;
    const char *compare, *serve;
    char *out[EXPORTS]; /**< NULL: not asked for */
    double speed;
    int link; /**< -1: find it */
    bool once;
};

/** @brief Read it. What is wrong was reported.
 *  @return 0, or an exit code; -1 after --help */
int options_read(int argc, char **argv, struct options *o);

#endif
