/* SPDX-License-Identifier: Apache-2.0 */
/* The shortest board that flies: a clock, a UART in memory, a body, a loop (docs/porting.md). */
#include "boards/minimal/peer.h"
#include "drone/drone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mf_us_t s_now_us; /* a chip counts this in a timer */
static struct uart s_uart;
static struct mf_link s_link;
static struct mf_drone s_drone;

/* A chip writes it where it survives, and resets. */
_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    (void)fprintf(stderr, "assertion failed: %s, %s:%d\n", expr, file, line);
    abort();
}

static struct mf_now clock_read(void *ctx)
{
    (void)ctx;
    return (struct mf_now){.vehicle_us = s_now_us, .transport_us = s_now_us};
}

static const struct mf_clock_ops k_clock = {.read = clock_read};

/* All of a frame or nothing: half a frame is noise. A chip's interrupt empties tx. */
static int uart_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct uart *uart = ctx;
    if (n > sizeof uart->tx - uart->tx_n) {
        return 0;
    }
    memcpy(uart->tx + uart->tx_n, bytes, n);
    uart->tx_n += n;
    return (int)n;
}

/* A chip's interrupt fills rx. */
static int uart_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct uart *uart = ctx;
    const size_t n = uart->rx_n < cap ? uart->rx_n : cap;
    memcpy(bytes, uart->rx, n);
    memmove(uart->rx, uart->rx + n, uart->rx_n - n);
    uart->rx_n -= n;
    return (int)n;
}

static size_t uart_room(void *ctx)
{
    const struct uart *uart = ctx;
    return sizeof uart->tx - uart->tx_n;
}

static const struct mf_serial_ops k_uart = {uart_write, uart_read, uart_room};

static void boot(void)
{
    /* Body, receiver, battery, sensors. A board that flies leaves .world out and puts its own
     * devices into .vehicle.hal, as the clock here. */
    const struct mf_world_settings world = mf_world_settings_default();
    struct mf_drone_setup setup = {
        .world = &world,
        .vehicle = {
            .hal = mf_hal_null(), .links = &s_link, .link_count = 1, .sysid = 1, .compid = 1}};
    setup.vehicle.hal.clock = &k_clock;
    if (mf_drone_init(&s_drone, &setup) != MF_E_OK) {
        abort();
    }
    static int32_t interval_us[MF_STREAM_COUNT];
    const struct mf_drone_link link = {
        .serial = {.ops = &k_uart, .ctx = &s_uart}, .name = "uart", .interval_us = interval_us};
    mf_stream_profile(MF_PROFILE_min, interval_us);
    (void)mf_drone_open(&s_drone, &link);
}

int main(void)
{
    boot();
    mf_us_t peer_us = 0; /* when the other end of the wire acts */
    while (peer_us != MF_NEVER) {
        const struct mf_wake wake = mf_drone_step(&s_drone);
        peer_us = peer_run(&s_uart, s_now_us);
        /* A chip sleeps until its timer comes to the earliest of these, or bytes arrive. */
        s_now_us = mf_earlier(mf_earlier(wake.essential_us, wake.periodic_us),
                              mf_earlier(wake.transport_us, peer_us));
    }
    return EXIT_SUCCESS;
}
