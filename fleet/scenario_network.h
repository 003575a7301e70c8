/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of the network that carries packets of programs outside, and of clients
 * that speak gzuav's protocol (docs/cosim.md), and their keys. */
#ifndef MF_FLEET_SCENARIO_NETWORK_H
#define MF_FLEET_SCENARIO_NETWORK_H

#include "fleet/keys.h"
#include "fleet/scenario_chosen.h"
#include "fleet/scenario_search.h"

/** Who carries packets: word. */
#define MF_NETWORK_LIST(X) X(BUILTIN, "builtin") X(NS3, "ns3") X(BUS, "bus")

/** What happens with a client that is silent for too long: word. */
#define MF_SCENARIO_SILENT_LIST(X) X(STOP, "stop") X(DROP, "drop") X(WAIT, "wait")

/* clang-format off */
#define X(name, word) MF_NETWORK_##name,
enum mf_network_kind { MF_NETWORK_LIST(X) MF_NETWORKS };
#undef X
#define X(name, word) MF_SCENARIO_SILENT_##name,
enum mf_scenario_silent { MF_SCENARIO_SILENT_LIST(X) MF_SCENARIO_SILENTS };
extern const char *const mf_scenario_silent_words[]; /**< NULL at its end */
#undef X
/* clang-format on */

/** How a client's bytes cross the network: word. */
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

/** A real client's link to a vehicle, over a network. */
struct mf_scenario_flow {
    int line;
    uint32_t client;                         /**< port of 127.0.0.1 at which it comes */
    char station[48];                        /**< member where it stands */
    char vehicle[48];                        /**< ... that it reaches */
    int32_t via;                             /**< enum mf_scenario_via */
    char over[MF_SCENARIO_NETWORK_NAME_MAX]; /**< name of its network; "": not said */
    uint32_t network, from, to; /**< once read: number of its network, of the two members */
};

struct mf_scenario_network {
    int line;                                /**< 0: nothing stands in the file */
    char name[MF_SCENARIO_NETWORK_NAME_MAX]; /**< "": it is the only one */
    struct mf_scenario_chosen nodes;         /**< who has an interface; none named: all */
    int32_t kind;                            /**< enum mf_network_kind */
    double range_m;                          /**< beyond it nothing arrives */
    double delay_s;                          /**< of each packet */
    double bits_per_s;          /**< beside the delay; 0: a packet of any length takes no longer */
    double loss;                /**< part of the packets that does not arrive */
    struct mf_scenario_own own; /**< NS3, BUS: its parameters */
    char run[MF_SCENARIO_TABLE_MAX]; /**< NS3: the bridge; "": beside this program */
    uint32_t flows;
    struct mf_scenario_flow flow[MF_SCENARIO_FLOWS_MAX]; /**< as they stand */
    double tick_s;     /**< NS3, BUS: it hears where members are this often */
    double patience_s; /**< with one that is silent, by the wall; 0: for ever */
};

#define MF_SCENARIO_GZUAV_TICK_S 0.1

struct mf_scenario_gzuav {
    int line;
    char listen[64];   /**< "[ADDRESS:]PORT" of subscribers; "": none */
    char relay[64];    /**< ... of packets of nodes; "": none */
    double tick_s;     /**< 0: not given, MF_SCENARIO_GZUAV_TICK_S */
    double expect[2];  /**< subscribers of phase 0 and 1 that time 0 waits for */
    double patience_s; /**< by the wall; 0: for ever */
    int32_t silent;    /**< enum mf_scenario_silent */
    double origin[3];  /**< latitude, longitude [deg], AMSL [m]; NAN: space.origin */
};

extern const struct mf_keys mf_scenario_network_keys, mf_scenario_flow_keys, mf_scenario_gzuav_keys;

/** @brief What stands where nothing is given. */
void mf_scenario_network_defaults(struct mf_scenario_network n[MF_SCENARIO_NETWORKS_MAX],
                                  struct mf_scenario_gzuav *g);

#endif
