/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bessel's way: a geodesic on the ellipsoid is a great circle on an auxiliary sphere whose
 * latitudes are the reduced ones; distance and longitude follow from the arc by series. C. F. F.
 * Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), equations 15 to 25, here to the fourth
 * order: what is left out is below half a micrometre.
 */
#include "math/geodesic.h"

#include "hal/assert.h"
#include "math/trig.h"

#include <stdbool.h>
#include <stddef.h>

#define F       MF_WGS84_F
#define N       (F / (2.0 - F)) /* third flattening */
#define EP2     (F * (2.0 - F) / ((1.0 - F) * (1.0 - F)))
#define POLAR_M (MF_WGS84_A_M * (1.0 - F)) /* semi-minor axis */

#define ORDER         4
#define SAME_POINT    2e-16  /* [rad], a nanometre */
#define LAMBDA_TOL    4e-15  /* [rad], 25 nm */
#define ITERATION_MAX 40     /* three or four are usual; only near the antipode more */
#define EPSILON_MAX   0.0017 /* of a meridian: the flattest of all great ellipses */

/* The angle whose sine and cosine stand in this proportion; zero for (0, 0). */
static struct mf_sin_cos normal(double s, double c)
{
    const double r = mf_length2(s, c);
    return r > 0.0 ? (struct mf_sin_cos){s / r, c / r} : (struct mf_sin_cos){0.0, 1.0};
}

