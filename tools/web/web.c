/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/web.h"

#include "tools/web/listen.h"
#include "tools/web/path.h"
#include "tools/web/places.h"

#include <arpa/inet.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTION_BYTES 65536u      /* of a request's line and headers, and what is made of them */
#define DISCARD_MAX      (32u << 20) /* bytes of a body that are read in vain */
#define BODY_FIRST       4096u       /* of what a body grows from */
#define READ_BLOCK       65536u
#define SILENCE_MAX_S    30u
/* More than that are not even taken apart. */
#define PARAMETERS_SEPARATE 128u

struct web_server {
    struct MHD_Daemon *daemon;
    struct web_settings settings;
    struct web_places places;
};

/* A request whose body is on its way. */
struct arriving {
    char *body; /* from malloc(), with room for a NUL */
    size_t len, cap;
    bool too_long, no_memory;
    void (*over)(void *over_ctx); /* of its answer */
    void *over_ctx;
};

/* ---- answers */

void web_answer_header(struct web_answer *answer, const char *name, const char *format, ...)
{
    if (answer->headers < WEB_HEADERS_MAX) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(answer->header[answer->headers].text, WEB_HEADER_TEXT, format, args);
        va_end(args);
        answer->header[answer->headers++].name = name;
    }
}

/* A body on its way; the library outlives the answer. */
struct sending {
    ssize_t (*read)(void *ctx, uint64_t position, char *bytes, size_t max);
    void (*end)(void *ctx);
    void *ctx;
};

static ssize_t send_piece(void *ctx, uint64_t position, char *bytes, size_t max)
{
    const struct sending *s = ctx;
    const ssize_t n = s->read(s->ctx, position, bytes, max);
    if (n > 0) {
        return n;
    }
    return n < 0 ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
}

static void send_end(void *ctx)
{
    struct sending *s = ctx;
    s->end(s->ctx);
    free(s);
}

static struct MHD_Response *make_stream(const struct web_answer *a)
{
    struct sending *s = malloc(sizeof *s);
    if (s == NULL) {
        a->end(a->ctx);
        return NULL;
    }
    *s = (struct sending){a->read, a->end, a->ctx};
    struct MHD_Response *response = MHD_create_response_from_callback(
        a->size < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)a->size, READ_BLOCK, send_piece, s, send_end);
    if (response == NULL) {
        send_end(s);
    }
    return response;
}

static struct MHD_Response *make_text(struct web_answer *a)
{
    if (a->text == NULL) {
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(a->text_len, a->text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(a->text);
    }
    return response;
}

static enum MHD_Result reply(struct MHD_Connection *connection, struct web_answer *a)
{
    if (a->status == 0) {
        return MHD_NO;
    }
    struct MHD_Response *response = a->read != NULL ? make_stream(a) : make_text(a);
    if (response == NULL) {
        return MHD_NO; /* out of memory: the connection ends */
    }
    if (a->type != NULL) {
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
    }
    for (unsigned i = 0; i < a->headers; i++) {
        (void)MHD_add_response_header(response, a->header[i].name, a->header[i].text);
    }
    const enum MHD_Result result = MHD_queue_response(connection, a->status, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- connections */

static struct web_place *place_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static int socket_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

/* Address of the client. @return NULL: not known */
static const struct sockaddr *peer_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        connection != NULL ? MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
                           : NULL;
    return info != NULL ? info->client_addr : NULL;
}

static bool is_local(struct MHD_Connection *connection)
{
    const struct sockaddr *peer = peer_of(connection);
    if (peer == NULL) {
        return false;
    }
    if (peer->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)peer;
        return ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)(const void *)peer;
    return peer->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

static gnutls_session_t session_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info != NULL ? info->tls_session : NULL;
}

/* The library asks clients for a certificate, and takes those without; this one insists. */
static bool demand_certificate(struct MHD_Connection *connection)
{
    gnutls_session_t session = session_of(connection);
    if (session == NULL) {
        return false;
    }
    gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
    gnutls_session_set_verify_cert(session, NULL, 0);
    return true;
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode code)
{
    struct web_server *server = ctx;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *place = web_places_come(&server->places, socket_of(connection));
        if (server->settings.authority != NULL && !demand_certificate(connection)) {
            (void)shutdown(socket_of(connection), SHUT_RDWR);
        }
    } else {
        web_places_go(&server->places, *place);
    }
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    struct web_server *server = ctx;
    struct arriving *a = *state;
    (void)code;
    if (a != NULL) {
        if (a->over != NULL) {
            a->over(a->over_ctx);
        }
        free(a->body);
        free(a);
        *state = NULL;
    }
    web_places_ask(&server->places, place_of(connection), false);
}

