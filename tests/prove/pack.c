/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of any bytes, asked for any place. */
#include <string.h>

#include "tests/prove/any.h"
#include "world/earth.h"

void prove_pack(void);
void prove_earth(void);

/* Contracts of functions with proofs of their own, `tile` and `crc32`, on which this one relies. */
/* clang-format off */
/*@ requires size == 0 || \valid_read(bytes + (0 .. size - 1));
  @ requires 4 <= width <= MF_PACK_SIDE && 4 <= height <= MF_PACK_SIDE;
  @ requires \valid(node + (0 .. MF_PACK_SIDE * MF_PACK_SIDE - 1));
  @ assigns node[0 .. MF_PACK_SIDE * MF_PACK_SIDE - 1] \from any_source;
  @ assigns \result \from any_source;
  @ ensures \initialized(node + (0 .. MF_PACK_SIDE * MF_PACK_SIDE - 1));
  @ ensures \result == MF_E_OK || \result == MF_E_IO; */
int mf_pack_tile_decode(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                        int32_t *node);

/*@ requires n == 0 || \valid_read((uint8_t *)bytes + (0 .. n - 1));
  @ requires n == 0 || \initialized((uint8_t *)bytes + (0 .. n - 1));
  @ assigns \result \from any_source; */
uint32_t mf_crc32(uint32_t crc, const void *bytes, size_t n);
/* clang-format on */

static void ask(const struct mf_pack *pack, struct mf_pack_cache *cache, double lat_deg,
                double lon_deg)
{
    double value_m;
    (void)mf_pack_covers(pack, lat_deg, lon_deg);
    const enum mf_pack_interpolation how = (enum mf_pack_interpolation)any(0, 2);
    (void)mf_pack_at(pack, cache, how, lat_deg, lon_deg, &value_m);
}

static void ask_node(const struct mf_pack *pack, struct mf_pack_cache *cache)
{
    int32_t node;
    if (mf_pack_node(pack, cache, (uint32_t)any(0, UINT32_MAX), (uint32_t)any(0, UINT32_MAX),
                     &node) == MF_E_OK) {
        must_be_readable(&node, sizeof node);
    }
}

static void read_pack(const uint8_t *bytes, size_t size)
{
    struct mf_pack_cache cache = {0};
    struct mf_pack pack;
    if (mf_pack_open(&pack, bytes, size) != MF_E_OK) {
        return;
    }
    must_hold(strlen(mf_pack_model(&pack)) < MF_PACK_MODEL);
    must_hold(strlen(mf_pack_frame(&pack)) < MF_PACK_FRAME);
    must_hold(strlen(mf_pack_epoch(&pack)) < MF_PACK_EPOCH);
    must_be_readable(mf_pack_source(&pack), MF_PACK_HASH);
    must_be_readable(mf_pack_grid(&pack), MF_PACK_HASH);
    must_be_readable(mf_pack_fingerprint(&pack, (enum mf_pack_interpolation)any(0, 2)),
                     MF_PACK_HASH);
    ask(&pack, &cache, any_number(), any_number());
    ask(&pack, &cache, any_number(), any_number());
    ask_node(&pack, &cache);
}

/* Sizes at which the header, and the index of one tile, are whole; and more. */
void prove_pack(void)
{
    static const size_t k_size[] = {1, MF_PACK_HEADER - 1, MF_PACK_HEADER, MF_PACK_HEADER + 40};
    static uint8_t bytes[512];
    //@ loop unroll 4;
    for (size_t i = 0; i < sizeof k_size / sizeof k_size[0]; i++) {
        any_bytes(bytes, sizeof bytes);
        read_pack(bytes + sizeof bytes - k_size[i], k_size[i]);
    }
}

static void ask_earth(struct mf_geoid *geoid)
{
    struct mf_earth earth = {0};
    struct mf_fix fix = {0};
    if (mf_earth_init(&earth, geoid, any_number(), any_number()) == MF_E_OK) {
        fix.lat_e7 = (int32_t)any(INT32_MIN, INT32_MAX);
        fix.lon_e7 = (int32_t)any(INT32_MIN, INT32_MAX);
        fix.alt_amsl_mm = (int32_t)any(INT32_MIN, INT32_MAX);
        mf_earth_settle(&earth, &fix);
    }
}

/* The lists that ask packs. */
void prove_earth(void)
{
    static uint8_t bytes[300];
    static struct mf_geoid geoid, constant;
    static struct mf_terrain terrain;
    struct mf_pack pack;
    double amsl_m;
    any_bytes(bytes, sizeof bytes);
    if (mf_geoid_add_constant(&constant, any_number()) == MF_E_OK) {
        ask_earth(&constant);
    }
    if (mf_pack_open(&pack, bytes, sizeof bytes) != MF_E_OK) {
        return;
    }
    if (mf_geoid_add(&geoid, &pack, (enum mf_pack_interpolation)any(0, 2)) == MF_E_OK) {
        ask_earth(&geoid);
    }
    if (mf_terrain_add(&terrain, &pack) == MF_E_OK) {
        (void)mf_terrain_at(&terrain, any_number(), any_number(), &amsl_m);
        (void)mf_terrain_spacing_m(&terrain);
        (void)mf_terrain_is_above(&pack, "egm96");
    }
}
