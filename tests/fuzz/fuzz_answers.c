/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes answers of HTTP servers to the clients of tools/, by the first byte: 'G' and 'T' of an
 * elevation service to geoid fetch, for a geoid or for a box of terrain, 'S' of a service to a
 * stand-in, 'K' of an API server of Kubernetes, otherwise of a controller to simctl. fuzz_curl.h
 * says how answers stand in the input.
 */
#include "tests/fuzz/fuzz_curl.h"
#include "tests/fuzz/fuzz_file.h"
#include "tools/geoid/fetch.h"
#include "tools/simctl/client.h"
#include "tools/simctl/kube/kube_client.h"
#include "tools/standin/request.h"

#include <unistd.h>

#define REQUESTS_MAX 4

static char s_out[64];

static void clean_up(void)
{
    (void)unlink(s_out);
    *strrchr(s_out, '/') = '\0';
    (void)rmdir(s_out);
}

static void make_folder(void)
{
    char dir[FUZZ_PATH_BYTES];
    fuzz_folder(dir);
    (void)snprintf(s_out, sizeof s_out, "%s/out.pack", dir);
    check(atexit(clean_up) == 0);
}

static void fuzz_fetch(bool terrain)
{
    struct geoid_fetch fetch = {.service = "http://host",
                                .models_path = GEOID_FETCH_MODELS_PATH,
                                .model_path = GEOID_FETCH_MODEL_PATH,
                                .raster_path = GEOID_FETCH_RASTER_PATH,
                                .model = terrain ? NULL : "g",
                                .kind = terrain ? MF_PACK_TERRAIN : MF_PACK_GEOID,
                                .out = s_out};
    char error[GEOID_FETCH_ERROR_MAX] = "";
    FILE *null = fopen("/dev/null", "we");
    check(null != NULL);
    if (terrain) {
        fetch.box_text = "47,8,48,9";
        check(geoid_box_parse(fetch.box_text, &fetch.box, error, sizeof error));
    }
    (void)unlink(s_out);
    const bool done = geoid_fetch_pack(&fetch, null, error);
    check(done == (access(s_out, R_OK) == 0));
    check(done || (error[0] != '\0' && strlen(error) < sizeof error));
    (void)fclose(null);
}

static void fuzz_standin(void)
{
    struct standin_service service;
    check(standin_service_open(&service, "http://host", NULL));
    for (int i = 0; i < REQUESTS_MAX; i++) {
        json_t *answer = standin_service_ask(&service, "/v1/weather", NULL);
        check(answer != NULL || service.error[0] != '\0');
        json_decref(answer);
    }
    standin_service_close(&service);
}

static bool take_text(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    check(bytes != NULL && n > 0);
    return true;
}

static void fuzz_kube(void)
{
    struct simctl_kube_settings settings = {.server = strdup("https://host"),
                                            .name_space = strdup("n")};
    struct simctl_kube *k = simctl_kube_open(&settings);
    check(k != NULL);
    for (int i = 0; i < REQUESTS_MAX; i++) {
        json_t *out = NULL;
        struct web_error error = {0};
        const bool good = i % 2 == 0 ? simctl_kube_call(k, "GET", "/x", NULL, &out, &error)
                                     : simctl_kube_text(k, "/x", take_text, NULL, &error);
        check(good == (error.status == 0) && (!good || i % 2 == 1 || json_is_object(out)));
        json_decref(out);
    }
    simctl_kube_close(k);
}

static void fuzz_client(void)
{
    const struct simctl_client client = {.url = "http://host/"};
    for (int i = 0; i < REQUESTS_MAX; i++) {
        struct web_error error = {0};
        json_t *answer = simctl_request(&client, "GET", "/v1/instances", NULL, &error);
        check((answer != NULL) == (error.status == 0));
        json_decref(answer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 65536u) {
        return 0;
    }
    if (s_out[0] == '\0') {
        make_folder();
    }
    fuzz_curl_begin(data + 1, size - 1);
    switch (data[0]) {
    case 'G':
    case 'T':
        fuzz_fetch(data[0] == 'T');
        break;
    case 'S':
        fuzz_standin();
        break;
    case 'K':
        fuzz_kube();
        break;
    default:
        fuzz_client();
    }
    return 0;
}
