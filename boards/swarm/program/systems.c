/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all systems: a new one is a folder and a line here. main.c gives the list to a run.
 */
#include "boards/swarm/program/systems.h"

#include "boards/swarm/api/api.h"
#include "boards/swarm/cells/grid_operator.h"
#include "boards/swarm/core/costs.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/agents.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/heard.h"
#include "boards/swarm/minds/hive.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/output/expect.h"
#include "boards/swarm/output/outputs.h"
#include "boards/swarm/output/taps.h"
#include "boards/swarm/outside/bus_world.h"
#include "boards/swarm/outside/components.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/outside/gzuav.h"
#include "boards/swarm/outside/sense_links.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/flows.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/radio/sockets.h"
#include "boards/swarm/search/search_operator.h"
#include "boards/swarm/space/contacts.h"
#include "boards/swarm/space/senses.h"
#include "boards/swarm/time/control.h"

/*
 * The order counts where one system needs another at the same stage:
 * - trace first: what connects writes lines. participants next: it closes after all that take part.
 * - processes before control: programs in virtual time bring the server of the run's time; they
 * start (SWARM_BEGIN) before the run waits for bodies of autopilots, the bus and gzuav, in this
 * order.
 * - links before flows and vehicles: a vehicle has room for links only if clients may come.
 * - links before the api, whose port is one of theirs.
 * - contacts before bodies: bodies stand in their space.
 * - hosts after all that connects: leaves learn of it.
 * - ghosts before vehicles: drones elsewhere begin side by side with those here.
 * - senses, radio, bodies: the order of their columns in the file of samples.
 * Lines of the summary stand in this order, too. Timers of the engine do not: it orders instants by
 * phase and number.
 */
#define SYSTEMS(WORLD)                                                                            \
    &swarm_trace_system, &swarm_participants_system, &swarm_processes_system,                     \
        &swarm_control_system, &swarm_page_system, &swarm_links_system, &swarm_api_system,        \
        &swarm_flows_system, &swarm_arrivals_system, &swarm_senses_system, &swarm_radio_system,   \
        &swarm_network_system, &swarm_sockets_system, &swarm_contacts_system,                     \
        &swarm_sense_links_system, &swarm_bodies_system, &swarm_minds_system,                     \
        &swarm_agents_system, &swarm_hive_system, &swarm_heard_system, &swarm_ghosts_system,      \
        &swarm_foreigns_system, &swarm_bus_system, &swarm_gzuav_system, &swarm_components_system, \
        &swarm_hosts_system, &swarm_expect_system, &swarm_outputs_system, &swarm_taps_system,     \
        &swarm_vehicles_system, &swarm_costs_system, WORLD, NULL

const struct swarm_system *const swarm_systems[] = {SYSTEMS(&swarm_api_members_system)};
static const struct swarm_system *const k_cells[] = {SYSTEMS(&swarm_grid_system)};
static const struct swarm_system *const k_search[] = {SYSTEMS(&swarm_search_system)};

const struct swarm_system *const *swarm_systems_of(const struct swarm *w)
{
    return swarm_has_cells(w) ? k_cells : swarm_searches(w) ? k_search : swarm_systems;
}

const struct swarm_system *const swarm_leaf_systems[] = {
    &swarm_links_system,
    &swarm_arrivals_system,
    &swarm_senses_system,
    &swarm_radio_system,
    &swarm_contacts_system,
    &swarm_bodies_system,
    &swarm_minds_system,
    &swarm_agents_system,
    &swarm_hive_system,
    &swarm_taps_system,
    &swarm_vehicles_system,
    &swarm_leaf_system,
    NULL,
};
