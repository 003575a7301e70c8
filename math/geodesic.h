/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Geodesics on the WGS84 ellipsoid: the direct and the inverse problem, and the local frame that
 * clients see.
 *
 * Accurate to a millimetre for distances up to 1,000 km and anywhere on Earth: poles and
 * antimeridian included. Only
 * + - * / sqrt and math/trig.h, hence the same bits everywhere. No state. Source: NGA TR8350.2
 * (WGS84), Vincenty 1975, Karney 2013.
 */
#ifndef MF_MATH_GEODESIC_H
#define MF_MATH_GEODESIC_H

#define MF_WGS84_A_M 6378137.0
#define MF_WGS84_F   (1.0 / 298.257223563)

/** A point on the ellipsoid. */
struct mf_geo {
    double lat_deg; /**< geodetic, -90 .. 90 */
    double lon_deg; /**< -180 .. 180 */
};

/** The geodesic from one point to another; azimuths are 0 where the points coincide. */
struct mf_geo_line {
    double distance_m;
    double azimuth_from_rad; /**< at the first point, clockwise from true north, -pi .. pi */
    double azimuth_to_rad;   /**< at the second point, same direction of travel */
};

/**
 * A geodesic prepared for sampling: what does not depend on the distance is computed once.
 * On the auxiliary sphere (Karney 2013): alpha0 is the azimuth where the great circle crosses the
 * equator, sigma the arc from there, tau the same arc in proportion to distance; 1 marks the start.
 */
struct mf_geo_ray {
    double lat1_deg;
    double lon1_deg;
    double azimuth1_rad;
    double sin_alpha0;
    double cos_alpha0;
    double sin_sigma1;
    double cos_sigma1;
    double sin_tau1;
    double cos_tau1;
    double epsilon;    /**< expansion parameter, 0 .. 0.0017 */
    double tau_per_m;  /**< [rad/m] */
    double tau_offset; /**< tau1 - sigma1 [rad] */
    double lon_scale;  /**< longitude of the ellipsoid less that of the sphere, per sigma */
    double lon_offset; /**< periodic part of that at the start [rad] */
};

/** @brief The inverse problem. Points may be anywhere less than 19,900 km apart. */
struct mf_geo_line mf_geo_inverse(struct mf_geo from, struct mf_geo to);

/** @brief Prepare a ray from a point in a direction. */
struct mf_geo_ray mf_geo_ray(struct mf_geo from, double azimuth_rad);

/** @brief The point at a distance along a ray; distance 0 gives the start's own bits.
 * @param azimuth_rad  out, may be NULL: direction of travel there */
struct mf_geo mf_geo_at(const struct mf_geo_ray *ray, double distance_m, double *azimuth_rad);

/** @brief The direct problem: mf_geo_ray and mf_geo_at in one. */
struct mf_geo mf_geo_direct(struct mf_geo from, double azimuth_rad, double distance_m);

/** @brief North and east of @p point in the azimuthal equidistant projection of WGS84 at @p origin
 * [m]. */
void mf_geo_to_local(struct mf_geo origin, struct mf_geo point, double north_east_m[2]);

/** @brief The point whose azimuthal equidistant projection at @p origin is (@p north_m,
 * @p east_m). */
struct mf_geo mf_geo_from_local(struct mf_geo origin, double north_m, double east_m);

#endif
