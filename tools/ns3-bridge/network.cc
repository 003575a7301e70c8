/* SPDX-License-Identifier: GPL-2.0-only */
#include "internet.hh"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <tuple>

using namespace ns3;

constexpr int64_t JITTER_STREAM = 300000; /* beside those of radios.cc */

/* ---- settings */

static const std::vector<std::string> KEYS = {
    "radio", "standard", "mode",         "power",  "loss", "exponent", "range", "delay",
    "rate",  "routing",  "access_point", "jitter", "arp",  "hook",     "drop"};

Settings::Settings(const std::string &lines)
{
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        const size_t equals = line.find('=');
        const std::string key = line.substr(0, equals);
        if (equals == std::string::npos) {
            continue;
        }
        const std::string text = line.substr(equals + 1);
        if (key == "flow") {
            flows.emplace_back(text);
        } else if (key == "network") {
            network = uint32_t(std::stoul(text));
            name = text.substr(text.find(',') + 1);
        } else if (key == "nodes") {
            nodes = text;
        } else {
            value[key] = text;
        }
    }
    for (const auto &entry : value) {
        if (value.count("hook") == 0 &&
            std::find(KEYS.begin(), KEYS.end(), entry.first) == KEYS.end()) {
            std::string known;
            for (const std::string &key : KEYS) {
                known += (known.empty() ? "" : ", ") + key;
            }
            throw std::invalid_argument("network.params: '" + entry.first +
                                        "' is not known, allowed: " + known);
        }
    }
}

std::vector<Settings> read_networks(const std::string &lines)
{
    std::vector<Settings> all;
    for (size_t at = 0, end; at < lines.size() || all.empty(); at = end) {
        const size_t next = lines.find("\nnetwork=", at);
        end = next == std::string::npos ? lines.size() : next + 1;
        all.emplace_back(lines.substr(at, end - at));
    }
    return all;
}

std::string Settings::text(const std::string &key, const std::string &otherwise) const
{
    const auto found = value.find(key);
    return found == value.end() || found->second.empty() ? otherwise : found->second;
}

double Settings::number(const std::string &key, double otherwise) const
{
    const auto found = value.find(key);
    if (found == value.end() || found->second.empty()) {
        return otherwise;
    }
    size_t used = 0;
    double x = 0.0;
    try {
        x = std::stod(found->second, &used);
    } catch (const std::exception &) {
        used = 0;
    }
    if (used != found->second.size() || !std::isfinite(x)) {
        throw std::invalid_argument("network.params." + key + ": '" + found->second +
                                    "' must be a number");
    }
    return x;
}

/* ---- who is on it */

Members::Members(const Settings &settings, const NodeContainer &all)
{
    std::istringstream in(settings.nodes.empty() ? "0-" + std::to_string(all.GetN() - 1)
                                                 : settings.nodes);
    for (std::string range; std::getline(in, range, ',');) {
        const size_t dash = range.find('-');
        const uint32_t first = uint32_t(std::stoul(range));
        const uint32_t last = uint32_t(std::stoul(range.substr(dash + 1)));
        if (last >= all.GetN()) {
            throw std::invalid_argument("network.nodes: there is no such member");
        }
        for (uint32_t i = first; i <= last; i++) {
            places[i] = uint32_t(member.size());
            member.push_back(i);
            nodes.Add(all.Get(i));
        }
    }
}

/* ---- a packet carries its origin beside its bytes, so that its length is the payload's */

constexpr uint32_t DATAGRAM = 0x80000000; /* numbers from here on are of programs' datagrams */
constexpr size_t PORTS = 4;               /* bytes in front of a datagram: they are UDP's header */

class Origin : public Tag
{
  public:
    static TypeId GetTypeId()
    {
        static const TypeId id = TypeId("mayfly::Origin").SetParent<Tag>().AddConstructor<Origin>();
        return id;
    }
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }
    uint32_t GetSerializedSize() const override
    {
        return 9 + PORTS;
    }
    void Serialize(TagBuffer to) const override
    {
        to.WriteU32(sender);
        to.WriteU32(number);
        to.WriteU8(has_ports ? 1 : 0);
        to.Write(ports, PORTS);
    }
    void Deserialize(TagBuffer from) override
    {
        sender = from.ReadU32();
        number = from.ReadU32();
        has_ports = from.ReadU8() != 0;
        from.Read(ports, PORTS);
    }
    void Print(std::ostream &to) const override
    {
        to << sender << ' ' << number;
    }
    uint32_t sender = 0, number = 0;
    bool has_ports = false;
    uint8_t ports[PORTS] = {};
};

