/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The control API: what programs beside MAVLink ask of a drone and see of it, over HTTP.
 * docs/api.md is the specification; the document at /openapi.json comes from the same tables.
 *
 * It takes snapshots of the vehicle and posts to it, and is a controller of time among others. What
 * it does in one turn of the loop is bounded; nothing is allocated. A board that has it:
 *
 *     mf_api_watch(&api);                          after each pass
 *     mf_api_turn(&server, wall_us);               when the passes of a turn are over
 *     mf_api_link_closing(&api, link);             before a link is closed
 *     mf_api_boot(&api);                           after the vehicle was initialised
 *
 * and mf_api_log_ops as the vehicle's log.
 */
#ifndef MF_HOST_API_API_H
#define MF_HOST_API_API_H

#include "drone/calls.h"
#include "firmware/state/link_stats.h"
#include "hal/log.h"
#include "host/api/track.h"
#include "host/base/json.h"
#include "host/http/http.h"
#include "host/spec/plan.h"
#include "host/time/time_control.h"
#include "mavlink/frame.h"

/** Characters of a token, without NUL. */
#define MF_API_TOKEN_MIN 8u
#define MF_API_TOKEN_MAX 128u
/** Events that a client that comes late or comes back may still have. */
#define MF_API_EVENTS_KEPT 128u
/** One event in its form; longer ones lose their text [bytes]. */
#define MF_API_EVENT_MAX 768u
/** A stream in which nothing happens says so after this time [us, wall]. */
#define MF_API_QUIET_US (15 * MF_SECOND_US)

/** Sorts of peers that have places of their own. */
#define MF_API_PLACES 3
/** Places of one sort. */
struct mf_api_places {
    const char *kind; /**< its word; static */
    uint16_t used, max;
    uint32_t refused, displaced;
};

/** What the board knows of itself. */
struct mf_api_figures {
    const char *version;        /**< static */
    const char *clock;          /**< how time passes: its word; static */
    double rate;                /**< of the vehicle's time per wall time, where the clock has one */
    double achieved_rate;       /**< vehicle seconds per wall second, lately; < 0: not known yet */
    bool behind;                /**< vehicle time waits for the host or for a client */
    mf_us_t late_us, waited_us; /**< wall time that has cost, since the start */
    mf_us_t wall_us;            /**< since the boot */
    int64_t utc_us;             /**< of the host */
    uint64_t resident_bytes;
    uint32_t peers_opened, peers_turned_away, peers_dropped; /**< of MAVLink */
    struct mf_api_places places[MF_API_PLACES];
    uint32_t http_turned_away; /**< connections to this API, by the network */
};

/** Port of a link that is none of a configured one's: the API's own. */
#define MF_API_NO_PORT UINT16_MAX

/** What the board knows of a link. */
struct mf_api_link {
    const char *transport; /**< "tcp"; static */
    uint16_t port;         /**< the configured link that it is one of; MF_API_NO_PORT: none */
    size_t queued;         /**< bytes that wait to be sent */
    const struct mf_quality_link *quality; /**< around it; NULL: none */
};

/** What the board knows of a configured link. */
struct mf_api_port {
    const char *kind;                      /**< as the configuration has it: "udp_out"; static */
    const struct mf_link_quality *quality; /**< at present */
    char address[256];
};

/** What the API asks of its board. */
struct mf_api_ops {
    void (*figures)(void *ctx, struct mf_api_figures *figures);
    void (*link)(void *ctx, uint16_t link, struct mf_api_link *about);
    /** Another clock from now on. @param word  "real", "fast", "event" or "lockstep"
     *  @return MF_E_OK or MF_E_RANGE */
    int (*set_clock)(void *ctx, const char *word, double rate);
    /** A configured link, from 0. @return MF_E_OK; MF_E_NOSUPP: it carries no MAVLink; MF_E_NOENT:
     *  there are no more */
    int (*port)(void *ctx, uint16_t port, struct mf_api_port *about);
    /** One that carries MAVLink is like this from now on: connections that are there,
     * and others. */
    void (*set_quality)(void *ctx, uint16_t port, const struct mf_link_quality *quality);
    /** A command to the vehicle. @param m  its targets are set  @return as mf_inside_command() */
    int (*command)(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack);
    /** A plan to the vehicle: as mf_inside_upload(). */
    int (*upload)(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result);
    /** A parameter of the vehicle: as mf_inside_set_param(). */
    int (*set_param)(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now);
};

/** Events: name, its spelling, what it tells beside the vehicle time. */
#define MF_API_EVENT_LIST(X)                                                                 \
    X(MODE, "mode", "mode, custom_mode, failsafe")                                           \
    X(ARMED, "armed", "armed")                                                               \
    X(LANDED, "landed", "landed_state")                                                      \
    X(WAYPOINT, "waypoint", "item: the mission item that was reached, from 0")               \
    X(FAULT, "fault", "fault, active")                                                       \
    X(STATUSTEXT, "statustext", "severity, text")                                            \
    X(COMMAND, "command", "command, result, system, component: who asked")                   \
    X(CLOCK, "clock", "standing: time stands where this API let it run to, or not any more") \
    X(BOOT, "boot", "the vehicle begins anew")

enum mf_api_event {
#define X(name, spelling, tells) MF_API_EVENT_##name,
    MF_API_EVENT_LIST(X)
#undef X
        MF_API_EVENT_COUNT
};

