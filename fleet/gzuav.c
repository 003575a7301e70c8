/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of gzuav's protocol. Called by boards/swarm/gzuav. */
#include "fleet/gzuav.h"

#include <string.h>

static void put_number(uint8_t *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(value >> 8u * i);
    }
}

static void put_f64(uint8_t *out, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_number(out, bits, sizeof bits);
}

static uint32_t get_number(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8u | (uint32_t)in[2] << 16u |
           (uint32_t)in[3] << 24u;
}

void mf_gzuav_time(uint8_t *out, double time_s)
{
    put_f64(out, time_s);
}

void mf_gzuav_count(uint8_t *out, uint32_t vehicles)
{
    put_number(out, vehicles, MF_GZUAV_COUNT);
}

void mf_gzuav_place(uint8_t *out, uint32_t id, const double *enu_m)
{
    put_number(out, id, MF_GZUAV_ID);
    for (size_t k = 0; k < 3; k++) {
        put_f64(out + MF_GZUAV_ID + 8u * k, enu_m[k]);
    }
}

uint32_t mf_gzuav_id(const uint8_t *in)
{
    return get_number(in);
}

void mf_gzuav_packet(uint8_t *out, uint32_t size, uint32_t sender)
{
    put_number(out, MF_GZUAV_ID + size, 4);
    put_number(out + 4, sender, 4);
}

uint32_t mf_gzuav_header(const uint8_t *in, int32_t *to)
{
    const uint32_t bits = get_number(in + 4);
    memcpy(to, &bits, sizeof bits);
    return get_number(in) - MF_GZUAV_ID;
}
