/* SPDX-License-Identifier: Apache-2.0 */
/* The shift from NAD83 to ITRF2014 against the National Geodetic Survey's own program (SIM-040). */
#include "tests/unit/support/names.h"
#include "tools/geoid/shift.h"
#include "tools/geoid/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char s_error[GEOID_ERROR_MAX];

/* Three by three nodes a hundredth of a degree apart around a place: the middle of N_eff, where N
 * is 0, is -(h_NAD83 - h_ITRF2014). */
static double dh_m(double lat_deg, double lon_deg, double epoch)
{
    double nodes[9] = {0.0};
    struct mf_raster r = {.rows = 3,
                          .columns = 3,
                          .node_m = nodes,
                          .lat_num = 1,
                          .lat_den = 100,
                          .lon_num = 1,
                          .lon_den = 100};
    r.north_e9 = (int64_t)llround((lat_deg + 0.01) * 1e9);
    r.west_e9 = (int64_t)llround((lon_deg - 0.01) * 1e9);
    assert_true(geoid_shift_apply(&r, GEOID_DATUM_NAD83_2011, epoch, s_error));
    return -nodes[4];
}

/* HTDP: 200 m in ITRF2014 are so high in NAD83(2011). */
static void test_sim040_the_shift_is_that_of_ngs(void **state)
{
    (void)state;
    static const struct {
        double lat_deg, lon_deg, epoch, nad83_m;
    } k_htdp[] = {
        {41.80, -87.90, 2026.05, 201.079},  {40.10, -89.40, 2026.05, 201.110},
        {39.74, -104.99, 2026.05, 200.860}, {30.65, -81.46, 2026.05, 201.472},
        {40.10, -89.40, 2024.5, 201.111},   {39.170959, -94.342593, 2024.5, 201.066},
        {30.65, -81.46, 2024.5, 201.473},
    };
    for (size_t i = 0; i < sizeof k_htdp / sizeof k_htdp[0]; i++) {
        const double h_m = 200.0 + dh_m(k_htdp[i].lat_deg, k_htdp[i].lon_deg, k_htdp[i].epoch);
        assert_true(fabs(h_m - k_htdp[i].nad83_m) < 0.0015);
    }
}

/* Nodes a tenth of a degree apart over 20 x 30 degrees: interpolated between whole degrees, against
 * what PROJ says at the place alone. */
static void test_interpolation_between_degrees_costs_nothing(void **state)
{
    (void)state;
    static double s_nodes[201 * 301];
    struct mf_raster r = {.rows = 201,
                          .columns = 301,
                          .node_m = s_nodes,
                          .lat_num = 1,
                          .lat_den = 10,
                          .lon_num = 1,
                          .lon_den = 10};
    r.north_e9 = 49950000000;
    r.west_e9 = -125030000000;
    memset(s_nodes, 0, sizeof s_nodes);
    assert_true(geoid_shift_apply(&r, GEOID_DATUM_NAD83_2011, 2026.0, s_error));
    for (size_t row = 3; row < 200; row += 35) {
        for (size_t column = 4; column < 300; column += 35) {
            const double want_m =
                dh_m(49.95 - 0.1 * (double)row, -125.03 + 0.1 * (double)column, 2026.0);
            assert_true(fabs(-s_nodes[row * 301 + column] - want_m) < 0.00015);
        }
    }
}

static void test_voids_stay_voids(void **state)
{
    (void)state;
    double nodes[4] = {(double)NAN, 1.0, 1.0, 1.0};
    struct mf_raster r = {.rows = 2,
                          .columns = 2,
                          .north_e9 = 40000000000,
                          .node_m = nodes,
                          .west_e9 = -90000000000,
                          .lat_num = 1,
                          .lat_den = 60,
                          .lon_num = 1,
                          .lon_den = 60};
    assert_true(geoid_shift_apply(&r, GEOID_DATUM_NAD83_2011, 2026.0, s_error));
    assert_true(isnan(nodes[0]));
    assert_true(nodes[1] < 0.5);
}

static void test_datums(void **state)
{
    (void)state;
    struct mf_raster r = {0};
    assert_int_equal(geoid_datum_epsg(6319), GEOID_DATUM_NAD83_2011);
    assert_int_equal(geoid_datum_epsg(4269), GEOID_DATUM_NAD83_2011);
    assert_int_equal(geoid_datum_epsg(6321), GEOID_DATUM_NAD83_PA11);
    assert_int_equal(geoid_datum_epsg(4326), GEOID_DATUM_WGS84);
    assert_int_equal(geoid_datum_epsg(0), GEOID_DATUM_UNKNOWN);
    assert_int_equal(geoid_datum_named("nad83_ma11"), GEOID_DATUM_NAD83_MA11);
    assert_true(geoid_datum_is_nad83(GEOID_DATUM_NAD83_MA11));
    assert_false(geoid_datum_is_nad83(GEOID_DATUM_WGS84));
    assert_false(geoid_shift_apply(&r, GEOID_DATUM_WGS84, 2026.0, s_error));
    assert_names(s_error, "wgs84 ITRF2014 --frame none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim040_the_shift_is_that_of_ngs),
        cmocka_unit_test(test_interpolation_between_degrees_costs_nothing),
        cmocka_unit_test(test_voids_stay_voids),
        cmocka_unit_test(test_datums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
