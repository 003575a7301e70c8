/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/serve.h"

#include "tools/elevation/answer.h"
#include "tools/elevation/places.h"
#include "tools/elevation/raster.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define THREADS          4u
#define CONNECTION_BYTES 65536u /* of a request's line and headers, and what is made of them */
#define TARGET_MAX       8192u  /* characters of a request's path and query */
#define SILENCE_MAX_S    30u
#define RASTER_BLOCK     65536u
#define HOST_MAX         256u
#define PARAMETERS_MAX   16u
/* More than that are not even taken apart. */
#define PARAMETERS_SEPARATE 128u

struct elevation_server {
    struct MHD_Daemon *daemon;
    struct elevation_library *library;
    FILE *log;
    struct elevation_places places;
};

/* ---- answers */

/* A part of a raster on its way. */
struct sending {
    struct elevation_raster raster;
    int64_t first;
};

static ssize_t send_raster(void *ctx, uint64_t position, char *bytes, size_t max)
{
    struct sending *s = ctx;
    const int64_t n =
        elevation_raster_read(&s->raster, s->first + (int64_t)position, (uint8_t *)bytes, max);
    if (n > 0) {
        return (ssize_t)n;
    }
    return n < 0 ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
}

static void send_end(void *ctx)
{
    struct sending *s = ctx;
    elevation_raster_close(&s->raster);
    free(s);
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* The part of the raster that is asked for: a range counts only if it is of this raster. */
static unsigned choose_range(struct MHD_Connection *connection, const char *tag, int64_t size,
                             int64_t *first, int64_t *last)
{
    const char *range = header(connection, MHD_HTTP_HEADER_RANGE);
    const char *condition = header(connection, MHD_HTTP_HEADER_IF_RANGE);
    *first = 0;
    *last = size - 1;
    if (range == NULL || (condition != NULL && !elevation_query_tagged(condition, tag))) {
        return MHD_HTTP_OK;
    }
    const int kind = elevation_query_range(range, size, first, last);
    return kind == 0 ? MHD_HTTP_OK
                     : (kind > 0 ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_RANGE_NOT_SATISFIABLE);
}

static struct MHD_Response *raster_response(struct MHD_Connection *connection,
                                            struct elevation_answer *answer)
{
    const int64_t size = geoid_offer_bytes(&answer->part.offer);
    int64_t first = 0, last = 0;
    char range[80];
    answer->status = choose_range(connection, answer->tag, size, &first, &last);
    if (answer->status == MHD_HTTP_RANGE_NOT_SATISFIABLE) {
        (void)snprintf(range, sizeof range, "bytes */%lld", (long long)size);
        first = last + 1; /* an empty body */
    } else {
        (void)snprintf(range, sizeof range, "bytes %lld-%lld/%lld", (long long)first,
                       (long long)last, (long long)size);
    }
    struct sending *s = calloc(1, sizeof *s);
    if (s == NULL || !elevation_raster_open(&s->raster, &answer->part)) {
        free(s);
        return NULL;
    }
    s->first = first;
    struct MHD_Response *response = MHD_create_response_from_callback(
        (uint64_t)(last - first + 1), RASTER_BLOCK, send_raster, s, send_end);
    if (response == NULL) {
        send_end(s);
        return NULL;
    }
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes");
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                                  "application/octet-stream");
    if (answer->status != MHD_HTTP_OK) {
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_RANGE, range);
    }
    return response;
}

static struct MHD_Response *text_response(struct elevation_answer *answer)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(answer->text), answer->text, MHD_RESPMEM_MUST_FREE);
    if (response != NULL) {
        answer->text = NULL;
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    }
    if (response != NULL && answer->status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    }
    return response;
}

/* Conditions of the request on the tag: 304 and 412 take the place of the answer. */
static void weigh(struct MHD_Connection *connection, struct elevation_answer *answer)
{
    const char *none = header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
    const char *match = header(connection, MHD_HTTP_HEADER_IF_MATCH);
    struct elevation_error error = {0};
    if (answer->tag[0] == '\0' || answer->status != MHD_HTTP_OK) {
        return;
    }
    if (match != NULL && !elevation_query_tagged(match, answer->tag)) {
        free(answer->text);
        (void)elevation_refuse(&error, MHD_HTTP_PRECONDITION_FAILED, "changed",
                               "the fingerprint is now %s", answer->tag);
        elevation_answer_error(&error, answer);
    } else if (none != NULL && elevation_query_tagged(none, answer->tag)) {
        free(answer->text);
        answer->text = strdup("");
        answer->part.pack = NULL;
        answer->status = MHD_HTTP_NOT_MODIFIED;
    }
}

