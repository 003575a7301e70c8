/* SPDX-License-Identifier: GPL-2.0-only */
#include "streams.hh"

#include <cerrno>

using namespace ns3;

constexpr size_t HEAD = 8;
constexpr uint16_t FIRST_PORT = 24000; /* behind those of flows */
constexpr uint32_t PORTS = 24000;
constexpr uint32_t SEGMENT = 1400; /* bytes; every device takes it */
constexpr uint32_t SYN_TIMES = 6, DATA_TIMES = 15;

enum Event : uint8_t { OPEN = 1, ANSWER, ACCEPTED, DATA, END, RESET };

/* ---- one end */

void StreamEnd::attach(Ptr<Socket> s, Take take)
{
    socket = s;
    socket->SetRecvCallback([take](Ptr<Socket> from) {
        while (Ptr<Packet> packet = from->Recv()) {
            if (packet->GetSize() == 0) {
                break;
            }
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), uint32_t(bytes.size()));
            take(bytes);
        }
    });
    socket->SetSendCallback([this](Ptr<Socket>, uint32_t) { push(); });
    push();
}

void StreamEnd::add(const uint8_t *bytes, size_t n)
{
    waiting.insert(waiting.end(), bytes, bytes + n);
    push();
}

void StreamEnd::close()
{
    if (socket) {
        socket->Close();
    }
}

void StreamEnd::push()
{
    while (socket && !waiting.empty() && socket->GetTxAvailable() > 0) {
        const size_t n = std::min<size_t>(waiting.size(), socket->GetTxAvailable());
        const std::vector<uint8_t> part(waiting.begin(), waiting.begin() + long(n));
        const int sent = socket->Send(Create<Packet>(part.data(), uint32_t(n)));
        if (sent <= 0) {
            return;
        }
        waiting.erase(waiting.begin(), waiting.begin() + sent);
    }
}

/* ---- streams of programs */

/* An end of what a program says is a byte of the stream, as a FIN is a number of its sequence. */
struct Mark {
    uint64_t at;
    uint8_t kind;
};

struct TcpStreams::Stream {
    uint32_t number = 0;
    uint16_t port = 0;     /* for which the program asks */
    uint32_t node[2] = {}; /* who has opened it, and the other one */
    StreamEnd end[2];
    Ptr<Socket> listening, opening;
    bool asked = false, answered = false, connected = false, told = false, over = false;
    uint8_t why = 0;           /* it is refused */
    uint64_t sent[2] = {};     /* from each end */
    uint64_t received[2] = {}; /* at each end */
    std::deque<Mark> marks[2]; /* on the way from each end */
    unsigned ends = 0;
};

TcpStreams::TcpStreams(NodeContainer nodes, AddressOf address_of, Arrived arrived)
    : nodes(nodes), address_of(std::move(address_of)), arrived(std::move(arrived))
{
}

TcpStreams::~TcpStreams() = default;

void TcpStreams::tell(const Stream &s, unsigned side, uint8_t kind, uint8_t why,
                      const std::vector<uint8_t> &bytes)
{
    std::vector<uint8_t> event = {kind, why, uint8_t(s.port), uint8_t(s.port >> 8)};
    for (unsigned k = 0; k < 4; k++) {
        event.push_back(uint8_t(s.number >> (8 * k)));
    }
    event.insert(event.end(), bytes.begin(), bytes.end());
    arrived(s.node[side], s.node[1 - side], event);
}

Ptr<Socket> TcpStreams::make(uint32_t node)
{
    Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(node), TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(SEGMENT));
    socket->SetAttribute("ConnTimeout", TimeValue(Seconds(1)));
    socket->SetAttribute("ConnCount", UintegerValue(SYN_TIMES));
    socket->SetAttribute("DataRetries", UintegerValue(DATA_TIMES));
    return socket;
}

/* Who has opened it hears so when the answer to its SYN is there. */
void TcpStreams::answer(Stream &s)
{
    if (!s.answered || !s.connected || s.told) {
        return;
    }
    s.told = true;
    tell(s, 0, ANSWER, s.why);
    if (s.why != 0) {
        s.opening->Close();
    } else {
        s.end[0].attach(s.opening, [this, &s](const auto &bytes) { receive(s, 0, bytes); });
    }
}

