/* SPDX-License-Identifier: Apache-2.0 */
/* Grant time to drones of ghosts in lockstep by their time sockets (docs/time.md); ghosts.c and
 * ghost_process.c call it. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/processes/patience.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MS 50 /* longest poll, so that a signal ends a wait */

/* Connect to a TCP address within GHOST_SOON_MS. @return the descriptor, blocking; < 0 with errno
 */
static int connect_socket(const struct mf_addr *to)
{
    const int one = 1;
    const int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    int error = connect(fd, &to->any, to->len) == 0 ? 0 : errno;
    error = error == EINPROGRESS ? ghost_connect_wait(fd, true, GHOST_SOON_MS) : error;
    if (error != 0 || fcntl(fd, F_SETFL, 0) != 0) {
        (void)close(fd);
        errno = error != 0 ? error : EIO;
        return -1;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* Parse and resolve an address. @param reason  out: the error  @return MF_E_OK or an error */
static int resolve_address(const char *text, struct mf_endpoint *ep, char *reason)
{
    const int result = mf_endpoint_parse(ep, MF_PORT_TCP_CLIENT, text, reason);
    return result == MF_E_OK ? mf_endpoint_resolve(ep, reason) : result;
}

int ghost_time_connect(struct swarm *w, const struct mf_scenario_addresses *to, uint32_t k)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const char *text = to->text[k];
    if (resolve_address(text, &ep, reason) != MF_E_OK) {
        return swarm_refuse(w, to->line, "%s: %s", text, reason), -1;
    }
    const int fd = connect_socket(&ep.addr);
    if (fd < 0) {
        (void)swarm_refuse(w, to->line, "%s: %s%s", text, strerror(errno),
                           errno == ECONNREFUSED ? ": start its drone first" : "");
    }
    return fd;
}

static bool send_bytes(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* Read the ghost's link. @return false: the link has ended */
static bool read_ghost_link(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    if (ghost->link < 0) {
        return true; /* the link is optional for a drone of a process */
    }
    ghost_link_read(g, (uint32_t)ghost->link, at_us);
    return g->link[ghost->link].fd >= 0;
}

/* Text behind a key. @return "": the line lacks the key */
static const char *find_value(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at != NULL ? at + strlen(key) : "";
}

/* Read the pose that a report has. @return false: a number is missing, or beyond its limit */
static bool read_pose(const char *truth, struct mf_pose *pose)
{
    static const struct {
        const char *key;
        double limit;
    } k_number[] = {{" lat ", 90.0}, {" lon ", 180.0}, {" alt ", 1e6}, {" vn ", 1e5},
                    {" ve ", 1e5},   {" vd ", 1e5},    {" yaw ", 10.0}};
    double value[sizeof k_number / sizeof k_number[0]];
    for (size_t k = 0; k < sizeof k_number / sizeof k_number[0]; k++) {
        char *end;
        const char *text = find_value(truth, k_number[k].key);
        value[k] = strtod(text, &end);
        if (end == text || !mf_within(value[k], k_number[k].limit)) {
            return false;
        }
    }
    *pose = (struct mf_pose){.lat_deg = value[0],
                             .lon_deg = value[1],
                             .alt_amsl_m = value[2],
                             .vel_ned_mps = {(float)value[3], (float)value[4], (float)value[5]},
                             .yaw_rad = (float)value[6]};
    return true;
}

/* Store what the last line of a process's drone reports: pose, next event, traffic, armed, landed.
 * @return false: its pose is malformed */
static bool store_report(struct ghost *ghost)
{
    const char *line = ghost->line, *truth = strstr(line, " lat "),
               *next = find_value(line, " next ");
    if (truth == NULL) {
        return true;
    }
    if (!read_pose(truth, &ghost->truth)) {
        return false;
    }
    (void)snprintf(ghost->reported, sizeof ghost->reported, "%s", truth);
    ghost->next_us = *next == 'n' ? MF_NEVER : strtoll(next, NULL, 10);
    ghost->in = strtoull(find_value(line, " in "), NULL, 10);
    ghost->out = strtoull(find_value(line, " out "), NULL, 10);
    ghost->truth.on_ground = *find_value(line, " landed ") == '1';
    ghost->port.view.armed = *find_value(line, " armed ") == '1';
    ghost->port.view.landed =
        ghost->truth.on_ground ? MAV_LANDED_STATE_ON_GROUND : MAV_LANDED_STATE_IN_AIR;
    return true;
}

/* True if a complete line begins with @p word and has the time @p at_us; < 0: any time. Stores the
 * line's time. */
static bool is_expected_line(struct ghost *ghost, const char *word, mf_us_t at_us)
{
    const size_t n = strlen(word);
    if (strncmp(ghost->line, word, n) != 0) {
        return false;
    }
    ghost->line_us = strtoll(ghost->line + n, NULL, 10);
    return at_us < 0 || ghost->line_us == at_us;
}

/* Read lines up to the one that the caller waits for. @return 1: read; 0: not arrived; -1: the
 * socket has ended, or a line is too long or malformed */
static int read_lines(struct ghost *ghost, const char *word, mf_us_t at_us)
{
    for (;;) {
        char *end = memchr(ghost->line, '\n', ghost->line_len);
        if (end != NULL) {
            *end = '\0';
            const bool is = is_expected_line(ghost, word, at_us);
            if (is && ghost->process != NULL && !store_report(ghost)) {
                return -1;
            }
            ghost->line_len -= (size_t)(end + 1 - ghost->line);
            memmove(ghost->line, end + 1, ghost->line_len);
            if (is) {
                return 1;
            }
            continue;
        }
        if (ghost->line_len == sizeof ghost->line) {
            return -1; /* longer than any valid line */
        }
        const ssize_t n = recv(ghost->time_fd, ghost->line + ghost->line_len,
                               sizeof ghost->line - ghost->line_len, MSG_DONTWAIT);
        if (n <= 0) {
            return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
        }
        ghost->line_len += (size_t)n;
    }
}

static bool is_patient_with_drone(struct swarm *w, const struct ghost *ghost,
                                  struct swarm_patience *p)
{
    const struct mf_scenario_process *process = ghost->process;
    return swarm_patience_check(
               w, p,
               &(struct swarm_patience_rule){
                   .key = process != NULL ? "processes" : "time_socket",
                   .line = process != NULL ? process->line : ghost->e->line,
                   .patience_s = process != NULL ? process->patience_s : GHOST_PATIENCE_MS / 1e3,
                   .silent = process != NULL ? process->silent : MF_SCENARIO_SILENT_DROP,
                   .who = swarm_name(w, ghost->i).text,
                   .at_us = ghost->at_us}) == SWARM_PATIENCE_LASTS;
}

/* Wait for a line, and read the ghost's link meanwhile: a drone whose output is not read holds its
 * time.
 * @param line_us  time in the line, by the drone's clock; < 0: any
 * @return false: a connection has ended, a signal has arrived, or patience is over */
static bool wait_line(struct swarm_ghosts *g, struct ghost *ghost, const char *word,
                      mf_us_t line_us, mf_us_t at_us)
{
    struct swarm_patience patience = {0};
    for (;;) {
        const bool linked = ghost->link >= 0;
        struct pollfd polls[2] = {{.fd = ghost->time_fd, .events = POLLIN},
                                  {.fd = linked ? g->link[ghost->link].fd : -1, .events = POLLIN}};
        const int got = read_lines(ghost, word, line_us);
        if (got != 0) {
            swarm_patience_end(g->w, &patience);
            return got > 0 && read_ghost_link(g, ghost, at_us);
        }
        const bool came = poll(polls, 2, WAIT_MS) > 0;
        if (!read_ghost_link(g, ghost, at_us) || *g->w->hold.stop ||
            ((!came || linked) && !is_patient_with_drone(g->w, ghost, &patience))) {
            swarm_patience_end(g->w, &patience);
            return false;
        }
    }
}

bool ghost_time_greet(struct swarm_ghosts *g, struct ghost *ghost)
{
    static const char k_begin[] = "watch\nhold\n";
    return ghost->time_fd < 0 ||
           (wait_line(g, ghost, "now ", -1, GHOST_BEFORE_US) &&
            (ghost->process == NULL || (send_bytes(ghost->time_fd, k_begin, sizeof k_begin - 1u) &&
                                        wait_line(g, ghost, "at ", 0, GHOST_BEFORE_US))));
}

void ghost_time_begin_grant(struct ghost *ghost, mf_us_t at_us)
{
    char text[48];
    const int n = snprintf(text, sizeof text, "go %" PRId64 "\n", at_us - ghost->ahead_us);
    ghost->granted_us = send_bytes(ghost->time_fd, text, (size_t)n) ? at_us : -1;
}

bool ghost_time_grant(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    if (ghost->granted_us != at_us) {
        ghost_time_begin_grant(ghost, at_us);
    }
    const bool granted =
        ghost->granted_us == at_us && wait_line(g, ghost, "at ", at_us - ghost->ahead_us, at_us);
    ghost->granted_us = -1;
    return granted;
}

/* Connect again to a drone's time socket and link, and read its time. @return false: not connected,
 * or no greeting */
static bool reconnect_drone(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const uint32_t k = ghost->i - ghost->e->first, link = (uint32_t)ghost->link;
    if (resolve_address(ghost->e->time_socket.text[k], &ep, reason) != MF_E_OK) {
        return false;
    }
    ghost->time_fd = connect_socket(&ep.addr);
    ghost->line_len = 0;
    if (ghost->time_fd < 0 || !ghost_link_reopen(g, link, at_us)) {
        return false;
    }
    const bool greets = wait_line(g, ghost, "now ", -1, at_us);
    ghost->ahead_us = at_us - ghost->line_us;
    return greets;
}

void ghost_time_retry(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    struct ghost_link *l = &g->link[ghost->link];
    if (swarm_wall_s() < l->retry_s || l->in.first != NULL) {
        return; /* not due, or a record of the drone's return may wait */
    }
    l->retry_s = swarm_wall_s() + GHOST_RETRY_S;
    if (ghost->time_fd >= 0) {
        (void)close(ghost->time_fd);
        ghost->time_fd = -1;
    }
    /* after a failure in between, the next grant fails and marks the ghost away */
    (void)reconnect_drone(g, ghost, at_us);
}
