/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of serial devices, for endpoint.c, which checks them, and tty.c, which sets them. */
#include "hal-posix/baud.h"

#include <stddef.h>

static const struct {
    uint32_t baud;
    speed_t speed;
} k_speed[] = {
    {1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},
    {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
    {230400, B230400},
#ifdef B4000000
    {460800, B460800},   {500000, B500000},   {576000, B576000},   {921600, B921600},
    {1000000, B1000000}, {1152000, B1152000}, {1500000, B1500000}, {2000000, B2000000},
    {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000},
#endif
};

bool mf_baud_speed(uint32_t baud, speed_t *speed)
{
    for (size_t i = 0; i < sizeof k_speed / sizeof k_speed[0]; i++) {
        if (k_speed[i].baud == baud) {
            *speed = k_speed[i].speed;
            return true;
        }
    }
    return false;
}

bool mf_baud_known(uint32_t baud)
{
    speed_t speed;
    return mf_baud_speed(baud, &speed);
}
