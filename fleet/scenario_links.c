/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and checks of links. Used by fleet/scenario and scenario_keys. */
#include "fleet/scenario_links.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#define LINKS(field) offsetof(struct mf_scenario_links, field)

static const struct mf_key k_window[] = {
    WHOLE("port", LINKS(window.port) - LINKS(window), 1, UINT16_MAX, "of 127.0.0.1, TCP and UDP"),
    CHOSEN("vehicles", LINKS(window.vehicles) - LINKS(window),
           "members: an entity, a member, or a list of these; 250 at most"),
};
static const struct mf_keys k_window_keys = {k_window, COUNT_OF(k_window), "port", SIZE_MAX};

#define X(name, word) word,
static const char *const k_transport_words[] = {MF_SCENARIO_TRANSPORT_LIST(X) NULL};
#undef X

static const struct mf_key k_links[] = {
    NAME("address", LINKS(address), MF_SCENARIO_ADDRESS_MAX,
         "127.64.0.0:5760: vehicle n has the n-th address after it, TCP and UDP; elsewhere "
         "10.42.0.0/16:5760"),
    WHOLE("group", LINKS(group), 1, UINT16_MAX,
          "port of 127.0.0.1 with vehicles 1 to 250, the next one with 251 to 500, ...; TCP "
          "and UDP"),
    MAP("window", LINKS(window), k_window_keys, "a port with chosen vehicles"),
    NAME("udp", LINKS(udp), MF_SCENARIO_ADDRESS_MAX,
         "HOST:PORT: vehicle 1 sends there, vehicle 2 to the next port, ..."),
    NAME("api", LINKS(api), MF_SCENARIO_ADDRESS_MAX,
         "[HOST:]PORT of the control API, without HOST of 127.0.0.1"),
    NAME("token", LINKS(token), MF_SCENARIO_TOKEN_MAX,
         "token that requests from other machines need: \"${TOKEN}\""),
    WORD("transport", LINKS(transport), k_transport_words,
         "clock of time-outs and heartbeats towards clients: the wall, or the vehicle's time, as "
         "in lockstep (docs/time.md); wall"),
};
const struct mf_keys mf_scenario_links_keys = {k_links, COUNT_OF(k_links), "address", LINKS(line)};

bool mf_scenario_links_check(struct mf_reading *r, struct mf_scenario *s)
{
    return mf_chosen_check(r, s, &s->links.window.vehicles);
}
