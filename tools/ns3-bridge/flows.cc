/* SPDX-License-Identifier: GPL-2.0-only */
#include "flows.hh"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

using namespace ns3;

constexpr uint16_t FIRST_PORT = 20000;
constexpr size_t DATAGRAM_MAX = 1400; /* no frame of MAVLink is longer than 280 bytes */

/* ---- settings */

FlowSettings::FlowSettings(const std::string &text)
{
    std::istringstream in(text);
    std::string part[5];
    for (std::string &p : part) {
        std::getline(in, p, ',');
    }
    if (part[0] != "udp" && part[0] != "tcp") {
        throw std::invalid_argument("network.flows: via: '" + part[0] + "' is not known, allowed: udp, tcp");
    }
    tcp = part[0] == "tcp";
    client = uint16_t(std::stoul(part[1]));
    station = uint32_t(std::stoul(part[2]));
    member = uint32_t(std::stoul(part[3]));
    vehicle = part[4];
}

/* ---- real sockets */

[[noreturn]] static void fail(const std::string &what)
{
    throw std::runtime_error("network.flows: " + what + ": " + std::strerror(errno));
}

static sockaddr_in address_of(const std::string &host, uint16_t port)
{
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &a.sin_addr) != 1) {
        throw std::invalid_argument("network.flows: no such address: " + host);
    }
    return a;
}

/* A descriptor that does not block. */
class Real
{
  public:
    explicit Real(int fd = -1) : fd(fd)
    {
        if (fd >= 0) {
            (void)::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
        }
    }
    ~Real()
    {
        close();
    }
    Real(const Real &) = delete;
    Real &operator=(const Real &) = delete;
    void reset(int other)
    {
        close();
        fd = other;
        (void)::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    void close()
    {
        if (fd >= 0) {
            (void)::close(fd);
        }
        fd = -1;
    }
    bool open() const
    {
        return fd >= 0;
    }
    int get() const
    {
        return fd;
    }

  private:
    int fd;
};

static int bound(int type, uint16_t port)
{
    const sockaddr_in a = address_of("127.0.0.1", port);
    const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0), one = 1;
    (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr *>(&a), sizeof a) != 0 ||
        (type == SOCK_STREAM && ::listen(fd, 1) != 0)) {
        fail("port " + std::to_string(port));
    }
    return fd;
}

static int connected(const std::string &where)
{
    const size_t colon = where.rfind(':');
    const sockaddr_in a =
        address_of(where.substr(0, colon), uint16_t(std::stoul(where.substr(colon + 1))));
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr *>(&a), sizeof a) != 0) {
        fail(where);
    }
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void write_all(int fd, const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        const ssize_t sent = ::send(fd, bytes + at, n - at, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            return; /* it has gone: what arrives is lost */
        }
        at += sent > 0 ? size_t(sent) : 0;
    }
}

static std::vector<uint8_t> bytes_of(Ptr<Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), uint32_t(bytes.size()));
    return bytes;
}

static Told tell(bool got, std::vector<uint8_t> bytes)
{
    return {uint64_t(Simulator::Now().GetNanoSeconds()), got, std::move(bytes)};
}

/* ---- frames of MAVLink in a stream: a datagram holds whole ones */

class Frames
{
  public:
    void add(const uint8_t *bytes, size_t n)
    {
        stream.insert(stream.end(), bytes, bytes + n);
    }
    /* @return the next datagram; empty: there is none */
    std::vector<uint8_t> next()
    {
        size_t end = 0;
        for (size_t n; (n = frame(end)) > 0 && (end == 0 || end + n <= DATAGRAM_MAX);) {
            end += n;
        }
        std::vector<uint8_t> datagram(stream.begin(), stream.begin() + long(end));
        stream.erase(stream.begin(), stream.begin() + long(end));
        return datagram;
    }

  private:
    /* @return length of the frame at a place, or 1 for a byte of none; 0: it is not whole */
    size_t frame(size_t at) const
    {
        const size_t left = stream.size() - at;
        if (left == 0) {
            return 0;
        }
        if (stream[at] == 0xFD) {
            const size_t n =
                left < 3 ? SIZE_MAX : 12u + stream[at + 1] + (stream[at + 2] & 1 ? 13u : 0u);
            return n <= left ? n : 0;
        }
        if (stream[at] == 0xFE) {
            const size_t n = left < 2 ? SIZE_MAX : 8u + stream[at + 1];
            return n <= left ? n : 0;
        }
        return 1;
    }
    std::vector<uint8_t> stream;
};

/* ---- datagram for datagram over simulated UDP */

