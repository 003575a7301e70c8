/* SPDX-License-Identifier: Apache-2.0 */
/** Shared by the files of ghosts: links, what comes in on them, and who is behind them. */
#ifndef MF_BOARDS_SWARM_GHOST_OWN_H
#define MF_BOARDS_SWARM_GHOST_OWN_H

#include "boards/swarm/ghosts/ghosts.h"
#include "fleet/bus.h"
#include "fleet/ghost.h"
#include "fleet/port_mavlink.h"
#include "hal-posix/endpoint.h"

#define GHOST_PATIENCE_MS 10000 /* without an answer for so long a drone is gone */
#define GHOST_RETRY_S     1.0   /* a link that is gone is tried anew so often, by the wall */
#define GHOST_SOON_MS     200   /* a connection that is tried anew comes in this time */
#define GHOST_LINE_MAX    512u
#define GHOST_SOURCES     8u    /* addresses that one UDP port tells apart */
#define GHOST_OUT_BYTES   4096u /* that wait for a slow link */
#define GHOST_BEFORE_US   (-1)  /* what comes in before time 0 */

/** Types of records: what comes in, in the order in which it takes effect. */
enum ghost_type {
    GHOST_BYTES = 1, /**< of a link */
    GHOST_UP = 2,
    GHOST_DOWN = 3,
    GHOST_BUS = 4,    /**< a frame of the bus; source: its participant, first byte: its type */
    GHOST_END = 5,    /**< of the run */
    GHOST_POSE = 6,   /**< what a frame of the bus has said of a ghost; in memory alone */
    GHOST_PACKET = 7, /**< ... */
    GHOST_WAIT = 8,   /**< an order waits for its answer; source: enum ghost_wait */
};

/** Of an order that waits: what comes in up to its end comes before anything else goes on. */
enum ghost_wait { GHOST_WAIT_BEGINS, GHOST_WAIT_ANSWERED, GHOST_WAIT_IN_VAIN, GHOST_WAITS };

struct ghost_record {
    struct ghost_record *next;
    mf_us_t at_us;
    uint8_t type, source;
    uint16_t link;
    uint32_t n;
    uint8_t bytes[];
};

/** In the order in which they take effect. */
struct ghost_queue {
    struct ghost_record *first, *last;
};

/** A socket or a line. Several ghosts may be behind it. */
struct ghost_link {
    char text[MF_SCENARIO_LINK_MAX]; /**< without its system */
    int line;                        /**< of the scenario */
    bool steps;                      /**< it is read where its drone's time is granted */
    struct mf_endpoint to;
    int fd;      /**< < 0: it is not open */
    bool up;     /**< as records say: orders leave */
    bool broken; /**< it took an order no more; a record will say so */
    bool connecting;
    double retry_s; /**< of the wall */
    struct mf_parser parser;
    struct mf_addr source[GHOST_SOURCES];
    uint32_t sources;
    uint8_t out[GHOST_OUT_BYTES];
    size_t out_n;
    uint64_t dropped; /**< frames that it did not take */
    struct ghost_queue in;
};

/** How long a question to a drone and its answer take, by the wall. */
struct ghost_latency {
    double asked_s, sum_s, most_s, last_s;
    uint32_t count;
};

/** A participant of the bus that speaks for a ghost. */
struct ghost_feeder {
    int32_t participant; /**< < 0: nobody yet */
    char name[MF_BUS_NAME_MAX];
};

/** One ghost. */
struct ghost {
    struct swarm_ghosts *of;
    uint32_t i; /**< its number among members, from 0 */
    const struct mf_scenario_entity *e;
    int32_t link, mocap;  /**< < 0: none */
    uint8_t mocap_system; /**< wanted; 0: any */
    int32_t source;       /**< of the link, to which orders go; < 0: not known */
    int32_t mocap_source;
    bool bus;                    /**< its state comes from the bus */
    struct ghost_feeder poses;   /**< who says where it is, of the bus */
    struct ghost_feeder packets; /**< whose radio it has */
    int time_fd;                 /**< of its time socket; < 0: its time passes by itself */
    bool steps;                  /**< it has a time socket */
    bool gone;                   /**< ... which has ended; nobody knows where it is since then */
    bool away;                   /**< ... and its drone has no time: it has not come back */
    bool returns;                /**< it has come back, and its turns have not begun again */
    mf_us_t ahead_us;            /**< so much the swarm's time is ahead of its drone's */
    mf_us_t line_us;             /**< in the last line of the time socket */
    const struct mf_scenario_process *process; /**< whose drone it is; NULL: nobody's here */
    struct mf_pose truth;                      /**< ... says its time socket */
    char said[192];                            /**< ... in its words */
    uint64_t truths;                           /**< one number of all of these */
    uint64_t in, out;                          /**< bytes of its clients */
    mf_us_t next_us;                           /**< it wants to run then; MF_NEVER */
    mf_us_t asked_us;                          /**< its time was granted up to there; < 0: never */
    mf_us_t at_us;
    mf_us_t due_us; /**< of its next turn */
    mf_us_t look_us;
    struct mf_port_mavlink port;
    struct mf_ghost_track track;
    struct mf_crowd_state shown; /**< that events are told by */
    struct mf_msg_manual_control sticks;
    mf_us_t stick_us, stick_until_us; /**< the next time; MF_NEVER: they are at rest */
    struct ghost_latency latency;
    int lock;
    bool told_refused, told_double;
    uint32_t doubles; /**< frames of another with the same system */
    uint32_t bad_packets;
    char line[GHOST_LINE_MAX]; /**< of the time socket, what has come */
    size_t line_len;
};

