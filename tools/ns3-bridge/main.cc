/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ns3-bridge: the network of a swarm is ns-3 (docs/cosim.md). A participant of the bus in the role
 * of the network: it is told where members are and what they send, runs ns-3 up to the first
 * arrival, and says what has arrived.
 */
#include "network.hh"
#include "wire.hh"

#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <iostream>

static const char k_help[] =
    "usage: ns3-bridge [--name NAME] [--token TOKEN] HOST:PORT|unix:PATH|fd:N\n"
    "The network between the members of a swarm, simulated by ns-3: connects to the bus of\n"
    "mayfly-swarm, whose scenario has 'network: {kind: ns3, ...}' (docs/cosim.md).\n"
    "Exit codes: 0 the run has ended; 1 the swarm has disconnected; 2 bad input.\n";

class Bridge
{
  public:
    Bridge(const std::string &where, const std::string &name, const std::string &token) : bus(where)
    {
        wire::Writer hello(wire::HELLO, 0, 0);
        std::string padded = name.substr(0, wire::NAME - 1);
        padded.resize(wire::NAME, '\0');
        hello.u(wire::ROLE_NETWORK, 1).raw(padded.data(), padded.size());
        hello.raw(token.data(), token.size());
        bus.send(hello.end());
    }
    /* @return the exit code */
    int run()
    {
        wire::Frame frame;
        while (bus.receive(frame)) {
            wire::Reader r(frame.payload.data(), frame.payload.size());
            switch (frame.type) {
            case wire::WELCOME:
                welcome(r);
                break;
            case wire::NETWORK:
                network = std::make_unique<Network>(
                    read_networks(std::string(frame.payload.begin(), frame.payload.end())), members,
                    seed, variation);
                done(frame.tick, 0);
                break;
            case wire::STATE:
                state(r);
                break;
            case wire::SENDS:
                sends(r, frame.ns);
                break;
            case wire::RUN:
                advance(r.u(8), frame);
                break;
            case wire::REACHED:
                written(present().write(), frame);
                break;
            case wire::END:
                return 0;
            case wire::ERROR:
                throw wire::Broken("the swarm says: it " +
                                   std::string(frame.payload.begin(), frame.payload.end()));
            default:
                break; /* it is meant for others */
            }
        }
        std::cerr << "ns3-bridge: the swarm has disconnected\n";
        return 1;
    }

  private:
    Network &present()
    {
        if (!network) {
            throw wire::Broken("the swarm has no 'network: {kind: ns3}'");
        }
        return *network;
    }
    void welcome(wire::Reader &r)
    {
        (void)r.u(4);
        members = uint32_t(r.u(4));
        seed = r.u(8);
        variation = r.u(8);
    }
    void state(wire::Reader &r)
    {
        const uint32_t first = uint32_t(r.u(4)), count = uint32_t(r.u(4));
        for (uint32_t i = 0; i < count; i++) {
            wire::Reader one(r.take(wire::STATE_BYTES), wire::STATE_BYTES);
            const double north = one.f64(), east = one.f64(), up = one.f64();
            if (network && first + i < members) {
                network->place(first + i, north, east, up);
            }
        }
    }
    void sends(wire::Reader &r, uint64_t ns)
    {
        while (r.rest() > 0) {
            Arrival packet{ns, 0, 0, 0, 0, {}};
            packet.sender = uint32_t(r.u(4));
            packet.receiver = uint32_t(r.u(4));
            packet.number = uint32_t(r.u(4));
            const size_t size = size_t(r.u(2));
            packet.network = uint32_t(r.u(2));
            const uint8_t *bytes = r.take(size);
            packet.bytes.assign(bytes, bytes + size);
            present().send(packet);
        }
    }
    void advance(uint64_t until_ns, const wire::Frame &asked)
    {
        const uint64_t now = present().run(until_ns);
        const auto told = present().take_told();
        if (traces) {
            tell(wire::CLIENTS, told, asked.tick, now);
        }
        tell(wire::ARRIVALS, present().take(), asked.tick, now);
        done(asked.tick, now);
    }
    void tell(wire::Type type, const std::vector<Arrival> &all, uint32_t tick, uint64_t now)
    {
        wire::Writer arrivals(type, tick, now);
        for (const Arrival &a : all) {
            if (!arrivals.fits(24 + a.bytes.size())) {
                bus.send(arrivals.end());
                arrivals = wire::Writer(type, tick, now);
            }
            arrivals.u(a.ns, 8).u(a.receiver, 4).u(a.sender, 4).u(a.number, 4);
            arrivals.u(a.bytes.size(), 2).u(a.network, 2).raw(a.bytes.data(), a.bytes.size());
        }
        if (!arrivals.empty()) {
            bus.send(arrivals.end());
        }
    }
    void written(const Written &bytes, const wire::Frame &asked)
    {
        wire::Writer answer(wire::WRITTEN, asked.tick, asked.ns);
        bus.send(answer.u(bytes.vehicles, 8).u(bytes.clients, 8).end());
    }
    void done(uint32_t tick, uint64_t ns)
    {
        bus.send(wire::Writer(wire::DONE, tick, ns).u(ns, 8).u(0, 8).end());
    }
    wire::Bus bus;
    const bool traces = std::getenv("SWARM_TRACE") != nullptr;
    uint32_t members = 0;
    uint64_t seed = 0, variation = 0;
    std::unique_ptr<Network> network;
};

int main(int argc, char **argv)
{
    static const option k_options[] = {{"name", required_argument, nullptr, 'n'},
                                       {"token", required_argument, nullptr, 't'},
                                       {"help", no_argument, nullptr, 'h'},
                                       {nullptr, 0, nullptr, 0}};
    std::string name = "ns3", token;
    for (int option; (option = getopt_long(argc, argv, "", k_options, nullptr)) >= 0;) {
        switch (option) {
        case 'n':
            name = optarg;
            break;
        case 't':
            token = optarg;
            break;
        case 'h':
            std::cout << k_help;
            return 0;
        default:
            return 2;
        }
    }
    if (optind + 1 != argc) {
        std::cerr << k_help;
        return 2;
    }
    try {
        return Bridge(argv[optind], name, token).run();
    } catch (const std::exception &e) {
        std::cerr << "ns3-bridge: " << e.what() << "\n";
        return 2;
    }
}
