/* SPDX-License-Identifier: GPL-2.0-only */
#include "internet.hh"
#include "names.hh"

#include "ns3/lr-wpan-module.h"
#include "ns3/propagation-module.h"
#include "ns3/spectrum-module.h"
#include "ns3/wifi-module.h"

#include <dlfcn.h>
#include <functional>
#include <stdexcept>

using namespace ns3;

/* Bases of streams (Settings::stream()), beside those of internet.cc and network.cc. */
enum Streams : int64_t { STREAM_WIFI = 1000, STREAM_DROP = 400000 };

/* ---- names */

struct Standard {
    WifiStandard standard;
    const char *mode; /* the slowest one, which reaches farthest */
};

static const Named<Standard> &standards()
{
    static const Named<Standard> k_all = {
        {"80211a", {WIFI_STANDARD_80211a, "OfdmRate6Mbps"}},
        {"80211b", {WIFI_STANDARD_80211b, "DsssRate1Mbps"}},
        {"80211g", {WIFI_STANDARD_80211g, "ErpOfdmRate6Mbps"}},
        {"80211p", {WIFI_STANDARD_80211p, "OfdmRate6MbpsBW10MHz"}},
        {"80211n", {WIFI_STANDARD_80211n, "HtMcs0"}},
        {"80211ac", {WIFI_STANDARD_80211ac, "VhtMcs0"}},
        {"80211ax", {WIFI_STANDARD_80211ax, "HeMcs0"}},
    };
    return k_all;
}

static Ptr<PropagationLossModel> make_loss(const Settings &s)
{
    using Make = std::function<Ptr<PropagationLossModel>(const Settings &)>;
    static const Named<Make> k_all = {
        {"friis", [](const Settings &) { return CreateObject<FriisPropagationLossModel>(); }},
        {"log_distance",
         [](const Settings &s) {
             auto m = CreateObject<LogDistancePropagationLossModel>();
             m->SetPathLossExponent(s.number("exponent", 3.0));
             return m;
         }},
        {"two_ray",
         [](const Settings &) { return CreateObject<TwoRayGroundPropagationLossModel>(); }},
        {"range",
         [](const Settings &s) {
             auto m = CreateObject<RangePropagationLossModel>();
             m->SetAttribute("MaxRange", DoubleValue(s.number("range", 250.0)));
             return m;
         }},
        {"nakagami",
         [](const Settings &s) {
             auto m = CreateObject<FriisPropagationLossModel>();
             auto fading = CreateObject<NakagamiPropagationLossModel>();
             fading->AssignStreams(s.stream(STREAM_WIFI - 10));
             m->SetNext(fading);
             return m;
         }},
    };
    Ptr<PropagationLossModel> loss = find_named(k_all, "loss", s.text("loss", "friis"))(s);
    const double range = s.number("range", 0.0);
    if (range > 0.0 && s.text("loss", "friis") != "range") { /* a limit besides */
        auto limit = CreateObject<RangePropagationLossModel>();
        limit->SetAttribute("MaxRange", DoubleValue(range));
        Ptr<PropagationLossModel> last = loss;
        while (last->GetNext()) {
            last = last->GetNext();
        }
        last->SetNext(limit);
    }
    return loss;
}

/* ---- Wi-Fi */

/* Losses that depend on the frequency get that of the devices, which their standard decides. */
static void tune(Ptr<PropagationLossModel> loss, double hz)
{
    for (; loss; loss = loss->GetNext()) {
        if (auto friis = DynamicCast<FriisPropagationLossModel>(loss)) {
            friis->SetFrequency(hz);
        } else if (auto two_ray = DynamicCast<TwoRayGroundPropagationLossModel>(loss)) {
            two_ray->SetFrequency(hz);
        }
    }
}

static void tune_wifi(Ptr<PropagationLossModel> loss, NetDeviceContainer devices)
{
    tune(loss, DynamicCast<WifiNetDevice>(devices.Get(0))->GetPhy()->GetFrequency() * 1e6);
}

/* Of frames that reach a receiver, a part is lost. */
static void drop_some(const Settings &s, const NetDeviceContainer &devices)
{
    const double part = s.number("drop", 0.0);
    for (uint32_t i = 0; part > 0.0 && i < devices.GetN(); i++) {
        auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(part);
        model->AssignStreams(s.stream(STREAM_DROP) + i);
        DynamicCast<WifiNetDevice>(devices.Get(i))->GetPhy()->SetPostReceptionErrorModel(model);
    }
}

