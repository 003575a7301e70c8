/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A small HTTP service over libmicrohttpd: it listens, bounds what clients may send, and hands
 * whole requests to one function, which fills in an answer. Several threads call that function
 * at once.
 *
 * The service itself refuses a target that is too long; its owner formats the error.
 */
#ifndef MF_WEB_WEB_H
#define MF_WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Characters of a request's path and query. */
#define WEB_TARGET_MAX 8192u
/** Parameters behind '?'. */
#define WEB_PARAMETERS_MAX 16u
/** Greatest number of headers of an answer. */
#define WEB_HEADERS_MAX 6u
#define WEB_HEADER_TEXT 512u

/** A request, valid until its handler returns. */
struct web_request {
    const char *method, *path; /**< the path is decoded */
    const char *body;          /**< [body_len]; ends with a NUL that does not count */
    size_t body_len;
    bool
        body_too_long; /**< there is one, and more than may be: it is not here, and ends with 413 */
    bool local;        /**< it comes from a loopback address */
    void *connection;  /**< of the library; NULL: none, as tests may have it */
};

/**
 * The handler's answer. All zero except the status is an empty answer; all zero, out of memory,
 * ends the connection without one.
 */
struct web_answer {
    unsigned status;
    const char *type; /**< of the body; static */
    char *text;       /**< [text_len], from malloc(), which the server frees; NULL: see read */
    size_t text_len;
    /**
     * Read a piece of the body, on another thread. @return bytes, 0: the end, -1: broken
     * off. NULL: the body is text
     */
    ssize_t (*read)(void *ctx, uint64_t position, char *bytes, size_t max);
    /** Free the body's reader, after the end or when the client has gone. Called once for each read
     * that is not NULL. */
    void (*end)(void *ctx);
    void *ctx;
    int64_t size; /**< of what is read [bytes]; -1: not known before */
    /** Called once when the answer was sent or cannot be. NULL: no call */
    void (*over)(void *over_ctx);
    void *over_ctx;
    struct {
        const char *name; /**< static */
        char text[WEB_HEADER_TEXT];
    } header[WEB_HEADERS_MAX];
    unsigned headers;
};

struct web_settings {
    const char *listen;            /**< "HOST:PORT", "[V6]:PORT"; port 0: a free one */
    unsigned threads;              /**< 0: one for each connection, so that a handler may wait */
    unsigned places;               /**< connections at once, 16 or more; 0: WEB_PLACES_DEFAULT */
    size_t body_max;               /**< [bytes]; 0: bodies are refused */
    const char *certificate, *key; /**< TLS, both in PEM; NULL: without */
    /**
     * With TLS: CAs in PEM; the handshake fails without a client's certificate of one of them.
     * NULL: clients need no certificate
     */
    const char *authority;
    void (*handle)(void *ctx, const struct web_request *request, struct web_answer *answer);
    /** An error of the server's own. @param code  a word for programs  @param text  a line
     * for people */
    void (*refuse)(void *ctx, unsigned status, const char *code, const char *text,
                   struct web_answer *answer);
    void *ctx;
};

struct web_server;

/** @brief Serve until web_stop(). @param settings  copied; its texts are not needed afterwards
 *  @param url  out [url_size]: the address to tell clients
 *  @return NULL, and why in @p error */
struct web_server *web_serve(const struct web_settings *settings, char *url, size_t url_size,
                             char *error, size_t error_size);

void web_stop(struct web_server *server);

/** @brief Find a header of a request, by its name in any case. @return NULL: not found */
const char *web_header(const struct web_request *request, const char *name);

/** @brief The socket that a request came on, to see whether its client is still there. */
int web_socket(const struct web_request *request);

/** @brief Address that a request comes from, without its port. @param text  out [WEB_PEER_TEXT];
 *  "" where it is not known */
#define WEB_PEER_TEXT 64u
void web_peer(const struct web_request *request, char *text);

/** Bytes of the common name of a client's certificate, with its NUL. */
#define WEB_NAME_MAX 256u

/**
 * @brief The common name of a client's certificate. @param name  out [WEB_NAME_MAX]
 * @return false: the client has not shown one, or the server does not request one
 */
bool web_certified(const struct web_request *request, char *name);

/** @brief Hand each parameter behind '?' to @p take, decoded; a value may be NULL, and %00 stays as
 *  it is written. @return false: there are too many, or @p take returned false */
bool web_parameters(const struct web_request *request,
                    bool (*take)(void *ctx, const char *name, const char *value), void *ctx);

/** @brief Add a header to an answer. */
__attribute__((format(printf, 3, 4))) void
web_answer_header(struct web_answer *answer, const char *name, const char *format, ...);

#endif
