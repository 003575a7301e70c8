/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/minimal/peer.h"

#include "mavlink/enums.h"
#include "mavlink/frame.h"

#include <stdio.h>
#include <string.h>

#define PERIOD_US       (100 * MF_MS_US)
#define ALTITUDE_EACH_S 4

/* The flight: when, command, its first and last parameter. */
static const struct order {
    mf_us_t at_us;
    uint16_t command;
    float first, last;
    const char *text;
} k_order[] = {
    {2 * MF_SECOND_US, MAV_CMD_COMPONENT_ARM_DISARM, 1.0f, 0.0f, "arm"},
    {3 * MF_SECOND_US, MAV_CMD_NAV_TAKEOFF, 0.0f, 498.0f, "take off to 498 m"},
    {20 * MF_SECOND_US, MAV_CMD_NAV_LAND, 0.0f, 0.0f, "land"},
};
#define ORDERS (sizeof k_order / sizeof k_order[0])

static struct {
    struct mf_parser parser;
    struct mf_sender self;
    size_t ordered;
    bool heard, armed;
    int32_t shown_s;
} s_peer = {.self = {.version = 2, .sysid = 255, .compid = 190}};

static void send_order(struct uart *uart, const struct order *order)
{
    struct mf_msg_command_long m = {.command = order->command, .target_system = 1};
    m.target_component = 1;
    m.param1 = order->first;
    m.param7 = order->last;
    uint8_t bytes[MF_FRAME_MAX];
    const size_t n = mf_frame_encode(&s_peer.self, mf_msg_find(MF_MSG_COMMAND_LONG), &m, bytes);
    if (n <= sizeof uart->rx - uart->rx_n) {
        memcpy(uart->rx + uart->rx_n, bytes, n);
        uart->rx_n += n;
        s_peer.self.seq++;
    }
    printf("%5.1f s  -> %s\n", (double)order->at_us / 1e6, order->text);
}

/* Prints what is new in a message. */
static void show_message(mf_us_t now_us, const struct mf_frame *frame)
{
    union mf_msg m;
    const double t_s = (double)now_us / 1e6;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    if (frame->info->id == MF_MSG_HEARTBEAT) {
        const bool armed = (m.heartbeat.base_mode & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
        if (!s_peer.heard || armed != s_peer.armed) {
            printf("%5.1f s  HEARTBEAT: %s\n", t_s, armed ? "armed" : "disarmed");
        }
        s_peer.heard = true;
        s_peer.armed = armed;
    } else if (frame->info->id == MF_MSG_COMMAND_ACK) {
        printf("%5.1f s  COMMAND_ACK: result %d\n", t_s, m.command_ack.result);
    } else if (frame->info->id == MF_MSG_STATUSTEXT) {
        printf("%5.1f s  STATUSTEXT: %.50s\n", t_s, m.statustext.text);
    } else if (frame->info->id == MF_MSG_GLOBAL_POSITION_INT &&
               now_us >= s_peer.shown_s * MF_SECOND_US) {
        printf("%5.1f s  altitude %.1f m\n", t_s, m.global_position_int.alt / 1e3);
        s_peer.shown_s += ALTITUDE_EACH_S;
    }
}

mf_us_t peer_run(struct uart *uart, mf_us_t now_us)
{
    struct mf_frame frame;
    for (size_t at = 0; at < uart->tx_n;) {
        at += mf_parser_feed(&s_peer.parser, uart->tx + at, uart->tx_n - at);
        while (mf_parser_next(&s_peer.parser, &frame)) {
            show_message(now_us, &frame);
        }
    }
    uart->tx_n = 0;
    if (s_peer.ordered == ORDERS && !s_peer.armed) {
        return MF_NEVER;
    }
    if (s_peer.ordered < ORDERS && now_us >= k_order[s_peer.ordered].at_us) {
        send_order(uart, &k_order[s_peer.ordered++]);
        return now_us; /* the board reads it in its next pass */
    }
    return now_us + PERIOD_US;
}
