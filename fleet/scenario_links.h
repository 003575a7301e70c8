/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of links by which programs outside reach the vehicles. */
#ifndef MF_FLEET_SCENARIO_LINKS_H
#define MF_FLEET_SCENARIO_LINKS_H

#include "fleet/scenario_chosen.h"

/** Time of the vehicles' transport: word. */
#define MF_SCENARIO_TRANSPORT_LIST(X) X(WALL, "wall") X(VEHICLE, "vehicle")

/* clang-format off */
#define X(name, word) MF_SCENARIO_TRANSPORT_##name,
enum mf_scenario_transport { MF_SCENARIO_TRANSPORT_LIST(X) MF_SCENARIO_TRANSPORTS };
#undef X
/* clang-format on */

/** Links by which programs outside reach the vehicles; "" and 0: not this way. */
struct mf_scenario_links {
    int32_t transport; /**< enum mf_scenario_transport */
    int line;
    char address[MF_SCENARIO_ADDRESS_MAX]; /**< address and port of the first vehicle,
                                              "127.64.0.0:5760"; vehicle n has the n-th */
    uint32_t group;                        /**< shared port of the first 250 vehicles */
    struct {
        uint32_t port;
        struct mf_scenario_chosen vehicles;
    } window;
    char udp[MF_SCENARIO_ADDRESS_MAX]; /**< "HOST:PORT" to which the first vehicle sends */
    char api[MF_SCENARIO_ADDRESS_MAX]; /**< address of the control API, "[HOST:]PORT" */
    char token[MF_SCENARIO_TOKEN_MAX]; /**< token of the control API */
};

extern const struct mf_keys mf_scenario_links_keys; /**< keys of struct mf_scenario_links */
/** Check that the vehicles of links.window exist. */
mf_scenario_check mf_scenario_links_check;

#endif