static YansWifiPhyHelper wifi_phy(const Settings &s, Ptr<PropagationLossModel> loss)
{
    auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    channel->SetPropagationLossModel(loss);
    YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    const double power = s.number("power", 16.0);
    phy.Set("TxPowerStart", DoubleValue(power));
    phy.Set("TxPowerEnd", DoubleValue(power));
    return phy;
}

static WifiHelper wifi(const Settings &s)
{
    const Standard &standard = find_named(standards(), "standard", s.text("standard", "80211g"));
    const std::string mode = s.text("mode", standard.mode);
    WifiHelper helper;
    helper.SetStandard(standard.standard);
    helper.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(mode),
                                   "ControlMode", StringValue(standard.mode), "NonUnicastMode",
                                   StringValue(mode));
    return helper;
}

static NetDeviceContainer adhoc_devices(const Settings &s, NodeContainer nodes)
{
    WifiHelper helper = wifi(s);
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    Ptr<PropagationLossModel> loss = make_loss(s);
    NetDeviceContainer devices = helper.Install(wifi_phy(s, loss), mac, nodes);
    tune_wifi(loss, devices);
    drop_some(s, devices);
    helper.AssignStreams(devices, s.stream(STREAM_WIFI));
    return devices;
}

/* The access point is a node, too. */
static NetDeviceContainer infrastructure_devices(const Settings &s, const Members &members)
{
    const NodeContainer &nodes = members.nodes;
    WifiHelper helper = wifi(s);
    Ptr<PropagationLossModel> loss = make_loss(s);
    const YansWifiPhyHelper phy = wifi_phy(s, loss);
    const uint32_t point = uint32_t(s.number("access_point", 0));
    const Ssid ssid("mayfly");
    if (!members.has(point)) {
        throw std::invalid_argument("network.params.access_point: there is no member " +
                                    std::to_string(point));
    }
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); i++) {
        WifiMacHelper mac;
        if (members.member[i] == point) {
            mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid));
        } else {
            mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid));
        }
        devices.Add(helper.Install(phy, mac, nodes.Get(i)));
    }
    tune_wifi(loss, devices);
    drop_some(s, devices);
    helper.AssignStreams(devices, s.stream(STREAM_WIFI));
    return devices;
}

/* ---- a radio that is a wire in the air: rate, delay, range, and no medium to share */

/* What IP has of it. */
class WireChannel : public SimpleChannel
{
  public:
    WireChannel(double range, double delay) : range(range), delay(Seconds(delay))
    {
    }
    void Send(Ptr<Packet> packet, uint16_t protocol, Mac48Address to, Mac48Address from,
              Ptr<SimpleNetDevice> sender) override
    {
        const auto here = sender->GetNode()->GetObject<MobilityModel>();
        for (size_t i = 0; i < GetNDevices(); i++) {
            const auto device = DynamicCast<SimpleNetDevice>(GetDevice(i));
            const auto there = device->GetNode()->GetObject<MobilityModel>();
            if (device != sender && here->GetDistanceFrom(there) <= range) {
                Simulator::ScheduleWithContext(device->GetNode()->GetId(), delay,
                                               &SimpleNetDevice::Receive, device, packet->Copy(),
                                               protocol, to, from);
            }
        }
    }

  private:
    double range;
    Time delay;
};

static NetDeviceContainer wire_devices(NodeContainer nodes, double range, double delay, double rate)
{
    NetDeviceContainer devices =
        SimpleNetDeviceHelper().Install(nodes, Create<WireChannel>(range, delay));
    for (uint32_t i = 0; rate > 0.0 && i < devices.GetN(); i++) {
        devices.Get(i)->SetAttribute("DataRate", DataRateValue(DataRate(uint64_t(rate))));
    }
    return devices;
}

/* Packets of members have the length that UDP and IP give them. */
class Wire : public Radio
{
  public:
    Wire(const Settings &s, const Members &members)
        : members(members), range(s.number("range", 1e9)), delay(s.number("delay", 0.001)),
          rate(s.number("rate", 0.0)),
          ip(s, members, wire_devices(members.nodes, range, delay, rate))
    {
    }
    void send(uint32_t from, uint32_t to, Ptr<Packet> packet) override
    {
        const double air = rate > 0.0 ? (HEADERS + packet->GetSize()) * 8.0 / rate : 0.0;
        for (const uint32_t i : members.member) {
            const bool meant = to == TO_ALL || to == i;
            if (i != from && meant && distance(from, i) <= range) {
                Simulator::ScheduleWithContext(i, Seconds(delay + air),
                                               [this, i, packet] { arrived(i, packet); });
            }
        }
    }
    Internet *internet() override
    {
        return &ip;
    }

