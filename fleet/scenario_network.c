/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and defaults of networks and of gzuav. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_network.h"

#include "fleet/key_forms.h"
#include "fleet/place.h"

#include <math.h>

#define NETWORK(field) offsetof(struct mf_scenario_network, field)
#define FLOW(field)    offsetof(struct mf_scenario_flow, field)
#define MEMBER_MAX     sizeof((struct mf_scenario_flow *)0)->vehicle
#define GZUAV(field)   offsetof(struct mf_scenario_gzuav, field)
#define ADDRESS_MAX    sizeof((struct mf_scenario_gzuav *)0)->listen

/* clang-format off */
#define X(name, word) word,
static const char *const k_network_words[] = {MF_NETWORK_LIST(X) NULL};
static const char *const k_via_words[] = {MF_SCENARIO_VIA_LIST(X) NULL};
const char *const mf_scenario_silent_words[] = {MF_SCENARIO_SILENT_LIST(X) NULL};
#undef X
/* clang-format on */

static const struct mf_key k_flow[] = {
    WHOLE("client", FLOW(client), 1, UINT16_MAX, "port of 127.0.0.1 at which the client comes"),
    NAME("station", FLOW(station), MEMBER_MAX, "member where the client stands"),
    NAME("vehicle", FLOW(vehicle), MEMBER_MAX, "vehicle that it reaches, by links.address"),
    WORD("via", FLOW(via), k_via_words,
         "udp: each datagram by itself; tcp: a stream that sends again what is lost; udp"),
    NAME("network", FLOW(over), MF_SCENARIO_NETWORK_NAME_MAX,
         "name of the network that carries it; where it stands, or the first that has both"),
};
const struct mf_keys mf_scenario_flow_keys = {k_flow, COUNT_OF(k_flow), NULL, FLOW(line)};

static const struct mf_key k_network[] = {
    NAME("name", NETWORK(name), MF_SCENARIO_NETWORK_NAME_MAX,
         "of letters, digits and _; several networks need one each"),
    CHOSEN("nodes", NETWORK(nodes),
           "members with an interface: an entity, a member, or a list of these; all"),
    WORD("kind", NETWORK(kind), k_network_words,
         "builtin: range, delay and loss; ns3: simulated by ns-3; bus: by the client that joins "
         "the bus as the network; builtin"),
    REAL("range", NETWORK(range_m), 0.01, 1e6, "range beyond which nothing arrives [m]; any"),
    REAL("delay", NETWORK(delay_s), 0, 1000, "delay of each packet [s]; 0.001"),
    REAL("rate", NETWORK(bits_per_s), 0, 1e12,
         "rate, by which a longer packet takes more time [bit/s]; 0: no limit"),
    REAL("loss", NETWORK(loss), 0, 1, "part of the packets that is lost, by chance; 0"),
    OPEN("params", NETWORK(own), mf_scenario_read_own,
         "ns3, bus: {name: value} for the simulator (docs/cosim.md)"),
    LIST_OF("flows", struct mf_scenario_network, flow, flows, MF_SCENARIO_FLOWS_MAX,
            mf_scenario_flow_keys, NULL, "links of MAVLink clients that cross it"),
    NAME("run", NETWORK(run), MF_SCENARIO_TABLE_MAX,
         "ns3: the bridge; ns3-bridge beside this program"),
    REAL("tick", NETWORK(tick_s), 0.001, 1e4,
         "ns3, bus: interval at which places are reported to it [s]; 0.1"),
    REAL("patience", NETWORK(patience_s), 0, 1e6,
         "ns3, bus: longest wait for a silent simulator, by the wall [s]; 0: no limit; 30"),
};
const struct mf_keys mf_scenario_network_keys = {k_network, COUNT_OF(k_network), "kind",
                                                 NETWORK(line)};

static const struct mf_key k_gzuav[] = {
    NAME("listen", GZUAV(listen), ADDRESS_MAX,
         "[ADDRESS:]PORT of subscribers, without ADDRESS 127.0.0.1"),
    NAME("relay", GZUAV(relay), ADDRESS_MAX, "[ADDRESS:]PORT of nodes that send packets; none"),
    NAME("info", GZUAV(info), ADDRESS_MAX,
         "[ADDRESS:]PORT where HTTP gives gzuav's status, GET /info; none"),
    REAL("tick", GZUAV(tick_s), 0.001, 1e4, "interval at which subscribers run [s]; 0.1"),
    TRIPLE("expect", GZUAV(expect), 0, 256,
           "[phase 0, phase 1, nodes]: time 0 waits for so many of them; [0, 0, 0]"),
    REAL("patience", GZUAV(patience_s), 0, 1e6,
         "longest wait for a silent client, by the wall [s]; 0: no limit; 10"),
    WORD("silent", GZUAV(silent), mf_scenario_silent_words,
         "after that wait: the run ends with exit code 3, the client is dropped, or time waits on; "
         "stop"),
    TRIPLE("origin", GZUAV(origin), -180, 10000,
           "of the frame of positions: [latitude, longitude, AMSL]; space.origin"),
};
const struct mf_keys mf_scenario_gzuav_keys = {k_gzuav, COUNT_OF(k_gzuav), "listen", GZUAV(line)};

void mf_scenario_network_defaults(void *network)
{
    *(struct mf_scenario_network *)network =
        (struct mf_scenario_network){.range_m = 1e6,
                                     .delay_s = 0.001,
                                     .tick_s = MF_NETWORK_TICK_S,
                                     .patience_s = MF_NETWORK_PATIENCE_S};
}

void mf_scenario_gzuav_defaults(struct mf_scenario_gzuav *g)
{
    *g = (struct mf_scenario_gzuav){.patience_s = 10.0,
                                    .origin = {(double)NAN, (double)NAN, (double)NAN}};
}