void TcpStreams::open(Stream &s)
{
    const auto break_off = [this, &s](unsigned side) {
        return Callback<void, Ptr<Socket>>([this, &s, side](Ptr<Socket>) {
            if (!s.over) {
                tell(s, side, RESET);
            }
        });
    };
    const uint16_t port = uint16_t(FIRST_PORT + s.number % PORTS);
    s.listening = make(s.node[1]);
    s.listening->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    s.listening->Listen();
    s.listening->SetAcceptCallback(
        Callback<bool, Ptr<Socket>, const Address &>([this, &s](Ptr<Socket>, const Address &) {
            if (!s.asked) {
                s.asked = true;
                tell(s, 1, OPEN);
            }
            return true; /* whether anybody listens is known before the answer has arrived */
        }),
        Callback<void, Ptr<Socket>, const Address &>(
            [this, &s, break_off](Ptr<Socket> socket, const Address &) {
                if (s.why != 0) {
                    socket->Close();
                    return;
                }
                tell(s, 1, ACCEPTED);
                socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), break_off(1));
                s.end[1].attach(socket, [this, &s](const auto &bytes) { receive(s, 1, bytes); });
            }));
    s.opening = make(s.node[0]);
    s.opening->SetConnectCallback(
        Callback<void, Ptr<Socket>>([this, &s](Ptr<Socket>) {
            s.connected = true;
            answer(s);
        }),
        Callback<void, Ptr<Socket>>([this, &s](Ptr<Socket>) { tell(s, 0, ANSWER, ETIMEDOUT); }));
    s.opening->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), break_off(0));
    if (s.opening->Connect(InetSocketAddress(address_of(s.node[1]), port)) != 0) {
        tell(s, 0, ANSWER, EHOSTUNREACH); /* routing knows no way */
    }
}

/* Bytes and ends in their order. */
void TcpStreams::receive(Stream &s, unsigned side, const std::vector<uint8_t> &bytes)
{
    std::deque<Mark> &marks = s.marks[1 - side];
    for (size_t at = 0; at < bytes.size();) {
        const uint64_t here = s.received[side] + at;
        const size_t left = bytes.size() - at;
        const size_t n =
            marks.empty() ? left : size_t(std::min<uint64_t>(left, marks.front().at - here));
        if (n > 0) {
            tell(s, side, DATA, 0, {bytes.begin() + long(at), bytes.begin() + long(at + n)});
            at += n;
            continue;
        }
        const uint8_t kind = marks.front().kind;
        marks.pop_front();
        tell(s, side, kind);
        at++;
        s.ends += kind == END ? 1 : 2;
    }
    s.received[side] += bytes.size();
    if (s.ends >= 2 && !s.over) {
        s.over = true;
        s.end[0].close();
        s.end[1].close();
        s.listening->Close();
    }
}

void TcpStreams::leave(uint32_t from, uint32_t to, const std::vector<uint8_t> &event)
{
    uint32_t number = 0;
    if (event.size() < HEAD) {
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        number |= uint32_t(event[4 + k]) << (8 * k);
    }
    auto &place = streams[number];
    if (event[0] == OPEN) {
        place = std::make_unique<Stream>();
        place->number = number;
        place->port = uint16_t(event[2] | event[3] << 8);
        place->node[0] = from;
        place->node[1] = to;
        if (!address_of) {
            tell(*place, 0, ANSWER, ENETUNREACH);
        } else {
            open(*place);
        }
        return;
    }
    if (!place || place->over) {
        return;
    }
    Stream &s = *place;
    const unsigned side = from == s.node[0] ? 0 : 1;
    if (event[0] == ANSWER) {
        s.answered = true;
        s.why = event[1];
        answer(s);
    } else if (event[0] == DATA) {
        s.end[side].add(event.data() + HEAD, event.size() - HEAD);
        s.sent[side] += event.size() - HEAD;
    } else if (event[0] == END || event[0] == RESET) {
        s.marks[side].push_back({s.sent[side]++, event[0]});
        s.end[side].add(event.data(), 1);
    } /* ACCEPTED: the third part of the handshake is TCP's own */
}
