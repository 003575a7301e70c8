/* SPDX-License-Identifier: Apache-2.0 */
/* The API as OpenAPI 3.0 has it, from the tables of routes, parameters, fields, states and
 * outcomes. */
#include "tools/simctl/api/routes.h"
#include "tools/simctl/base/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Schemas of answers; the caller fills in states, outcomes and codes from their tables. */
static const char k_schemas[] =
    "{'Status': {'type': 'object', 'required': ['status'], 'properties': {'status': {'type': "
    "'string', 'description': 'ok, or the reason why not'}}, 'example': {'status': 'ok'}},"
    "'Error': {'type': 'object', 'required': ['error', 'code'], 'properties': {"
    "  'error': {'type': 'string', 'description': 'what is wrong, and what is allowed'},"
    "  'code': {'type': 'string', 'description': 'a word for programs', 'enum': []}}},"
    "'Addresses': {'type': 'object', 'nullable': true, 'properties': {"
    "  'tcp': {'type': 'string', 'description': 'address of MAVLink over TCP'},"
    "  'udp': {'type': 'string', 'description': 'address of MAVLink over UDP'},"
    "  'mavsdk': {'type': 'string', 'description': 'connection URL for MAVSDK'},"
    "  'pymavlink': {'type': 'string', 'description': 'connection text for pymavlink'},"
    "  'api': {'type': 'string', 'description': 'address of the control API of the drone'}}},"
    "'Instance': {'type': 'object', 'required': ['id', 'template', 'state', 'outcome', 'reason',"
    "   'labels', 'values', 'connect', 'outside', 'restarts', 'times'], 'properties': {"
    "  'id': {'type': 'string', 'description': 'id of the instance in paths'},"
    "  'template': {'type': 'string', 'description': 'name of its template'},"
    "  'state': {'type': 'string', 'description': 'state of the instance', 'enum': []},"
    "  'outcome': {'type': 'string', 'nullable': true, 'description': 'how it ended; null: it has "
    "not', 'enum': []},"
    "  'reason': {'type': 'string', 'description': 'why it is in this state; empty: as requested'},"
    "  'labels': {'type': 'object', 'description': 'labels of the request', "
    "'additionalProperties': {'type': 'string'}},"
    "  'values': {'type': 'object', 'description': 'values of the template, given and default'},"
    "  'connect': {'$ref': '#/components/schemas/Addresses'},"
    "  'outside': {'$ref': '#/components/schemas/Addresses'},"
    "  'restarts': {'type': 'integer', 'minimum': 0, 'description': 'number of restarts of its "
    "drone'},"
    "  'times': {'type': 'object', 'description': 'time at which it entered each state, UTC; null: "
    "not yet', 'additionalProperties': "
    "{'type': 'string', 'format': 'date-time', 'nullable': true}}}, 'example': "
    "{'id': 'survey-1', 'template': 'survey', 'state': 'ready', 'outcome': null, 'reason': "
    "'', 'labels': {'team': 'maps'}, 'values': {'wind': 3}, 'connect': {'tcp': "
    "'127.0.0.1:20000', 'udp': '127.0.0.1:20001', 'mavsdk': 'tcpout://127.0.0.1:20000', "
    "'pymavlink': 'tcp:127.0.0.1:20000', 'api': 'http://127.0.0.1:20002'}, 'outside': null, "
    "'restarts': 0, 'times': {'asked': '2026-03-01T12:00:00Z', 'scheduled': "
    "'2026-03-01T12:00:00Z', "
    "'started': '2026-03-01T12:00:00Z', 'ready': '2026-03-01T12:00:01Z', 'ends': "
    "'2026-03-01T12:20:00Z', 'ended': null}}"
    "},"
    "'Created': {'type': 'object', 'required': ['instances'], 'properties': {"
    "  'instances': {'type': 'array', 'items': {'$ref': '#/components/schemas/Instance'}}}},"
    "'Page': {'type': 'object', 'required': ['instances', 'left', 'next'], 'properties': {"
    "  'instances': {'type': 'array', 'items': {'$ref': '#/components/schemas/Instance'}},"
    "  'left': {'type': 'integer', 'description': 'number of instances on further pages'},"
    "  'next': {'type': 'string', 'nullable': true, 'description': 'value of after for the next "
    "page; null: this is the last'}}},"
    "'Ended': {'type': 'object', 'required': ['ended', 'left'], 'properties': {"
    "  'ended': {'type': 'integer', 'description': 'number of instances that were ended'}, "
    "'left': {'type': 'integer', 'description': 'number that are left'}}, "
    "'example': {'ended': 3, 'left': 0}},";

