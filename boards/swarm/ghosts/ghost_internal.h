/* SPDX-License-Identifier: Apache-2.0 */
/** Private header of ghosts: their links, the records of received input, and the drones behind the
 * links. */
#ifndef MF_BOARDS_SWARM_GHOST_INTERNAL_H
#define MF_BOARDS_SWARM_GHOST_INTERNAL_H

#include "boards/swarm/ghosts/ghosts.h"
#include "fleet/bus.h"
#include "fleet/ghost.h"
#include "fleet/port_mavlink.h"
#include "hal-posix/endpoint.h"

#define GHOST_PATIENCE_MS 10000 /* a drone that does not answer for so long is lost */
#define GHOST_RETRY_S     1.0   /* interval between attempts to reopen a link [s of the wall] */
#define GHOST_SOON_MS     200   /* longest wait for a repeated connection */
#define GHOST_LINE_MAX    512u
#define GHOST_SOURCES     8u    /* senders that one UDP port distinguishes */
#define GHOST_OUT_BYTES   4096u /* output queue of a link */
#define GHOST_BEFORE_US   (-1)  /* time of input received before vehicle time 0 */

/** Types of records of received input. A recording has the values up to GHOST_END, and GHOST_WAIT.
 */
enum ghost_type {
    GHOST_BYTES = 1, /**< bytes received on a link */
    GHOST_UP = 2,
    GHOST_DOWN = 3,
    GHOST_BUS = 4,    /**< a frame of the bus; source: the participant's number, first byte: the
                         frame's type */
    GHOST_END = 5,    /**< end of the run */
    GHOST_POSE = 6,   /**< pose of a ghost from a frame of the bus; not in a file */
    GHOST_PACKET = 7, /**< radio packet of a ghost from a frame of the bus; not in a file */
    GHOST_WAIT = 8, /**< begin or end of an order's wait for its answer; source: enum ghost_wait */
};

/** Marks of an order that waits for its answer: the run stands while records between begin and end
 * are delivered. */
enum ghost_wait { GHOST_WAIT_BEGINS, GHOST_WAIT_ANSWERED, GHOST_WAIT_IN_VAIN, GHOST_WAITS };

struct ghost_record {
    struct ghost_record *next;
    mf_us_t at_us;
    uint8_t type, source;
    uint16_t link;
    uint32_t n;
    uint8_t bytes[];
};

/** Records in the order in which they take effect. */
struct ghost_queue {
    struct ghost_record *first, *last;
};

/** A socket or a serial line. Several ghosts may share one. */
struct ghost_link {
    char text[MF_SCENARIO_LINK_MAX]; /**< address as in the scenario, without "#SYSTEM" */
    int line;                        /**< line of the scenario, for errors */
    bool steps; /**< true: a drone in lockstep, whose link is read while the swarm grants time */
    struct mf_endpoint to;
    int fd;      /**< < 0: not open */
    bool up;     /**< state by the delivered records: orders are sent */
    bool broken; /**< a write failed; the next read closes the link and records GHOST_DOWN */
    bool connecting;
    double retry_s; /**< time of the next attempt to reopen the link [s of the wall] */
    struct mf_parser parser;
    struct mf_addr source[GHOST_SOURCES];
    uint32_t sources;
    uint8_t out[GHOST_OUT_BYTES];
    size_t out_n;
    uint64_t dropped; /**< number of frames dropped because the link was full */
    struct ghost_queue in;
};

/** Times from a TIMESYNC to its answer [s of the wall]. */
struct ghost_latency {
    double sent_s, sum_s, most_s, last_s;
    uint32_t count;
};

/** A participant of the bus that feeds a ghost. */
struct ghost_feeder {
    int32_t participant; /**< its number; < 0: no participant feeds the ghost */
    char name[MF_BUS_NAME_MAX];
};