struct swarm_ghosts {
    struct swarm *w;
    uint32_t count;
    struct ghost *ghost;
    uint32_t links;
    struct ghost_link *link;
    struct ghost_queue bus;  /**< of ghosts, from frames of the bus */
    struct ghost_queue turn; /**< replay: frames of the bus */
    mf_us_t read_us;         /**< of what was read last of links whose time passes by itself */
    mf_us_t stands_us;       /**< where the time of drones of processes stands */
    FILE *recording;
    swarm_ghost_tap_fn *tap;                 /**< NULL: no recording */
    const struct swarm_ghost_feeder *feeder; /**< NULL: no bus */
    bool failed;                             /**< the recording has not all */
    bool replays;                            /**< what comes in is that of a recording */
    bool given;                      /**< replay: the first frame of the bus is being read */
    char why[128];                   /**< a participant may not speak for a ghost */
    uint8_t bytes[MF_BUS_FRAME_MAX]; /**< of the frame that is recorded */
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_ghosts *swarm_ghosts_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_GHOSTS];
}

/* ---- ghost_links.c */

/** @brief The link of a text "KIND:ADDRESS#SYSTEM", opened unless it is there already.
 *  @param system  out: 0: none is given  @return its number; < 0: an error is set */
int32_t ghost_link_open(struct swarm_ghosts *g, const char *text, int line, bool steps,
                        uint8_t *system);

/** @brief Nobody else on this machine may have the drone. @return SWARM_OK or SWARM_INPUT */
int ghost_link_claim(struct swarm_ghosts *g, struct ghost *ghost, uint8_t system);

/** @brief Whatever has come in becomes records of @p at_us. */
void ghost_link_read(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us);

/** @brief The link of a ghost in lockstep is opened anew; a record of @p at_us says so.
 *  @return false: nobody is there */
bool ghost_link_reopen(struct swarm_ghosts *g, uint32_t link, mf_us_t at_us);

/** @brief All links that are not read elsewhere; those that are gone are tried again. */
void ghost_links_read(struct swarm_ghosts *g, mf_us_t at_us);

/** @brief Bytes leave for a source, or wait; never blocks. @return MF_E_IO: the link is down */
int ghost_link_write(struct swarm_ghosts *g, uint32_t link, int32_t source, const uint8_t *bytes,
                     size_t n);

void ghost_links_close(struct swarm_ghosts *g);

/* ---- ghost_record.c */

/** @brief A record takes effect later; without memory it is lost, and the recording fails. */
void ghost_push(struct swarm_ghosts *g, struct ghost_queue *q, const struct ghost_record *head,
                const void *bytes);

/** @brief The first one is let go. */
void ghost_pop(struct ghost_queue *q);

/** @brief Something came in: a record of the file, if one is written. */
void ghost_record_write(struct swarm_ghosts *g, const struct ghost_record *head, const void *bytes);

/** @brief Open the file that is written, or read the one that is replayed.
 *  @return SWARM_OK or SWARM_INPUT */
int ghost_record_open(struct swarm_ghosts *g);

/** @brief Records of a replay find their links. @return SWARM_OK or SWARM_INPUT */
int ghost_record_read(struct swarm_ghosts *g);

/** @brief The file is complete. @return false: it took not all */
bool ghost_record_close(struct swarm_ghosts *g);

/* ---- ghost_hear.c */

/** @brief A record takes effect. */
void ghost_deliver(struct swarm_ghosts *g, const struct ghost_record *r);

/** @brief It is lost from @p at_us on, if nothing has come for so long. */
void ghost_lapse(struct ghost *ghost, mf_us_t at_us);

/** @brief What it shows has changed: events. @param more  bits of enum mf_scenario_event */
void ghost_tell(struct ghost *ghost, mf_us_t at_us, uint32_t more);

/* ---- ghost_order.c */

/** The order port of a ghost; the context is a struct ghost. */
extern const struct mf_order_ops ghost_order_ops;

/** @brief Bytes of its MAVLink leave. @param ctx  struct ghost */
int ghost_write(void *ctx, const uint8_t *bytes, size_t n);

/** @brief The sticks once more. */
void ghost_repeat_sticks(struct ghost *ghost);

/** @brief How long do answers take? Asked once a second of the wall. */
void ghost_ask(struct ghost *ghost);

/* ---- ghost_time.c */

/** @brief Connect to a time socket. @return the descriptor; < 0: an error is set */
int ghost_time_connect(struct swarm *w, const struct mf_scenario_addresses *to, uint32_t k);

/** @brief The greeting of its time socket; a process tells the truth from now on.
 *  @return false: there is none */
bool ghost_time_greet(struct swarm_ghosts *g, struct ghost *ghost);

/** @brief Its time may run to @p at_us; nothing is waited for. */
void ghost_time_ask(struct ghost *ghost, mf_us_t at_us);

/** @brief Its time runs to @p at_us; what it has sent until then is read. @return false: it ended
 */
bool ghost_time_grant(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us);

/** @brief Is a drone there again, whose time ended? Tried once a second of the wall. Its time goes
 * on at @p at_us from wherever it stands. */
void ghost_time_retry(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us);

/* ---- ghost_process.c */

/** @brief The drone of a process is gone, at the instant up to which its time was granted last. */
void ghost_lose(struct ghost *ghost, mf_us_t at_us);

/** @brief All drones of processes run at once, to be waited for one by one. @param again  those
 *  that stand there already, too */
void ghost_ask_all(struct swarm_ghosts *g, mf_us_t at_us, bool again);

/** @brief What it says of an instant that has come: for the trace and the hash. */
void ghost_time_note(struct ghost *ghost, mf_us_t at_us);

/** @brief Functions of the carrier (members/carrier.h): ghost_shape.c, ghost_order.c. */
void swarm_ghost_shape(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape);
double swarm_ghosts_range_m(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                            const double toward[3], double reach_m);
void swarm_ghost_send(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p);

#endif
