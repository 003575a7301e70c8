/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A drone without a host: vehicle, world and a store in memory, set up from settings of the form
 * "key=value" as recordings hold them (docs/recording.md).
 */
#ifndef MF_BOARDS_CONFORM_DRONE_H
#define MF_BOARDS_CONFORM_DRONE_H

#include "boards/conform/earth.h"
#include "drone/drone.h"

/* Capacities, which a small machine gives from outside (boards/stm32f405). */
#ifndef DRONE_LINKS
#define DRONE_LINKS 129u
#endif
/** Settings of the form param.NAME=VALUE. */
#ifndef DRONE_PARAMS
#define DRONE_PARAMS 256u
#endif
/** Records of each area of the store. */
#ifndef DRONE_RECORDS
#define DRONE_RECORDS 10000u
#endif
/** Size of the recorder's buffer: a step that records more takes a second write [bytes]. */
#ifndef DRONE_RECORDER_BYTES
#define DRONE_RECORDER_BYTES 65536u
#endif
#define DRONE_RECORD_MAX  32u   /* bytes of one */
#define DRONE_SETTING_MAX 1024u /* characters of one setting, with its NUL */
/** Latest time of any clock [us]: what is later is damaged, and sums would overflow. */
#define DRONE_TIME_MAX_US (INT64_C(1) << 56)
/** Latest time of a flight log: the end of the year 9999 [s]. */
#define DRONE_UTC_MAX_S INT64_C(253402300799)

/* Settings with a number, besides those of the world: type, field, key, default. */
/* clang-format off */
#define DRONE_SETTING_LIST(X)                                       \
    X(INT, links, "links", 128)                                     \
    X(INT, store_param, "store.PARAM", 512)                         \
    X(INT, store_mission, "store.MISSION", 10000)                   \
    X(INT, store_fence, "store.FENCE", 64)                          \
    X(INT, store_rally, "store.RALLY", 32)                          \
    X(INT, store_signing, "store.SIGNING", 2)                       \
    X(INT, sysid, "sysid", 1)                                       \
    X(INT, compid, "compid", 1)                                     \
    X(UID, uid, "uid", 1)                                           \
    X(INT, px4_strict, "px4_strict", 0)                             \
    X(INT, audit, "audit", 0)                                       \
    X(INT, lenient_param_types, "lenient_param_types", 0)           \
    X(INT, lose_item_reached, "lose_item_reached", 0)               \
    X(INT, statustext_gcs_only, "statustext_gcs_only", 0)           \
    X(INT, holdable_clock, "holdable_clock", 0)                     \
    X(INT, services, "services", 1)                                 \
    X(INT, start_grid_us, "start_grid_us", 0)
/* clang-format on */

#define DRONE_FIELD_INT(field) int32_t field;
#define DRONE_FIELD_UID(field) uint64_t field;

struct drone_settings {
#define X(type, field, key, value) DRONE_FIELD_##type(field)
    DRONE_SETTING_LIST(X)
#undef X
    size_t param_count;
    struct {
        char name[MF_PARAM_NAME_MAX + 1u];
        double value;
    } param[DRONE_PARAMS];
    bool remote_id_given;
    struct mf_remote_id_card remote_id;
    struct mf_world_settings world;
};

struct drone {
    struct drone_settings settings;
    struct mf_store_memory store;
    struct drone_earth earth;
    struct mf_memory memory; /* of its parts */
    struct mf_journal journal;
    struct mf_drone object;
    struct mf_wiring wiring;
    struct mf_connection connections[DRONE_LINKS];
    struct mf_link links[DRONE_LINKS];
    struct mf_shell shells[DRONE_LINKS];
    struct mf_barrier barriers[DRONE_LINKS];
    struct mf_signing signing;
    struct mf_ftp ftp;
    uint8_t
        parts[MF_WORLD_PARTS_BYTES + MF_WIRING_RECORDER_BYTES(DRONE_LINKS, DRONE_RECORDER_BYTES)];
    uint8_t banks[MF_STORE_AREA_COUNT][2][DRONE_RECORDS * DRONE_RECORD_MAX]; /* of the store */
};

/** @brief Defaults, an empty store, EGM96 at hand, and a recording begins. The memory is zeroed by
 * the caller.
 *  @param write  where it goes */
void drone_init(struct drone *d, mf_recorder_write *write, void *ctx);

/** Read a setting. @param text  [n] "key=value" @return MF_E_OK; MF_E_NOENT: unknown key;
 * MF_E_RANGE: invalid value; MF_E_FULL. earth.why, if it is not empty, has a reason */
int drone_set(struct drone *d, const char *text, size_t n);

/** Restart the world, and the vehicle in it, at vehicle time 0; the store stays. @param hal  clock,
 * store, archive and log; the world adds the rest @return MF_E_OK; MF_E_NOENT or MF_E_RANGE:
 * settings that do not make a vehicle, or a home without a geoid */
int drone_boot(struct drone *d, const struct mf_hal *hal, int64_t epoch_utc_us);

#endif
