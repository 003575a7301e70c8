/* SPDX-License-Identifier: GPL-2.0-only */
#include "internet.hh"

#include "names.hh"

using namespace ns3;

/* Bases of streams, as in radios.cc. */
enum Streams : int64_t { STREAM_INTERNET = 100000, STREAM_ROUTING = 200000 };

constexpr uint16_t PORT = 12345; /* of the first network's packets */
constexpr uint32_t WORLD = 10u << 24;
constexpr uint32_t HOSTS_MAX = 65534;
constexpr int16_t DIRECT = 0, ROUTED = 10; /* priorities of ways */

Internet::Internet(const Settings &s, const Members &m, const NetDeviceContainer &d)
    : settings(s), members(m), devices(d), routing_name(s.text("routing", "none"))
{
    (void)routing();
    if (!members.member.empty() && members.member.back() >= HOSTS_MAX) {
        throw std::invalid_argument("network: IP has addresses for " + std::to_string(HOSTS_MAX) +
                                    " members");
    }
}

/* The second octet is the network's number, the others are the member's, from 1. */
Ipv4Address Internet::address(uint32_t member) const
{
    return Ipv4Address(WORLD | settings.network << 16 | (member + 1));
}

const Ipv4RoutingHelper *Internet::routing() const
{
    const Named<const Ipv4RoutingHelper *> all = {
        {"none", nullptr}, {"olsr", &olsr}, {"aodv", &aodv}};
    return find_named(all, "routing", routing_name);
}

void Internet::send(uint32_t from, uint32_t to, Ptr<Packet> packet)
{
    const Ipv4Address address =
        to == TO_ALL ? Ipv4Address(WORLD | settings.network << 16 | 0xFFFF) : this->address(to);
    sockets[members.place(from)]->SendTo(
        packet, 0, InetSocketAddress(address, uint16_t(PORT + settings.network)));
}

void Internet::open()
{
    Ipv4InterfaceContainer places;
    for (uint32_t i = 0; i < devices.GetN(); i++) {
        const Ipv4AddressHelper helper(Ipv4Address(WORLD | settings.network << 16),
                                       Ipv4Mask("255.255.0.0"), Ipv4Address(members.member[i] + 1));
        places.Add(Ipv4AddressHelper(helper).Assign(NetDeviceContainer(devices.Get(i))));
    }
    const Named<bool> arps = {{"asked", false}, {"known", true}};
    if (find_named(arps, "arp", settings.text("arp", "asked"))) {
        /* what nodes ask of all is lost where many send at one instant, and then for long */
        NeighborCacheHelper().PopulateNeighborCache(places);
    }
    if (routing_name == "olsr") {
        olsr.AssignStreams(members.nodes, settings.stream(STREAM_ROUTING));
    } else if (routing_name == "aodv") {
        aodv.AssignStreams(members.nodes, settings.stream(STREAM_ROUTING));
    }
    const uint16_t port = uint16_t(PORT + settings.network);
    for (const uint32_t member : members.member) {
        Ptr<Socket> socket = Socket::CreateSocket(members.nodes.Get(members.place(member)),
                                                  UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        socket->SetAllowBroadcast(true);
        socket->SetRecvCallback([this, member](Ptr<Socket> from) {
            while (Ptr<Packet> packet = from->Recv()) {
                arrived(member, packet);
            }
        });
        sockets.push_back(socket);
    }
}

/* ---- nodes */

/* A stack of a node with several interfaces: its neighbours directly, others by the routing of the
 * one network that has any. */
static void route_several(InternetStackHelper &stack, const Ipv4RoutingHelper *routing)
{
    Ipv4ListRoutingHelper list;
    list.Add(Ipv4StaticRoutingHelper(), DIRECT);
    if (routing != nullptr) {
        list.Add(*routing, ROUTED);
    }
    stack.SetRoutingHelper(list);
}

static void check_routings(const std::string &one, const std::string &other, uint32_t member)
{
    const std::string who = "network.params.routing: member " + std::to_string(member);
    if (one == "aodv" || other == "aodv") {
        throw std::invalid_argument(who + " is on several networks, and aodv takes all interfaces "
                                          "of a node: olsr keeps to its own");
    }
    if (one != "none" && other != "none") {
        throw std::invalid_argument(who + " is on two networks with a routing: one may have any");
    }
}

void install_internets(const std::vector<Internet *> &networks, const NodeContainer &nodes)
{
    NodeContainer installed;
    std::vector<std::pair<Ptr<Node>, uint32_t>> mains; /* of OLSR: which interface */
    for (uint32_t i = 0; i < nodes.GetN(); i++) {
        std::vector<Internet *> on;
        for (Internet *network : networks) {
            if (network->members.has(i)) {
                on.push_back(network);
            }
        }
        if (on.empty()) {
            continue;
        }
        InternetStackHelper stack;
        const Ipv4RoutingHelper *routing = on[0]->routing();
        for (uint32_t k = 1; k < on.size(); k++) {
            for (uint32_t j = 0; j < k; j++) {
                check_routings(on[j]->routing_name, on[k]->routing_name, i);
            }
            routing = routing != nullptr ? routing : on[k]->routing();
        }
        for (uint32_t k = 0; k < on.size() && on.size() > 1; k++) {
            if (on[k]->routing_name == "olsr") {
                on[k]->keep_to(nodes.Get(i), k + 1, uint32_t(on.size()));
                mains.emplace_back(nodes.Get(i), k + 1);
            }
        }
        if (on.size() > 1) {
            route_several(stack, routing);
        } else if (routing != nullptr) {
            stack.SetRoutingHelper(*routing);
        }
        stack.Install(nodes.Get(i));
        installed.Add(nodes.Get(i));
    }
    InternetStackHelper().AssignStreams(installed, STREAM_INTERNET);
    for (Internet *network : networks) {
        network->open();
    }
    for (const auto &[node, interface] : mains) {
        Ipv4RoutingHelper::GetRouting<olsr::RoutingProtocol>(
            node->GetObject<Ipv4>()->GetRoutingProtocol())
            ->SetMainInterface(interface);
    }
}

/* Interface 0 is the loopback's. */
void Internet::keep_to(Ptr<Node> node, uint32_t interface, uint32_t count)
{
    for (uint32_t k = 1; k <= count; k++) {
        if (k != interface) {
            olsr.ExcludeInterface(node, k);
        }
    }
}
