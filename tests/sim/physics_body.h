/* SPDX-License-Identifier: Apache-2.0 */
/** The one body with physics of a test program, without its header, whose names the firmware has,
 * too. */
#ifndef MF_TESTS_SIM_PHYSICS_BODY_H
#define MF_TESTS_SIM_PHYSICS_BODY_H

#include "hal/airframe.h"

extern const struct mf_airframe_ops *const physics_body_ops;

/** On the ground, disarmed, with PX4's limits. @return its context */
void *physics_body_new(double lat_deg, double lon_deg, double alt_m);

#endif
