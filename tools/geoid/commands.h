/* SPDX-License-Identifier: Apache-2.0 */
/** Commands of build/geoid: each function takes the arguments after the command's name. */
#ifndef MF_TOOLS_GEOID_COMMANDS_H
#define MF_TOOLS_GEOID_COMMANDS_H

#define GEOID_EXIT_FAILED 1 /* points without an answer, beyond the tolerance, a damaged tile */
#define GEOID_EXIT_USAGE  2 /* wrong usage or file */

/** @return exit code */
int geoid_pack(int argc, char **argv);
int geoid_info(int argc, char **argv);
int geoid_at(int argc, char **argv);
int geoid_check(int argc, char **argv);
int geoid_fetch(int argc, char **argv);

#endif
