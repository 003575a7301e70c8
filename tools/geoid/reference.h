/* SPDX-License-Identifier: Apache-2.0 */
/** Undulations by PROJ, of grids and steps that are written out: never a choice of PROJ's, never
 *  its database, never the network. */
#ifndef MF_TOOLS_GEOID_REFERENCE_H
#define MF_TOOLS_GEOID_REFERENCE_H

#include "tools/geoid/shift.h"

struct geoid_reference;

/** @brief Open grids for PROJ (its own search path is not used). Complains on stderr: a grid that
 *  is missing fails here and is named.
 *  @param grids  comma-separated files  @param datum  that the grids are on
 *  @param epoch  of ITRF2014, if datum is one of NAD83
 *  @return from malloc, for geoid_reference_close(); NULL on failure */
struct geoid_reference *geoid_reference_open(const char *grids, enum geoid_datum datum,
                                             double epoch);
/** @brief Undulation at a place. @return false: outside the grids */
bool geoid_reference_at(struct geoid_reference *r, double lat_deg, double lon_deg, double *value_m);
void geoid_reference_close(struct geoid_reference *r);

#endif