/* The rest of them. */
static const char k_more_schemas[] =
    "'Templates': {'type': 'object', 'required': ['templates', 'refused'], 'properties': "
    "{'refused': {'type': 'array', 'items': {'type': 'object', 'required': ['name', 'error'], "
    "'properties': {'name': {'type': 'string'}, 'error': {'type': 'string'}}}}, 'templates': "
    "{'type': 'array', 'items': {'type': 'object', 'required': ['name', 'description', 'lifetime', "
    "'values'], 'properties': {'name': {'type': 'string'}, 'description': {'type': 'string'},"
    "  'lifetime': {'type': 'object', 'properties': {'default_s': {'type': 'number'}, 'max_s': "
    "{'type': 'number'}, 'extend': {'type': 'boolean'}}},"
    "  'recording': {'type': 'boolean'}, 'virtualTime': {'type': 'boolean'},"
    "  'values': {'type': 'object'}}}}}},"
    "'Capacity': {'type': 'object', 'required': ['backend', 'instances', 'limits'], 'properties': {"
    "  'backend': {'type': 'string'}, 'instances': {'type': 'object', 'additionalProperties': "
    "{'type': 'integer'}}, 'limits': {'type': 'array', 'items': {'type': 'object', 'required': "
    "['name', 'hard', 'used'], 'properties': {'name': {'type': 'string'}, "
    "'hard': {'$ref': '#/components/schemas/Quantities'}, "
    "'used': {'$ref': '#/components/schemas/Quantities'}}}}}},"
    "'Quantities': {'type': 'object', 'nullable': true, 'description': 'by resource; null: not yet "
    "counted', 'additionalProperties': {'type': 'string'}},"
    "'Events': {'type': 'object', 'required': ['events'], 'properties': {'events': {'type': "
    "'array', "
    "'items': {'type': 'object', 'required': ['time', 'object', 'reason', 'message', 'count'], "
    "'properties': {'time': {'type': 'string'}, 'object': {'type': 'string'}, 'reason': {'type': "
    "'string'}, 'message': {'type': 'string'}, 'count': {'type': 'integer'}}}}}},"
    "'Document': {'type': 'object'}}";

/* Parse k_schemas, whose quotes are written as ', after changing them to those of JSON. */
static json_t *schemas(void)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s", k_schemas, k_more_schemas) < 0) {
        return NULL;
    }
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    json_t *all = json_loads(text, 0, NULL);
    free(text);
    json_t *instance = json_object_get(json_object_get(all, "Instance"), "properties");
    for (int i = 0; i < SIMCTL_STATES; i++) {
        (void)json_array_append_new(json_object_get(json_object_get(instance, "state"), "enum"),
                                    json_string(simctl_state_word((enum simctl_state)i)));
    }
    static const char *const k_code[] = {
#define X(word, statuses, help) #word,
        SIMCTL_CODE_LIST(X)
#undef X
    };
    json_t *code = json_object_get(
        json_object_get(json_object_get(json_object_get(all, "Error"), "properties"), "code"),
        "enum");
    for (size_t i = 0; i < sizeof k_code / sizeof k_code[0]; i++) {
        (void)json_array_append_new(code, json_string(k_code[i]));
    }
    json_t *outcomes = json_object_get(json_object_get(instance, "outcome"), "enum");
    (void)json_array_append_new(outcomes, json_null());
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES; i++) {
        (void)json_array_append_new(outcomes,
                                    json_string(simctl_outcome_code((enum simctl_outcome)i)));
    }
    return all;
}

/* ---- requests */

static json_t *schema_of_field(const struct simctl_field *f)
{
    static const char *const k_type[] = {
        [SIMCTL_TEXT] = "string",   [SIMCTL_NAME] = "string",     [SIMCTL_WORD] = "string",
        [SIMCTL_NUMBER] = "number", [SIMCTL_INTEGER] = "integer", [SIMCTL_BOOLEAN] = "boolean",
        [SIMCTL_OBJECT] = "object", [SIMCTL_ARRAY] = "array",     [SIMCTL_DURATION] = NULL,
        [SIMCTL_BYTES] = NULL,      [SIMCTL_ANY] = NULL};
    if (f->type == SIMCTL_DURATION) {
        return json_pack("{s:[{s:s, s:s}, {s:s, s:i}], s:s}", "oneOf", "type", "string", "pattern",
                         "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$", "type", "number", "minimum", 1,
                         "description", f->help);
    }
    return k_type[f->type] != NULL
               ? json_pack("{s:s, s:s}", "type", k_type[f->type], "description", f->help)
               : json_pack("{s:s}", "description", f->help);
}

static json_t *body_of(const struct simctl_route *route)
{
    json_t *properties = json_object(), *required = json_array();
    for (const struct simctl_field *f = route->fields; f->name != NULL; f++) {
        (void)json_object_set_new(properties, f->name, schema_of_field(f));
        if (f->required) {
            (void)json_array_append_new(required, json_string(f->name));
        }
    }
    json_t *schema = json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0,
                               "properties", properties);
    if (json_array_size(required) > 0) {
        (void)json_object_set(schema, "required", required);
    }
    json_decref(required);
    (void)json_object_set_new(schema, "example",
                              route->fields == simctl_extend_fields
                                  ? json_pack("{s:s}", "lifetime", "40m")
                                  : json_pack("{s:s, s:i, s:{s:s}}", "template", "survey", "count",
                                              1, "labels", "team", "maps"));
    return json_pack("{s:b, s:{s:{s:o}}}", "required", 1, "content", "application/json", "schema",
                     schema);
}

