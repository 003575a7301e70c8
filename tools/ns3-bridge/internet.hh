/* SPDX-License-Identifier: GPL-2.0-only */
/* IP over the devices of a network's members. A member may be on several networks: it has one stack
 * with an interface on each. */
#ifndef MAYFLY_NS3_INTERNET_HH
#define MAYFLY_NS3_INTERNET_HH

#include "network.hh"

#include "ns3/aodv-module.h"
#include "ns3/internet-module.h"
#include "ns3/olsr-module.h"

class Internet : public Radio
{
  public:
    /* @param devices  of the members, in their order. install_internets() gives them IP. */
    Internet(const Settings &settings, const Members &members,
             const ns3::NetDeviceContainer &devices);
    void send(uint32_t from, uint32_t to, ns3::Ptr<ns3::Packet> packet) override;
    Internet *internet() override
    {
        return this;
    }
    ns3::Ipv4Address address(uint32_t member) const;

  private:
    friend void install_internets(const std::vector<Internet *> &networks,
                                  const ns3::NodeContainer &nodes);
    const ns3::Ipv4RoutingHelper *routing() const;
    /* Which interface of a node is this network's, and that others are not. */
    void keep_to(ns3::Ptr<ns3::Node> node, uint32_t interface, uint32_t count);
    void open();
    Settings settings;
    Members members;
    ns3::NetDeviceContainer devices;
    std::string routing_name;
    ns3::OlsrHelper olsr;
    ns3::AodvHelper aodv;
    std::vector<ns3::Ptr<ns3::Socket>> sockets; /* of the members */
};

/* Each node gets a stack, once, with an interface on each network that has it, in their order. */
void install_internets(const std::vector<Internet *> &networks, const ns3::NodeContainer &nodes);

#endif
