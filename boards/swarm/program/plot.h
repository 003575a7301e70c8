/* SPDX-License-Identifier: Apache-2.0 */
/** Plots of the files of a run: a program of its own, in Python. */
#ifndef MF_BOARDS_SWARM_PROGRAM_PLOT_H
#define MF_BOARDS_SWARM_PROGRAM_PLOT_H

/** @brief Become the program that plots, if the first word of the command line is "plot". The
 *  program is in the folder of this one, or on the PATH.
 *  @return SWARM_OK: the first word is another; SWARM_INPUT: the program is missing, with a line on
 *  stderr */
int swarm_plot(int argc, char **argv);

#endif