static struct mf_sin_cos sum(struct mf_sin_cos a, struct mf_sin_cos b)
{
    return (struct mf_sin_cos){a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}

static struct mf_sin_cos reduced_latitude(double lat_deg)
{
    const struct mf_sin_cos phi = mf_sin_cos(mf_rad(lat_deg));
    return normal((1.0 - F) * phi.sin, phi.cos);
}

static double wrap_180(double deg)
{
    return deg >= 180.0 ? deg - 360.0 : deg < -180.0 ? deg + 360.0 : deg;
}

/* Sum of c[k] sin(2 (k + 1) x), by Clenshaw. */
static double sine_series(const double c[ORDER], struct mf_sin_cos x)
{
    const double twice_cos_2x = 2.0 * (x.cos - x.sin) * (x.cos + x.sin);
    const double b3 = twice_cos_2x * c[3] + c[2];
    const double b2 = twice_cos_2x * b3 - c[3] + c[1];
    const double b1 = twice_cos_2x * b2 - b3 + c[0];
    return 2.0 * x.sin * x.cos * b1;
}

static double epsilon_of(double cos2_alpha0)
{
    const double k2 = EP2 * cos2_alpha0;
    return k2 / (2.0 * (1.0 + mf_sqrt(1.0 + k2)) + k2);
}

/* Equation 17: distance per arc, in units of the semi-minor axis. */
static double a1(double e)
{
    const double e2 = e * e;
    return (1.0 + e2 * (1.0 / 4.0 + e2 / 64.0)) / (1.0 - e);
}

/* Equation 18: tau - sigma as a series in sigma. */
static void c1(double e, double c[ORDER])
{
    const double e2 = e * e;
    c[0] = e * (-1.0 / 2.0 + e2 * (3.0 / 16.0));
    c[1] = e2 * (-1.0 / 16.0 + e2 / 32.0);
    c[2] = e * e2 * (-1.0 / 48.0);
    c[3] = e2 * e2 * (-5.0 / 512.0);
}

/* Equation 21: sigma - tau as a series in tau. */
static void c1_reverted(double e, double c[ORDER])
{
    const double e2 = e * e;
    c[0] = e * (1.0 / 2.0 + e2 * (-9.0 / 32.0));
    c[1] = e2 * (5.0 / 16.0 + e2 * (-37.0 / 96.0));
    c[2] = e * e2 * (29.0 / 96.0);
    c[3] = e2 * e2 * (539.0 / 1536.0);
}

/* Equation 24. */
static double a3(double e)
{
    return 1.0 + e * ((N - 1.0) / 2.0 +
                      e * ((N * (3.0 * N - 1.0) - 2.0) / 8.0 +
                           e * (-(1.0 + N * (3.0 + N)) / 16.0 + e * (-(3.0 + 2.0 * N) / 64.0))));
}

/* Equation 25. */
static void c3(double e, double c[ORDER])
{
    const double e2 = e * e;
    c[0] = e * ((1.0 - N) / 4.0 + e * ((1.0 - N * N) / 8.0 + e * ((3.0 + N * (3.0 - N)) / 64.0 +
                                                                  e * ((5.0 + 2.0 * N) / 128.0))));
    c[1] = e2 * ((2.0 + N * (N - 3.0)) / 32.0 +
                 e * ((3.0 - N * (2.0 + 3.0 * N)) / 64.0 + e * ((3.0 + N) / 128.0)));
    c[2] = e * e2 * ((5.0 + N * (5.0 * N - 9.0)) / 192.0 + e * ((9.0 - 10.0 * N) / 384.0));
    c[3] = e2 * e2 * ((7.0 - 14.0 * N) / 512.0);
}

/* The great circle between two reduced latitudes and what the series need of it. */
struct arc {
    struct mf_sin_cos azimuth1;
    struct mf_sin_cos azimuth2;
    struct mf_sin_cos sigma1;
    struct mf_sin_cos sigma2;
    double sigma;
    double sin_alpha0;
    double epsilon;
    bool same_point;
};

static struct arc arc_between(struct mf_sin_cos u1, struct mf_sin_cos u2, double lambda)
{
    const struct mf_sin_cos l = mf_sin_cos(lambda);
    const double east1 = u2.cos * l.sin;
    const double north1 = u1.cos * u2.sin - u1.sin * u2.cos * l.cos;
    const double north2 = u1.cos * u2.sin * l.cos - u1.sin * u2.cos;
    const double sin_sigma = mf_length2(east1, north1);
    const double cos_sigma = u1.sin * u2.sin + u1.cos * u2.cos * l.cos;
    struct arc a = {.same_point = sin_sigma < SAME_POINT && cos_sigma > 0.0};
    a.sigma = mf_atan2(sin_sigma, cos_sigma);
    a.azimuth1 = normal(east1, north1);
    a.azimuth2 = normal(u1.cos * l.sin, north2);
    a.sigma1 = normal(u1.sin, u1.cos * a.azimuth1.cos);
    /* Not from u2: on short lines the two errors would not cancel in the series. */
    a.sigma2 = sum(a.sigma1, (struct mf_sin_cos){sin_sigma, cos_sigma});
    a.sin_alpha0 = a.azimuth1.sin * u1.cos;
    const double across = a.azimuth1.sin * u1.sin;
    a.epsilon = epsilon_of(a.azimuth1.cos * a.azimuth1.cos + across * across);
    return a;
}

/* Equation 8: by how much the longitude difference on the sphere exceeds that on the ellipsoid. */
static double lambda_excess(const struct arc *a)
{
    double c[ORDER];
    c3(a->epsilon, c);
    const double periodic = sine_series(c, a->sigma2) - sine_series(c, a->sigma1);
    return F * a->sin_alpha0 * a3(a->epsilon) * (a->sigma + periodic);
}

static double arc_length_m(const struct arc *a)
{
    double c[ORDER];
    c1(a->epsilon, c);
    const double periodic = sine_series(c, a->sigma2) - sine_series(c, a->sigma1);
    return POLAR_M * a1(a->epsilon) * (a->sigma + periodic);
}

/* Finds the great circle whose longitude difference fits that of the ellipsoid: Vincenty's
 * iteration, hastened by the secant rule, which also holds where the plain one diverges. */
static struct arc solve(struct mf_geo from, struct mf_geo to)
{
    const struct mf_sin_cos u1 = reduced_latitude(from.lat_deg);
    const struct mf_sin_cos u2 = reduced_latitude(to.lat_deg);
    const double given = mf_rad(wrap_180(to.lon_deg - from.lon_deg));
    double lambda = given * (1.0 + F * u1.cos * u2.cos); /* right to first order for short lines */
    double last_lambda = 0.0;
    double last_miss = 0.0;
    struct arc a;
    for (int i = 0;; i++) {
        lambda = lambda > MF_PI ? MF_PI : lambda < -MF_PI ? -MF_PI : lambda;
        a = arc_between(u1, u2, lambda);
        const double miss = given + lambda_excess(&a) - lambda;
        if (a.same_point || mf_abs(miss) < LAMBDA_TOL || i == ITERATION_MAX) {
            return a;
        }
        const double slope = i == 0 ? -1.0 : (miss - last_miss) / (lambda - last_lambda);
        last_lambda = lambda;
        last_miss = miss;
        lambda += slope < -0.05 ? -miss / slope : miss;
    }
}

struct mf_geo_line mf_geo_inverse(struct mf_geo from, struct mf_geo to)
{
    const struct arc a = solve(from, to);
    if (a.same_point) {
        return (struct mf_geo_line){0.0, 0.0, 0.0};
    }
    return (struct mf_geo_line){
        .distance_m = arc_length_m(&a),
        .azimuth_from_rad = mf_atan2(a.azimuth1.sin, a.azimuth1.cos),
        .azimuth_to_rad = mf_atan2(a.azimuth2.sin, a.azimuth2.cos),
    };
}

static struct mf_geo_ray ray_from(struct mf_geo from, double azimuth_rad, struct mf_sin_cos azimuth)
{
    const struct mf_sin_cos u = reduced_latitude(from.lat_deg);
    const double across = azimuth.sin * u.sin;
    const double cos2_alpha0 = azimuth.cos * azimuth.cos + across * across;
    const struct mf_sin_cos sigma = normal(u.sin, u.cos * azimuth.cos);
    const double e = epsilon_of(cos2_alpha0);
    MF_ASSERT(!(e < 0.0) &&
              !(e > EPSILON_MAX)); /* the series are cut where such an e needs no more */
    struct mf_geo_ray ray = {
        .lat1_deg = from.lat_deg,
        .lon1_deg = from.lon_deg,
        .azimuth1_rad = azimuth_rad,
        .sin_alpha0 = azimuth.sin * u.cos,
        .cos_alpha0 = mf_sqrt(cos2_alpha0),
        .sin_sigma1 = sigma.sin,
        .cos_sigma1 = sigma.cos,
        .epsilon = e,
        .tau_per_m = 1.0 / (POLAR_M * a1(e)),
    };
    double c[ORDER];
    c1(e, c);
    const struct mf_sin_cos tau = sum(sigma, mf_sin_cos(sine_series(c, sigma)));
    ray.sin_tau1 = tau.sin;
    ray.cos_tau1 = tau.cos;
    c1_reverted(e, c);
    /* in this direction the series is continuous at distance 0 */
    ray.tau_offset = -sine_series(c, tau);
    c3(e, c);
    ray.lon_scale = -F * ray.sin_alpha0 * a3(e);
    ray.lon_offset = sine_series(c, sigma);
    return ray;
}

struct mf_geo_ray mf_geo_ray(struct mf_geo from, double azimuth_rad)
{
    return ray_from(from, mf_wrap_pi(azimuth_rad), mf_sin_cos(azimuth_rad));
}

/* The arc from the start to a distance. */
static double sigma_at(const struct mf_geo_ray *ray, double distance_m)
{
    const double tau = distance_m * ray->tau_per_m;
    double c[ORDER];
    c1_reverted(ray->epsilon, c);
    const struct mf_sin_cos tau1 = {ray->sin_tau1, ray->cos_tau1};
    return tau + sine_series(c, sum(tau1, mf_sin_cos(tau))) + ray->tau_offset;
}

static double longitude_at(const struct mf_geo_ray *ray, double sigma, struct mf_sin_cos sigma2)
{
    const double s0 = ray->sin_alpha0;
    const double sin_diff = s0 * (sigma2.sin * ray->cos_sigma1 - sigma2.cos * ray->sin_sigma1);
    const double cos_diff = sigma2.cos * ray->cos_sigma1 + s0 * sigma2.sin * s0 * ray->sin_sigma1;
    double c[ORDER];
    c3(ray->epsilon, c);
    const double periodic = sine_series(c, sigma2) - ray->lon_offset;
    const double lambda = mf_atan2(sin_diff, cos_diff) + ray->lon_scale * (sigma + periodic);
    return wrap_180(ray->lon1_deg + mf_deg(lambda));
}

struct mf_geo mf_geo_at(const struct mf_geo_ray *ray, double distance_m, double *azimuth_rad)
{
    if (distance_m == 0.0) {
        if (azimuth_rad != NULL) {
            *azimuth_rad = ray->azimuth1_rad;
        }
        return (struct mf_geo){ray->lat1_deg, ray->lon1_deg};
    }
    const double sigma = sigma_at(ray, distance_m);
    const struct mf_sin_cos sigma1 = {ray->sin_sigma1, ray->cos_sigma1};
    const struct mf_sin_cos sigma2 = sum(sigma1, mf_sin_cos(sigma));
    const double northward = ray->cos_alpha0 * sigma2.cos;
    const double cos_u = mf_sqrt(ray->sin_alpha0 * ray->sin_alpha0 + northward * northward);
    if (azimuth_rad != NULL) {
        *azimuth_rad = mf_atan2(ray->sin_alpha0, northward);
    }
    return (struct mf_geo){
        .lat_deg = mf_deg(mf_atan2(ray->cos_alpha0 * sigma2.sin, (1.0 - F) * cos_u)),
        .lon_deg = longitude_at(ray, sigma, sigma2),
    };
}

struct mf_geo mf_geo_direct(struct mf_geo from, double azimuth_rad, double distance_m)
{
    const struct mf_geo_ray ray = mf_geo_ray(from, azimuth_rad);
    return mf_geo_at(&ray, distance_m, NULL);
}

void mf_geo_to_local(struct mf_geo origin, struct mf_geo point, double north_east_m[2])
{
    const struct arc a = solve(origin, point);
    const double distance_m = a.same_point ? 0.0 : arc_length_m(&a);
    north_east_m[0] = distance_m * a.azimuth1.cos;
    north_east_m[1] = distance_m * a.azimuth1.sin;
}

struct mf_geo mf_geo_from_local(struct mf_geo origin, double north_m, double east_m)
{
    const double distance_m = mf_length2(north_m, east_m);
    const struct mf_geo_ray ray =
        ray_from(origin, 0.0, normal(east_m, north_m)); /* the azimuth is not needed */
    return mf_geo_at(&ray, distance_m, NULL);
}
