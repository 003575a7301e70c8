/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Server for HTTP/1.1 (RFC 9112) over serial devices: requests in, one answer each, in order.
 *
 * The server does not know the meaning of requests. It allocates nothing and never blocks. A
 * connection costs little until a request begins; the bytes of a request are in one of a few
 * buffers, which a connection has from its first byte until its answer. Requests that are too long,
 * malformed or too slow get an error status, and their connection is closed; if all buffers or
 * places are in use, the oldest incomplete request loses its buffer, and the connection that is
 * idle for the longest time its place. Answers that do not fit into a connection's queue share a
 * few buffers, oldest request first; short ones (of probes) need none, and streams leave places for
 * others. The parser is Debian's http-parser, which does not allocate.
 *
 * The board calls mf_http_pass() in each turn of its loop.
 */
#ifndef MF_HOST_HTTP_HTTP_H
#define MF_HOST_HTTP_HTTP_H

#include "hal/serial.h"

#include <http_parser.h>

/** Maximum number of connections. */
#define MF_HTTP_CONNECTIONS_MAX 512u
/** Maximum number of those connections that may be event streams; the others are left for
 * requests. */
#define MF_HTTP_STREAMS_OF(connections) ((connections) - (connections) / 8u)
#define MF_HTTP_STREAMS_MAX             MF_HTTP_STREAMS_OF(MF_HTTP_CONNECTIONS_MAX)
/** Maximum number of incomplete requests; the last place is left for requests with short
 * answers. */
#define MF_HTTP_REQUESTS_MAX 16u
/** Longest request: its line, headers and body [bytes]. */
#define MF_HTTP_REQUEST_MAX 8192u
/** Longest body of a request that may have a large one, such as a plan [bytes]. */
#define MF_HTTP_LARGE_MAX (2u * 1024u * 1024u)
/** Longest answer that is not constant [bytes]: metrics of 128 links, each with a quality. */
#define MF_HTTP_ANSWER_MAX 524288u
/** Maximum number of answers that are not constant and not yet read by clients. */
#define MF_HTTP_ANSWERS_MAX 4u
/** Longest answer that never waits for an answer buffer [bytes]. */
#define MF_HTTP_SHORT_MAX 1024u
/** First bytes of a request that show whether its answer is short. */
#define MF_HTTP_FIRST_MAX 16u
/** Room that a connection's queue must have for an answer to begin [bytes]. */
#define MF_HTTP_HEAD_MAX 768u
/** Longest piece of a stream [bytes]. */
#define MF_HTTP_PIECE_MAX 1024u
/** Time by which a request must be complete [us, wall]. */
#define MF_HTTP_REQUEST_US (10 * MF_SECOND_US)
/** Time of silence of a refused client until which its bytes are read and discarded: closing
 * earlier could make it lose the answer [us, wall]. */
#define MF_HTTP_LINGER_US (200 * MF_MS_US)
/** A client that reads its answer more slowly than this is disconnected if another request needs
 * the buffer [us, wall]. */
#define MF_HTTP_PATIENCE_US (250 * MF_MS_US)
/** A connection without requests is closed after this time [us, wall]. */
#define MF_HTTP_IDLE_US (120 * MF_SECOND_US)

/** Status codes of answers: code, reason. */
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

/** Header fields that the server reads: name, spelling, ONCE or LIST. A LIST field counts only if
 * it occurs once. */
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

/** Text within a request; not terminated. */
struct mf_http_text {
    const char *at;
    size_t len;
};

struct mf_http_request {
    const char *method;           /**< "GET"; static */
    struct mf_http_text path;     /**< begins with '/', or is "*" */
    struct mf_http_text query;    /**< text after '?'; empty: none */
    struct mf_http_text token;    /**< token of "Authorization: Bearer TOKEN"; empty: none */
    struct mf_http_text type;     /**< Content-Type */
    struct mf_http_text encoding; /**< Content-Encoding */
    struct mf_http_text host;     /**< host of the target, if it has one, or Host */
    struct mf_http_text origin;
    struct mf_http_text last_id; /**< Last-Event-ID */
    struct mf_http_text known;   /**< If-None-Match */
    struct mf_http_text accept;
    struct mf_http_text body; /**< a NUL follows it */
    bool local;               /**< value of mf_http_open() */
};