NS_OBJECT_ENSURE_REGISTERED(Origin);

static Ptr<Packet> pack(const Arrival &a)
{
    Origin origin;
    origin.sender = a.sender;
    origin.number = a.number;
    origin.has_ports = a.number >= DATAGRAM && a.bytes.size() >= PORTS;
    const size_t head = origin.has_ports ? PORTS : 0;
    std::copy_n(a.bytes.begin(), head, origin.ports);
    Ptr<Packet> packet = Create<Packet>(a.bytes.data() + head, uint32_t(a.bytes.size() - head));
    packet->AddPacketTag(origin);
    return packet;
}

/* What has arrived, as pack() has made it. @return false: it is of nobody */
static bool unpack(Ptr<Packet> packet, Arrival &a)
{
    Origin origin;
    if (!packet->PeekPacketTag(origin)) {
        return false;
    }
    const size_t head = origin.has_ports ? PORTS : 0;
    a.sender = origin.sender;
    a.number = origin.number;
    a.bytes.assign(origin.ports, origin.ports + head);
    a.bytes.resize(head + packet->GetSize());
    packet->CopyData(a.bytes.data() + head, packet->GetSize());
    return true;
}

/* ---- the simulator */

Network::Network(const std::vector<Settings> &networks, uint32_t count, uint64_t seed, uint64_t run)
{
    RngSeedManager::SetSeed(uint32_t(seed % 4294967290u) + 1);
    RngSeedManager::SetRun(run + 1);
    nodes.Create(count);
    for (uint32_t i = 0; i < count; i++) {
        nodes.Get(i)->AggregateObject(CreateObject<ConstantPositionMobilityModel>());
    }
    std::vector<Internet *> internets;
    for (const Settings &settings : networks) {
        add(settings);
        Internet *internet = airs.at(settings.network).radio->internet();
        if (internet != nullptr) {
            internets.push_back(internet);
        }
    }
    install_internets(internets, nodes);
    for (const Settings &settings : networks) {
        add_flows(settings);
    }
    for (uint32_t i = 0; i < count; i++) { /* packets may leave before the first event */
        nodes.Get(i)->Initialize();
    }
}

void Network::add(const Settings &settings)
{
    const uint32_t number = settings.network;
    Air air{make_radio(settings, Members(settings, nodes)), settings.number("jitter", 0.0),
            CreateObject<UniformRandomVariable>()};
    air.chance->SetStream(settings.stream(JITTER_STREAM));
    air.radio->arrived = [this, number](uint32_t receiver, Ptr<Packet> packet) {
        Arrival a{uint64_t(Simulator::Now().GetNanoSeconds()), receiver, 0, 0, number, {}};
        if (unpack(packet, a)) {
            arrivals.push_back(std::move(a));
            stop();
        }
    };
    AddressOf address_of;
    if (const Internet *internet = air.radio->internet()) {
        address_of = [internet](uint32_t member) { return internet->address(member); };
    }
    air.streams = std::make_unique<TcpStreams>(
        nodes, address_of,
        [this, number](uint32_t receiver, uint32_t sender, const std::vector<uint8_t> &event) {
            arrivals.push_back({uint64_t(Simulator::Now().GetNanoSeconds()), receiver, sender,
                                STREAM | (events++ & ~STREAM), number, event});
            stop();
        });
    airs.emplace(number, std::move(air));
}

void Network::add_flows(const Settings &settings)
{
    Internet *internet = airs.at(settings.network).radio->internet();
    if (!settings.flows.empty() && internet == nullptr) {
        throw std::invalid_argument("network.flows: this radio carries no IP: adhoc and "
                                    "access_point do");
    }
    for (const FlowSettings &flow : settings.flows) {
        of_flows.push_back(flow);
        flows.push_back(make_flow(
            flow, uint32_t(flows.size()), nodes,
            [internet](uint32_t member) { return internet->address(member); }, [this] { stop(); }));
    }
}