static enum MHD_Result reply(struct MHD_Connection *connection, struct elevation_answer *answer)
{
    char quoted[GEOID_HASH_TEXT + 2];
    weigh(connection, answer);
    struct MHD_Response *response =
        answer->text != NULL
            ? text_response(answer)
            : (answer->part.pack != NULL ? raster_response(connection, answer) : NULL);
    free(answer->text);
    if (response == NULL) {
        return MHD_NO; /* out of memory: the connection ends */
    }
    if (answer->tag[0] != '\0') {
        (void)snprintf(quoted, sizeof quoted, "\"%s\"", answer->tag);
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, quoted);
    }
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
    const enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- connections */

static struct elevation_place *place_of(struct MHD_Connection *connection)
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

static void on_connection(void *ctx, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode code)
{
    struct elevation_server *server = ctx;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *place = elevation_places_come(&server->places, socket_of(connection));
    } else {
        elevation_places_go(&server->places, *place);
    }
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    struct elevation_server *server = ctx;
    (void)state, (void)code;
    elevation_places_ask(&server->places, place_of(connection), false);
}

/* Parameters have their memory within that of the connection. If that is not enough for them, the
 * library answers nothing; so a target that could be too much is answered before it takes it apart,
 * and the connection ends. The library calls this between two answers. */
