/* SPDX-License-Identifier: Apache-2.0 */
/** The scenarios of a folder, of which a person on stdin chooses one. */
#ifndef MF_BOARDS_SWARM_MENU_H
#define MF_BOARDS_SWARM_MENU_H

#include "fleet/scenario.h"

/** @brief List the *.yaml of a folder by number, and read a number. No byte behind its line is
 *  read. @param file  out [MF_SCENARIO_FILE_MAX]
 *  @return SWARM_OK, or SWARM_INPUT, and why has been said on stderr */
int swarm_menu(const char *folder, char *file);

#endif
