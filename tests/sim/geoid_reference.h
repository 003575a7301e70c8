/* SPDX-License-Identifier: Apache-2.0 */
/**
 * EGM96 another way than in world/: the grid file of Debian's proj-data read as it is, and the
 * cubic polynomial fitted to twelve nodes by solving the normal equations anew for each place.
 */
#ifndef MF_TESTS_SIM_GEOID_REFERENCE_H
#define MF_TESTS_SIM_GEOID_REFERENCE_H

#include "world/geoid.h"

/** @brief Read the grid. @return false: it is not there */
bool egm96_grid_load(void);

/** @brief The undulation [m]; not within a quarter of a degree of the poles. */
double egm96_grid_at(double lat_deg, double lon_deg);

/** @brief The list that a drone has by default: EGM96, embedded. The same one every time. */
struct mf_geoid *geoid_egm96(void);

#endif
