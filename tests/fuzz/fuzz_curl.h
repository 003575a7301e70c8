/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Takes the place of libcurl's handles: answers come from an input instead of a server. Each answer
 * is its status (a byte, see k_status), its type (a byte), the length of a line of headers (a byte)
 * and of the body (two bytes), then both. The body comes in pieces. After the last answer requests
 * fail.
 */
#ifndef MF_TESTS_FUZZ_CURL_H
#define MF_TESTS_FUZZ_CURL_H

#include "tests/fuzz/fuzz.h"

#include <curl/curl.h>
#include <stdarg.h>
#include <string.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUZZ_ANSWER_HEAD 5u

static struct fuzz_curl {
    const uint8_t *at;
    size_t left;
    long status;
    char *type;
    curl_write_callback body, header;
    void *body_ctx, *header_ctx;
} s_curl;

static inline void fuzz_curl_begin(const uint8_t *data, size_t size)
{
    s_curl = (struct fuzz_curl){.at = data, .left = size};
}

CURL *curl_easy_init(void)
{
    return (CURL *)&s_curl;
}

void curl_easy_cleanup(CURL *handle)
{
    (void)handle;
}

void curl_easy_reset(CURL *handle)
{
    check(handle == (CURL *)&s_curl);
}

CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...)
{
    va_list args;
    check(handle == (CURL *)&s_curl);
    va_start(args, option);
    switch ((int)option) {
    case CURLOPT_WRITEFUNCTION:
        s_curl.body = va_arg(args, curl_write_callback);
        break;
    case CURLOPT_WRITEDATA:
        s_curl.body_ctx = va_arg(args, void *);
        break;
    case CURLOPT_HEADERFUNCTION:
        s_curl.header = va_arg(args, curl_write_callback);
        break;
    case CURLOPT_HEADERDATA:
        s_curl.header_ctx = va_arg(args, void *);
        break;
    case CURLOPT_URL:
        check(strlen(va_arg(args, const char *)) < 65536u);
        break;
    default:
        break;
    }
    va_end(args);
    return CURLE_OK;
}

CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...)
{
    va_list args;
    check(handle == (CURL *)&s_curl);
    va_start(args, info);
    switch ((int)info) {
    case CURLINFO_RESPONSE_CODE:
        *va_arg(args, long *) = s_curl.status;
        break;
    case CURLINFO_CONTENT_TYPE:
        *va_arg(args, char **) = s_curl.type;
        break;
    case CURLINFO_RETRY_AFTER:
        *va_arg(args, curl_off_t *) = 0;
        break;
    default:
        break;
    }
    va_end(args);
    return CURLE_OK;
}

/* @return the answer's part of this length, as libcurl hands it over: changeable, without a NUL */
static inline bool fuzz_curl_hand_over(curl_write_callback take, void *ctx, size_t n, size_t piece)
{
    bool good = true;
    while (n > 0) {
        const size_t part = piece < n ? piece : n;
        char *bytes = malloc(part);
        check(bytes != NULL);
        memcpy(bytes, s_curl.at, part);
        good = good && (take == NULL || take(bytes, 1, part, ctx) == part);
        free(bytes);
        s_curl.at += part;
        s_curl.left -= part;
        n -= part;
    }
    return good;
}

CURLcode curl_easy_perform(CURL *handle)
{
    static const long k_status[] = {200, 200, 200, 200, 200, 206, 204,
                                    302, 400, 403, 404, 409, 416, 501};
    static char k_json[] = "application/json", k_octets[] = "application/octet-stream; x=y",
                k_html[] = "text/html";
    static char *const k_type[] = {k_json, k_json, k_octets, k_octets, k_html, NULL};
    check(handle == (CURL *)&s_curl);
    s_curl.status = 0;
    if (s_curl.left < FUZZ_ANSWER_HEAD) {
        return CURLE_COULDNT_CONNECT;
    }
    const uint8_t *head = s_curl.at;
    const size_t wanted = head[3] | (size_t)head[4] << 8;
    s_curl.at += FUZZ_ANSWER_HEAD;
    s_curl.left -= FUZZ_ANSWER_HEAD;
    s_curl.status = k_status[head[0] % (sizeof k_status / sizeof k_status[0])];
    s_curl.type = k_type[head[1] % (sizeof k_type / sizeof k_type[0])];
    const size_t line = head[2] < s_curl.left ? head[2] : s_curl.left;
    bool good = fuzz_curl_hand_over(s_curl.header, s_curl.header_ctx, line, line);
    const size_t n = wanted < s_curl.left ? wanted : s_curl.left;
    good = good && fuzz_curl_hand_over(s_curl.body, s_curl.body_ctx, n, 1u + head[1]);
    return !good ? CURLE_WRITE_ERROR : wanted > n ? CURLE_PARTIAL_FILE : CURLE_OK;
}

#endif
