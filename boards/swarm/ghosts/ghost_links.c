/* SPDX-License-Identifier: Apache-2.0 */
/* Links of ghosts over TCP, UDP and serial lines, read and written without blocking; the other
 * files of ghosts call it. */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "math/chance.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK      4096u
#define CHUNKS_MAX 64u /* most chunks of one link per call; the rest waits */
#define LOCK_NAME  200u

static const struct {
    const char *prefix;
    enum mf_port_kind kind;
} k_kind[] = {{"tcpout:", MF_PORT_TCP_CLIENT},
              {"udp:", MF_PORT_UDP_SERVER},
              {"udpout:", MF_PORT_UDP_CLIENT},
              {"serial:", MF_PORT_SERIAL}};

static bool is_udp(const struct ghost_link *l)
{
    return l->to.kind == MF_PORT_UDP_SERVER || l->to.kind == MF_PORT_UDP_CLIENT;
}

/* ---- opening */

/* Pass on a good descriptor, close a bad one. @return the descriptor; < 0 with errno of the failure
 */
static int keep_or_close(int fd, bool good)
{
    if (!good && fd >= 0) {
        const int error = errno;
        (void)close(fd);
        errno = error;
    }
    return good ? fd : -1;
}

static int open_udp(const struct ghost_link *l)
{
    const struct mf_addr *to = &l->to.addr;
    const int fd = socket(to->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool server = l->to.kind == MF_PORT_UDP_SERVER;
    const struct mf_addr from = server ? *to : mf_addr_local_for(to, l->to.local_port);
    const bool good = fd >= 0 && bind(fd, &from.any, from.len) == 0 &&
                      (server || connect(fd, &to->any, to->len) == 0);
    return keep_or_close(fd, good);
}

/* @param waits  block until connected; false: retry_link() finds out later  @return the descriptor;
 * < 0 with errno */
static int open_tcp(const struct ghost_link *l, bool waits)
{
    const struct mf_addr *to = &l->to.addr;
    const int one = 1, fd = socket(to->any.sa_family,
                                   SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
    const bool good = fd >= 0 && (connect(fd, &to->any, to->len) == 0 || errno == EINPROGRESS) &&
                      fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
                      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0;
    return keep_or_close(fd, good);
}

static int open_socket(struct ghost_link *l, bool waits)
{
    l->connecting = !waits;
    if (l->to.kind == MF_PORT_SERIAL) {
        return mf_tty_open(&l->to);
    }
    return is_udp(l) ? open_udp(l) : open_tcp(l, waits);
}

static void close_link(struct ghost_link *l)
{
    if (l->fd >= 0) {
        (void)close(l->fd);
    }
    l->fd = -1;
    l->out_n = 0;
    l->broken = false;
}

/* Index in k_kind of a link's text; SIZE_MAX: unknown prefix */
static size_t find_kind(const char *text)
{
    size_t k = 0;
    while (k < sizeof k_kind / sizeof k_kind[0]) {
        if (strncmp(text, k_kind[k].prefix, strlen(k_kind[k].prefix)) == 0) {
            return k;
        }
        k++;
    }
    return SIZE_MAX;
}

/* Cut "#7" from a link's text, and read the system id; 0 without one. @return false: not a system
 * id */
static bool read_system(char *text, uint8_t *system)
{
    char *hash = strchr(text, '#'), *end = NULL;
    *system = 0;
    if (hash == NULL) {
        return true;
    }
    const unsigned long number = strtoul(hash + 1, &end, 10);
    *system = (uint8_t)number;
    *hash = '\0';
    return hash[1] >= '0' && hash[1] <= '9' && *end == '\0' && number >= 1 && number <= 255;
}

static void record_link_state(struct swarm_ghosts *g, uint32_t k, enum ghost_type type,
                              mf_us_t at_us)
{
    const struct ghost_record head = {.at_us = at_us, .type = (uint8_t)type, .link = (uint16_t)k};
    ghost_record_write(g, &head, NULL);
    ghost_push(g, &g->link[k].in, &head, NULL);
}

static int32_t add_link(struct swarm_ghosts *g, const char *text, int line, bool steps)
{
    char reason[MF_REASON_MAX] = "is not tcpout:, udp:, udpout: or serial:";
    const size_t kind = find_kind(text);
    struct ghost_link *l = &g->link[g->links];
    *l = (struct ghost_link){.line = line, .steps = steps, .fd = -1};
    (void)snprintf(l->text, sizeof l->text, "%s", text);
    if (kind == SIZE_MAX ||
        mf_endpoint_parse(&l->to, k_kind[kind].kind, text + strlen(k_kind[kind].prefix), reason) !=
            MF_E_OK ||
        (k_kind[kind].kind != MF_PORT_SERIAL && mf_endpoint_resolve(&l->to, reason) != MF_E_OK)) {
        (void)swarm_refuse(g->w, line, "%s: %s", text, reason);
        return -1;
    }
    if (!g->replays) {
        l->fd = open_socket(l, true);
        if (l->fd < 0) {
            (void)swarm_refuse(g->w, line, "%s: %s%s", text, strerror(errno),
                               errno == ECONNREFUSED ? ": start its drone first" : "");
            return -1;
        }
        record_link_state(g, g->links, GHOST_UP, GHOST_BEFORE_US);
    }
    return (int32_t)g->links++;
}

int32_t ghost_link_open(struct swarm_ghosts *g, const char *text, int line, bool steps,
                        uint8_t *system)
{
    char address[MF_SCENARIO_LINK_MAX];
    (void)snprintf(address, sizeof address, "%s", text);
    if (!read_system(address, system)) {
        (void)swarm_refuse(g->w, line, "%s: behind # stands a system, 1 to 255", text);
        return -1;
    }
    for (uint32_t k = 0; k < g->links; k++) {
        if (strcmp(g->link[k].text, address) == 0) {
            return (int32_t)k;
        }
    }
    return add_link(g, address, line, steps);
}

/* ---- one client per drone: the first client locks a file that has its name */

static void write_lock_name(const struct ghost_link *l, uint8_t system, char *name)
{
    char key[MF_ADDR_TEXT_MAX + MF_HOST_MAX + 16u], address[MF_ADDR_TEXT_MAX] = "";
    const char *folder = getenv("TMPDIR");
    if (l->to.kind != MF_PORT_SERIAL) {
        mf_addr_text(&l->to.addr, address);
    }
    (void)snprintf(key, sizeof key, "%d %s %s#%u", (int)l->to.kind, address,
                   l->to.kind == MF_PORT_SERIAL ? l->to.host : "", (unsigned)system);
    (void)snprintf(name, LOCK_NAME, "%.100s/mayfly-ghost-%u-%016" PRIx64,
                   folder != NULL && folder[0] == '/' ? folder : "/tmp", (unsigned)getuid(),
                   mf_chance_text(0, key));
}

/* Lock a file. @return the descriptor; -1: a process has locked it, whose text is in @p owner; -2:
 * the file cannot be opened */
static int lock_file(const char *name, char *owner, size_t size)
{
    for (;;) {
        struct stat here, there;
        const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0) {
            return -2;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const ssize_t n = pread(fd, owner, size - 1u, 0);
            owner[n > 0 ? n : 0] = '\0';
            (void)close(fd);
            return -1;
        }
        if (fstat(fd, &here) == 0 && stat(name, &there) == 0 && here.st_ino == there.st_ino) {
            return fd;
        }
        (void)close(fd); /* the holder unlinked the file after open(): try again */
    }
}

int ghost_link_claim(struct swarm_ghosts *g, struct ghost *ghost, uint8_t system)
{
    char name[LOCK_NAME], owner[128] = "", text[160];
    const struct ghost_link *l = &g->link[ghost->link];
    if (g->replays) {
        return SWARM_OK;
    }
    write_lock_name(l, system, name);
    const int fd = lock_file(name, owner, sizeof owner);
    if (fd == -1) {
        return swarm_refuse(g->w, l->line, "%s: it is the drone of %s already; a drone has one",
                            l->text, owner[0] != '\0' ? owner : "another program");
    }
    const int n = snprintf(text, sizeof text, "%s of %.60s (process %d)",
                           swarm_name(g->w, ghost->i).text, g->w->file, (int)getpid());
    ghost->lock = fd; /* -2: the run continues without a lock */
    if (fd >= 0 && (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)) {
        return swarm_refuse(g->w, l->line, "%s: %s", name, strerror(errno));
    }
    return SWARM_OK;
}

static void unlock_drone(struct swarm_ghosts *g, struct ghost *ghost)
{
    char name[LOCK_NAME];
    if (ghost->lock < 0) {
        return;
    }
    write_lock_name(&g->link[ghost->link], ghost->port.wanted, name);
    (void)unlink(name);
    (void)close(ghost->lock);
    ghost->lock = -1;
}

void ghost_links_close(struct swarm_ghosts *g)
{
    for (uint32_t k = 0; k < g->count; k++) {
        unlock_drone(g, &g->ghost[k]);
    }
    for (uint32_t k = 0; k < g->links; k++) {
        close_link(&g->link[k]);
        while (g->link[k].in.first != NULL) {
            ghost_pop(&g->link[k].in);
        }
    }
}

/* ---- sending */

/* Write queued bytes. An error only marks the link broken; the next read takes it down. */
static void flush_link(struct ghost_link *l)
{
    if (l->fd < 0 || l->connecting || l->out_n == 0) {
        return;
    }
    const ssize_t n = l->to.kind == MF_PORT_SERIAL
                          ? write(l->fd, l->out, l->out_n)
                          : send(l->fd, l->out, l->out_n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
        memmove(l->out, l->out + n, l->out_n - (size_t)n);
        l->out_n -= (size_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        l->broken = true;
    }
}

int ghost_link_write(struct swarm_ghosts *g, uint32_t link, int32_t source, const uint8_t *bytes,
                     size_t n)
{
    struct ghost_link *l = &g->link[link];
    if (!l->up) {
        return MF_E_IO;
    }
    if (l->fd < 0 || l->broken) {
        return MF_E_OK; /* GHOST_DOWN will follow; in a replay no socket is open */
    }
    if (is_udp(l)) {
        const bool server = l->to.kind == MF_PORT_UDP_SERVER;
        if (server && source < 0) {
            return MF_E_OK; /* no drone has sent a datagram yet */
        }
        const struct mf_addr *to = server ? &l->source[source] : &l->to.addr;
        const ssize_t sent = sendto(l->fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT,
                                    server ? &to->any : NULL, server ? to->len : 0);
        l->dropped += sent != (ssize_t)n ? 1u : 0u;
        return MF_E_OK;
    }
    if (l->out_n + n > sizeof l->out) {
        l->dropped++;
        return MF_E_OK;
    }
    memcpy(l->out + l->out_n, bytes, n);
    l->out_n += n;
    flush_link(l);
    return MF_E_OK;
}

/* ---- receiving */

static bool is_same_address(const struct mf_addr *a, const struct mf_addr *b)
{
    return a->len == b->len && memcmp(&a->any, &b->any, a->len) == 0;
}

static bool is_source_used(const struct swarm_ghosts *g, uint32_t link, uint32_t source)
{
    for (uint32_t k = 0; k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        if ((ghost->link == (int32_t)link && ghost->source == (int32_t)source) ||
            (ghost->mocap == (int32_t)link && ghost->mocap_source == (int32_t)source)) {
            return true;
        }
    }
    return false;
}

/* Index of a datagram's sender in l->source. A new sender replaces one that no ghost uses. @return
 * < 0: ghosts use all of them */
static int32_t find_source(struct swarm_ghosts *g, uint32_t link, const struct mf_addr *from)
{
    struct ghost_link *l = &g->link[link];
    uint32_t free_one = 0;
    for (uint32_t s = 0; s < l->sources; s++) {
        if (is_same_address(&l->source[s], from)) {
            return (int32_t)s;
        }
    }
    if (l->sources < GHOST_SOURCES) {
        free_one = l->sources++;
    }
    while (free_one < GHOST_SOURCES && is_source_used(g, link, free_one)) {
        free_one++;
    }
    if (free_one == GHOST_SOURCES) {
        return -1;
    }
    l->source[free_one] = *from;
    return (int32_t)free_one;
}

/* Read from a link. @return bytes; 0: nothing to read; < 0: the link has ended */
static ssize_t read_socket(struct ghost_link *l, uint8_t *bytes, struct mf_addr *from)
{
    from->len = sizeof from->in6;
    memset(&from->in6, 0, sizeof from->in6);
    const ssize_t n = l->to.kind == MF_PORT_SERIAL
                          ? read(l->fd, bytes, CHUNK)
                          : recvfrom(l->fd, bytes, CHUNK, MSG_DONTWAIT, &from->any, &from->len);
    if (n > 0 || is_udp(l)) {
        return n > 0 ? n : 0; /* an error such as ECONNREFUSED does not end a UDP link */
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

int ghost_connect_wait(int fd, bool tcp, int wait_ms)
{
    struct pollfd polled = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(&polled, 1, wait_ms) <= 0) {
        return ETIMEDOUT;
    }
    return !tcp || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

static int wait_connected(const struct ghost_link *l, int wait_ms)
{
    return ghost_connect_wait(l->fd, l->to.kind == MF_PORT_TCP_CLIENT, wait_ms);
}

static void close_ended_link(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us)
{
    close_link(&g->link[link]);
    g->link[link].retry_s = swarm_wall_s() + GHOST_RETRY_S;
    record_link_state(g, link, GHOST_DOWN, at_us);
}

static void retry_link(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us)
{
    struct ghost_link *l = &g->link[link];
    if (l->fd < 0 && !l->steps && swarm_wall_s() >= l->retry_s) {
        l->retry_s = swarm_wall_s() + GHOST_RETRY_S;
        l->fd = open_socket(l, false);
    }
    const int error = l->fd >= 0 ? wait_connected(l, 0) : ETIMEDOUT;
    if (error == 0) {
        l->connecting = false;
        record_link_state(g, link, GHOST_UP, at_us);
    } else if (error != ETIMEDOUT) {
        close_link(l);
    }
}

bool ghost_link_reopen(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us)
{
    struct ghost_link *l = &g->link[link];
    close_link(l);
    l->fd = open_socket(l, false);
    l->connecting = false;
    if (l->fd >= 0 && wait_connected(l, GHOST_SOON_MS) != 0) {
        close_link(l);
    }
    if (l->fd >= 0) {
        record_link_state(g, link, GHOST_UP, at_us);
    }
    return l->fd >= 0;
}

void ghost_link_read(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us)
{
    struct ghost_link *l = &g->link[link];
    uint8_t bytes[CHUNK];
    struct mf_addr from;
    if (l->fd < 0 || l->connecting) {
        retry_link(g, link, at_us);
        return;
    }
    flush_link(l);
    for (uint32_t k = 0; k < CHUNKS_MAX; k++) {
        const ssize_t n = l->broken ? -1 : read_socket(l, bytes, &from);
        if (n < 0) {
            close_ended_link(g, link, at_us);
        }
        if (n <= 0) {
            return;
        }
        const int32_t source = is_udp(l) ? find_source(g, link, &from) : 0;
        if (source < 0) {
            continue;
        }
        const struct ghost_record head = {.at_us = at_us,
                                          .type = GHOST_BYTES,
                                          .source = (uint8_t)source,
                                          .link = (uint16_t)link,
                                          .n = (uint32_t)n};
        ghost_record_write(g, &head, bytes);
        ghost_push(g, &l->in, &head, bytes);
    }
}

void ghost_links_read(struct swarm_ghosts *g, mf_us_t at_us)
{
    for (uint32_t k = 0; k < g->links; k++) {
        if (!g->link[k].steps) {
            ghost_link_read(g, k, at_us);
        }
    }
}