/** A ghost: its links, the drone behind them, and the state that this drone reported last. */
struct ghost {
    struct swarm_ghosts *of;
    uint32_t i; /**< member number, from 0 */
    const struct mf_scenario_entity *e;
    int32_t link, mocap;  /**< indices of links; < 0: not connected by one */
    uint8_t mocap_system; /**< MAVLink system id that the scenario demands; 0: any */
    int32_t source;       /**< index of the drone's address on its link; < 0: not known */
    int32_t mocap_source;
    bool bus;                    /**< the bus reports its state */
    struct ghost_feeder poses;   /**< participant that sends its poses */
    struct ghost_feeder packets; /**< participant that sends packets of its radio */
    int time_fd;                 /**< time socket; < 0: not connected */
    bool steps;                  /**< it is in lockstep: the swarm grants its time */
    bool gone;    /**< lockstep: its time socket or link has ended, and its place is not known since
                     then */
    bool away;    /**< lockstep: the drone has not connected again, so its time stands */
    bool returns; /**< lockstep: the drone is connected again; its behaviour waits for its position
                   */
    mf_us_t ahead_us; /**< swarm's time minus drone's time, after a reconnection */
    mf_us_t line_us;  /**< time in the last line of the time socket, by the drone's clock */
    /** Program of the run that is its drone; NULL: the drone runs without the swarm. */
    const struct mf_scenario_process *process;
    struct mf_pose truth; /**< pose by the time socket; only of a process's drone */
    char reported[192];   /**< text of `truth` in the last line of the time socket */
    uint64_t truths;      /**< hash of all truth texts, for the digest */
    uint64_t in, out;     /**< bytes that a process's drone received from clients, and sent */
    mf_us_t next_us;      /**< time at which a process's drone runs next; MF_NEVER */
    /** End of the grant that the drone has not answered; < 0: no grant is open. */
    mf_us_t granted_us;
    mf_us_t at_us;
    mf_us_t due_us; /**< next turn of its behaviour; MF_NEVER */
    mf_us_t look_us;
    struct mf_port_mavlink port;
    struct mf_ghost_track track;
    struct mf_crowd_state shown; /**< state that the last event reported */
    struct mf_msg_manual_control sticks;
    /** Time of the next repetition of the sticks (MF_NEVER: at rest), and of the last one. */
    mf_us_t stick_us, stick_until_us;
    struct ghost_latency latency;
    int lock;
    bool reported_refused, reported_double;
    uint32_t doubles; /**< number of frames from a second sender with the same system id */
    uint32_t bad_packets;
    char line[GHOST_LINE_MAX]; /**< bytes of the time socket that are not processed */
    size_t line_len;
};

struct swarm_ghosts {
    struct swarm *w;
    uint32_t count;
    struct ghost *ghost;
    uint32_t links;
    struct ghost_link *link;
    struct ghost_queue bus;  /**< poses and packets of ghosts from the bus */
    struct ghost_queue turn; /**< replay: frames of the bus that are not delivered */
    mf_us_t read_us;         /**< time at which links of ghosts not in lockstep were read last */
    mf_us_t stands_us;       /**< time up to which all ghosts have run */
    FILE *recording;
    swarm_ghost_tap_fn *tap;                 /**< logs frames of drones; NULL: no log */
    const struct swarm_ghost_feeder *feeder; /**< NULL: no bus */
    bool failed;                             /**< a record was lost: the recording is incomplete */
    bool replays;                            /**< input comes from a recording */
    bool given;    /**< replay: the caller still reads the first record of `turn` */
    char why[128]; /**< reason why a participant may not speak for a ghost */
    uint8_t bytes[MF_BUS_FRAME_MAX]; /**< payload of the frame that is recorded */
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_ghosts *swarm_ghosts_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_GHOSTS];
}

/* ---- ghost_links.c */

/** @brief Find the link of a text "KIND:ADDRESS#SYSTEM", or open it.
 *  @param system  out: the id behind "#"; 0: without one  @return index of the link; < 0: an error
 * is set */
int32_t ghost_link_open(struct swarm_ghosts *g, const char *text, int line, bool steps,
                        uint8_t *system);

/** @brief Lock a drone, so that no other run of this user becomes its second client.
 *  @return SWARM_OK, also without a folder for lock files; SWARM_INPUT with an error set */
int ghost_link_claim(struct swarm_ghosts *g, struct ghost *ghost, uint8_t system);

/** @brief Read a link; received bytes become records that take effect at @p at_us. Never blocks. */
void ghost_link_read(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us);

/** @brief Open the link of a ghost in lockstep again, and add GHOST_UP at @p at_us.
 *  @return false: not connected within GHOST_SOON_MS */
bool ghost_link_reopen(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us);

/** @brief Wait for a connection that has begun, at most @p wait_ms.
 *  @return 0: connected; ETIMEDOUT: not yet; else the error */
int ghost_connect_wait(int fd, bool tcp, int wait_ms);

/** @brief Read all links except those of ghosts in lockstep; reopen those that are down. */
void ghost_links_read(struct swarm_ghosts *g, mf_us_t at_us);

/** @brief Send bytes to a source of the link, or queue them; never blocks. Bytes that do not fit
 * are dropped and counted. @return MF_E_OK; MF_E_IO: the link is down */
