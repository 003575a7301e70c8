/* SPDX-License-Identifier: Apache-2.0 */
/* world/pack.h. Packs come from pack_fixture.h; values are computed by hand. */
#include "world/pack.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pack_fixture.h"
#include "world/pack_tile.h"

/* 10 to 9 deg north, 20 to 21.5 deg east, every half degree, in millimetres. */
static const int32_t k_small[] = {
    100, 200,  300,  400,  //
    500, 600,  700,  800,  //
    900, 1000, 1100, 1300, //
};
static const struct sheet k_region = {"region", 3, 4, 10, 20, 1, 2, false, 1, 1, 1000, k_small};

/* The whole Earth, every 90 deg from -180, in centimetres. */
static const int32_t k_earth[] = {
    7,  7,  7,  7,  //
    10, 20, 30, 40, //
    -5, -5, -5, -5, //
};
static const struct sheet k_globe = {"globe", 3, 4, 90, -180, 90, 1, true, 1, 1, 10000, k_earth};

static struct made g_made;
static struct mf_pack g_pack;
static struct mf_pack_cache g_cache;

static void use(const struct sheet *sheet)
{
    make_sheet(&g_made, sheet);
    memset(&g_cache, 0, sizeof g_cache);
    assert_int_equal(mf_pack_open(&g_pack, g_made.bytes, g_made.size), MF_E_OK);
}

static int at(enum mf_pack_interpolation how, double lat_deg, double lon_deg, double *value_m)
{
    *value_m = -999.0;
    return mf_pack_at(&g_pack, &g_cache, how, lat_deg, lon_deg, value_m);
}

static void check(enum mf_pack_interpolation how, double lat_deg, double lon_deg, double expected_m)
{
    double value_m;
    assert_int_equal(at(how, lat_deg, lon_deg, &value_m), MF_E_OK);
    if (!(fabs(value_m - expected_m) <= 1e-12 * (1.0 + fabs(expected_m)))) {
        fail_msg("%.3f, %.3f: %.15g, not %.15g", lat_deg, lon_deg, value_m, expected_m);
    }
    assert_true(mf_pack_covers(&g_pack, lat_deg, lon_deg));
}

static void check_not(double lat_deg, double lon_deg)
{
    double value_m;
    assert_int_equal(at(MF_PACK_BILINEAR, lat_deg, lon_deg, &value_m), MF_E_RANGE);
    assert_true(value_m == -999.0); /* untouched */
}

static void test_bilinear_is_the_mean_of_four_nodes_by_their_distance(void **state)
{
    (void)state;
    use(&k_region);
    check(MF_PACK_BILINEAR, 9.75, 20.25, 0.35);      /* the middle of 0.1 0.2 0.5 0.6 */
    check(MF_PACK_BILINEAR, 9.875, 20.0, 0.2);       /* a quarter of the way from 0.1 to 0.5 */
    check(MF_PACK_BILINEAR, 9.25, 21.25, 0.975);     /* the middle of 0.7 0.8 1.1 1.3 */
    check(MF_PACK_BILINEAR, 9.375, 21.375, 0.89375); /* 3/4 of 0.775, 1/4 of 1.25 */
}

static void test_nodes_and_edges_belong_to_it(void **state)
{
    (void)state;
    use(&k_region);
    check(MF_PACK_BILINEAR, 10.0, 20.0, 0.1);
    check(MF_PACK_BILINEAR, 10.0, 21.5, 0.4);
    check(MF_PACK_BILINEAR, 9.0, 20.0, 0.9);
    check(MF_PACK_BILINEAR, 9.0, 21.5, 1.3);
    check(MF_PACK_BILINEAR, 9.5, 20.5, 0.6);
}

