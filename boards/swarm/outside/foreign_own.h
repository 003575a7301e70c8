/* SPDX-License-Identifier: Apache-2.0 */
/** Shared by the files of bodies: connections, and who is behind them. */
#ifndef MF_BOARDS_SWARM_FOREIGN_OWN_H
#define MF_BOARDS_SWARM_FOREIGN_OWN_H

#include "boards/swarm/core/swarm.h"
#include "fleet/foreign.h"
#include "fleet/foreign_ac.h"
#include "math/geodesic.h"

#include <netinet/in.h>

/** The connections of a body. */
enum foreign_side {
    FOREIGN_AUTOPILOT,
    FOREIGN_PLUGIN, /**< of Gazebo, which moves it */
    FOREIGN_SIDES,
};

/** One body. */
struct foreign {
    uint32_t i; /**< its number among members, from 0 */
    const struct mf_scenario_entity *e;
    struct mf_geo origin; /**< of its local frame */
    double origin_amsl_m;
    int fd[FOREIGN_SIDES];        /**< a connection, or the UDP port of JSON; < 0: none, or gone */
    struct sockaddr_in from;      /**< JSON: who is answered */
    double came_s[FOREIGN_SIDES]; /**< time of the wall */
    bool come;                    /**< JSON: somebody has spoken */
    uint64_t refused;             /**< JSON: datagrams */
    bool has;                     /**< the next frame has come, and waits for its time: */
    struct mf_foreign_pulses next;
    uint16_t rate_hz;                   /**< of the last frame */
    uint64_t begun_ns;                  /**< when the autopilot began */
    uint64_t at_ns;                     /**< how far it has come */
    bool powered;                       /**< a motor is asked to turn */
    struct mf_foreign body;             /**< not by plugin */
    struct mf_foreign_state state;      /**< at at_ns */
    uint8_t begin[MF_FOREIGN_AC_BEGIN]; /**< by plugin: the last packet, as it came, ... */
    struct mf_foreign_state coming;     /**< ... which is the state when its time has come */
    struct mf_crowd_state shown;        /**< that events are told by */
};

struct swarm_foreigns {
    bool failed;
    bool begun;      /**< who comes now is late */
    uint32_t absent; /**< autopilots of ticks who have not come, or are gone */
    double looked_s; /**< time of the wall when somebody looked at the door */
    bool serves;     /**< while it waits, vehicles serve their clients */
    uint32_t count, plugins;
    uint32_t first[MF_SCENARIO_ENTITIES_MAX]; /**< of an entity, in all[] */
    uint64_t steps;
    mf_us_t tick_us;     /**< by plugin: the time of the tick that has come last; < 0: none */
    bool over;           /**< ... no plugin is left */
    struct foreign *all; /**< in the order of members */
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_foreigns *swarm_foreigns_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_FOREIGNS];
}

/** @brief Does Gazebo move it? */
static inline bool foreign_is_plugins(const struct foreign *f)
{
    return f->e->autopilot.plugin[0] != '\0';
}

/** @brief Does it speak ArduPilot's JSON? */
static inline bool foreign_is_json(const struct foreign *f)
{
    return f->e->autopilot.json_port > 0;
}

/** @param name  out [SWARM_NAME_MAX] */
static inline void foreign_name(const struct swarm *w, const struct foreign *f, char *name)
{
    mf_scenario_member_name(w->scenario, f->i, name);
}

/** @brief The body that is member @p i. */
struct foreign *foreign_of(const struct swarm *w, uint32_t i);

/** @brief BEGIN-TICK-AC of a body of this process, to its autopilot. */
void foreign_give_state(struct swarm *w, struct foreign *f);

/** @brief It has come to @p at_ns: what has happened to it, as events. */
void foreign_tell(struct swarm *w, struct foreign *f);

/* ---- foreign_door.c */

/** @brief Listen for all. @return SWARM_OK or SWARM_INPUT */
int foreign_door_open(struct swarm *w);

/** @brief Until all have come that time 0 waits for. @return false: the run is stopped */
bool foreign_door_gather(struct swarm *w);

/** @brief Between frames: whoever has come since is let in, or sent away with a text. */
void foreign_door_look(struct swarm *w);

/** @brief Nobody comes any more; all who are here leave. */
void foreign_door_close(struct swarm *w);

/* ---- foreign_links.c */

extern const char *const foreign_side_words[]; /**< "autopilot", "plugin" */

/** @brief It is here from now on. */
void foreign_come(struct swarm *w, struct foreign *f, enum foreign_side side);

/** @brief The run is over; if it is here, it stayed. */
void foreign_stay(struct swarm *w, struct foreign *f, enum foreign_side side);

/** @brief It is let go, now; a JSON's port is closed. @param why  NULL, or what it did wrong */
void foreign_let_go(struct swarm *w, struct foreign *f, enum foreign_side side, const char *why);

/** @brief Wait for a packet of a connection. @param packet  out [@p most]
 *  @param got  out: its bytes; 0: who sends it is gone  @return false: the run is stopped */
bool foreign_take(struct swarm *w, struct foreign *f, enum foreign_side side, void *packet,
                  size_t most, size_t *got);

/** @brief Wait for the next frame of an autopilot of JSON; one that it repeats is answered.
 *  @return false: the run is stopped. Without a frame it is gone */
bool foreign_take_json(struct swarm *w, struct foreign *f);

/** @brief Whatever has come: the last frame counts, since an autopilot that waits says it again. */
void foreign_drain_json(struct swarm *w, struct foreign *f);

/** @brief The body's state, to an autopilot of JSON. */
void foreign_answer_json(struct foreign *f);

/** @brief A packet leaves; who does not take it is let go. */
void foreign_give(struct swarm *w, struct foreign *f, enum foreign_side side, const void *packet,
                  size_t n);

/** @brief END-TICK-AC of an autopilot; one that is gone has no motor that turns.
 *  @param packet  out [MF_FOREIGN_AC_END]  @param motors  out [MF_FOREIGN_AC_MOTORS]
 *  @return false: the run is stopped */
bool foreign_take_motors(struct swarm *w, struct foreign *f, uint8_t *packet, float *motors);

extern const size_t swarm_foreign_door_bytes;

#endif