/* Behind all else of this nanosecond. */
void Network::stop()
{
    if (!stopping) {
        stopping = true;
        Simulator::Stop(Time(0));
    }
}

Network::~Network()
{
    flows.clear();
    airs.clear();
    Simulator::Destroy();
}

void Network::place(uint32_t node, double north, double east, double up)
{
    nodes.Get(node)->GetObject<MobilityModel>()->SetPosition(Vector(east, north, up));
}

void Network::send(const Arrival &a)
{
    const auto found = airs.find(a.network);
    if (found == airs.end()) {
        throw std::invalid_argument("a packet is for network " + std::to_string(a.network) +
                                    ", which is not of ns3");
    }
    const Air &air = found->second;
    const int64_t now = Simulator::Now().GetNanoSeconds();
    Time wait = NanoSeconds(std::max<int64_t>(int64_t(a.ns) - now, 0));
    const uint32_t from = a.sender, to = a.receiver;
    if (a.number >= STREAM) {
        TcpStreams *streams = air.streams.get();
        Simulator::ScheduleWithContext(
            from, wait, [streams, from, to, event = a.bytes] { streams->leave(from, to, event); });
        return;
    }
    if (air.jitter > 0.0) { /* otherwise all that send at one instant collide */
        wait += Seconds(air.chance->GetValue(0.0, air.jitter));
    }
    Ptr<Packet> packet = pack(a);
    Radio *radio = air.radio.get();
    Simulator::ScheduleWithContext(from, wait,
                                   [radio, from, to, packet] { radio->send(from, to, packet); });
}

/* Runs to a time. @param stops  whether an arrival ends it before */
void Network::advance(int64_t until_ns, bool stops)
{
    const int64_t left = until_ns - Simulator::Now().GetNanoSeconds();
    if (left > 0) {
        const EventId limit = Simulator::Schedule(NanoSeconds(left), [] { Simulator::Stop(); });
        stopping = !stops;
        Simulator::Run();
        Simulator::Cancel(limit);
    }
}

uint64_t Network::run(uint64_t until_ns)
{
    for (const auto &flow : flows) {
        flow->take();
    }
    advance(int64_t(until_ns), true);
    /* the world counts in microseconds: all that arrives within this one arrives at once */
    const int64_t end_ns = (Simulator::Now().GetNanoSeconds() + 999) / 1000 * 1000;
    advance(std::min(end_ns, int64_t(until_ns)), false);
    return uint64_t(Simulator::Now().GetNanoSeconds());
}

Written Network::write()
{
    Written all;
    for (const auto &flow : flows) {
        const Written one = flow->write();
        all.vehicles += one.vehicles;
        all.clients += one.clients;
    }
    return all;
}

std::vector<Arrival> Network::take()
{
    std::vector<Arrival> all;
    all.swap(arrivals);
    std::sort(all.begin(), all.end(), [](const Arrival &a, const Arrival &b) {
        return std::tie(a.ns, a.receiver, a.sender, a.number) <
               std::tie(b.ns, b.receiver, b.sender, b.number);
    });
    return all;
}

std::vector<Arrival> Network::take_told()
{
    constexpr size_t PART = 32768; /* a frame of the bus has room for it */
    std::vector<Arrival> all;
    for (size_t k = 0; k < flows.size(); k++) {
        for (const Told &told : flows[k]->told) {
            for (size_t at = 0; at < told.bytes.size(); at += PART) {
                const auto from = told.bytes.begin() + long(at);
                const size_t n = std::min(PART, told.bytes.size() - at);
                const auto follow = uint32_t(told.bytes.size() - at - n);
                all.push_back({told.ns,
                               of_flows[k].client,
                               told.got ? 1u : 0u,
                               follow,
                               0,
                               {from, from + long(n)}});
            }
        }
        flows[k]->told.clear();
    }
    return all;
}
