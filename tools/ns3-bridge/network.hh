/* SPDX-License-Identifier: GPL-2.0-only */
/* The nodes of a swarm in ns-3, and the radio between them. */
#ifndef MAYFLY_NS3_NETWORK_HH
#define MAYFLY_NS3_NETWORK_HH

#include "flows.hh"

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/* What the scenario says: keys of `network` and their values, as text. */
class Settings
{
  public:
    explicit Settings(const std::string &lines);
    std::string text(const std::string &key, const std::string &otherwise) const;
    double number(const std::string &key, double otherwise) const;
    std::vector<FlowSettings> flows;

  private:
    std::map<std::string, std::string> value;
};

constexpr uint32_t TO_ALL = UINT32_MAX;

/* A packet that has arrived. */
struct Arrival {
    uint64_t ns;
    uint32_t receiver, sender, number;
    std::vector<uint8_t> bytes;
};

/* A radio of all nodes. It hands on what arrives, at the simulator's present time. */
class Radio
{
  public:
    using Arrived = std::function<void(uint32_t receiver, ns3::Ptr<ns3::Packet> packet)>;
    virtual ~Radio() = default;
    virtual void send(uint32_t from, uint32_t to, ns3::Ptr<ns3::Packet> packet) = 0;
    /* @return addresses of all nodes; null: it carries no IP */
    virtual const ns3::Ipv4InterfaceContainer *addresses() const
    {
        return nullptr;
    }
    Arrived arrived;
};

/* @return nothing that is null: what is unknown throws, with a text that says what is known */
std::unique_ptr<Radio> make_radio(const Settings &settings, ns3::NodeContainer nodes);

/* What a set-up of one's own exports (hooks/chain.cc): devices of all nodes, in their order, which
 * get IP from the bridge. Parameters that the bridge does not know are its own. */
using Devices = void(const Settings &settings, const ns3::NodeContainer &nodes,
                     ns3::NetDeviceContainer &devices);

/* All of it. */
class Network
{
  public:
    Network(const Settings &settings, uint32_t nodes, uint64_t seed, uint64_t run);
    ~Network();
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;
    void place(uint32_t node, double north, double east, double up);
    /* At a time that has not passed. */
    void send(uint64_t ns, uint32_t from, uint32_t to, uint32_t number, const uint8_t *bytes,
              size_t n);
    /* Up to a time, or to the end of the first microsecond in which anything arrives. @return where
     * it stands */
    uint64_t run(uint64_t until_ns);
    std::vector<Arrival> take();
    /* The world is where the simulator stands: flows write what has arrived. */
    Written write();

  private:
    ns3::NodeContainer nodes;
    void advance(int64_t until_ns, bool stops);
    void stop();
    std::unique_ptr<Radio> radio;
    std::vector<std::unique_ptr<Flow>> flows;
    std::vector<Arrival> arrivals;
    bool stopping = false;
    double jitter = 0.0; /* [s] */
    ns3::Ptr<ns3::UniformRandomVariable> chance = ns3::CreateObject<ns3::UniformRandomVariable>();
};

#endif
