/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
#include "wire.hh"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace wire
{

static int connect_unix(const std::string &path)
{
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    if (path.size() >= sizeof a.sun_path) {
        throw Broken("the path is longer than a socket's may be: " + path);
    }
    std::memcpy(a.sun_path, path.c_str(), path.size() + 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0 ? fd : -1;
}

static int connect_tcp(const std::string &where)
{
    const size_t colon = where.rfind(':');
    if (colon == std::string::npos) {
        throw Broken("must be HOST:PORT or unix:PATH: " + where);
    }
    addrinfo hints{}, *found = nullptr;
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(where.substr(0, colon).c_str(), where.substr(colon + 1).c_str(), &hints,
                      &found) != 0) {
        throw Broken("no such address: " + where);
    }
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    const bool good = fd >= 0 && ::connect(fd, found->ai_addr, found->ai_addrlen) == 0;
    ::freeaddrinfo(found);
    if (good) {
        (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    return good ? fd : -1;
}

static int connect_to(const std::string &where)
{
    if (where.compare(0, 3, "fd:") == 0) { /* it was given with the program's start */
        return std::atoi(where.c_str() + 3);
    }
    return where.compare(0, 5, "unix:") == 0 ? connect_unix(where.substr(5)) : connect_tcp(where);
}

Bus::Bus(const std::string &where) : socket(connect_to(where))
{
    if (socket < 0) {
        throw Broken(where + ": " + std::strerror(errno));
    }
}

Bus::~Bus()
{
    (void)::close(socket);
}

void Bus::send(const std::vector<uint8_t> &bytes)
{
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        if (n <= 0 && errno != EINTR) {
            throw Broken(std::string("cannot write to the swarm: ") + std::strerror(errno));
        }
        at += n > 0 ? size_t(n) : 0;
    }
}

bool Bus::exactly(uint8_t *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        const ssize_t got = ::recv(socket, to + at, n - at, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += got > 0 ? size_t(got) : 0;
    }
    return true;
}

bool Bus::receive(Frame &frame)
{
    uint8_t header[HEADER];
    if (!exactly(header, HEADER)) {
        return false;
    }
    Reader r(header, HEADER);
    if (r.u(1) != VERSION) {
        throw Broken("the swarm uses another version of the bus");
    }
    frame.type = uint8_t(r.u(1));
    frame.payload.resize(r.u(2));
    frame.tick = uint32_t(r.u(4));
    frame.ns = r.u(8);
    return exactly(frame.payload.data(), frame.payload.size());
}

} // namespace wire
