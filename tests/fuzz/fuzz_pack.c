/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes packs. The first byte of an input says whether checksums and sizes are put right, so that
 * what lies behind them is reached; the next 16 are two places; the rest is the pack.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/crc32.h"
#include "tests/fuzz/fuzz.h"
#include "world/geoid.h"
#include "world/pack_tile.h"

#define PACK_MOST 65536u

static void look_up(const struct mf_pack *pack, double lat_deg, double lon_deg)
{
    static struct mf_geoid geoid;
    memset(&geoid, 0, sizeof geoid);
    for (int how = MF_PACK_AS_MADE; how <= MF_PACK_CUBIC; how++) {
        double value_m = -1e9;
        const int err = mf_pack_at(pack, &geoid.cache, (enum mf_pack_interpolation)how, lat_deg,
                                   lon_deg, &value_m);
        check(err == MF_E_OK || err == MF_E_RANGE || err == MF_E_IO);
        check(err != MF_E_OK || mf_pack_covers(pack, lat_deg, lon_deg));
        check(err == MF_E_OK ? isfinite(value_m) && fabs(value_m) < 1e9 : value_m == -1e9);
    }
    double undulation_m;
    const struct mf_geoid_layer *by;
    if (mf_geoid_add(&geoid, pack, MF_PACK_AS_MADE) == MF_E_OK &&
        mf_geoid_at(&geoid, lat_deg, lon_deg, &undulation_m, &by) == MF_E_OK) {
        check(by == &geoid.layer[0]);
    }
    int32_t node;
    mf_pack_node(pack, &geoid.cache, pack->rows - 1, pack->columns - 1, &node);
    mf_pack_node(pack, &geoid.cache, 0, 0, &node);
}

/* Sizes and checksums as they should be, as far as the index makes sense. */
static void put_right(uint8_t *b, size_t size)
{
    mf_pack_put_u32(b, MF_PACK_MAGIC);
    mf_pack_put_u32(b + MF_PACK_AT_VERSION, MF_PACK_HEADER << 16 | MF_PACK_VERSION);
    mf_pack_put_u32(b + MF_PACK_AT_SIZE, (uint32_t)size);
    mf_pack_put_u32(b + MF_PACK_AT_CRC, ~mf_crc32(0xFFFFFFFFu, b, MF_PACK_AT_CRC));
    struct mf_pack pack;
    if (mf_pack_open(&pack, b, size) != MF_E_OK) {
        return;
    }
    for (uint32_t i = 0; i < pack.tile_rows * pack.tile_columns; i++) {
        uint8_t *entry = b + MF_PACK_HEADER + (size_t)MF_PACK_INDEX_ENTRY * i;
        const uint32_t from = mf_pack_u32(entry);
        const uint32_t to = mf_pack_u32(entry + MF_PACK_INDEX_ENTRY);
        if (from <= to && to <= size) {
            uint8_t who[12];
            mf_pack_put_u32(who, i);
            mf_pack_put_u32(who + 4, from);
            mf_pack_put_u32(who + 8, to);
            const uint32_t crc = mf_crc32(0xFFFFFFFFu, who, sizeof who);
            mf_pack_put_u32(entry + 4, ~mf_crc32(crc, b + from, to - from));
        }
    }
}

/* Anything as a tile of any shape. */
static void decode(const uint8_t *bytes, size_t size)
{
    static int32_t node[MF_PACK_SIDE * MF_PACK_SIDE];
    const uint32_t width = 4 + bytes[0] % 60;
    const uint32_t height = 4 + bytes[1] % 60;
    if (mf_pack_tile_decode(bytes + 2, size - 2, width, height, node) == MF_E_OK) {
        for (uint32_t i = 0; i < width * height; i++) {
            check(node[i] == MF_PACK_VOID || abs(node[i]) <= MF_PACK_VALUE_MAX);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 19 || size > PACK_MOST) {
        return 0;
    }
    double place[2];
    memcpy(place, data + 1, sizeof place);
    uint8_t *bytes = malloc(size - 17); /* of this size, so that nothing behind it is read */
    memcpy(bytes, data + 17, size - 17);
    if ((data[0] & 1) != 0 && size - 17 >= MF_PACK_HEADER) {
        put_right(bytes, size - 17);
    }
    struct mf_pack pack;
    if (mf_pack_open(&pack, bytes, size - 17) == MF_E_OK) {
        look_up(&pack, place[0], place[1]);
        look_up(&pack, pack.north_deg, pack.east_deg);
        look_up(&pack, pack.south_deg, pack.west_deg - 1e-12);
        look_up(&pack, (pack.north_deg + pack.south_deg) / 2, (pack.west_deg + pack.east_deg) / 2);
    } else {
        decode(bytes, size - 17);
    }
    free(bytes);
    return 0;
}
