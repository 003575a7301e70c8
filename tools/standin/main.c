/* SPDX-License-Identifier: Apache-2.0 */
/* standin: stand-ins of onboard software, an auxiliary simulator and a cloud service. Usage below.
 */
#include "host/base/output.h"
#include "tools/standin/standin.h"

#include <stdio.h>
#include <string.h>

static const char k_usage[] =
    "usage: standin ROLE [options]\n"
    "\n"
    "Stand-ins for tests of the Simulation Controller (docs/stand-ins.md).\n"
    "\n"
    "  onboard            gets the weather, flies a mission, reports to the cloud service\n"
    "    --drone ENDPOINT   as of fly (tcp:127.0.0.1:$MAYFLY_TCP_PORT, or port 5760)\n"
    "    --weather URL      (http://127.0.0.1:$WEATHER_PORT, if that is set); none: no request\n"
    "    --wind-max M/S     it does not fly in more (10)\n"
    "    --cloud URL        of the cloud service ($STANDIN_CLOUD); none: no reports\n"
    "    --certificates DIR tls.crt, tls.key, ca.crt ($MAYFLY_CERTIFICATES)\n"
    "    --plan FILE        of QGroundControl; without one: a square\n"
    "    --side M, --alt M, --speed M/S  of the square (100, 10, the drone's own)\n"
    "    --timeout S        give up after this much wall time (no limit)\n"
    "  weather            an auxiliary simulator: serves the weather\n"
    "    --listen HOST:PORT (127.0.0.1:$WEATHER_PORT, or port 8090)\n"
    "    --wind M/S         (3)\n"
    "    --after S          first answer after this time (0)\n"
    "  cloud              takes reports of clients with a certificate, and judges them\n"
    "    --listen HOST:PORT (127.0.0.1:8443); port 0: a free one\n"
    "    --certificate FILE, --key FILE  its own, in PEM\n"
    "    --ca FILE          CA of the clients' certificates\n"
    "    --volumes FILE     permitted volumes: JSON, altitudes above WGS84\n"
    "\n"
    "exit codes: 0 done, 1 not done, 2 wrong usage, file or address\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} k_role[] = {{"onboard", standin_onboard}, {"weather", standin_weather}, {"cloud", standin_cloud}};

int main(int argc, char **argv)
{
    mf_output_judge_stdout("standin");
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        (void)fputs(k_usage, stdout);
        return STANDIN_DONE;
    }
    for (size_t i = 0; argc > 1 && i < sizeof k_role / sizeof k_role[0]; i++) {
        if (strcmp(argv[1], k_role[i].name) == 0) {
            return k_role[i].run(argc - 1, argv + 1);
        }
    }
    return standin_refuse("the role must be onboard, weather or cloud; --help explains them");
}