struct mf_http_answer {
    uint16_t status;   /**< one of MF_HTTP_STATUS_LIST */
    bool stream;       /**< stays open for mf_http_feed() */
    void *source;      /**< stream: source of its pieces */
    uint64_t cursor;   /**< stream: place in the source at which it begins */
    const char *type;  /**< Content-Type; NULL without a body */
    const char *extra; /**< more header lines, each with CR LF; NULL */
    const char *cache; /**< Cache-Control; NULL: no-store */
    const char *body;  /**< mf_http.answer, or constant data */
    size_t len;
};

/** True if the answer to a request is at most MF_HTTP_SHORT_MAX bytes long in any case; for the
 * beginning of a request: if that is possible. @param request  [n], as received */
typedef bool mf_http_is_short(const char *request, size_t n);

/** True if a request, whose headers are complete, may have a large body. */
typedef bool mf_http_takes_large(void *ctx, const struct mf_http_request *request);

/** Handler of requests: fills in the answer, which is all zero. */
typedef void mf_http_handler(void *ctx, const struct mf_http_request *request,
                             struct mf_http_answer *answer);

struct mf_http_stats {
    uint32_t requests; /**< requests answered by the handler */
    uint32_t refused;  /**< requests refused by the server: malformed, too long, too slow */
    uint32_t opened;
};

/** Connection; its fields are private. */
struct mf_http_connection {
    struct mf_serial serial;
    http_parser parser;
    const char *rest; /**< rest of a body that is not yet sent */
    size_t rest_len;
    void *source;      /**< source of a stream */
    uint64_t cursor;   /**< place of a stream in its source */
    mf_us_t since_us;  /**< wall: first byte of the request, or end of the last one */
    mf_us_t asked_us;  /**< wall: time of waiting, which orders those that wait for a buffer */
    mf_us_t heard_us;  /**< wall: time of the last byte of a refused request */
    size_t quiet_room; /**< room of the serial device when its queue is empty */
    uint16_t id;       /**< the board's id */
    int8_t buffer;     /**< buffer of the request; -1: no request has begun */
    int8_t holds;      /**< answer buffer that rest points into; -1: none */
    uint8_t first_len; /**< number of received bytes of a request without a buffer */
    char first[MF_HTTP_FIRST_MAX];
    bool waits; /**< waits for an answer buffer */
    bool open;
    bool local;
    bool stream;  /**< mf_http_feed() sends pieces to it */
    bool last;    /**< closed after everything is sent */
    bool lingers; /**< closed after the client is quiet, too: the server refused its request, which
                     it may still send */
    bool gone;    /**< closed at once */
};

struct mf_http {
    mf_http_handler *handler;
    mf_http_is_short *is_short;
    void *ctx;
    mf_http_takes_large *takes_large; /**< set by the board; NULL: large bodies are refused */
    char *large; /**< set by the board, [MF_HTTP_LARGE_MAX + 1]: buffer for one large body at a time
                  */
    struct mf_http_incoming *large_of; /**< request that uses large; NULL: free */
    int64_t utc_us; /**< UTC for Date, since 1970; set by the board; 0: unknown */
    struct mf_http_stats stats;
    uint16_t places; /**< number of connections for which the board has room; mf_http_init() sets
                        the maximum */
    uint16_t top;    /**< connections from here on are not open */
    uint16_t count;
    struct mf_http_incoming {
        uint16_t len, parsed; /**< number of bytes received, and parsed */
        uint8_t header;       /**< header that is being read */
        bool used, in_value, headers, understood, complete;
        const char *why; /**< reason for refusing the request in a header; NULL */
        struct mf_http_text url, name, body;
        const char *value_end; /**< end of the header's value that is being read */
        struct mf_http_text value[MF_HTTP_HEADER_COUNT];
        struct mf_http_request request; /**< filled in after the headers */
        char *large;                    /**< buffer of its large body; NULL: the body is in bytes */
        char bytes[MF_HTTP_REQUEST_MAX + 1u];
    } incoming[MF_HTTP_REQUESTS_MAX];
    struct mf_http_connection connection[MF_HTTP_CONNECTIONS_MAX];
    char *answer;      /**< buffer for the handler's body */
    size_t answer_max; /**< size of answer: MF_HTTP_ANSWER_MAX, MF_HTTP_SHORT_MAX for a short one */
    char short_answer[MF_HTTP_SHORT_MAX];
    bool held[MF_HTTP_ANSWERS_MAX];
    char answers[MF_HTTP_ANSWERS_MAX][MF_HTTP_ANSWER_MAX];
};