static void test_outside_is_an_error(void **state)
{
    (void)state;
    use(&k_region);
    const double places[][2] = {{10.0001, 21.0}, {8.9999, 21.0},  {9.5, 19.9999}, {9.5, 21.5001},
                                {9.5, -160.0},   {-9.5, 21.0},    {90.1, 21.0},   {NAN, 21.0},
                                {9.5, NAN},      {9.5, INFINITY}, {9.5, 1e300}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        check_not(places[i][0], places[i][1]);
        assert_false(mf_pack_covers(&g_pack, places[i][0], places[i][1]));
    }
}

static void test_longitudes_of_any_turn_are_the_same_place(void **state)
{
    (void)state;
    use(&k_region);
    const double turns[] = {-3600.0, -720.0, -360.0, 360.0, 720.0, 7200.0};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        check(MF_PACK_BILINEAR, 9.75, 20.25 + turns[i], 0.35);
        check(MF_PACK_BILINEAR, 10.0, 20.0 + turns[i], 0.1);
        check(MF_PACK_BILINEAR, 10.0, 21.5 + turns[i], 0.4);
    }
}

static void test_the_earth_is_round(void **state)
{
    (void)state;
    use(&k_globe);
    assert_true(g_pack.wraps && g_pack.north_pole && g_pack.south_pole);
    check(MF_PACK_BILINEAR, 0.0, 135.0, 0.25); /* between 0.4 at 90 and 0.1 at 180 */
    check(MF_PACK_BILINEAR, 0.0, 180.0, 0.1);
    check(MF_PACK_BILINEAR, 0.0, -180.0, 0.1);
    check(MF_PACK_BILINEAR, 0.0, 540.0, 0.1);
    check(MF_PACK_BILINEAR, 0.0, 360.0, 0.3);
    check(MF_PACK_BILINEAR, 0.0, 179.99999999999997, 0.1);
    check(MF_PACK_BILINEAR, 0.0, -180.00000000000003, 0.1);
    check(MF_PACK_BILINEAR, 45.0, 0.0, 0.185);    /* half-way from 0.07 to 0.3 */
    check(MF_PACK_BILINEAR, -45.0, 270.0, 0.075); /* from -0.05 to 0.2 */
    for (int lon_deg = -180; lon_deg <= 360; lon_deg += 15) {
        check(MF_PACK_BILINEAR, 90.0, lon_deg, 0.07);
        check(MF_PACK_BILINEAR, -90.0, lon_deg, -0.05);
        check(MF_PACK_CUBIC, 90.0, lon_deg, 0.07);
        check(MF_PACK_CUBIC, -90.0, lon_deg, -0.05);
    }
}

/* A grid of 45 deg: 100 + 10 i^2 for i rows from the pole: the row beyond it is the row before it,
 * so the cubic is that parabola. Turned round, it is that at the other pole. */
static void test_cubic_goes_over_the_poles(void **state)
{
    int32_t node[5 * 8];
    struct sheet sheet = {"cap", 5, 8, 90, -180, 45, 1, true, 1, 2, 1000, node};
    (void)state;
    for (int i = 0; i < 40; i++) {
        node[i] = 100 + 10 * (i / 8) * (i / 8);
    }
    use(&sheet);
    check(MF_PACK_CUBIC, 67.5, 12.0, 0.1025);
    check(MF_PACK_CUBIC, 78.75, -179.0, 0.100625);
    for (int i = 0; i < 40; i++) {
        node[i] = 100 + 10 * (4 - i / 8) * (4 - i / 8);
    }
    use(&sheet);
    check(MF_PACK_CUBIC, -67.5, 12.0, 0.1025);
    check(MF_PACK_CUBIC, -78.75, -179.0, 0.100625);
}

