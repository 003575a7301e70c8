/* SPDX-License-Identifier: Apache-2.0 */
/** Bodies that autopilots outside fly: their state and connections. Only foreign*.c and channel.c
 * include this header. */
#ifndef MF_BOARDS_SWARM_FOREIGN_INTERNAL_H
#define MF_BOARDS_SWARM_FOREIGN_INTERNAL_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/processes/patience.h"
#include "fleet/foreign.h"
#include "fleet/foreign_ac.h"
#include "math/geodesic.h"

#include <netinet/in.h>

/** Connections of a body. */
enum foreign_side {
    FOREIGN_AUTOPILOT,
    FOREIGN_PLUGIN, /**< plugin of Gazebo, which moves the body */
    FOREIGN_SIDES,
};

/** State of one body. */
struct foreign {
    uint32_t i; /**< number of its member, from 0 */
    const struct mf_scenario_entity *e;
    struct mf_geo origin; /**< origin of the body's local frame: its first place */
    double origin_amsl_m;
    int fd[FOREIGN_SIDES];        /**< connection of each side, or the UDP socket of JSON; < 0: not
                                     connected */
    struct sockaddr_in from;      /**< JSON: source of the last frame, to which answers go */
    double came_s[FOREIGN_SIDES]; /**< wall time at which each side connected [s] */
    bool come;                    /**< JSON: a frame has arrived */
    uint64_t refused;             /**< JSON: number of datagrams refused */
    bool has;                     /**< @c next holds a frame that the body has not simulated yet */
    struct mf_foreign_pulses next;
    uint16_t rate_hz;  /**< frame rate in the last frame [Hz] */
    uint64_t begun_ns; /**< vehicle time at which the autopilot started, or last restarted [ns] */
    uint64_t at_ns;    /**< vehicle time that the body has reached [ns] */
    bool powered;      /**< the last frame turns a motor */
    struct mf_foreign body;             /**< simulated body; unused if a plugin moves the body */
    struct mf_foreign_state state;      /**< state at at_ns */
    uint8_t begin[MF_FOREIGN_AC_BEGIN]; /**< plugin: its last BEGIN-TICK-AC, unchanged */
    struct mf_foreign_state coming;     /**< plugin: state in @c begin, the next @c state */
    struct mf_crowd_state shown;        /**< state that the last reported events led to */
};

struct swarm_foreigns {
    bool failed;
    bool begun;      /**< time 0 waits no longer: a connection from now on is late */
    uint32_t absent; /**< number of autopilots with ticks (not JSON) that are not connected */
    double looked_s; /**< wall time of the last look at the listeners [s] */
    bool serves;     /**< vehicles serve their clients while foreign_receive() waits */
    uint32_t count, plugins;
    uint32_t first[MF_SCENARIO_ENTITIES_MAX]; /**< index in all[] of each entity's first body */
    uint64_t steps;
    uint64_t sent_bytes; /**< number of bytes sent to autopilots */
    /* Programs in virtual time (processes.h) */
    const struct foreign *awaited;  /**< the body whose autopilot time waits for; NULL: none */
    struct swarm_patience patience; /**< patience with that autopilot */
    mf_us_t tick_us;                /**< plugins: vehicle time of the last tick; < 0: none yet */
    bool over;                      /**< plugins: the last one has disconnected */
    struct foreign *all;            /**< [count], in the order of members */
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_foreigns *swarm_foreigns_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_FOREIGNS];
}

/** @brief True if a plugin of Gazebo moves the body. */
static inline bool foreign_is_plugins(const struct foreign *f)
{
    return f->e->autopilot.plugin[0] != '\0';
}

/** @brief True if the autopilot uses ArduPilot's JSON protocol. */
static inline bool foreign_is_json(const struct foreign *f)
{
    return f->e->autopilot.json_port > 0;
}

/** @brief Write the name of a body's member. @param name  out [SWARM_NAME_MAX] */
static inline void foreign_get_name(const struct swarm *w, const struct foreign *f, char *name)
{
    mf_scenario_member_name(w->scenario, f->i, name);
}

/** @brief Find the body of member @p i, which must be a body. */
struct foreign *foreign_of(const struct swarm *w, uint32_t i);

/** @brief Origin of the frame that all bodies share, in which gzuav's packets have positions.
 *  @return [3]: latitude, longitude [deg], AMSL [m] */
const double *foreign_frame(const struct swarm *w);

