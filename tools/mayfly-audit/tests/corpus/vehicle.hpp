// SPDX-License-Identifier: Apache-2.0
// What the C++ clients of the corpus share, over the MAVLink headers that pymavlink's mavgen makes.
#pragma once
#include <arpa/inet.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"
#include "common/mavlink.h"
#pragma GCC diagnostic pop

constexpr double kHomeLat = 47.397742, kHomeLon = 8.545594, kMetresPerDegree = 111319.5;
constexpr float kHomeAlt = 488.0f;
constexpr uint32_t kHold = 4u << 16 | 3u << 24;

class Vehicle {
  public:
    Vehicle()
    {
        const char *port = getenv("MAYFLY_TCP_PORT");
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(atoi(port != nullptr ? port : "5760")));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socket_ = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
            perror("connect");
            exit(1);
        }
    }

    mavlink_message_t next()
    {
        for (;;) {
            while (at_ < length_) {
                mavlink_message_t message;
                mavlink_status_t status;
                if (mavlink_parse_char(MAVLINK_COMM_0, buffer_[at_++], &message, &status)) {
                    take(message);
                    return message;
                }
            }
            const ssize_t n = read(socket_, buffer_, sizeof buffer_);
            if (n <= 0) {
                fprintf(stderr, "the drone is gone\n");
                exit(1);
            }
            at_ = 0;
            length_ = static_cast<size_t>(n);
        }
    }

    mavlink_message_t next(uint32_t id)
    {
        mavlink_message_t message = next();
        while (message.msgid != id) {
            message = next();
        }
        return message;
    }

    void command(uint16_t number, float p1 = 0, float p4 = 0, float p7 = 0)
    {
        mavlink_message_t message;
        mavlink_msg_command_long_pack(255, 190, &message, 1, 1, number, 0, p1, 0, 0, p4, p4, p4, p7);
        send(message);
        wait_for_answer(number);
    }

    void reposition(double north_m, float alt_amsl_m)
    {
        mavlink_message_t message;
        const auto lat = static_cast<int32_t>(lround((kHomeLat + north_m / kMetresPerDegree) * 1e7));
        mavlink_msg_command_int_pack(255, 190, &message, 1, 1, MAV_FRAME_GLOBAL, MAV_CMD_DO_REPOSITION, 0, 0, -1, 1, 0, NAN, lat,
                                     static_cast<int32_t>(lround(kHomeLon * 1e7)), alt_amsl_m);
        send(message);
        wait_for_answer(MAV_CMD_DO_REPOSITION);
    }

    void takeoff(float height_m)
    {
        while (heartbeats_ == 0) {
            next();
        }
        command(MAV_CMD_COMPONENT_ARM_DISARM, 1);
        command(MAV_CMD_NAV_TAKEOFF, 0, NAN, kHomeAlt + height_m);
        while (landed_ != MAV_LANDED_STATE_IN_AIR || mode_ != kHold) {
            next();
        }
    }

    void land()
    {
        command(MAV_CMD_NAV_LAND, 0, NAN, 0);
        while (landed_ != MAV_LANDED_STATE_ON_GROUND || armed_) {
            next();
        }
    }

  private:
    void take(const mavlink_message_t &message)
    {
        if (message.msgid == MAVLINK_MSG_ID_HEARTBEAT) {
            mode_ = mavlink_msg_heartbeat_get_custom_mode(&message);
            armed_ = (mavlink_msg_heartbeat_get_base_mode(&message) & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
            heartbeats_++;
        } else if (message.msgid == MAVLINK_MSG_ID_EXTENDED_SYS_STATE) {
            landed_ = mavlink_msg_extended_sys_state_get_landed_state(&message);
        }
    }

    void send(const mavlink_message_t &message)
    {
        uint8_t bytes[MAVLINK_MAX_PACKET_LEN];
        const uint16_t n = mavlink_msg_to_send_buffer(bytes, &message);
        if (write(socket_, bytes, n) != n) {
            perror("write");
            exit(1);
        }
    }

    // The parser may lose a frame behind one that it does not know, so this does not wait for ever.
    void wait_for_answer(uint16_t number)
    {
        for (int i = 0; i < 100; i++) {
            const mavlink_message_t message = next();
            if (message.msgid == MAVLINK_MSG_ID_COMMAND_ACK && mavlink_msg_command_ack_get_command(&message) == number) {
                return;
            }
        }
    }

    int socket_ = -1, heartbeats_ = 0;
    uint8_t buffer_[4096] = {}, landed_ = 0;
    size_t at_ = 0, length_ = 0;
    uint32_t mode_ = 0;
    bool armed_ = false;
};