int ghost_link_write(struct swarm_ghosts *g, uint32_t link, int32_t source, const uint8_t *bytes,
                     size_t n);

void ghost_links_close(struct swarm_ghosts *g);

/* ---- ghost_record.c */

/** @brief Copy a record to the end of a queue. Without memory the record is lost, and the recording
 * fails. */
void ghost_push(struct swarm_ghosts *g, struct ghost_queue *q, const struct ghost_record *head,
                const void *bytes);

/** @brief Remove and free the first record. */
void ghost_pop(struct ghost_queue *q);

/** @brief Write a record to the recording, if there is one. */
void ghost_record_write(struct swarm_ghosts *g, const struct ghost_record *head, const void *bytes);

/** @brief Open the recording that the scenario asks for. @return SWARM_OK or SWARM_INPUT */
int ghost_record_open(struct swarm_ghosts *g);

/** @brief Read the recording of --replay into the queues of links and of the bus. @return SWARM_OK
 * or SWARM_INPUT */
int ghost_record_read(struct swarm_ghosts *g);

/** @brief Write GHOST_END and close the recording. @return false: a record is missing in it */
bool ghost_record_close(struct swarm_ghosts *g);

/* ---- ghost_receive.c */

/** @brief Let a record take effect: update the ghosts that it concerns. */
void ghost_deliver(struct swarm_ghosts *g, const struct ghost_record *r);

/** @brief Mark a ghost lost if its last sample is too old at @p at_us; no effect in lockstep. */
void ghost_expire(struct ghost *ghost, mf_us_t at_us);

/** @brief Report the events between the state last reported and the present one to all systems.
 *  @param more  further events, bits by enum mf_scenario_event */
void ghost_report_events(struct ghost *ghost, mf_us_t at_us, uint32_t more);

/* ---- ghost_order.c */

/** Order port of a ghost that does not wait for answers; its context is a struct ghost. */
extern const struct mf_order_ops ghost_order_ops;

/** @brief Send MAVLink bytes on the ghost's link. @param ctx  struct ghost  @return MF_E_OK or
 * MF_E_IO */
int ghost_write(void *ctx, const uint8_t *bytes, size_t n);

/** @brief Send the last MANUAL_CONTROL again, and set the time of the next repetition. */
void ghost_repeat_sticks(struct ghost *ghost);

/** @brief Send a TIMESYNC to measure the latency of the drone, at most once per second of the wall.
 */
void ghost_send_timesync(struct ghost *ghost);

/* ---- ghost_time.c */

/** @brief Connect to a time socket. @return the descriptor; < 0: an error is set */
int ghost_time_connect(struct swarm *w, const struct mf_scenario_addresses *to, uint32_t k);

/** @brief Wait for the greeting of the ghost's time socket; tell a process's drone to hold its time
 * and to report the truth. @return false: it did not answer */
bool ghost_time_greet(struct swarm_ghosts *g, struct ghost *ghost);

/** @brief Grant the drone time up to @p at_us without waiting for its answer. */
void ghost_time_begin_grant(struct ghost *ghost, mf_us_t at_us);

/** @brief Grant the drone time up to @p at_us, wait until it is there, and read its link.
 *  @return false: the drone has disconnected, or was silent beyond its patience */
bool ghost_time_grant(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us);

/** @brief Try to reconnect to a drone in lockstep that is away, once per second of the wall. The
 * drone's present time then corresponds to @p at_us. */
void ghost_time_retry(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us);

/* ---- ghost_process.c */

/** @brief Mark the drone of a process as gone at @p at_us, the end of its last grant. */
void ghost_mark_lost(struct ghost *ghost, mf_us_t at_us);

/** @brief Grant time to all drones of processes, so that they run in parallel; ghost_time_grant()
 * then waits for each. @param again  true: also those that have already run to @p at_us */
void ghost_begin_grants(struct swarm_ghosts *g, mf_us_t at_us, bool again);

/** @brief Add the truth that a process's drone reports at @p at_us to the trace and the hash. */
void ghost_time_trace(struct ghost *ghost, mf_us_t at_us);

/** @brief Functions of the carrier of ghosts (members/carrier.h), in ghost_shape.c and
 * ghost_order.c. */
void swarm_ghost_get_shape(const struct swarm *w, uint32_t i, mf_us_t at_us,
                           struct mf_solid *shape);
double swarm_ghosts_range_m(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                            const double toward[3], double reach_m);
void swarm_ghost_send(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p);

#endif