static void *on_target(void *ctx, const char *target, struct MHD_Connection *connection)
{
    struct elevation_error error = {0};
    struct elevation_answer answer = {0};
    char head[160];
    unsigned count = 0;
    (void)ctx;
    for (const char *c = target; *c != '\0'; c++) {
        count += *c == '&' ? 1u : 0u;
    }
    if (strlen(target) <= TARGET_MAX && count < PARAMETERS_SEPARATE) {
        return NULL;
    }
    (void)elevation_refuse(&error, MHD_HTTP_URI_TOO_LONG, "too_long",
                           "path and query have %u characters and %u parameters at most",
                           TARGET_MAX, PARAMETERS_MAX);
    elevation_answer_error(&error, &answer);
    if (answer.text != NULL) {
        const int fd = socket_of(connection);
        const int n = snprintf(head, sizeof head,
                               "HTTP/1.1 414 URI Too Long\r\nContent-Type: application/json\r\n"
                               "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                               strlen(answer.text));
        (void)send(fd, head, (size_t)n, MSG_NOSIGNAL | MSG_MORE);
        (void)send(fd, answer.text, strlen(answer.text), MSG_NOSIGNAL);
        (void)shutdown(fd, SHUT_RDWR);
        free(answer.text);
    }
    return NULL;
}

static size_t unescape(void *ctx, struct MHD_Connection *connection, char *text)
{
    (void)ctx, (void)connection;
    return elevation_query_unescape(text);
}

/* ---- requests */

/* Parameters of one request. */
struct parameters {
    struct elevation_query *query;
    struct elevation_error *error;
    unsigned count;
};

static enum MHD_Result take_parameter(void *ctx, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    struct parameters *p = ctx;
    (void)kind;
    if (++p->count > PARAMETERS_MAX) {
        (void)elevation_refuse(p->error, MHD_HTTP_BAD_REQUEST, "bad_parameter",
                               "more parameters than there are");
        return MHD_NO;
    }
    return elevation_query_parameter(p->query, name, value, p->error) ? MHD_YES : MHD_NO;
}

static bool is_read(const char *method)
{
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

static bool has_body(struct MHD_Connection *connection)
{
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
           (length != NULL && strspn(length, "0 ") != strlen(length));
}

static void handle(struct elevation_server *server, struct MHD_Connection *connection,
                   const char *path, const char *method, struct elevation_answer *answer)
{
    struct elevation_query query;
    struct elevation_error error = {0};
    struct parameters parameters = {.query = &query, .error = &error};
    if (!is_read(method)) {
        (void)elevation_refuse(&error, MHD_HTTP_METHOD_NOT_ALLOWED, "method",
                               "this service is only read: GET and HEAD");
    } else if (has_body(connection)) {
        (void)elevation_refuse(&error, MHD_HTTP_CONTENT_TOO_LARGE, "body", "requests have no body");
    } else if (elevation_query_path(&query, path, &error)) {
        (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_parameter,
                                        &parameters);
    }
    if (error.status == 0 && elevation_query_end(&query, &error)) {
        elevation_answer(server->library, &query, answer);
    } else {
        elevation_answer_error(&error, answer);
    }
}

// NOLINTBEGIN(readability-function-size,readability-non-const-parameter): libmicrohttpd's type
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *data_size, void **state)
{
    struct elevation_server *server = ctx;
    struct elevation_answer answer;
    (void)version, (void)data, (void)data_size, (void)state;
    elevation_places_ask(&server->places, place_of(connection), true);
    handle(server, connection, path, method, &answer);
    if (server->log != NULL) {
        (void)fprintf(server->log, "elevation: %.10s %.200s %u\n", method, path, answer.status);
    }
    return reply(connection, &answer);
}
// NOLINTEND(readability-function-size,readability-non-const-parameter)

/* ---- listening */

/* "HOST:PORT", "[V6]:PORT" into its parts. */
static bool split(const char *listen, char *host, const char **port)
{
    const char *colon = strrchr(listen, ':');
    const bool bracket = *listen == '[';
    if (colon == NULL || colon == listen || colon[1] == '\0' || (bracket && colon[-1] != ']')) {
        return false;
    }
    const size_t n = (size_t)(colon - listen) - (bracket ? 2 : 0);
    if (n < 1 || n >= HOST_MAX || (!bracket && memchr(listen, ':', n) != NULL)) {
        return false;
    }
    memcpy(host, listen + (bracket ? 1 : 0), n);
    host[n] = '\0';
    *port = colon + 1;
    return true;
}

static int open_socket(const struct addrinfo *info)
{
    const int yes = 1;
    const int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC, info->ai_protocol);
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, (socklen_t)sizeof yes) != 0 ||
                    bind(fd, info->ai_addr, info->ai_addrlen) != 0 ||
                    listen(fd, (int)ELEVATION_PLACES_MAX) != 0)) {
        const int why = errno;
        (void)close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

static int listen_at(const char *listen, char *url, size_t url_size, char *error, size_t error_size)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *info = NULL;
    struct sockaddr_storage local;
    socklen_t length = sizeof local;
    char host[HOST_MAX], service[16];
    const char *port = NULL;
    if (!split(listen, host, &port)) {
        (void)snprintf(error, error_size, "an address is HOST:PORT, not '%s'", listen);
        return -1;
    }
    const int result = getaddrinfo(host, port, &hints, &info);
    if (result != 0) {
        (void)snprintf(error, error_size, "%s: %s", listen, gai_strerror(result));
        return -1;
    }
    const int fd = open_socket(info);
    freeaddrinfo(info);
    if (fd < 0 || getsockname(fd, (struct sockaddr *)&local, &length) != 0 ||
        getnameinfo((struct sockaddr *)&local, length, NULL, 0, service, sizeof service,
                    NI_NUMERICSERV) != 0) {
        (void)snprintf(error, error_size, "%s: %s", listen, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    const bool v6 = strchr(host, ':') != NULL;
    (void)snprintf(url, url_size, "http://%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", service);
    return fd;
}

struct elevation_server *elevation_serve(const char *listen, struct elevation_library *library,
                                         FILE *log, char *url, size_t url_size, char *error,
                                         size_t error_size)
{
    const int fd = listen_at(listen, url, url_size, error, error_size);
    if (fd < 0) {
        return NULL;
    }
    struct elevation_server *server = calloc(1, sizeof *server);
    if (server != NULL && elevation_places_init(&server->places)) {
        server->library = library;
        server->log = log;
        server->daemon = MHD_start_daemon(
            MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, on_request, server,
            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_THREAD_POOL_SIZE, THREADS,
            MHD_OPTION_CONNECTION_LIMIT, ELEVATION_PLACES_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
            (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_MAX_S,
            MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_NOTIFY_COMPLETED,
            on_completed, server, MHD_OPTION_URI_LOG_CALLBACK, on_target, server,
            MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_END);
    }
    if (server == NULL || server->daemon == NULL) {
        (void)snprintf(error, error_size, "%s: cannot serve", listen);
        (void)close(fd);
        free(server);
        return NULL;
    }
    return server;
}

void elevation_serve_stop(struct elevation_server *server)
{
    MHD_stop_daemon(server->daemon);
    free(server);
}
