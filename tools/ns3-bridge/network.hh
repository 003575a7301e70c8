/* SPDX-License-Identifier: GPL-2.0-only */
/* The nodes of a swarm in ns-3, and the radio between them. */
#ifndef MAYFLY_NS3_NETWORK_HH
#define MAYFLY_NS3_NETWORK_HH

#include "flows.hh"
#include "streams.hh"

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/* What the scenario says of one network: keys of `network` and their values, as text. */
class Settings
{
  public:
    /* @param lines  "key=value" */
    explicit Settings(const std::string &lines);
    std::string text(const std::string &key, const std::string &otherwise) const;
    double number(const std::string &key, double otherwise) const;
    uint32_t network = 0; /* its number: the second octet of its addresses */
    std::string name;     /* "": it is the only one */
    std::string nodes;    /* "0-4,7-7": who is on it; "": all */
    std::vector<FlowSettings> flows;
    /* Each part of a network draws from streams of its own, so that one changes nobody else's. */
    int64_t stream(int64_t base) const
    {
        return base + int64_t(network) * 10'000'000;
    }

  private:
    std::map<std::string, std::string> value;
};

/* Of all networks: one that has a name begins with a line "network=NUMBER,NAME". */
std::vector<Settings> read_networks(const std::string &lines);

/* Who is on a network: members of the swarm, by their numbers. */
class Members
{
  public:
    Members(const Settings &settings, const ns3::NodeContainer &all);
    /* @return its place among them */
    uint32_t place(uint32_t member) const
    {
        return places.at(member);
    }
    bool has(uint32_t member) const
    {
        return places.count(member) > 0;
    }
    std::vector<uint32_t> member; /* in their order */
    ns3::NodeContainer nodes;

  private:
    std::map<uint32_t, uint32_t> places;
};

constexpr uint32_t TO_ALL = UINT32_MAX;
constexpr uint32_t STREAM = 0xC0000000; /* numbers from here on are of events of streams */

/* A packet that has arrived. */
struct Arrival {
    uint64_t ns;
    uint32_t receiver, sender, number, network;
    std::vector<uint8_t> bytes;
};

class Internet;

/* A radio of the members of one network. It hands on what arrives, at the simulator's present
 * time. */
class Radio
{
  public:
    using Arrived = std::function<void(uint32_t receiver, ns3::Ptr<ns3::Packet> packet)>;
    virtual ~Radio() = default;
    virtual void send(uint32_t from, uint32_t to, ns3::Ptr<ns3::Packet> packet) = 0;
    /* @return null: it carries no IP */
    virtual Internet *internet()
    {
        return nullptr;
    }
    Arrived arrived;
};

/* @return nothing that is null: what is unknown throws, with a text that says what is known */
std::unique_ptr<Radio> make_radio(const Settings &settings, const Members &members);

/* What a set-up of one's own exports (hooks/chain.cc): devices of all nodes, in their order, which
 * get IP from the bridge. Parameters that the bridge does not know are its own. */
using Devices = void(const Settings &settings, const ns3::NodeContainer &nodes,
                     ns3::NetDeviceContainer &devices);

/* All of it: the networks of a swarm, on one clock. */
class Network
{
  public:
    Network(const std::vector<Settings> &networks, uint32_t nodes, uint64_t seed, uint64_t run);
    ~Network();
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;
    void place(uint32_t node, double north, double east, double up);
    /* At a time that has not passed. @param packet  ns: when it leaves; receiver: or TO_ALL */
    void send(const Arrival &packet);
    /* Up to a time, or to the end of the first microsecond in which anything arrives. @return where
     * it stands */
    uint64_t run(uint64_t until_ns);
    std::vector<Arrival> take();
    /* What clients of flows have said and got since: the receiver is the client's port, the sender
     * 1 for what it has got. */
    std::vector<Arrival> take_told();
    /* The world is where the simulator stands: flows write what has arrived. */
    Written write();

  private:
    /* One of them. */
    struct Air {
        std::unique_ptr<Radio> radio;
        double jitter; /* [s] */
        ns3::Ptr<ns3::UniformRandomVariable> chance;
        std::unique_ptr<TcpStreams> streams = nullptr;
    };
    void add(const Settings &settings);
    void add_flows(const Settings &settings);
    void advance(int64_t until_ns, bool stops);
    void stop();
    ns3::NodeContainer nodes;
    std::map<uint32_t, Air> airs; /* by their numbers */
    std::vector<std::unique_ptr<Flow>> flows;
    std::vector<FlowSettings> of_flows; /* in their order */
    uint32_t events = 0;                /* of streams, so far */
    std::vector<Arrival> arrivals;
    bool stopping = false;
};

#endif
