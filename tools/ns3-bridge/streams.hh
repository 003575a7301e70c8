/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TcpStreams over simulated TCP. One of programs is one connection here, between the nodes of its
 * two ends, and its events are those of docs/bus.md.
 */
#ifndef MAYFLY_NS3_STREAMS_HH
#define MAYFLY_NS3_STREAMS_HH

#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

/* The address of a member on one network. */
using AddressOf = std::function<ns3::Ipv4Address(uint32_t member)>;

/* One end in the simulation: bytes wait until its buffer takes them. */
class StreamEnd
{
  public:
    using Take = std::function<void(const std::vector<uint8_t> &)>;
    void attach(ns3::Ptr<ns3::Socket> s, Take take);
    void add(const uint8_t *bytes, size_t n);
    void close();

  private:
    void push();
    ns3::Ptr<ns3::Socket> socket;
    std::deque<uint8_t> waiting;
};

class TcpStreams
{
  public:
    /* An event has arrived at a node. */
    using Arrived =
        std::function<void(uint32_t receiver, uint32_t sender, const std::vector<uint8_t> &event)>;
    /* @param address_of  empty: the radio carries no IP */
    TcpStreams(ns3::NodeContainer nodes, AddressOf address_of, Arrived arrived);
    ~TcpStreams();
    /* An event leaves a node, at the simulator's present time. */
    void leave(uint32_t from, uint32_t to, const std::vector<uint8_t> &event);

  private:
    struct Stream;
    void open(Stream &s);
    void answer(Stream &s);
    void receive(Stream &s, unsigned side, const std::vector<uint8_t> &bytes);
    void tell(const Stream &s, unsigned side, uint8_t kind, uint8_t why = 0,
              const std::vector<uint8_t> &bytes = {});
    ns3::Ptr<ns3::Socket> make(uint32_t node);
    ns3::NodeContainer nodes;
    AddressOf address_of;
    Arrived arrived;
    std::map<uint32_t, std::unique_ptr<Stream>> streams;
};

#endif
