/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the bus and of plug-ins. Used by fleet/scenario_keys. */
#include "fleet/scenario_open.h"

#include "fleet/key_forms.h"

#define BUS(field) offsetof(struct mf_scenario_bus, field)

static const struct mf_key k_bus[] = {
    {.name = "listen",
     .type = MF_KEY_TEXT,
     .offset = BUS(listen),
     .size = sizeof((struct mf_scenario_bus *)0)->listen,
     .help = "[HOST:]PORT, without HOST of 127.0.0.1, or unix:PATH"},
    {.name = "token",
     .type = MF_KEY_TEXT,
     .offset = BUS(token),
     .size = MF_SCENARIO_TOKEN_MAX,
     .help = "that participants give; other hosts than this one need it: \"${TOKEN}\""},
    {.name = "tick",
     .type = MF_KEY_REAL,
     .offset = BUS(tick_s),
     .low = 0.001,
     .high = 1e4,
     .help = "what is is told this often [s]; 0.1"},
    {.name = "controllers",
     .type = MF_KEY_WHOLE,
     .offset = BUS(controllers),
     .low = 0,
     .high = 8,
     .help = "that time 0 waits for; 1"},
    {.name = "patience",
     .type = MF_KEY_REAL,
     .offset = BUS(patience_s),
     .low = 0,
     .high = 1e6,
     .help = "with a controller that is silent, by the wall [s]; 0: for ever; 10"},
    WORD("silent", BUS(silent), mf_scenario_silent_words,
         "what happens then: the run ends with exit code 3, it is let go, or named and waited for; "
         "stop"),
};
const struct mf_keys mf_scenario_bus_keys = {k_bus, COUNT_OF(k_bus), "listen", BUS(line)};

#define PLUGIN(field) offsetof(struct mf_scenario_plugin, field)

static const struct mf_key k_plugin[] = {
    {.name = "file",
     .type = MF_KEY_TEXT,
     .offset = PLUGIN(file),
     .size = MF_SCENARIO_FILE_MAX,
     .help = "a shared object beside the scenario"},
    {.name = "limit",
     .type = MF_KEY_REAL,
     .offset = PLUGIN(limit_s),
     .low = 0.01,
     .high = 1e6,
     .help = "within which each call of it returns, by the wall [s]; 10"},
};
const struct mf_keys mf_scenario_plugin_keys = {k_plugin, COUNT_OF(k_plugin), "file", PLUGIN(line)};

void mf_scenario_plugin_defaults(void *plugin)
{
    *(struct mf_scenario_plugin *)plugin = (struct mf_scenario_plugin){.limit_s = 10.0};
}
