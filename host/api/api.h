/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Control API: requests of programs to a drone, and queries, over HTTP, as an alternative to
 * MAVLink. docs/api.md is the specification; the document at /openapi.json comes from the same
 * tables.
 *
 * The API reads snapshots of the vehicle and posts to it, and is one of the controllers of time.
 * Its work in one turn of the loop is bounded; it allocates nothing. A board that has it calls:
 *
 *     mf_api_watch(&api);                          after each pass
 *     mf_api_turn(&server, wall_us);               when the passes of a turn are over
 *     mf_api_link_closing(&api, link);             before a link is closed
 *     mf_api_boot(&api);                           after the vehicle was initialised
 *
 * and uses mf_api_log_ops as the vehicle's log.
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

/** Length of a token, without NUL [characters]. */
#define MF_API_TOKEN_MIN 8u
#define MF_API_TOKEN_MAX 128u
/** Number of past events for clients that connect late or reconnect. */
#define MF_API_EVENTS_KEPT 128u
/** Longest event in its form; longer ones lose their text [bytes]. */
#define MF_API_EVENT_MAX 768u
/** Interval of signs of life on a stream without events [us, wall]. */
#define MF_API_QUIET_US (15 * MF_SECOND_US)

/** Number of sorts of peers with their own places. */
#define MF_API_PLACES 3
/** Places of one sort of peers. */
struct mf_api_places {
    const char *kind; /**< word of the sort; static */
    uint16_t used, max;
    uint32_t refused, displaced;
};

/** Figures of the board. */
struct mf_api_figures {
    const char *version;  /**< static */
    const char *clock;    /**< word of the clock; static */
    double rate;          /**< vehicle time per wall time, if the clock has a rate */
    double achieved_rate; /**< recent vehicle seconds per wall second; < 0: unknown yet */
    bool behind;          /**< vehicle time waits for the host or for a client */
    mf_us_t late_us,
        waited_us;   /**< wall time lost to a late host, and to clients, since the start */
    mf_us_t wall_us; /**< wall time since the boot */
    int64_t utc_us;  /**< UTC of the host */
    uint64_t resident_bytes;
    uint32_t peers_opened, peers_turned_away, peers_dropped; /**< of MAVLink */
    struct mf_api_places places[MF_API_PLACES];
    uint32_t http_turned_away; /**< connections to this API that the network refused */
};

/** Port number of a link that belongs to no configured link: the API's own. */
#define MF_API_NO_PORT UINT16_MAX

/** State of a link, from the board. */
struct mf_api_link {
    const char *transport; /**< "tcp"; static */
    uint16_t port; /**< number of the configured link to which it belongs; MF_API_NO_PORT: none */
    size_t queued; /**< bytes queued for sending */
    const struct mf_quality_link *quality; /**< quality of the link; NULL: perfect */
};

/** State of a configured link, from the board. */
struct mf_api_port {
    const char *kind;                      /**< word of the configuration: "udp_out"; static */
    const struct mf_link_quality *quality; /**< present quality */
    char address[256];
};

/** Functions of the board for the API. */
struct mf_api_ops {
    void (*figures)(void *ctx, struct mf_api_figures *figures);
    void (*link)(void *ctx, uint16_t link, struct mf_api_link *about);
    /** Change the clock. @param word  "real", "fast", "event" or "lockstep"
     * @return MF_E_OK or MF_E_RANGE */
    int (*set_clock)(void *ctx, const char *word, double rate);
    /** Describe configured link number @p port, from 0. @return MF_E_OK; MF_E_NOSUPP: it carries
     * no MAVLink; MF_E_NOENT: there are not so many links */
    int (*port)(void *ctx, uint16_t port, struct mf_api_port *about);
    /** Set the quality of a configured link that carries MAVLink, for present and later
     * connections. */
    void (*set_quality)(void *ctx, uint16_t port, const struct mf_link_quality *quality);
    /** Send a command to the vehicle. @param m  its targets are set  @return as
     * mf_inside_command() */
    int (*command)(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack);
    /** Upload a plan to the vehicle: as mf_inside_upload(). */
    int (*upload)(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result);
    /** Set a parameter of the vehicle: as mf_inside_set_param(). */
    int (*set_param)(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now);
};

/** Events: name, spelling, members in addition to the vehicle time. */
#define MF_API_EVENT_LIST(X)                                                        \
    X(MODE, "mode", "mode, custom_mode, failsafe")                                  \
    X(ARMED, "armed", "armed")                                                      \
    X(LANDED, "landed", "landed_state")                                             \
    X(WAYPOINT, "waypoint", "item: the mission item that was reached, from 0")      \
    X(FAULT, "fault", "fault, active")                                              \
    X(STATUSTEXT, "statustext", "severity, text")                                   \
    X(COMMAND, "command", "command, result; system and component of the sender")    \
    X(CLOCK, "clock", "standing: whether time stands where this API let it run to") \
    X(BOOT, "boot", "the vehicle restarts")

enum mf_api_event {
#define X(name, spelling, tells) MF_API_EVENT_##name,
    MF_API_EVENT_LIST(X)
#undef X
        MF_API_EVENT_COUNT
};

