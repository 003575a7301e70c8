/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set-up of one's own for ns3-bridge (docs/cosim.md): Wi-Fi on which each node hears the one
 * before and the one behind it alone, wherever they are, as in a tunnel.
 *
 *     make ns3
 *     params: {radio: own, hook: build/hooks/chain.so, routing: olsr, far: 200}
 */
#include "network.hh"

#include "ns3/propagation-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

extern "C" void ns3_bridge_devices(const Settings &settings, const NodeContainer &nodes,
                                   NetDeviceContainer &devices)
{
    auto loss = CreateObject<MatrixPropagationLossModel>();
    loss->SetDefaultLoss(settings.number("far", 200.0)); /* [dB] */
    for (uint32_t i = 1; i < nodes.GetN(); i++) {
        loss->SetLoss(nodes.Get(i - 1)->GetObject<MobilityModel>(),
                      nodes.Get(i)->GetObject<MobilityModel>(), settings.number("near", 50.0));
    }
    auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationLossModel(loss);
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    YansWifiPhyHelper phy;
    phy.SetChannel(channel);
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode",
                                 StringValue("ErpOfdmRate6Mbps"));
    devices = wifi.Install(phy, mac, nodes);
    wifi.AssignStreams(devices, 1000);
}