/* x3 + x2y - y3 + 50 around the cell in the middle: the cubic finds it again. */
static void test_cubic_where_there_are_twelve_nodes_else_bilinear(void **state)
{
    int32_t node[16];
    struct sheet sheet = {"patch", 4, 4, 3, 0, 1, 1, false, 1, 2, 1000000, node};
    (void)state;
    for (int i = 0; i < 16; i++) {
        const int x = i % 4 - 1;
        const int y = i / 4 - 1;
        node[i] = x * x * x + x * x * y - y * y * y + 50;
    }
    use(&sheet);
    check(MF_PACK_AS_MADE, 1.5, 1.5, 50.125);
    check(MF_PACK_CUBIC, 1.75, 1.5, 50.125 + 0.0625 - 0.015625);
    check(MF_PACK_BILINEAR, 1.5, 1.5, 50.25);                        /* of 50 51 49 51 */
    check(MF_PACK_CUBIC, 2.5, 1.5, (51.0 + 51.0 + 50.0 + 51.0) / 4); /* a cell at the edge */
    node[0] = VOID_NODE;                                             /* no corner of the stencil */
    use(&sheet);
    check(MF_PACK_CUBIC, 1.5, 1.5, 50.125);
    node[1] = VOID_NODE; /* one of the twelve */
    use(&sheet);
    check(MF_PACK_CUBIC, 1.5, 1.5, 50.25);
}

static void test_a_void_has_no_value_but_where_it_does_not_count(void **state)
{
    int32_t node[12];
    struct sheet sheet = k_region;
    (void)state;
    memcpy(node, k_small, sizeof node);
    node[5] = VOID_NODE; /* at 9.5, 20.5 */
    sheet.node = node;
    use(&sheet);
    check_not(9.75, 20.25);
    check_not(9.5, 20.5);
    check_not(9.25, 20.75);
    assert_true(mf_pack_covers(&g_pack, 9.5, 20.5)); /* within the bounds all the same */
    check(MF_PACK_BILINEAR, 9.75, 20.0, 0.3);        /* its weight is 0 here */
    check(MF_PACK_BILINEAR, 9.75, 21.25, 0.55);
}

static void test_a_tile_without_nodes_is_not_there(void **state)
{
    static int32_t node[2 * 130];
    const struct sheet sheet = {"strip", 2, 130, 1, 0, 1, 1, false, 1, 1, 1000, node};
    (void)state;
    for (int i = 0; i < 260; i++) {
        node[i] = i % 130 >= 59 && i % 130 <= 122 ? VOID_NODE : 1000 * (i % 130);
    }
    use(&sheet); /* the second tile has the columns 59 to 121 */
    assert_int_equal(g_made.tiles, 3);
    check(MF_PACK_BILINEAR, 0.5, 57.5, 57.5);
    check_not(0.5, 90.0);
    check(MF_PACK_BILINEAR, 0.5, 125.25, 125.25);
    int32_t value;
    assert_int_equal(mf_pack_node(&g_pack, &g_cache, 1, 90, &value), MF_E_OK);
    assert_int_equal(value, MF_PACK_VOID);
    assert_int_equal(mf_pack_node(&g_pack, &g_cache, 1, 129, &value), MF_E_OK);
    assert_int_equal(value, 129000);
    assert_int_equal(mf_pack_node(&g_pack, &g_cache, 1, 130, &value), MF_E_RANGE);
    assert_int_equal(mf_pack_node(&g_pack, &g_cache, 2, 0, &value), MF_E_RANGE);
}

/* Nodes in tiles of 60 cells, 3 by 3 of them, at their borders too. */
static void test_every_node_is_found_across_tiles(void **state)
{
    enum { SIDE = 122 };
    static int32_t node[SIDE * SIDE];
    static struct made large;
    const struct sheet sheet = {"plain", SIDE, 20, 61, 0, 1, 2, false, 2, 1, 1000, node};
    (void)state;
    for (int i = 0; i < SIDE * 20; i++) {
        node[i] = i / 20 * 1000 + i % 20;
    }
    make_sheet(&large, &sheet);
    assert_int_equal(mf_pack_open(&g_pack, large.bytes, large.size), MF_E_OK);
    memset(&g_cache, 0, sizeof g_cache);
    assert_int_equal(g_pack.kind, MF_PACK_TERRAIN);
    for (uint32_t i = 0; i < SIDE * 20; i++) {
        const uint32_t row = i / 20;
        int32_t value;
        assert_int_equal(mf_pack_node(&g_pack, &g_cache, row, i % 20, &value), MF_E_OK);
        assert_int_equal(value, node[i]);
        check(MF_PACK_CUBIC, 61.0 - 0.5 * (double)row, 0.5 * (i % 20), node[i] * 0.001);
    }
    assert_int_equal(g_cache.decoded, 3);
}