/** API of one vehicle. */
struct mf_api {
    /* set by the board */
    struct mf_api_server *server;
    struct mf_drone *drone;       /**< with wiring */
    struct mf_vehicle *vehicle;   /**< the drone's vehicle, which must keep a journal */
    int32_t instance;             /**< number of the vehicle: its id in paths */
    struct mf_time_control *time; /**< NULL: the routes of time are not served */
    const struct mf_api_ops *ops;
    void *ops_ctx;
    const struct mf_log_ops *log; /**< the wrapped log */
    void *log_ctx;
    struct mf_log *json; /**< the wrapped log if its lines are JSON, which get the fields of events;
                            else NULL */
    /* private */
    bool ready; /**< the vehicle has been ready for a flight since the boot */
    bool standing;
    const char *saying;                /**< text of the log about the present event; NULL: none */
    char order[MF_TIME_LINE_MAX + 2u]; /**< order to time control that it has not read yet */
    struct {
        uint8_t mode; /**< enum mf_mode */
        bool armed;
        uint8_t landed; /**< enum mf_landed */
        uint32_t arrivals;
        uint32_t answers;
        uint64_t faults;
    } seen;
    struct mf_track track;     /**< flight since the boot */
    struct mf_link_stats gone; /**< counters of links that were closed */
    struct mf_parser_stats gone_bytes;
    uint64_t next_event;              /**< number of the next event; the first is 1 */
    uint64_t piece_count, boot_piece; /**< number of pieces so far, and at the boot */
    struct {
        uint64_t id;
        mf_us_t t_us; /**< vehicle time */
        const char *event;
        uint16_t len, data; /**< length of the text, and offset of the object in it */
        char text[MF_API_EVENT_MAX];
    } piece[MF_API_EVENTS_KEPT]; /**< the n-th is at n % MF_API_EVENTS_KEPT */
};

struct mf_api_route;
struct mf_api_field;

/** Uploaded plan, and the vehicle's own that it replaces, until it is stored completely. */
struct mf_api_plan {
    struct mf_plan plan;
    struct mf_msg_mission_item_int fence[MF_PLAN_FENCE_MAX], rally[MF_PLAN_RALLY_MAX];
};

/** API of a process. */
struct mf_api_server {
    /* set by the board */
    struct mf_http *http;    /**< NULL: HTTP is not served */
    struct mf_api *vehicles; /**< [count]; the first is also served at the short paths */
    uint16_t count;
    const char *config; /**< the configuration as text, without secrets */
    size_t config_len;
    char token[MF_API_TOKEN_MAX + 1u]; /**< "": without a token */
    struct mf_api_plan *plan;          /**< buffer for an uploaded plan, of any content */
    const char *map, *map_credit;      /**< set by mf_api_set_map(); NULL: without a map */
    /** Find the vehicle of an id, for a board with more vehicles than struct mf_api; valid until
     * the next call. @param id  [n]; "1" at the short paths  @return NULL: unknown. The function
     * may be NULL: all are in vehicles */
    struct mf_api *(*find)(struct mf_api_server *server, const char *id, size_t n);
    const struct mf_api_route
        *routes; /**< [route_count] routes of such a board; NULL: those of a drone */
    size_t route_count;
    char absent[160]; /**< set by find(): why an existing vehicle cannot be queried; "": the id is
                         unknown */
    /* private */
    struct mf_json_members body; /**< body of the present request */
    bool posted;                 /**< a vehicle needs another pass */
    char allow[64];              /**< value of the Allow header */
    char page_headers[1024];     /**< header lines of the live picture, if it has a map */
    mf_us_t spoke_us;            /**< wall time of the last sign of life */
};

/** Log of the vehicle: passes lines to the wrapped log, and texts to the events. The context is the
 * struct mf_api. */
extern const struct mf_log_ops mf_api_log_ops;

/** @brief Begin after the vehicle was initialised. */
void mf_api_boot(struct mf_api *api);

/** @brief Begin while the vehicle already flies: its present state is not an event, and its track
 * begins here. */
void mf_api_join(struct mf_api *api);

/** @brief Find events, after a pass. */
void mf_api_watch(struct mf_api *api);

/** @brief Answer requests and feed streams. @return wall time of the next turn at the latest; @p
 * wall_us if a request needs a pass of the vehicle */
mf_us_t mf_api_turn(struct mf_api_server *server, mf_us_t wall_us);

/** @brief Keep the counters of a link that is about to be closed. */
void mf_api_link_closing(struct mf_api *api, int link);

/** @brief Handler for mf_http_init(); its context is the struct mf_api_server. */
mf_http_handler mf_api_handle;

/** @brief True for requests that may have a large body: uploads of plans with a valid token. The
 * context is the struct mf_api_server. */
mf_http_takes_large mf_api_takes_large;

/** @brief True for probes, which must be answered whatever other clients do: /healthz, /readyz. */
mf_http_is_short mf_api_is_short;

/** @brief Write the API's OpenAPI document. @param text  out [cap] @return its length, 0: longer
 * than @p cap */
size_t mf_api_document(char *text, size_t cap);

/** @brief Set the map behind the live picture. @param tiles  URL of tiles, http or https, with {z},
 * {x} and {y} or {-y}; both texts must stay  @param credit  author of the map
 * @return false: not such a URL, and nothing has changed */
bool mf_api_set_map(struct mf_api_server *server, const char *tiles, const char *credit);

/** @brief True if a text can be a token: printable, without spaces, of MF_API_TOKEN_MIN to MAX
 * characters. */
bool mf_api_token_valid(const char *token);

#endif
