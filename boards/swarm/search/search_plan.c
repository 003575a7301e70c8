/* SPDX-License-Identifier: Apache-2.0 */
/* The paths of a team as plans of QGroundControl, for flights of real drones. */
#include "boards/swarm/search/team.h"

#include "host/base/output.h"
#include "math/geodesic.h"
#include "mavlink/enums.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static struct mf_geo place_of_enu(const struct swarm *w, struct mf_enu at)
{
    return mf_geo_from_local((struct mf_geo){w->scenario->origin[0], w->scenario->origin[1]},
                             (double)at.n, (double)at.e);
}

static void write_plan_item(FILE *to, size_t number, int command, struct mf_geo at, double up_m)
{
    (void)fprintf(
        to,
        "%s            {\"type\": \"SimpleItem\", \"autoContinue\": true, \"command\": %d, "
        "\"doJumpId\": %zu, \"frame\": %d, \"Altitude\": %.3f, \"AltitudeMode\": 1, "
        "\"AMSLAltAboveTerrain\": null, \"params\": [0, 0, 0, null, %.7f, %.7f, %.3f]}",
        number > 1 ? ",\n" : "", command, number, MAV_FRAME_GLOBAL_RELATIVE_ALT, up_m, at.lat_deg,
        at.lon_deg, up_m);
}

static void write_plan(const struct swarm *w, const struct team *t, size_t member, FILE *to)
{
    const struct mf_enu home = t->settings.members[member].begin_m;
    const struct mf_geo home_at = place_of_enu(w, home);
    const size_t points = mf_search_points_left(t->search, member);
    const double height_m = t->settings.altitude_m - (double)home.u;
    size_t number = 1;
    (void)fprintf(to,
                  "{\n    \"fileType\": \"Plan\",\n    \"version\": 1,\n    \"groundStation\": "
                  "\"QGroundControl\",\n"
                  "    \"geoFence\": {\"circles\": [], \"polygons\": [], \"version\": 2},\n"
                  "    \"rallyPoints\": {\"points\": [], \"version\": 2},\n"
                  "    \"mission\": {\n        \"version\": 2,\n        \"firmwareType\": 12,\n"
                  "        \"vehicleType\": 2,\n        \"globalPlanAltitudeMode\": 1,\n"
                  "        \"cruiseSpeed\": %g,\n        \"hoverSpeed\": %g,\n"
                  "        \"plannedHomePosition\": [%.7f, %.7f, %.3f],\n        \"items\": [\n",
                  t->settings.speed_mps, t->settings.speed_mps, home_at.lat_deg, home_at.lon_deg,
                  w->scenario->origin[2] + (double)home.u);
    write_plan_item(to, number++, MAV_CMD_NAV_TAKEOFF, home_at, height_m);
    for (size_t i = 0; i < points; i++) {
        struct mf_enu at = mf_search_point(t->search, member, i).at_m;
        const bool last = i + 1u == points; /* the station, where it lands */
        write_plan_item(to, number++, MAV_CMD_NAV_WAYPOINT, place_of_enu(w, at),
                        last ? height_m : (double)(at.u - home.u));
        if (last) {
            write_plan_item(to, number++, MAV_CMD_NAV_LAND, place_of_enu(w, at), 0.0);
        }
    }
    (void)fputs("\n        ]\n    }\n}\n", to);
}

int swarm_team_export(struct swarm *w, const struct team *t, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return swarm_refuse(w, 1, "--export-plans %s: %s", folder, strerror(errno));
    }
    for (size_t i = 0; i < t->settings.member_count; i++) {
        char path[MF_SCENARIO_FILE_MAX + SWARM_NAME_MAX + 8u];
        (void)snprintf(path, sizeof path, "%.199s/%s.plan", folder,
                       swarm_name(w, t->number[i]).text);
        const char *why;
        FILE *file = mf_output_stream(path, &why);
        if (file == NULL) {
            return swarm_refuse(w, 1, "--export-plans: %s: %s", path, why);
        }
        write_plan(w, t, i, file);
        if (!swarm_close(w, file)) {
            return swarm_refuse(w, 1, "--export-plans: %s was not written whole", path);
        }
        (void)printf("plan      %s, %zu points\n", path, mf_search_points_left(t->search, i));
    }
    return SWARM_OK;
}
