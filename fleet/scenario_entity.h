/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of entities, each a group of equal members. */
#ifndef MF_FLEET_SCENARIO_ENTITY_H
#define MF_FLEET_SCENARIO_ENTITY_H

#include "fleet/behaviour.h"
#include "fleet/scenario_arrivals.h"
#include "fleet/scenario_autopilot.h"
#include "fleet/scenario_body.h"
#include "fleet/scenario_grid.h"
#include "fleet/scenario_place.h"
#include "fleet/scenario_radio.h"
#include "fleet/scenario_search.h"
#include "fleet/scenario_sensor.h"

/** Maximum number of entities, of members of all entities together, and of an entity's faults. */
#define MF_SCENARIO_ENTITIES_MAX 1024u
#define MF_SCENARIO_COUNT_MAX    1000000u
#define MF_SCENARIO_FAULTS_MAX   8u
#define MF_SCENARIO_SPEC_MAX     160u /* characters of a fault, with its NUL */

#define MF_SCENARIO_KIND_LIST(X) \
    X(VEHICLE, "vehicle") X(AGENT, "agent") X(GHOST, "ghost") X(THING, "thing") X(BODY, "body")

/* clang-format off */
#define X(name, word) MF_SCENARIO_KIND_##name,
enum mf_scenario_kind { MF_SCENARIO_KIND_LIST(X) MF_SCENARIO_KINDS };
#undef X
/* clang-format on */

struct mf_scenario_value {
    char name[MF_SCENARIO_NAME_MAX];
    double value;
    int line;
};

struct mf_scenario_fault {
    char spec[MF_SCENARIO_SPEC_MAX];
    int line;
};

/** Addresses of ghosts, one for each member. */
struct mf_scenario_addresses {
    uint32_t count;
    int line;
    char (*text)[MF_SCENARIO_LINK_MAX]; /**< [count] */
};

/** Entity: a group of equal members. */
struct mf_scenario_entity {
    char name[MF_SCENARIO_NAME_MAX];
    int line;
    uint32_t count;
    uint32_t first;  /**< number in the swarm of its first member, from 0 */
    uint64_t chance; /**< key of its name, for random numbers of its members */
    int32_t as;      /**< enum mf_scenario_kind */
    struct mf_scenario_body_settings body;
    struct mf_scenario_autopilot autopilot; /**< BODY: autopilot that controls the motors */
    struct mf_scenario_place place;
    char plan[MF_SCENARIO_FILE_MAX]; /**< file of the mission; "": without */
    int plan_line;
    double start_s; /**< start of the mission, or of the arrivals */
    struct mf_scenario_arrivals arrivals;
    struct mf_behaviour behaviour;
    struct mf_scenario_own own; /**< behaviour OWN: entry of the plug-in */
    uint32_t sensors;
    struct mf_scenario_sensor *sensor; /**< [sensors] */
    struct mf_scenario_sensor_link sensor_link;
    struct mf_scenario_radio radio;
    struct mf_scenario_send send;
    struct mf_scenario_seeker seeker;
    struct mf_scenario_object object;
    struct mf_scenario_cell cell; /**< in a world of cells: battery, actuators, charger */
    struct mf_scenario_addresses link,
        time_socket; /**< GHOST: its MAVLink links; the time sockets that grant its time */
    struct mf_scenario_addresses mocap; /**< GHOST: source of its place, by motion capture */
    struct {
        double hold_s, lost_s; /**< GHOST: the track is extrapolated until hold_s after a message,
                                  then held, then lost */
        double speed_max_mps;  /**< GHOST: places that need a greater speed are refused */
    } ghost;
    uint32_t params, settings, faults;
    struct mf_scenario_value *param;   /**< [params] */
    struct mf_scenario_value *setting; /**< [settings] */
    struct mf_scenario_fault *fault;   /**< [faults] */
};

extern const struct mf_keys mf_scenario_entity_keys; /**< keys of struct mf_scenario_entity */

/** @brief Set the values that the file need not give. @param entity  out: struct mf_scenario_entity
 */
void mf_scenario_entity_defaults(void *entity);

/** Name the entity if the file does not, and number its members. */
mf_entity_check mf_scenario_entity_settle;
/** Check that members of this kind may have plans, parameters, sensors and more. */
mf_entity_check mf_scenario_entity_check;

#endif
