/* SPDX-License-Identifier: Apache-2.0 */
/** Turns of members that act by what their radios receive: behaviours gradient (fleet/gradient.h)
 * and survey_flock (fleet/survey.h), by orders to a port. */
#ifndef MF_FLEET_RECEPTION_H
#define MF_FLEET_RECEPTION_H

#include "fleet/gradient.h"
#include "fleet/scenario.h"
#include "fleet/survey.h"
#include "world/medium.h"

/** @brief Add a neighbour of a received GLOBAL_POSITION_INT; other packets change nothing.
 *  @param e  entity of all members of the survey  @param origin  latitude, longitude [deg] */
void mf_reception_position(const struct mf_survey *s, struct mf_survey_member *m,
                           const struct mf_scenario_entity *e, const double *origin,
                           const struct mf_packet *packet);

/** @brief A turn in the air of a member that climbs a gradient. */
void mf_reception_climb(struct mf_gradient *g, const struct mf_scenario_entity *e,
                        struct mf_mind *mind, const struct mf_order_port *port);

/** @brief A turn in the air of a member that surveys. @param origin  latitude, longitude [deg] */
void mf_reception_survey(const struct mf_survey *s, struct mf_survey_member *m,
                         const struct mf_scenario_entity *e, const double *origin,
                         struct mf_mind *mind, const struct mf_order_port *port);

#endif
