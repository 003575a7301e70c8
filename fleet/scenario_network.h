/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of the networks that carry packets of programs outside, and of clients that
 * speak gzuav's protocol (docs/cosim.md). */
#ifndef MF_FLEET_SCENARIO_NETWORK_H
#define MF_FLEET_SCENARIO_NETWORK_H

#include "fleet/keys.h"
#include "fleet/scenario_chosen.h"
#include "fleet/scenario_search.h"

/** Simulators of a network: word. */
#define MF_NETWORK_LIST(X) X(BUILTIN, "builtin") X(NS3, "ns3") X(BUS, "bus")

/** Reactions to a client that is silent for too long: word. */
#define MF_SCENARIO_SILENT_LIST(X) X(STOP, "stop") X(DROP, "drop") X(WAIT, "wait")

/* clang-format off */
#define X(name, word) MF_NETWORK_##name,
enum mf_network_kind { MF_NETWORK_LIST(X) MF_NETWORKS };
#undef X
#define X(name, word) MF_SCENARIO_SILENT_##name,
enum mf_scenario_silent { MF_SCENARIO_SILENT_LIST(X) MF_SCENARIO_SILENTS };
extern const char *const mf_scenario_silent_words[]; /**< with NULL at the end */
#undef X
/* clang-format on */

/** Transport of a client's bytes on the network: word. */
#define MF_SCENARIO_VIA_LIST(X) X(UDP, "udp") X(TCP, "tcp")

/* clang-format off */
#define X(name, word) MF_SCENARIO_VIA_##name,
enum mf_scenario_via { MF_SCENARIO_VIA_LIST(X) MF_SCENARIO_VIAS };
#undef X
/* clang-format on */

#define MF_SCENARIO_NETWORKS_MAX 8u
#define MF_SCENARIO_FLOWS_MAX    16u
/** Defaults [s]. */
#define MF_NETWORK_TICK_S     0.1
#define MF_NETWORK_PATIENCE_S 30.0
/** Longest name of a network, with its NUL. */
#define MF_SCENARIO_NETWORK_NAME_MAX 24u

/** Link of a real client to a vehicle, over a network. */
struct mf_scenario_flow {
    int line;
    uint32_t client;                         /**< port of 127.0.0.1 to which the client connects */
    char station[48];                        /**< member at whose place the client is */
    char vehicle[48];                        /**< member that the client reaches */
    int32_t via;                             /**< enum mf_scenario_via */
    char over[MF_SCENARIO_NETWORK_NAME_MAX]; /**< name of the network; "": not set */
    uint32_t network, from,
        to; /**< set by mf_scenario_networks_settle(): numbers of the network and of both members */
};

struct mf_scenario_network {
    int line;                                /**< 0: the file lacks the network */
    char name[MF_SCENARIO_NETWORK_NAME_MAX]; /**< "": the only network */
    struct mf_scenario_chosen nodes;         /**< members with an interface; empty: all */
    int32_t kind;                            /**< enum mf_network_kind */
    double range_m;                          /**< packets do not arrive beyond this distance */
    double delay_s;                          /**< delay of each packet */
    double bits_per_s; /**< transmission rate, in addition to the delay; 0: packets of any length
                          take only the delay */
    double loss;       /**< share of the packets that is lost */
    struct mf_scenario_own own;      /**< NS3, BUS: parameters */
    char run[MF_SCENARIO_TABLE_MAX]; /**< NS3: file of the bridge; "": the one in the folder of this
                                        program */
    uint32_t flows;
    struct mf_scenario_flow *flow; /**< [flows]: flows of this network, as the file has them */
    double tick_s;                 /**< NS3, BUS: interval of the members' places */
    double patience_s; /**< wall time to wait for a silent simulator; 0: without limit */
};

#define MF_SCENARIO_GZUAV_TICK_S 0.1

struct mf_scenario_gzuav {
    int line;
    char listen[64];   /**< "[ADDRESS:]PORT" for subscribers; "": none */
    char relay[64];    /**< "[ADDRESS:]PORT" for packets of nodes; "": none */
    char info[64];     /**< "[ADDRESS:]PORT" for the status over HTTP; "": none */
    double tick_s;     /**< 0: not set, MF_SCENARIO_GZUAV_TICK_S */
    double expect[3];  /**< time 0 waits for so many subscribers of phase 0, of phase 1, nodes */
    double patience_s; /**< wall time to wait for a silent client; 0: without limit */
    int32_t silent;    /**< enum mf_scenario_silent */
    double origin[3];  /**< latitude, longitude [deg], AMSL [m]; NAN: space.origin */
};

extern const struct mf_keys mf_scenario_network_keys, mf_scenario_flow_keys, mf_scenario_gzuav_keys;

/** @brief Set the values that the file need not give. @param network  out: struct
 * mf_scenario_network */
void mf_scenario_network_defaults(void *network);
void mf_scenario_gzuav_defaults(struct mf_scenario_gzuav *g);

#endif
