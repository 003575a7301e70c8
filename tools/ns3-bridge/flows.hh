/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Real sockets whose bytes cross the simulated network: a client at one end, a vehicle's link at
 * the other. What has come from a socket leaves at the present time; what arrives is written at the
 * instant of its arrival.
 */
#ifndef MAYFLY_NS3_FLOWS_HH
#define MAYFLY_NS3_FLOWS_HH

#include "streams.hh"

#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/* One of `network.flows`, as the swarm writes it: "via,client,station,member,host:port". */
struct FlowSettings {
    explicit FlowSettings(const std::string &text);
    bool tcp;
    uint16_t client;          /* port of 127.0.0.1 at which the client comes */
    uint32_t station, member; /* nodes at the two ends */
    std::string vehicle;      /* the vehicle's link, TCP */
};

/* Bytes that real sockets have got. */
struct Written {
    uint64_t vehicles = 0, clients = 0;
};

/* Bytes that a client has said or got, for the swarm's trace. */
struct Told {
    uint64_t ns;
    bool got;
    std::vector<uint8_t> bytes;
};

class Flow
{
  public:
    virtual ~Flow() = default;
    std::vector<Told> told;
    /* Takes what has come from the client and from the vehicle. */
    virtual void take() = 0;
    /* The world has come to the instant of what has arrived: it is written. */
    virtual Written write() = 0;
};

/* @param number  of the flow, which has a port of its own by it  @param nodes  of all members
 * @param arrived  called when anything waits to be written to a real socket */
std::unique_ptr<Flow> make_flow(const FlowSettings &settings, uint32_t number,
                                ns3::NodeContainer nodes, const AddressOf &address_of,
                                std::function<void()> arrived);

#endif
