/* SPDX-License-Identifier: Apache-2.0 */
/** Menu of the scenarios of a folder, from which the user chooses one on stdin. */
#ifndef MF_BOARDS_SWARM_MENU_H
#define MF_BOARDS_SWARM_MENU_H

#include "fleet/scenario.h"

/** @brief List the *.yaml of a folder by number, and read a number from stdin. Bytes after its
 *  line stay unread.
 *  @param file  out [MF_SCENARIO_FILE_MAX]
 *  @return SWARM_OK, or SWARM_INPUT with a line on stderr */
int swarm_menu(const char *folder, char *file);

#endif
