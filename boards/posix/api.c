/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/api.h"

#include "host/base/value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer configurations are cut. */
#define CONFIG_MAX 65536u

/* static, since a process has one configuration */
static char s_config[CONFIG_MAX];

/* @return bytes read, or -1 with errno */
static ssize_t read_file(const char *path, char *text, size_t cap)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    const ssize_t n = read(fd, text, cap);
    const int error = errno;
    (void)close(fd);
    errno = error;
    return n;
}

int board_api_token(struct mf_config *config, struct mf_api_server *server)
{
    const struct mf_config_origin origin = {.layer = config->layer[MF_CONFIG_api_token],
                                            .item = MF_CONFIG_api_token};
    char text[MF_CONFIG_TEXT_MAX] = "";
    if (strchr(config->api_token, '/') != NULL) {
        const ssize_t n = read_file(config->api_token, text, sizeof text - 1);
        if (n < 0) {
            return mf_config_complain(config, &origin, "%.200s: %s", config->api_token,
                                      strerror(errno));
        }
        const size_t mark = mf_value_bom(text, (size_t)n);
        const size_t length = strcspn(text + mark, "\r\n");
        memmove(text, text + mark, length);
        text[length] = '\0';
    } else {
        memcpy(text, config->api_token, sizeof text);
        memset(config->api_token, 0, sizeof config->api_token);
        if (text[0] == '\0') {
            return MF_E_OK;
        }
    }
    if (!mf_api_token_valid(text)) {
        return mf_config_complain(config, &origin,
                                  "is not a token, allowed: %u .. %u printable characters without "
                                  "spaces",
                                  MF_API_TOKEN_MIN, MF_API_TOKEN_MAX);
    }
    memcpy(server->token, text, strlen(text) + 1);
    (void)snprintf(config->api_token, sizeof config->api_token, "set"); /* all that is ever shown */
    return MF_E_OK;
}

int board_api_map(struct mf_config *config, struct mf_api_server *server)
{
    const struct mf_config_origin origin = {.layer = config->layer[MF_CONFIG_map],
                                            .item = MF_CONFIG_map};
    const char *map = config->map, *end = strrchr(map, '.');
    if (map[0] == '\0' || mf_api_set_map(server, map, config->map_credit)) {
        return MF_E_OK;
    }
    if (end != NULL && strcmp(end, ".mbtiles") == 0) {
        return mf_config_complain(config, &origin,
                                  "%.120s is a file: 'python3 tools/maptiles/maptiles.py %.120s' "
                                  "serves it, and prints its URL",
                                  map, map);
    }
    return mf_config_complain(config, &origin,
                              "must be the URL of tiles, as in "
                              "http://127.0.0.1:8090/{z}/{x}/{y}, not %.200s",
                              map);
}

void board_api_config(const struct mf_config *config, struct mf_api_server *server)
{
    FILE *out = fmemopen(s_config, sizeof s_config, "w");
    if (out == NULL) {
        return;
    }
    mf_config_print(config, out);
    (void)fclose(out);
    server->config = s_config;
    server->config_len = strnlen(s_config, sizeof s_config);
}

uint64_t board_resident_bytes(void)
{
    char text[128];
    const ssize_t n = read_file("/proc/self/statm", text, sizeof text - 1);
    if (n <= 0) {
        return 0;
    }
    text[n] = '\0';
    const char *space = strchr(text, ' ');
    const long page = sysconf(_SC_PAGESIZE);
    return space == NULL || page <= 0 ? 0 : strtoull(space, NULL, 10) * (uint64_t)page;
}