/** @brief Send the state of a simulated body to its autopilot, as BEGIN-TICK-AC: with its place in
 *  the shared frame. */
void foreign_send_state(struct swarm *w, struct foreign *f);

/** @brief Report the events that have happened to a body up to at_ns. */
void foreign_report_events(struct swarm *w, struct foreign *f);

/* ---- foreign_door.c */

/** @brief Print where the autopilot of each body connects, and the --home with which it shows the
 *  body's place: that of the body over JSON, of the shared frame with ticks. One line for all
 *  members of an entity on a local socket, none for bodies of plugins. */
void foreign_print_homes(const struct swarm *w);

/** @brief Open the sockets of all autopilots and plugins. @return SWARM_OK or SWARM_INPUT */
int foreign_door_open(struct swarm *w);

/** @brief Wait until all autopilots and plugins that time 0 needs are connected.
 *  @return false: the run ends before that */
bool foreign_door_gather(struct swarm *w);

/** @brief Look at all sockets without waiting. @return a body whose autopilot time 0 still needs;
 *  NULL: all are connected */
struct foreign *foreign_door_find_missing(struct swarm *w);

/** @brief Begin time 0: a connection from now on is late. */
void foreign_door_begin(struct swarm *w);

/** @brief Accept new connections without waiting, between two frames; refuse others with a line. */
void foreign_door_look(struct swarm *w);

/** @brief Close the listeners, then all connections. */
void foreign_door_close(struct swarm *w);

/* ---- foreign_links.c */

extern const char *const foreign_side_words[]; /**< words for users: "autopilot", "plugin" */
extern const char foreign_silent[];            /**< fault of a side that is dropped */

/** @brief Set the time of a new connection; after time 0 print a line, too. */
void foreign_mark_connected(struct swarm *w, struct foreign *f, enum foreign_side side);

/** @brief Close a connection at the end of the run, and add it to the table of participants. */
void foreign_close(struct swarm *w, struct foreign *f, enum foreign_side side);

/** @brief Disconnect a side during the run; a JSON side closes its UDP port.
 *  @param why  fault of the other program; NULL: it left on its own */
void foreign_disconnect(struct swarm *w, struct foreign *f, enum foreign_side side,
                        const char *why);

/** @brief Wait for a packet of a connection.
 *  @param packet  out [@p most]
 *  @param got  out: bytes of the packet; 0: the other program has disconnected
 *  @return false: the run is stopped */
bool foreign_receive(struct swarm *w, struct foreign *f, enum foreign_side side, void *packet,
                     size_t most, size_t *got);

/** @brief Check the scenario's patience with a silent side. An error is set if it stops the run. */
enum swarm_patience_verdict foreign_check_patience(struct swarm *w, struct foreign *f,
                                                   enum foreign_side side,
                                                   struct swarm_patience *p);

/** @brief Wait at most @p wait_ms for the next frame of an autopilot.
 *  @return true: it has arrived, or the autopilot is gone or has not sent a frame at all: reading
 *  it does not wait */
bool foreign_has_frame(struct swarm *w, struct foreign *f, int wait_ms);

/** @brief Wait for the next frame of a JSON autopilot; answer a repeated frame again. f->has stays
 *  false if the autopilot is gone, or has not sent a frame at all.
 *  @return false: the run is stopped */
bool foreign_receive_json(struct swarm *w, struct foreign *f);

/** @brief Read all datagrams that have arrived. The last frame counts, since a waiting autopilot
 *  repeats its frame. */
void foreign_drain_json(struct swarm *w, struct foreign *f);

/** @brief Send the body's state to a JSON autopilot.
 *  @param again  the autopilot repeats a frame, so the trace has the answer already */
void foreign_answer_json(struct swarm *w, struct foreign *f, bool again);

/** @brief Send a packet. Disconnect a side whose socket is full. */
void foreign_send(struct swarm *w, struct foreign *f, enum foreign_side side, const void *packet,
                  size_t n);

/** @brief Wait for END-TICK-AC of an autopilot. If the autopilot is gone, @p packet and @p motors
 *  are zero.
 *  @param packet  out [MF_FOREIGN_AC_END]
 *  @param motors  out [MF_FOREIGN_AC_MOTORS]
 *  @return false: the run is stopped */
bool foreign_receive_motors(struct swarm *w, struct foreign *f, uint8_t *packet, float *motors);

extern const size_t swarm_foreign_door_bytes;

#endif
