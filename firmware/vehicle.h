/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Vehicle for programs that do not own its memory: a program that serves it, and its board except
 * for the file that owns the memory. firmware/state/vehicle.h has the layout;
 * firmware/report/snapshot.h shows the state of a flight.
 *
 * Usage: fill in a mf_setup, call mf_vehicle_init(), attach links as peers appear, and call
 * mf_vehicle_step() whenever input has arrived or the returned time has come. These functions do
 * not allocate, do not block, and do not know other vehicles.
 */
#ifndef MF_FIRMWARE_VEHICLE_H
#define MF_FIRMWARE_VEHICLE_H

#include "firmware/state/options.h"
#include "hal/hal.h"
#include "mavlink/message.h"

/* Types whose definition is in firmware/state/. */
struct mf_vehicle;
struct mf_link;
struct mf_serial;
struct mf_shell;
struct mf_barrier;
struct mf_signing;
struct mf_ftp;
struct mf_journal;
struct mf_remote_id_card;

/** Times at which the vehicle must be stepped again. All may be MF_NEVER. */
struct mf_wake {
    mf_us_t essential_us; /**< vehicle time of the next instant at which something happens */
    mf_us_t periodic_us;  /**< vehicle time of the next instant at which something is shown */
    mf_us_t transport_us; /**< transport time of the next timeout towards clients */
    mf_us_t limit_us;     /**< vehicle time that clients permit at most (barrier.h) */
};

/** Parts of a vehicle that a board provides. */
struct mf_setup {
    struct mf_hal hal;       /**< copied; tables and contexts must outlive the vehicle */
    struct mf_link *links;   /**< pool [link_count], owned by the board; may be NULL when 0; not
                              touched before use */
    struct mf_shell *shells; /**< pool [link_count] as well; must outlive the vehicle; NULL: no link
                                has a shell */
    struct mf_barrier
        *barriers; /**< pool [link_count] as well; must outlive the vehicle: the board's clock
                                    honours mf_wake.limit_us; NULL: no client can hold it */
    struct mf_signing *signing; /**< must outlive the vehicle; NULL: it neither signs nor checks
                                   signatures, and takes no key */
    struct mf_ftp
        *ftp; /**< reset at the start; must outlive the vehicle; NULL: clients find no files */
    uint16_t link_count;
    uint8_t sysid;  /**< 1 .. 254 */
    uint8_t compid; /**< 1 .. 254, normally 1 */
    uint64_t uid;   /**< AUTOPILOT_VERSION.uid, unique per instance */
    int64_t utc_us; /**< at transport time 0, since 1970: for signatures; 0: not known */
    struct mf_journal
        *journal; /**< reset at the start; must outlive the vehicle; NULL: without a journal */
    const struct mf_remote_id_card *remote_id; /**< must outlive the vehicle; NULL: the default */
    struct mf_options options;
};

/** A vehicle at a glance, as of its last pass. */
struct mf_status {
    struct mf_now now;
    struct mf_counters counters;
    uint16_t links_open;
    uint8_t sysid;
    uint8_t mode;   /**< enum mf_mode */
    uint8_t landed; /**< enum mf_landed */
    bool on_ground;
    bool armed;
    bool failsafe; /**< a failsafe, not a user, chose the mode */
    bool reboot;   /**< a client requested a restart, which the board is to do */
    bool shutdown; /**< a client requested the end of the vehicle, which the board is to do */
};

/**
 * @brief Prepare an instance in memory of the caller's.
 * @return MF_E_OK; MF_E_RANGE for an id outside 1 .. 254
 * Reads parameters and missions from the store, sets home if the receiver has a fix. The link pool
 * is not touched beyond marking each link closed when it is used for the first time.
 */
int mf_vehicle_init(struct mf_vehicle *v, const struct mf_setup *setup);

/**
 * @brief Run a pass: tasks that are due by the clock's time, each at its own due time, in order;
 * then the input of the links, at the clock's time; then tasks that this made due. @return time of
 * the next pass; earlier if input arrives
 */
struct mf_wake mf_vehicle_step(struct mf_vehicle *v);

/** @brief Run the tasks that are due by the clock's time, without input. A caller that acts on a
 * vehicle from outside calls this before, and so acts at the present time. */
void mf_vehicle_catch_up(struct mf_vehicle *v);

/**
 * @brief Hand a message over as its struct, between two steps, from within the process: handled as
 * a frame of it that has arrived on the link now, without framing. The next step carries it out.
 * @param link   index of an open link, on which answers go out
 * @param from   address of the sender; callers are trusted, and do not sign
 * @param msgid  of a message that has a handler; but for SETUP_SIGNING, whose own signature matters
 * @param msg    `struct mf_msg_<name>` of @p msgid; it is not passed on to other links
 * @return MF_E_OK: handled; MF_E_NOSUPP: without a handler, or @p from is the vehicle's own
 * address
 */
int mf_message(struct mf_vehicle *v, int link, struct mf_address from, uint32_t msgid,
               const void *msg);

/** @brief Lend another pool of links, which may be empty, to a vehicle without open links: if one
 * in a thousand vehicles has a client, the others need no memory for links. It has no shells, and
 * barriers only by the next call. @param links  [count], of any content; NULL when 0 */
void mf_vehicle_lend(struct mf_vehicle *v, struct mf_link *links, uint16_t count);

/** @brief Lend a barrier for each link of the pool, while none is open.
 * @param barriers  [count], of any content; NULL: they go back, before the pool does */
void mf_vehicle_lend_barriers(struct mf_vehicle *v, struct mf_barrier *barriers);

/** @brief A link that a host hands from vehicle to vehicle: it is open, and no stream runs on it.
 *  @param serial  takes the answers  @param name  for logs; both outlive the link */
void mf_vehicle_link(struct mf_link *link, const struct mf_serial *serial, const char *name);

/** @brief Hand a link of mf_vehicle_link() to a vehicle without links, for messages between two
 * steps, which saves the time of opening and closing a link. @param link  NULL: take it back,
 * before the next step */
void mf_vehicle_hand(struct mf_vehicle *v, struct mf_link *link);

/** @brief A program begins to watch the vehicle, or ends it, between two steps. @param journal
 * zeroed: what was before is not in it; NULL: nothing is remembered @param log  where it tells what
 * happens; of mf_hal_null(): nowhere */
void mf_vehicle_watch(struct mf_vehicle *v, struct mf_journal *journal,
                      const struct mf_log_ops *log, void *log_ctx);

/** @brief A clock is about to jump to @p at_us: what is shown periodically is shown once, for that
 * instant, and then goes on from there. The next pass then does what happens at that instant. */
void mf_vehicle_jump_to(struct mf_vehicle *v, mf_us_t at_us);

struct mf_status mf_vehicle_status(const struct mf_vehicle *v);

/** @brief Vehicle time of the last pass, to be read whenever: it stays where it is. */
const mf_us_t *mf_vehicle_clock(const struct mf_vehicle *v);

/** @brief Devices of the vehicle, for questions to them. */
const struct mf_hal *mf_vehicle_devices(const struct mf_vehicle *v);

/** @brief Journal that the board provided. @return may be NULL */
const struct mf_journal *mf_vehicle_journal(const struct mf_vehicle *v);

/** @brief True during a manoeuvre, which will soon cause events. A vehicle that stands on the
 * ground or holds a position makes none. */
bool mf_vehicle_moving(const struct mf_vehicle *v);

/** @brief Is a client in the middle of something: a transfer, a list of parameters? */
bool mf_vehicle_busy(const struct mf_vehicle *v);

#endif