/* "a|b" as an enumeration, "1 .. 9" as a range. */
static json_t *schema_of_parameter(const char *allowed)
{
    const char *between = strstr(allowed, " .. ");
    if (between != NULL) {
        const double low = strtod(allowed, NULL), high = strtod(between + 4, NULL);
        return json_pack("{s:s, s:f, s:f}", "type", low > 0.0 ? "integer" : "number", "minimum",
                         low, "maximum", high);
    }
    json_t *schema = json_pack("{s:s}", "type", "string");
    if (allowed[0] != '\0') {
        json_t *words = json_array();
        while (*allowed != '\0') {
            const size_t n = strcspn(allowed, "|");
            (void)json_array_append_new(words, json_stringn(allowed, n));
            allowed += n + (allowed[n] != '\0');
        }
        (void)json_object_set_new(schema, "enum", words);
    }
    return schema;
}

static json_t *parameters_of(const struct simctl_route *route)
{
    json_t *list = json_array();
    const char *allowed, *help;
    if (strstr(route->path, "{id}") != NULL) {
        (void)json_array_append_new(
            list, json_pack("{s:s, s:s, s:b, s:s, s:{s:s}}", "name", "id", "in", "path", "required",
                            1, "description", "id of the instance", "schema", "type", "string"));
    }
    for (int i = 0; i < SIMCTL_PARAMETERS; i++) {
        if ((route->takes & 1u << i) != 0) {
            const char *name = simctl_parameter((enum simctl_parameter)i, &allowed, &help);
            json_t *schema = schema_of_parameter(allowed);
            if (i == SIMCTL_LABEL_PARAMETER) {
                schema = json_pack("{s:s, s:i, s:o}", "type", "array", "maxItems",
                                   (int)SIMCTL_LABELS_MAX, "items", schema);
            }
            (void)json_array_append_new(list,
                                        json_pack("{s:s, s:s, s:s, s:o}", "name", name, "in",
                                                  "query", "description", help, "schema", schema));
        }
    }
    return list;
}

/* ---- answers */

static json_t *answers_of(const struct simctl_route *route)
{
    char status[8], path[64];
    const bool text = strchr(route->gives, '/') != NULL;
    (void)snprintf(status, sizeof status, "%u", route->status);
    (void)snprintf(path, sizeof path, "#/components/schemas/%s", route->gives);
    json_t *schema = text ? json_pack("{s:s}", "type", "string") : json_pack("{s:s}", "$ref", path);
    return json_pack("{s:{s:s, s:{s:{s:o}}}, s:{s:s, s:{s:{s:{s:s}}}}}", status, "description",
                     route->summary, "content", text ? route->gives : "application/json", "schema",
                     schema, "default", "description", "Refused", "content", "application/json",
                     "schema", "$ref", "#/components/schemas/Error");
}

static json_t *operation(const struct simctl_route *route)
{
    const char *tag =
        strstr(route->path, "/v1/instances") != NULL || strstr(route->path, "/v1/holds") != NULL
            ? "Instances"
        : strstr(route->path, "/v1/templates") != NULL ||
                strstr(route->path, "/v1/capacity") != NULL
            ? "Templates"
            : "Process";
    json_t *o = json_pack("{s:s, s:[s], s:o, s:o}", "summary", route->summary, "tags", tag,
                          "parameters", parameters_of(route), "responses", answers_of(route));
    if (route->fields != NULL) {
        (void)json_object_set_new(o, "requestBody", body_of(route));
    }
    if (route->anyone) {
        (void)json_object_set_new(o, "security", json_array());
    }
    return o;
}

json_t *simctl_openapi(const struct simctl_route *routes, size_t count)
{
    json_t *paths = json_object();
    for (size_t i = 0; i < count; i++) {
        const struct simctl_route *route = &routes[i];
        char method[16];
        if (route->method == NULL) {
            continue; /* the emulator's own document has these */
        }
        size_t n = 0;
        for (; n < sizeof method - 1 && route->method[n] != '\0'; n++) {
            method[n] = (char)(route->method[n] | 0x20);
        }
        method[n] = '\0';
        json_t *path = json_object_get(paths, route->path);
        if (path == NULL) {
            path = json_object();
            (void)json_object_set_new(paths, route->path, path);
        }
        (void)json_object_set_new(path, method, operation(route));
    }
    return json_pack(
        "{s:s, s:{s:s, s:s, s:s}, s:[{s:[]}], s:o, s:{s:o, s:{s:{s:s, s:s}}}}", "openapi", "3.0.3",
        "info", "title", "Mayfly's Simulation Controller", "version", "1", "description",
        "Simulation instances, started and ended through one API (docs/controller.md). The drone's "
        "own API is at /v1/instances/{id}/drone/..., as docs/openapi.json has it.",
        "security", "token", "paths", paths, "components", "schemas", schemas(), "securitySchemes",
        "token", "type", "http", "scheme", "bearer");
}

void simctl_api_openapi(struct simctl_call *c)
{
    c->gives = simctl_openapi(c->routes, c->route_count);
}