class UdpFlow : public Flow
{
  public:
    UdpFlow(const FlowSettings &s, uint16_t port, NodeContainer nodes, const AddressOf &place,
            std::function<void()> arrived)
        : client(bound(SOCK_DGRAM, s.client)), vehicle(connected(s.vehicle)),
          station(end(nodes.Get(s.station), port)), air(end(nodes.Get(s.member), port)),
          to_station(place(s.station), port), to_air(place(s.member), port)
    {
        station->SetRecvCallback([this, arrived](Ptr<Socket> from) {
            while (Ptr<Packet> packet = from->Recv()) {
                to_client.push_back(bytes_of(packet));
                if (peer.sin_port != 0) {
                    told.push_back(tell(true, to_client.back()));
                }
                arrived();
            }
        });
        air->SetRecvCallback([this, arrived](Ptr<Socket> from) {
            while (Ptr<Packet> packet = from->Recv()) {
                to_vehicle.push_back(bytes_of(packet));
                arrived();
            }
        });
    }
    Written write() override
    {
        Written written;
        for (const auto &bytes : to_client) {
            if (peer.sin_port != 0) {
                (void)::sendto(client.get(), bytes.data(), bytes.size(), 0,
                               reinterpret_cast<const sockaddr *>(&peer), sizeof peer);
                written.clients += bytes.size();
            }
        }
        for (const auto &bytes : to_vehicle) {
            write_all(vehicle.get(), bytes.data(), bytes.size());
            written.vehicles += bytes.size();
        }
        to_client.clear();
        to_vehicle.clear();
        return written;
    }
    void take() override
    {
        uint8_t bytes[65536];
        socklen_t size = sizeof peer;
        for (ssize_t n; (n = ::recvfrom(client.get(), bytes, sizeof bytes, 0,
                                        reinterpret_cast<sockaddr *>(&peer), &size)) >= 0;) {
            told.push_back(tell(false, {bytes, bytes + n}));
            station->SendTo(Create<Packet>(bytes, uint32_t(n)), 0, to_air);
        }
        for (ssize_t n; (n = ::recv(vehicle.get(), bytes, sizeof bytes, 0)) > 0;) {
            frames.add(bytes, size_t(n));
        }
        for (auto datagram = frames.next(); !datagram.empty(); datagram = frames.next()) {
            air->SendTo(Create<Packet>(datagram.data(), uint32_t(datagram.size())), 0, to_station);
        }
    }

  private:
    static Ptr<Socket> end(Ptr<Node> node, uint16_t port)
    {
        Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        return socket;
    }
    Real client, vehicle;
    sockaddr_in peer{};
    std::vector<std::vector<uint8_t>> to_client, to_vehicle;
    Frames frames;
    Ptr<Socket> station, air;
    InetSocketAddress to_station, to_air;
};

/* ---- a stream through simulated TCP */

/* No byte waits for the wall. The system forgets that acknowledgements are not to wait. */
static void hurry(int fd)
{
    const int one = 1;
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

class TcpFlow : public Flow
{
  public:
    TcpFlow(const FlowSettings &s, uint16_t port, NodeContainer nodes, const AddressOf &place,
            std::function<void()> arrived)
        : listener(bound(SOCK_STREAM, s.client)), vehicle(connected(s.vehicle)), arrived(arrived)
    {
        listening = Socket::CreateSocket(nodes.Get(s.member), TcpSocketFactory::GetTypeId());
        listening->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        listening->Listen();
        listening->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address &>(),
                                     Callback<void, Ptr<Socket>, const Address &>(
                                         [this](Ptr<Socket> socket, const Address &) {
                                             air.attach(socket, [this](const auto &bytes) {
                                                 to_vehicle.insert(to_vehicle.end(), bytes.begin(),
                                                                   bytes.end());
                                                 this->arrived();
                                             });
                                         }));
        station_socket = Socket::CreateSocket(nodes.Get(s.station), TcpSocketFactory::GetTypeId());
        station_socket->SetConnectCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                                               station.attach(socket, [this](const auto &bytes) {
                                                   to_client.insert(to_client.end(), bytes.begin(),
                                                                    bytes.end());
                                                   told.push_back(tell(true, bytes));
                                                   this->arrived();
                                               });
                                           }),
                                           MakeNullCallback<void, Ptr<Socket>>());
        const InetSocketAddress to(place(s.member), port);
        Simulator::ScheduleWithContext(s.station, MilliSeconds(1),
                                       [this, to] { station_socket->Connect(to); });
    }
    Written write() override
    {
        Written written;
        written.vehicles = to_vehicle.size();
        if (client.open()) {
            written.clients = to_client.size();
            write_all(client.get(), to_client.data(), to_client.size());
            to_client.clear();
        }
        write_all(vehicle.get(), to_vehicle.data(), to_vehicle.size());
        to_vehicle.clear();
        return written;
    }
    void take() override
    {
        uint8_t bytes[65536];
        if (!client.open()) {
            const int fd = ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
            if (fd >= 0) {
                client.reset(fd);
                hurry(fd);
            }
        }
        ssize_t n;
        while (client.open() && (n = ::recv(client.get(), bytes, sizeof bytes, 0)) >= 0) {
            if (n == 0) {
                client.close(); /* another one may come */
            } else {
                told.push_back(tell(false, {bytes, bytes + n}));
                station.add(bytes, size_t(n));
                hurry(client.get());
            }
        }
        while ((n = ::recv(vehicle.get(), bytes, sizeof bytes, 0)) > 0) {
            air.add(bytes, size_t(n));
        }
    }

  private:
    Real listener, client, vehicle;
    std::function<void()> arrived;
    std::vector<uint8_t> to_client, to_vehicle; /* the first also until a client comes */
    Ptr<Socket> listening, station_socket;
    StreamEnd station, air;
};

std::unique_ptr<Flow> make_flow(const FlowSettings &s, uint32_t number, NodeContainer nodes,
                                const AddressOf &place, std::function<void()> arrived)
{
    const uint16_t port = uint16_t(FIRST_PORT + number);
    if (s.station >= nodes.GetN() || s.member >= nodes.GetN()) {
        throw std::invalid_argument("network.flows: there is no such member");
    }
    if (s.tcp) {
        return std::make_unique<TcpFlow>(s, port, nodes, place, std::move(arrived));
    }
    return std::make_unique<UdpFlow>(s, port, nodes, place, std::move(arrived));
}
