/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A server for HTTP/1.1 (RFC 9112) over serial devices: requests in, one answer each, in order.
 *
 * It knows nothing of what is served. Nothing is allocated and nothing blocks. A connection costs
 * little until a request begins; the bytes of a request stand in one of a few buffers, which a
 * connection has from its first byte until its answer. What is too long, malformed or too slow is
 * answered with the right status and let go; the oldest unfinished request gives its buffer up when
 * others need one, and the connection that is idle for the longest time its place. Answers that do
 * not fit into a connection's queue share a few buffers, oldest request first; short ones (of
 * probes) need none, and streams leave places to others. The parser is Debian's http-parser, which
 * does not allocate.
 *
 * The board calls mf_http_pass() in each turn of its loop.
 */
#ifndef MF_HOST_HTTP_HTTP_H
#define MF_HOST_HTTP_HTTP_H

#include "hal/serial.h"

#include <http_parser.h>

/** Connections at once. */
#define MF_HTTP_CONNECTIONS_MAX 512u
/** Of so many connections, streams at most: the others are left to requests. */
#define MF_HTTP_STREAMS_OF(connections) ((connections) - (connections) / 8u)
#define MF_HTTP_STREAMS_MAX             MF_HTTP_STREAMS_OF(MF_HTTP_CONNECTIONS_MAX)
/** Requests that are being received at once; the last place is left to those with short answers. */
#define MF_HTTP_REQUESTS_MAX 16u
/** Longest request: its line, headers and body [bytes]. */
#define MF_HTTP_REQUEST_MAX 8192u
/** Longest body of a request that may have a large one, such as a plan [bytes]. */
#define MF_HTTP_LARGE_MAX (2u * 1024u * 1024u)
/** Longest answer that is not constant [bytes]: metrics of 128 links, each with a quality. */
#define MF_HTTP_ANSWER_MAX 524288u
/** Answers that are not constant and that clients have not taken yet. */
#define MF_HTTP_ANSWERS_MAX 4u
/** Longest answer that never waits for such memory [bytes]. */
#define MF_HTTP_SHORT_MAX 1024u
/** Bytes of a request that are read to see whether it is one of those. */
#define MF_HTTP_FIRST_MAX 16u
/** Room that a connection's queue must have for an answer to begin [bytes]. */
#define MF_HTTP_HEAD_MAX 768u
/** Longest piece of a stream [bytes]. */
#define MF_HTTP_PIECE_MAX 1024u
/** A request must be complete after this time [us, wall]. */
#define MF_HTTP_REQUEST_US (10 * MF_SECOND_US)
/** Who is refused is listened to until nothing has come for so long: a connection that is closed on
 *  a client that still sends may lose the answer [us, wall]. */
#define MF_HTTP_LINGER_US (200 * MF_MS_US)
/** Who takes longer for its answer gives way to another when memory for these is short
 * [us, wall]. */
#define MF_HTTP_PATIENCE_US (250 * MF_MS_US)
/** A connection on which nothing is asked is closed after this time [us, wall]. */
#define MF_HTTP_IDLE_US (120 * MF_SECOND_US)

/** Status codes that are answered: code, reason. */
#define MF_HTTP_STATUS_LIST(X)                \
    X(200, "OK")                              \
    X(202, "Accepted")                        \
    X(204, "No Content")                      \
    X(304, "Not Modified")                    \
    X(400, "Bad Request")                     \
    X(401, "Unauthorized")                    \
    X(403, "Forbidden")                       \
    X(404, "Not Found")                       \
    X(405, "Method Not Allowed")              \
    X(406, "Not Acceptable")                  \
    X(408, "Request Timeout")                 \
    X(409, "Conflict")                        \
    X(413, "Content Too Large")               \
    X(414, "URI Too Long")                    \
    X(415, "Unsupported Media Type")          \
    X(417, "Expectation Failed")              \
    X(422, "Unprocessable Content")           \
    X(431, "Request Header Fields Too Large") \
    X(500, "Internal Server Error")           \
    X(501, "Not Supported")                   \
    X(503, "Service Unavailable")             \
    X(505, "HTTP Version Not Supported")

/** Header fields that are looked at: name, spelling, how often: ONCE, or it makes a list, which is
 *  looked at only if it comes in one piece. */
#define MF_HTTP_HEADER_LIST(X)              \
    X(AUTHORIZATION, "authorization", ONCE) \
    X(TYPE, "content-type", ONCE)           \
    X(ENCODING, "content-encoding", ONCE)   \
    X(TRANSFER, "transfer-encoding", ONCE)  \
    X(HOST, "host", ONCE)                   \
    X(ORIGIN, "origin", ONCE)               \
    X(LAST_ID, "last-event-id", ONCE)       \
    X(EXPECT, "expect", ONCE)               \
    X(NONE_MATCH, "if-none-match", LIST)    \
    X(ACCEPT, "accept", LIST)