/*
 * Check a request's target. Parameters lie in the connection's memory. If that is too small for
 * them, the library does not answer; so a target that could be too large is answered before the
 * library splits it, and the connection ends. The library calls this between two answers. Over TLS
 * this answer cannot be sent: the connection ends at once.
 */
static void *on_target(void *ctx, const char *target, struct MHD_Connection *connection)
{
    const struct web_server *server = ctx;
    struct web_answer answer = {0};
    char head[160], text[80];
    unsigned count = 0;
    for (const char *c = target; *c != '\0'; c++) {
        count += *c == '&' ? 1u : 0u;
    }
    if (strlen(target) <= WEB_TARGET_MAX && count < PARAMETERS_SEPARATE) {
        return NULL;
    }
    (void)snprintf(text, sizeof text, "path and query have %u characters and %u parameters at most",
                   WEB_TARGET_MAX, WEB_PARAMETERS_MAX);
    const int fd = socket_of(connection);
    server->settings.refuse(server->settings.ctx, MHD_HTTP_URI_TOO_LONG, "too_long", text, &answer);
    if (answer.text != NULL && server->settings.certificate == NULL) {
        const int n = snprintf(head, sizeof head,
                               "HTTP/1.1 414 URI Too Long\r\nContent-Type: %s\r\n"
                               "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                               answer.type, answer.text_len);
        (void)send(fd, head, (size_t)n, MSG_NOSIGNAL | MSG_MORE);
        (void)send(fd, answer.text, answer.text_len, MSG_NOSIGNAL);
    }
    (void)shutdown(fd, SHUT_RDWR);
    free(answer.text);
    return NULL;
}

static size_t unescape(void *ctx, struct MHD_Connection *connection, char *text)
{
    (void)ctx, (void)connection;
    return web_unescape(text);
}

/* ---- requests */

const char *web_header(const struct web_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

int web_socket(const struct web_request *request)
{
    return request->connection != NULL ? socket_of(request->connection) : -1;
}

void web_peer(const struct web_request *request, char *text)
{
    const struct sockaddr *peer = peer_of(request->connection);
    const socklen_t length = peer != NULL && peer->sa_family == AF_INET6
                                 ? (socklen_t)sizeof(struct sockaddr_in6)
                                 : (socklen_t)sizeof(struct sockaddr_in);
    if (peer == NULL ||
        getnameinfo(peer, length, text, WEB_PEER_TEXT, NULL, 0, NI_NUMERICHOST) != 0) {
        text[0] = '\0';
    }
}

bool web_certified(const struct web_request *request, char *name)
{
    unsigned count = 0;
    size_t size = WEB_NAME_MAX;
    gnutls_x509_crt_t certificate;
    gnutls_session_t session = session_of(request->connection);
    const gnutls_datum_t *chain =
        session != NULL ? gnutls_certificate_get_peers(session, &count) : NULL;
    if (chain == NULL || count == 0 || gnutls_x509_crt_init(&certificate) < 0) {
        return false;
    }
    const bool known = gnutls_x509_crt_import(certificate, chain, GNUTLS_X509_FMT_DER) >= 0 &&
                       gnutls_x509_crt_get_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0,
                                                     name, &size) >= 0;
    gnutls_x509_crt_deinit(certificate);
    return known;
}

struct taking {
    bool (*take)(void *ctx, const char *name, const char *value);
    void *ctx;
    unsigned count;
    bool refused;
};

static enum MHD_Result take_parameter(void *ctx, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    struct taking *t = ctx;
    (void)kind;
    t->refused = ++t->count > WEB_PARAMETERS_MAX || !t->take(t->ctx, name, value);
    return t->refused ? MHD_NO : MHD_YES;
}

bool web_parameters(const struct web_request *request,
                    bool (*take)(void *ctx, const char *name, const char *value), void *ctx)
{
    struct taking t = {.take = take, .ctx = ctx};
    (void)MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, take_parameter, &t);
    return !t.refused;
}

/* A body that cannot be kept is read to its end all the same: who sends it then reads
 * the answer. */
