/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of serial devices, for net.c and boards/swarm/ghost_links.c: raw, 8 data bits, no parity, 1
 * stop bit. A device that disappears is opened again when it is back. */
#include "hal-posix/baud.h"
#include "hal-posix/net_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int configure(int fd, uint32_t baud)
{
    struct termios tio;
    speed_t speed = B115200;
    if (tcgetattr(fd, &tio) != 0) {
        return -1;
    }
    const bool known = mf_baud_speed(baud, &speed);
    MF_ASSERT(known);
    cfmakeraw(&tio);
    tio.c_cflag |= CLOCAL | CREAD | CS8;
    tio.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    tio.c_cc[VMIN] = 1; /* so that a read of 0 bytes means a lost line */
    tio.c_cc[VTIME] = 0;
    if (cfsetispeed(&tio, speed) != 0 || cfsetospeed(&tio, speed) != 0) {
        return -1;
    }
    return tcsetattr(fd, TCSANOW, &tio);
}

int mf_tty_open(const struct mf_endpoint *ep)
{
    const int fd = open(ep->host, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    if (configure(fd, ep->baud) != 0) {
        const int error = errno;
        (void)close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

static int tty_open(struct mf_net_port *port, char *reason)
{
    port->fd = mf_tty_open(&port->endpoint);
    if (port->fd < 0) {
        return mf_net_refuse(port, errno == ENOTTY ? "is not a serial device" : "cannot open",
                             errno, reason);
    }
    return MF_E_OK;
}

static void tty_start(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    mf_net_port_connected(net, port, port->fd, now_us);
}

static void tty_retry(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    const int fd = mf_tty_open(&port->endpoint);
    if (fd < 0) {
        mf_net_port_failed(net, port, "cannot open", errno, now_us);
        return;
    }
    mf_net_port_connected(net, port, fd, now_us);
}

static short tty_wants(const struct mf_net_port *port)
{
    (void)port;
    return 0; /* its peer's descriptor is watched instead */
}

static void tty_ready(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    (void)net, (void)port, (void)now_us;
}

static ssize_t tty_send(struct mf_net_peer *peer, const uint8_t *bytes, size_t n)
{
    return write(peer->fd, bytes, n);
}

const struct mf_net_kind mf_net_serial = {
    .open = tty_open,
    .start = tty_start,
    .retry = tty_retry,
    .wants = tty_wants,
    .ready = tty_ready,
    .read = mf_net_stream_read,
    .send = tty_send,
};