static void test_a_tile_is_decoded_once_and_the_oldest_gives_way(void **state)
{
    static int32_t node[2 * 200];
    const struct sheet sheet = {"strip", 2, 200, 1, 0, 1, 1, false, 1, 1, 1000, node};
    (void)state;
    use(&sheet);
    const struct {
        double lon_deg;
        uint32_t decoded;
    } steps[] = {{1, 1},   {30, 1}, {70, 2}, {2, 2}, {71, 2}, {3, 2},
                 {130, 3}, {4, 3},  {72, 4}, {5, 4}, {131, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        check(MF_PACK_BILINEAR, 0.5, steps[i].lon_deg, 0.0);
        assert_int_equal(g_cache.decoded, steps[i].decoded);
    }
}

static void test_what_the_header_says(void **state)
{
    (void)state;
    use(&k_region);
    assert_string_equal(mf_pack_model(&g_pack), "region");
    assert_string_equal(mf_pack_frame(&g_pack), "none");
    assert_string_equal(mf_pack_epoch(&g_pack), "2020.0");
    assert_int_equal(mf_pack_source(&g_pack)[31], 0xA0);
    assert_int_equal(mf_pack_grid(&g_pack)[0], 0xA1);
    assert_int_equal(mf_pack_fingerprint(&g_pack, MF_PACK_BILINEAR)[0], 0xA2);
    assert_int_equal(mf_pack_fingerprint(&g_pack, MF_PACK_CUBIC)[31], 0xA3);
    assert_int_equal(mf_pack_fingerprint(&g_pack, MF_PACK_AS_MADE)[0], 0xA2);
    assert_true(g_pack.north_deg == 10.0 && g_pack.south_deg == 9.0);
    assert_true(g_pack.west_deg == 20.0 && g_pack.east_deg == 21.5);
    assert_int_equal(g_pack.quantum_um, 1000);
}

static void test_a_flipped_bit_of_the_header_is_found(void **state)
{
    struct mf_pack pack;
    (void)state;
    use(&k_region);
    for (uint32_t bit = 0; bit < 8 * MF_PACK_HEADER; bit++) {
        g_made.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        const int err = mf_pack_open(&pack, g_made.bytes, g_made.size);
        assert_true(err == MF_E_IO || (err == MF_E_NOSUPP && (bit / 8 == 4 || bit / 8 == 5)));
        g_made.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(mf_pack_open(&pack, g_made.bytes, g_made.size), MF_E_OK);
}

static void test_a_header_that_lies_is_refused_though_its_checksum_is_right(void **state)
{
    static const struct {
        const struct sheet *of;
        size_t at;
        int bytes;
        uint64_t value;
        int err;
    } k_lies[] = {
        {&k_region, 4, 2, 2, MF_E_NOSUPP},               /* version */
        {&k_region, 6, 2, 264, MF_E_IO},                 /* length of the header */
        {&k_region, 12, 1, 0, MF_E_IO},                  /* kind */
        {&k_region, 12, 1, 3, MF_E_IO},                  //
        {&k_region, 13, 1, 0, MF_E_IO},                  /* interpolation */
        {&k_region, 13, 1, 3, MF_E_IO},                  //
        {&k_region, 14, 1, 1, MF_E_IO},                  /* it does not go round */
        {&k_globe, 14, 1, 2, MF_E_IO},                   //
        {&k_region, 15, 1, 61, MF_E_IO},                 /* cells of a tile */
        {&k_region, 16, 4, 1, MF_E_IO},                  /* rows */
        {&k_region, 16, 4, 0, MF_E_IO},                  //
        {&k_region, 16, 4, 1000, MF_E_IO},               /* beyond the south pole */
        {&k_region, 16, 4, 0xFFFFFFFF, MF_E_IO},         //
        {&k_region, 20, 4, 1, MF_E_IO},                  /* columns */
        {&k_region, 20, 4, 722, MF_E_IO},                /* more than a turn */
        {&k_region, 20, 4, 0xFFFFFFFF, MF_E_IO},         //
        {&k_globe, 20, 4, 3, MF_E_IO},                   /* less than a turn */
        {&k_region, 24, 8, 90000000001, MF_E_IO},        /* north */
        {&k_region, 24, 8, UINT64_MAX / 2, MF_E_IO},     //
        {&k_region, 24, 8, UINT64_MAX / 2 + 1, MF_E_IO}, //
        {&k_region, 32, 8, 180000000000, MF_E_IO},       /* west */
        {&k_region, 32, 8, UINT64_MAX / 2 + 1, MF_E_IO}, //
        {&k_region, 40, 4, 0, MF_E_IO},                  /* spacing */
        {&k_region, 40, 4, 0xFFFFFFFF, MF_E_IO},         //
        {&k_region, 44, 4, 0, MF_E_IO},                  //
        {&k_region, 44, 4, 1000001, MF_E_IO},            //
        {&k_region, 48, 4, 0, MF_E_IO},                  //
        {&k_region, 52, 4, 0, MF_E_IO},                  //
        {&k_region, 56, 4, 0, MF_E_IO},                  /* quantum */
        {&k_region, 56, 4, 1000001, MF_E_IO},            //
        {&k_region, 60, 4, 1, MF_E_IO},                  /* nothing yet */
        {&k_region, 64, 1, 0, MF_E_IO},                  /* no name */
        {&k_region, 64, 1, 'R', MF_E_IO},                //
        {&k_region, 66, 1, ' ', MF_E_IO},                //
        {&k_region, 90, 1, 'x', MF_E_IO},                /* behind its end */
        {&k_region, 96, 1, 0, MF_E_IO},                  /* frame */
        {&k_region, 112, 1, '\n', MF_E_IO},              /* epoch */
        {&k_region, 8, 4, 0, MF_E_IO},                   /* size */
    };
    struct mf_pack pack;
    (void)state;
    for (size_t i = 0; i < sizeof k_lies / sizeof k_lies[0]; i++) {
        use(k_lies[i].of);
        store(g_made.bytes + k_lies[i].at, k_lies[i].value, k_lies[i].bytes);
        seal_header(&g_made);
        assert_int_equal(mf_pack_open(&pack, g_made.bytes, g_made.size), k_lies[i].err);
    }
    use(&k_region);
    memset(g_made.bytes + 64, 'a', 32); /* a name without an end */
    seal_header(&g_made);
    assert_int_equal(mf_pack_open(&pack, g_made.bytes, g_made.size), MF_E_IO);
}

static void test_a_pack_that_is_cut_off_or_too_long_is_refused(void **state)
{
    struct mf_pack pack;
    (void)state;
    use(&k_region);
    for (size_t size = 0; size <= g_made.size + 1; size++) {
        if (size != g_made.size) {
            assert_int_equal(mf_pack_open(&pack, g_made.bytes, size), MF_E_IO);
        }
    }
    assert_int_equal(mf_pack_open(&pack, NULL, 0), MF_E_IO);
}

/* Whatever bit flips behind the header: an error, never a value. (The last entry's checksum counts
 * for nothing.) */
static void test_a_flipped_bit_of_index_or_tile_is_found(void **state)
{
    double value_m;
    (void)state;
    use(&k_region);
    const size_t unused = 260 + 8 + 4;
    for (size_t i = MF_PACK_HEADER; i < g_made.size; i++) {
        for (int bit = 0; bit < 8 && (i < unused || i >= unused + 4); bit++) {
            g_made.bytes[i] ^= (uint8_t)(1u << bit);
            memset(&g_cache, 0, sizeof g_cache);
            assert_int_equal(at(MF_PACK_BILINEAR, 9.75, 20.25, &value_m), MF_E_IO);
            assert_true(value_m == -999.0);
            g_made.bytes[i] ^= (uint8_t)(1u << bit);
        }
    }
    check(MF_PACK_BILINEAR, 9.75, 20.25, 0.35);
}

/* Tiles whose checksum is right and whose bits make no nodes: 4 x 4 of them. */
static void test_bits_that_make_no_tile(void **state)
{
    int32_t node[16];
    uint8_t bytes[32] = {0};
    (void)state;
    /* 16 times a difference of 0: a zero, then 3, 3, 2, 2, 2, 1 ... bits: some 5 bytes */
    size_t whole = 0;
    for (size_t size = 0; size <= sizeof bytes; size++) {
        if (mf_pack_tile_decode(bytes, size, 4, 4, node) == MF_E_OK) {
            assert_int_equal(whole, 0); /* one length fits, no other */
            whole = size;
        }
    }
    assert_in_range(whole, 8, 11);
    bytes[whole - 1] = 1; /* what is left of the last byte is zero */
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_IO);
    bytes[whole - 1] = 0;
    bytes[0] = MF_PREDICT_COUNT;
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_IO);
    bytes[0] = 16;
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_IO);
    bytes[0] = MF_PACK_TILE_VOIDS; /* runs of nothing, without end */
    assert_int_equal(mf_pack_tile_decode(bytes, sizeof bytes, 4, 4, node), MF_E_IO);
    bytes[0] = 0;
    store(bytes + 1, MF_PACK_VALUE_MAX + 1, 4);
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_IO);
    store(bytes + 1, MF_PACK_VALUE_MAX, 4);
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_OK);
    assert_int_equal(node[15], MF_PACK_VALUE_MAX);
    bytes[5] = 0x20; /* a zero and 2 in three bits: a difference of 1 */
    assert_int_equal(mf_pack_tile_decode(bytes, whole, 4, 4, node), MF_E_IO);
}