static void take_body(struct arriving *a, const char *data, size_t n, size_t max)
{
    a->too_long = a->too_long || n > max - a->len;
    if (a->too_long || a->no_memory) {
        return;
    }
    if (a->len + n + 1 > a->cap) {
        const size_t twice = 2 * a->cap < BODY_FIRST ? BODY_FIRST : 2 * a->cap;
        const size_t cap = a->len + n + 1 > twice ? a->len + n + 1 : twice;
        char *body = realloc(a->body, cap);
        a->no_memory = body == NULL;
        if (body == NULL) {
            return;
        }
        a->body = body;
        a->cap = cap;
    }
    memcpy(a->body + a->len, data, n);
    a->len += n;
    a->body[a->len] = '\0';
}

/* A length that is too much is refused before the body is sent, if its client waits for that: one
 * that does not would find its connection broken, and no answer. */
static bool announces_too_much(const struct web_request *request, size_t max)
{
    const char *length = web_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const unsigned long long n = length != NULL ? strtoull(length, NULL, 10) : 0;
    return n > DISCARD_MAX || (n > max && web_header(request, MHD_HTTP_HEADER_EXPECT) != NULL);
}

// NOLINTBEGIN(readability-function-size,readability-non-const-parameter): libmicrohttpd's type
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *data_size, void **state)
{
    struct web_server *server = ctx;
    struct arriving *a = *state;
    struct web_request request = {.method = method, .path = path, .connection = connection};
    struct web_answer answer = {0};
    (void)version;
    if (a == NULL) {
        a = calloc(1, sizeof *a);
        *state = a;
        if (a == NULL) {
            return MHD_NO;
        }
        a->too_long = announces_too_much(&request, server->settings.body_max);
        if (!a->too_long) {
            return MHD_YES;
        }
    } else if (*data_size > 0) {
        take_body(a, data, *data_size, server->settings.body_max);
        *data_size = 0;
        return MHD_YES;
    }
    if (a->no_memory) {
        return MHD_NO;
    }
    web_places_ask(&server->places, place_of(connection), true);
    request.local = is_local(connection);
    request.body = a->len > 0 ? a->body : "";
    request.body_len = a->too_long ? 0 : a->len;
    request.body_too_long = a->too_long;
    server->settings.handle(server->settings.ctx, &request, &answer);
    a->over = answer.over;
    a->over_ctx = answer.over_ctx;
    return reply(connection, &answer);
}
// NOLINTEND(readability-function-size,readability-non-const-parameter)

/* ---- serving */

static struct MHD_Daemon *start(struct web_server *server, int fd)
{
    const struct web_settings *s = &server->settings;
    const unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD |
                           (s->threads == 0 ? MHD_USE_THREAD_PER_CONNECTION : 0u) |
                           (s->certificate != NULL ? MHD_USE_TLS : 0u);
    // NOLINTBEGIN(performance-no-int-to-ptr): the library's options are numbers or pointers
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)s->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)s->key},
        {s->authority != NULL ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0,
         (void *)(uintptr_t)s->authority},
        {MHD_OPTION_END, 0, NULL},
    };
    // NOLINTEND(performance-no-int-to-ptr)
    return MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_THREAD_POOL_SIZE, s->threads, MHD_OPTION_CONNECTION_LIMIT, server->places.count,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        SILENCE_MAX_S, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_URI_LOG_CALLBACK, on_target,
        server, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_ARRAY,
        s->certificate != NULL ? tls : tls + 3, MHD_OPTION_END);
}

struct web_server *web_serve(const struct web_settings *settings, char *url, size_t url_size,
                             char *error, size_t error_size)
{
    const unsigned places = settings->places != 0 ? settings->places : WEB_PLACES_DEFAULT;
    const int fd =
        web_listen(settings->listen, (int)places, settings->certificate != NULL ? "https" : "http",
                   url, url_size, error, error_size);
    if (fd < 0) {
        return NULL;
    }
    struct web_server *server = calloc(1, sizeof *server);
    if (server != NULL && web_places_init(&server->places, places)) {
        server->settings = *settings;
        server->daemon = start(server, fd);
    }
    if (server == NULL || server->daemon == NULL) {
        (void)snprintf(error, error_size, "%s: cannot serve", settings->listen);
        (void)close(fd);
        if (server != NULL) {
            web_places_free(&server->places);
        }
        free(server);
        return NULL;
    }
    return server;
}

void web_stop(struct web_server *server)
{
    MHD_stop_daemon(server->daemon);
    web_places_free(&server->places);
    free(server);
}