  private:
    double distance(uint32_t a, uint32_t b) const
    {
        const auto at = [this](uint32_t i) {
            return members.nodes.Get(members.place(i))->GetObject<MobilityModel>();
        };
        return at(a)->GetDistanceFrom(at(b));
    }
    static constexpr uint32_t HEADERS = 20 + 8; /* of IP and UDP [bytes] */
    Members members;
    double range, delay, rate;
    Internet ip;
};

/* ---- IEEE 802.15.4, without IP */

class LowRate : public Radio
{
  public:
    LowRate(const Settings &s, const Members &members) : members(members)
    {
        auto channel = CreateObject<SingleModelSpectrumChannel>();
        Ptr<PropagationLossModel> loss = make_loss(s);
        tune(loss, 2.405e9);
        channel->AddPropagationLossModel(loss);
        channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
        helper.SetChannel(channel);
        devices = helper.Install(members.nodes);
        helper.AssociateToPan(devices, 10);
        helper.AssignStreams(devices, s.stream(STREAM_WIFI));
        for (const uint32_t i : members.member) {
            device_of(i)->SetReceiveCallback(
                [this, i](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address &) {
                    arrived(i, packet->Copy());
                    return true;
                });
        }
    }
    void send(uint32_t from, uint32_t to, Ptr<Packet> packet) override
    {
        Ptr<NetDevice> device = device_of(from);
        if (packet->GetSize() > MTU) {
            return; /* it has no fragments: what is too long is lost */
        }
        device->Send(packet, to == TO_ALL ? device->GetBroadcast() : device_of(to)->GetAddress(),
                     0);
    }

  private:
    Ptr<NetDevice> device_of(uint32_t member) const
    {
        return devices.Get(members.place(member));
    }
    static constexpr uint32_t MTU = 114;
    Members members;
    LrWpanHelper helper; /* it disposes of the channel at its end */
    NetDeviceContainer devices;
};

/* ---- a set-up of one's own */

static NetDeviceContainer own_devices(const Settings &s, NodeContainer nodes)
{
    const std::string path = s.text("hook", "");
    if (path.empty()) {
        throw std::invalid_argument("network.params.hook: radio: own needs a shared object");
    }
    void *object = ::dlopen(path.c_str(), RTLD_NOW);
    auto *make = reinterpret_cast<Devices *>(
        object != nullptr ? ::dlsym(object, "ns3_bridge_devices") : nullptr);
    if (make == nullptr) {
        throw std::invalid_argument("network.params.hook: " + std::string(::dlerror()));
    }
    NetDeviceContainer devices;
    make(s, nodes, devices);
    if (devices.GetN() != nodes.GetN()) {
        throw std::invalid_argument("network.params.hook: " + path + " gives " +
                                    std::to_string(devices.GetN()) + " devices for " +
                                    std::to_string(nodes.GetN()) + " nodes");
    }
    return devices;
}

/* ---- which */

std::unique_ptr<Radio> make_radio(const Settings &settings, const Members &members)
{
    using Make = std::function<std::unique_ptr<Radio>(const Settings &, const Members &)>;
    static const Named<Make> k_all = {
        {"adhoc",
         [](const Settings &s, const Members &m) -> std::unique_ptr<Radio> {
             return std::make_unique<Internet>(s, m, adhoc_devices(s, m.nodes));
         }},
        {"access_point",
         [](const Settings &s, const Members &m) -> std::unique_ptr<Radio> {
             return std::make_unique<Internet>(s, m, infrastructure_devices(s, m));
         }},
        {"own",
         [](const Settings &s, const Members &m) -> std::unique_ptr<Radio> {
             return std::make_unique<Internet>(s, m, own_devices(s, m.nodes));
         }},
        {"lr_wpan",
         [](const Settings &s, const Members &m) -> std::unique_ptr<Radio> {
             return std::make_unique<LowRate>(s, m);
         }},
        {"point_to_point",
         [](const Settings &s, const Members &m) -> std::unique_ptr<Radio> {
             return std::make_unique<Wire>(s, m);
         }},
    };
    return find_named(k_all, "radio", settings.text("radio", "adhoc"))(settings, members);
}