/* Opening looks at the header only: what is behind it may be anything, or not even in memory. */
static void test_opening_reads_the_header_only(void **state)
{
    struct mf_pack pack;
    (void)state;
    use(&k_region);
    const size_t size = g_made.size;
    uint8_t *header =
        malloc(MF_PACK_HEADER); /* one byte more would be an error of the sanitizer's */
    memcpy(header, g_made.bytes, MF_PACK_HEADER);
    assert_int_equal(mf_pack_open(&pack, header, size), MF_E_OK);
    assert_true(mf_pack_covers(&pack, 9.75, 20.25));
    free(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bilinear_is_the_mean_of_four_nodes_by_their_distance),
        cmocka_unit_test(test_nodes_and_edges_belong_to_it),
        cmocka_unit_test(test_outside_is_an_error),
        cmocka_unit_test(test_longitudes_of_any_turn_are_the_same_place),
        cmocka_unit_test(test_the_earth_is_round),
        cmocka_unit_test(test_cubic_goes_over_the_poles),
        cmocka_unit_test(test_cubic_where_there_are_twelve_nodes_else_bilinear),
        cmocka_unit_test(test_a_void_has_no_value_but_where_it_does_not_count),
        cmocka_unit_test(test_a_tile_without_nodes_is_not_there),
        cmocka_unit_test(test_every_node_is_found_across_tiles),
        cmocka_unit_test(test_a_tile_is_decoded_once_and_the_oldest_gives_way),
        cmocka_unit_test(test_what_the_header_says),
        cmocka_unit_test(test_a_flipped_bit_of_the_header_is_found),
        cmocka_unit_test(test_a_header_that_lies_is_refused_though_its_checksum_is_right),
        cmocka_unit_test(test_a_pack_that_is_cut_off_or_too_long_is_refused),
        cmocka_unit_test(test_a_flipped_bit_of_index_or_tile_is_found),
        cmocka_unit_test(test_bits_that_make_no_tile),
        cmocka_unit_test(test_opening_reads_the_header_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