enum mf_http_header {
#define X(name, spelling, often) MF_HTTP_##name,
    MF_HTTP_HEADER_LIST(X)
#undef X
        MF_HTTP_HEADER_COUNT
};

/** A text within a request; not terminated. */
struct mf_http_text {
    const char *at;
    size_t len;
};

struct mf_http_request {
    const char *method;           /**< "GET"; static */
    struct mf_http_text path;     /**< begins with '/', or is "*" */
    struct mf_http_text query;    /**< what follows '?'; empty if nothing does */
    struct mf_http_text token;    /**< of "Authorization: Bearer TOKEN"; empty if there is none */
    struct mf_http_text type;     /**< Content-Type */
    struct mf_http_text encoding; /**< Content-Encoding */
    struct mf_http_text host;     /**< of the target, if it has one, or Host */
    struct mf_http_text origin;
    struct mf_http_text last_id; /**< Last-Event-ID */
    struct mf_http_text known;   /**< If-None-Match */
    struct mf_http_text accept;
    struct mf_http_text body; /**< a NUL follows it */
    bool local;               /**< as told when the connection was opened */
};

struct mf_http_answer {
    uint16_t status;   /**< one of MF_HTTP_STATUS_LIST */
    bool stream;       /**< stays open for mf_http_feed() */
    void *source;      /**< of the stream: who gives its pieces */
    uint64_t cursor;   /**< where in it the stream begins */
    const char *type;  /**< Content-Type; NULL without a body */
    const char *extra; /**< more header lines, each with CR LF; NULL */
    const char *cache; /**< Cache-Control; NULL: no-store */
    const char *body;  /**< mf_http.answer, or constant for ever */
    size_t len;
};

/** Is the answer to a request at most MF_HTTP_SHORT_MAX bytes long, whatever it says? And if this
 *  is only the beginning of one, may it be? @param request  [n], as it came */
typedef bool mf_http_is_short(const char *request, size_t n);

/** May this request, of which the headers have come, have a large body? */
typedef bool mf_http_takes_large(void *ctx, const struct mf_http_request *request);

/** Fills in the answer, which is all zero. */
typedef void mf_http_handler(void *ctx, const struct mf_http_request *request,
                             struct mf_http_answer *answer);

struct mf_http_stats {
    uint32_t requests; /**< that were answered by the handler */
    uint32_t refused;  /**< answered here: malformed, too long, too slow */
    uint32_t opened;
};

/** One connection; its fields belong to the implementation. */
struct mf_http_connection {
    struct mf_serial serial;
    http_parser parser;
    const char *rest; /**< of a body, not yet sent */
    size_t rest_len;
    void *source;      /**< of a stream */
    uint64_t cursor;   /**< the same */
    mf_us_t since_us;  /**< wall: first byte of the request, or end of the last one */
    mf_us_t asked_us;  /**< wall: its place among those that wait for the same */
    mf_us_t heard_us;  /**< wall: of a refused request, the last byte that came */
    size_t quiet_room; /**< of the serial device, when nothing waits */
    uint16_t id;       /**< the board's */
    int8_t buffer;     /**< of the request; -1: none has begun */
    int8_t holds;      /**< the answer that rest is of; -1: none */
    uint8_t first_len; /**< of what has come of a request that has no buffer yet */
    char first[MF_HTTP_FIRST_MAX];
    bool waits; /**< there is no memory for the answer to its request */
    bool open;
    bool local;
    bool stream;  /**< mf_http_feed() goes there */
    bool last;    /**< it is let go when all is sent */
    bool lingers; /**< and when nothing comes any more: it was refused, and may still be sending */
    bool gone;    /**< it is let go at once */
};

