/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * Frames of Mayfly's bus (docs/bus.md) as the bridge reads and writes them. Written from that page;
 * it shares no code with the swarm.
 */
#ifndef MAYFLY_NS3_WIRE_HH
#define MAYFLY_NS3_WIRE_HH

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace wire
{

constexpr size_t HEADER = 16, PAYLOAD_MAX = 65520, NAME = 32, STATE_BYTES = 48;
constexpr uint8_t VERSION = 1, ROLE_NETWORK = 4;

enum Type : uint8_t {
    HELLO = 1,
    DONE = 2,
    ARRIVALS = 8,
    WRITTEN = 9,
    CLIENTS = 10,
    WELCOME = 65,
    STATE = 69,
    END = 75,
    ERROR = 76,
    NETWORK = 80,
    SENDS = 81,
    RUN = 82,
    REACHED = 83,
};

/* Something is not as docs/bus.md says. */
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* Bytes that are read from front to back, little endian. */
class Reader
{
  public:
    Reader(const uint8_t *bytes, size_t n) : at(bytes), left(n)
    {
    }
    uint64_t u(size_t bytes)
    {
        const uint8_t *p = take(bytes);
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; i++) {
            value |= uint64_t(p[i]) << (8 * i);
        }
        return value;
    }
    double f64()
    {
        const uint64_t bits = u(8);
        double x;
        std::memcpy(&x, &bits, sizeof x);
        return x;
    }
    const uint8_t *take(size_t n)
    {
        if (n > left) {
            throw Broken("a frame ends too early");
        }
        const uint8_t *p = at;
        at += n;
        left -= n;
        return p;
    }
    size_t rest() const
    {
        return left;
    }

  private:
    const uint8_t *at;
    size_t left;
};

/* A frame in the making. */
class Writer
{
  public:
    Writer(Type type, uint32_t tick, uint64_t ns) : bytes(HEADER)
    {
        bytes[0] = VERSION;
        bytes[1] = type;
        put(4, tick, 4);
        put(8, ns, 8);
    }
    Writer &u(uint64_t value, size_t n)
    {
        bytes.resize(bytes.size() + n);
        put(bytes.size() - n, value, n);
        return *this;
    }
    Writer &raw(const void *from, size_t n)
    {
        const uint8_t *p = static_cast<const uint8_t *>(from);
        bytes.insert(bytes.end(), p, p + n);
        return *this;
    }
    bool fits(size_t n) const
    {
        return bytes.size() + n <= HEADER + PAYLOAD_MAX;
    }
    bool empty() const
    {
        return bytes.size() == HEADER;
    }
    const std::vector<uint8_t> &end()
    {
        put(2, bytes.size() - HEADER, 2);
        return bytes;
    }

  private:
    void put(size_t at, uint64_t value, size_t n)
    {
        for (size_t i = 0; i < n; i++) {
            bytes[at + i] = uint8_t(value >> (8 * i));
        }
    }
    std::vector<uint8_t> bytes;
};

struct Frame {
    uint8_t type;
    uint32_t tick;
    uint64_t ns;
    std::vector<uint8_t> payload;
};

/* A connection to the swarm. */
class Bus
{
  public:
    /* @param where  "HOST:PORT", "unix:PATH", or "fd:N", which is connected */
    explicit Bus(const std::string &where);
    ~Bus();
    Bus(const Bus &) = delete;
    Bus &operator=(const Bus &) = delete;
    void send(const std::vector<uint8_t> &bytes);
    /* @return false: the swarm has closed it */
    bool receive(Frame &frame);
    int fd() const
    {
        return socket;
    }

  private:
    bool exactly(uint8_t *to, size_t n);
    int socket;
};

} // namespace wire

#endif