/** What the API has of one vehicle. */
struct mf_api {
    /* the board fills in these */
    struct mf_api_server *server;
    struct mf_drone *drone;       /**< with wiring */
    struct mf_vehicle *vehicle;   /**< its own, which keeps a journal */
    int32_t instance;             /**< of the vehicle: its id in paths */
    struct mf_time_control *time; /**< NULL: its routes are not served */
    const struct mf_api_ops *ops;
    void *ops_ctx;
    const struct mf_log_ops *log; /**< the wrapped log */
    void *log_ctx;
    struct mf_log *json; /**< the wrapped log where its lines are JSON, which get the fields of
                              events; else NULL */
    /* the rest is the implementation's */
    bool ready; /**< it has been ready for a flight since the boot */
    bool standing;
    const char *saying; /**< what the log says of the event that is told; NULL: nothing */
    char order[MF_TIME_LINE_MAX + 2u]; /**< to time control, not read yet */
    struct {
        uint8_t mode; /**< enum mf_mode */
        bool armed;
        uint8_t landed; /**< enum mf_landed */
        uint32_t arrivals;
        uint32_t answers;
        uint64_t faults;
    } seen;
    struct mf_track track;     /**< the flight since the boot */
    struct mf_link_stats gone; /**< of links that were closed */
    struct mf_parser_stats gone_bytes;
    uint64_t next_event;              /**< number of the next one; the first is 1 */
    uint64_t piece_count, boot_piece; /**< so far; at the boot */
    struct {
        uint64_t id;
        mf_us_t t_us; /**< vehicle time */
        const char *event;
        uint16_t len, data; /**< of the text; where the object in it begins */
        char text[MF_API_EVENT_MAX];
    } piece[MF_API_EVENTS_KEPT]; /**< the n-th is at n % MF_API_EVENTS_KEPT */
};

struct mf_api_route;
struct mf_api_field;

/** A plan that comes, and what it replaces on the vehicle, until all of it is stored. */
struct mf_api_plan {
    struct mf_plan plan;
    struct mf_msg_mission_item_int fence[MF_PLAN_FENCE_MAX], rally[MF_PLAN_RALLY_MAX];
};

/** The API of a process. */
struct mf_api_server {
    /* the board fills in these */
    struct mf_http *http;    /**< NULL: nobody asks */
    struct mf_api *vehicles; /**< [count]; the first is also served at the short paths */
    uint16_t count;
    const char *config; /**< the configuration as text, without secrets */
    size_t config_len;
    char token[MF_API_TOKEN_MAX + 1u]; /**< "": none */
    struct mf_api_plan *plan;     /**< room for one that comes; its contents are of no interest */
    const char *map, *map_credit; /**< mf_api_set_map(); NULL: no map */
    /** Of a board with more vehicles than it has struct mf_api: the one of an id, which is that
     * vehicle's until the next call. @param id  [n]; "1" at the short paths  @return NULL: there is
     * none. NULL: all are in vehicles */
    struct mf_api *(*find)(struct mf_api_server *server, const char *id, size_t n);
    const struct mf_api_route *routes; /**< [route_count] of such a board; NULL: those of a drone */
    size_t route_count;
    const struct mf_api_field *raw; /**< a body that the handler reads itself; NULL: none */
    char absent[160]; /**< find() says here why a vehicle that there is cannot be asked; "": there
                         is none of this id */
    /* the rest is the implementation's */
    struct mf_json_members body; /**< of the request that is served */
    bool posted;                 /**< a vehicle wants another pass */
    char allow[64];              /**< a header line */
    char page_headers[1024];     /**< those of the live picture, if it has a map */
    mf_us_t spoke_us;            /**< wall time of the last sign of life */
};

/** The vehicle's log: what it says goes to the wrapped log, and texts to the events. The context is
 *  the struct mf_api. */
extern const struct mf_log_ops mf_api_log_ops;

/** @brief The vehicle was initialised. */
void mf_api_boot(struct mf_api *api);

/** @brief The vehicle flies already: what there is by now is no news, and its track begins here. */
void mf_api_join(struct mf_api *api);

/** @brief A pass is over. */
void mf_api_watch(struct mf_api *api);

/** @brief Answer requests and feed streams. @return wall time at which to come back at the latest;
 *  @p wall_us if the vehicle was asked for something */
mf_us_t mf_api_turn(struct mf_api_server *server, mf_us_t wall_us);

/** @brief A link of the vehicle is about to be closed: what it counted is kept. */
void mf_api_link_closing(struct mf_api *api, int link);

/** @brief What mf_http_init() takes; the context is the struct mf_api_server. */
mf_http_handler mf_api_handle;

/** @brief What may have a large body: plans, of whoever may upload one. The context is the struct
 *  mf_api_server. */
mf_http_takes_large mf_api_takes_large;

/** @brief Of probes, which must be answered whatever other clients do: /healthz, /readyz. */
mf_http_is_short mf_api_is_short;

/** @brief The document that describes it. @param text  out [cap] @return its length, 0 if it is too
 *  long */
size_t mf_api_document(char *text, size_t cap);

/** @brief There is a map behind the live picture. @param tiles  where a tile is: a URL of http or
 *  https with {z}, {x} and {y} or {-y}; both texts stay  @param credit  whose map it is
 *  @return false: it is no such URL, and nothing has changed */
bool mf_api_set_map(struct mf_api_server *server, const char *tiles, const char *credit);

/** @brief May this be a token? Printable, without spaces, of MF_API_TOKEN_MIN .. MAX characters. */
bool mf_api_token_valid(const char *token);

#endif