struct mf_http {
    mf_http_handler *handler;
    mf_http_is_short *is_short;
    void *ctx;
    mf_http_takes_large *takes_large; /**< the board's; NULL: none may */
    char *large; /**< the board's, [MF_HTTP_LARGE_MAX + 1]: one large body at a time */
    struct mf_http_incoming *large_of; /**< whose it is; NULL: nobody's */
    int64_t utc_us;                    /**< for Date, since 1970; the board's; 0: not told */
    struct mf_http_stats stats;
    uint16_t places; /**< connections for which the board has room; mf_http_init() sets the most */
    uint16_t top;    /**< connections beyond are not open */
    uint16_t count;
    struct mf_http_incoming {
        uint16_t len, parsed; /**< of bytes */
        uint8_t header;       /**< that is being read */
        bool used, in_value, headers, understood, complete;
        const char *why; /**< it was refused in a header; NULL */
        struct mf_http_text url, name, body;
        const char *value_end; /**< of the header that is being read */
        struct mf_http_text value[MF_HTTP_HEADER_COUNT];
        struct mf_http_request request; /**< once its headers were understood */
        char *large;                    /**< where its body goes; NULL: it stands in bytes */
        char bytes[MF_HTTP_REQUEST_MAX + 1u];
    } incoming[MF_HTTP_REQUESTS_MAX];
    struct mf_http_connection connection[MF_HTTP_CONNECTIONS_MAX];
    char *answer;      /**< for the handler's use */
    size_t answer_max; /**< its bytes: MF_HTTP_ANSWER_MAX, MF_HTTP_SHORT_MAX for a short one */
    char short_answer[MF_HTTP_SHORT_MAX];
    bool held[MF_HTTP_ANSWERS_MAX];
    char answers[MF_HTTP_ANSWERS_MAX][MF_HTTP_ANSWER_MAX];
};

/** @brief No connections. The memory is zeroed by the caller, and not touched.
 *  @param is_short  NULL: none is */
void mf_http_init(struct mf_http *h, mf_http_handler *handler, mf_http_is_short *is_short,
                  void *ctx);

/** @brief A client came. @param id  the board's @param serial  its queue takes at least
 *  MF_HTTP_HEAD_MAX and MF_HTTP_PIECE_MAX @param local  for the handler: it came over an address
 *  that only this machine reaches  @return false if there are too many: who took the last place has
 *  not been let go yet (mf_http_done()) */
bool mf_http_open(struct mf_http *h, uint16_t id, const struct mf_serial *serial, bool local,
                  mf_us_t wall_us);

/** @brief It is gone. Unknown ids are ignored. */
void mf_http_close(struct mf_http *h, uint16_t id);

/** @brief Read what has come, answer what is complete, send what is left of answers.
 *  @return wall time at which something is due, or MF_NEVER */
mf_us_t mf_http_pass(struct mf_http *h, mf_us_t wall_us);

/** @brief Give every stream what is new to it.
 *  @param next  the piece of its source at the cursor, which goes on behind it; its length, 0:
 *  nothing is new yet. One that reads too slowly gets its pieces later; whether they are still
 *  there is up to next
 *  @return whether there was any: as soon as that has left there may be room for more */
bool mf_http_feed(struct mf_http *h,
                  size_t (*next)(void *source, uint64_t *cursor, const char **piece));

/** @brief Say something on every stream that has room, beside its pieces. */
void mf_http_tell(struct mf_http *h, const char *text, size_t len);

/** @brief Is a stream of this source open? */
bool mf_http_feeds(const struct mf_http *h, const void *source);

/** @brief How many connections are streams. */
unsigned mf_http_streams(const struct mf_http *h);

/** @brief One that must be let go: all that it should get has been sent, or never will be. @return
 *  its id, or MF_E_NOENT */
int mf_http_done(const struct mf_http *h);

/* ---- of a request while it comes */

/** Why it is refused, with its NUL. */
#define MF_HTTP_WHY_MAX 120u

/** @brief A request begins; its bytes stay. */
void mf_http_begin(struct mf_http_incoming *in);

/** @brief Take the bytes that have come. @param local  of the connection  @param text  room for a
 *  reason [MF_HTTP_WHY_MAX]  @param why  out: the reason
 *  @return 0, or the status to refuse the request with */
uint16_t mf_http_parse(struct mf_http *h, http_parser *p, struct mf_http_incoming *in, bool local,
                       char *text, const char **why);

/**
 * @brief What the request line and the headers of a request say, by RFC 9112.
 *
 * The target is a path, "*", or a URL of http; characters that need no percent-encoding are the
 * same with and without, and stand without in what is filled in.
 * @param in  its headers are complete; request out
 * @param why  out: what is wrong, without quotes; static
 * @return 0, or the status to refuse it with
 */
uint16_t mf_http_understand(struct mf_http_incoming *in, const http_parser *p, bool local,
                            const char **why);

/** @brief What a status means, in words. @return static */
const char *mf_http_reason(uint16_t status);

/** @brief Does an Accept allow a type? What is absent allows everything. @param type  "text/html",
 *  parameters are of no account */
bool mf_http_accepts(const struct mf_http_text *accept, const char *type);

#endif