/** @brief Begin without connections. The caller has zeroed the memory, which stays untouched.
 * @param is_short  NULL: no answers are short */
void mf_http_init(struct mf_http *h, mf_http_handler *handler, mf_http_is_short *is_short,
                  void *ctx);

/** @brief Open a connection. @param id  the board's @param serial  its queue takes at least
 * MF_HTTP_HEAD_MAX and MF_HTTP_PIECE_MAX @param local  for the handler: it came over an address
 * that only this machine reaches  @return false: too many, because connections of mf_http_done()
 * are not closed yet */
bool mf_http_open(struct mf_http *h, uint16_t id, const struct mf_serial *serial, bool local,
                  mf_us_t wall_us);

/** @brief Close a connection. Unknown ids are ignored. */
void mf_http_close(struct mf_http *h, uint16_t id);

/** @brief Read received bytes, answer complete requests, send the rests of answers.
 * @return next due wall time, or MF_NEVER */
mf_us_t mf_http_pass(struct mf_http *h, mf_us_t wall_us);

/** @brief Send every stream its new pieces.
 * @param next  finds the piece of its source at the cursor, and advances the cursor; returns its
 * length, 0: no new piece. A stream that reads too slowly gets its pieces later; next decides if
 * they still exist
 * @return true: pieces were sent, after which there may be room for more */
bool mf_http_feed(struct mf_http *h,
                  size_t (*next)(void *source, uint64_t *cursor, const char **piece));

/** @brief Send a text on every stream that has room, in addition to its pieces. */
void mf_http_tell(struct mf_http *h, const char *text, size_t len);

/** @brief True if a stream of this source is open. */
bool mf_http_feeds(const struct mf_http *h, const void *source);

/** @brief Number of connections that are streams. */
unsigned mf_http_streams(const struct mf_http *h);

/** @brief Find a connection that must be closed: everything is sent, or never will be. @return its
 * id, or MF_E_NOENT */
int mf_http_done(const struct mf_http *h);

/* ---- incomplete requests */

/** Longest reason for refusing a request, with its NUL. */
#define MF_HTTP_WHY_MAX 120u

/** @brief Begin a request; the bytes in its buffer stay. */
void mf_http_begin(struct mf_http_incoming *in);

/** @brief Parse received bytes. @param local  of the connection  @param text  buffer for a reason
 * [MF_HTTP_WHY_MAX]  @param why  out: the reason
 * @return 0, or the status of a refusal */
uint16_t mf_http_parse(struct mf_http *h, http_parser *p, struct mf_http_incoming *in, bool local,
                       char *text, const char **why);

/**
 * @brief Interpret the request line and the headers of a request, by RFC 9112.
 *
 * The target is a path, "*", or a URL of http; characters that need no percent-encoding are equal
 * with and without it, and are stored without.
 * @param in  its headers are complete; request out
 * @param why  out: the fault, without quotes; static
 * @return 0, or the status of a refusal
 */
uint16_t mf_http_understand(struct mf_http_incoming *in, const http_parser *p, bool local,
                            const char **why);

/** @brief Words of a status. @return static */
const char *mf_http_reason(uint16_t status);

/** @brief True if an Accept allows a type; an absent one allows every type.
 * @param type  "text/html"; parameters are ignored */
bool mf_http_accepts(const struct mf_http_text *accept, const char *type);

#endif
