/* SPDX-License-Identifier: Apache-2.0 */
/** Sizes of texts, and limits of places, that several sections of a scenario share. */
#ifndef MF_FLEET_SCENARIO_SIZES_H
#define MF_FLEET_SCENARIO_SIZES_H

/** Longest name of an entity, file, link, address and token, each with its NUL [characters]. */
#define MF_SCENARIO_NAME_MAX    32u
#define MF_SCENARIO_FILE_MAX    200u
#define MF_SCENARIO_LINK_MAX    64u
#define MF_SCENARIO_ADDRESS_MAX 80u
#define MF_SCENARIO_TOKEN_MAX   130u

/** Farthest place from the origin along each axis [m]. */
#define MF_SCENARIO_FAR_M 1e6

#endif
