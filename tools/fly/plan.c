/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/plan.h"

#include "mavlink/enums.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (32L * 1024 * 1024)

/*
 * Read a regular file of limited size: directories and pipes are endless. @return its text, which
 * the caller frees; NULL with errno set, to 0 if the file is of another kind or too large
 */
static char *read_file(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    errno = 0;
    if (size >= 0 && size <= FILE_MAX && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
    }
    *n = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
    if (text != NULL) {
        text[*n] = '\0';
    }
    fclose(file);
    return text;
}

int fly_plan_load(const char *path, enum mf_plan_home home, struct mf_plan *plan, char *error,
                  size_t error_size)
{
    char what[256];
    size_t n = 0;
    char *text = read_file(path, &n);
    if (text == NULL) {
        snprintf(error, error_size, "%s: %s", path,
                 errno != 0 ? "there is no such file, or it cannot be read"
                            : "this is not a plan file");
        return -1;
    }
    const int result = mf_plan_read(text, n, home, plan, what, sizeof what);
    free(text);
    if (result != 0) {
        snprintf(error, error_size, "%s:%s%s", path, what[0] >= '0' && what[0] <= '9' ? "" : " ",
                 what);
        return -1;
    }
    return 0;
}

/* ---- plans without a file */

static void add_place(struct mf_plan *plan, uint16_t command, struct mf_geo at, double alt_m)
{
    plan->item[plan->count] = (struct mf_msg_mission_item_int){
        .param4 = mf_f32_bits(NAN), /* heading: the vehicle's choice */
        .x = (int32_t)lround(at.lat_deg * 1e7),
        .y = (int32_t)lround(at.lon_deg * 1e7),
        .z = mf_f32_bits((float)alt_m),
        .seq = plan->count,
        .command = command,
        .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
        .current = plan->count == 0,
        .autocontinue = 1,
    };
    plan->count++;
}

void fly_plan_square(struct mf_plan *plan, struct mf_geo home, double alt_m, double side_m)
{
    static const double k_corner[][2] = {{1, 0}, {1, 1}, {0, 1}, {0, 0}};
    memset(plan, 0, sizeof *plan);
    plan->has_home = true;
    plan->home = home;
    plan->cruise_mps = (double)NAN;
    plan->hover_mps = (double)NAN;
    add_place(plan, MAV_CMD_NAV_TAKEOFF, home, alt_m);
    for (size_t i = 0; i < sizeof k_corner / sizeof k_corner[0]; i++) {
        const struct mf_geo at =
            mf_geo_from_local(home, side_m * k_corner[i][0], side_m * k_corner[i][1]);
        add_place(plan, MAV_CMD_NAV_WAYPOINT, at, alt_m);
    }
}

int fly_plan_insert(struct mf_plan *plan, uint16_t index,
                    const struct mf_msg_mission_item_int *item)
{
    if (plan->count == MF_PLAN_MAX) {
        return -1;
    }
    memmove(&plan->item[index + 1], &plan->item[index],
            (size_t)(plan->count - index) * sizeof plan->item[0]);
    plan->item[index] = *item;
    plan->count++;
    for (uint16_t i = 0; i < plan->count; i++) {
        struct mf_msg_mission_item_int *p = &plan->item[i];
        const float target = mf_f32_from_bits(p->param1);
        p->seq = i;
        p->current = i == 0;
        if (p->command == MAV_CMD_DO_JUMP && i != index && target >= (float)index) {
            p->param1 = mf_f32_bits(target + 1.0f);
        }
    }
    return 0;
}

bool fly_item_has_place(const struct mf_msg_mission_item_int *item)
{
    switch (item->command) {
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_SPLINE_WAYPOINT:
    case MAV_CMD_NAV_LOITER_UNLIM:
    case MAV_CMD_NAV_LOITER_TURNS:
    case MAV_CMD_NAV_LOITER_TIME:
    case MAV_CMD_NAV_LOITER_TO_ALT:
    case MAV_CMD_NAV_LAND:
    case MAV_CMD_NAV_TAKEOFF:
    case MAV_CMD_NAV_VTOL_TAKEOFF:
    case MAV_CMD_NAV_VTOL_LAND:
        break;
    default:
        return false;
    }
    /* ArduPilot's "here" is 0, 0 */
    return mf_plan_is_global(item->frame) && item->x != MF_PLAN_NOT_GIVEN &&
           item->y != MF_PLAN_NOT_GIVEN && (item->x != 0 || item->y != 0);
}

struct mf_geo fly_item_place(const struct mf_msg_mission_item_int *item)
{
    return (struct mf_geo){item->x * 1e-7, item->y * 1e-7};
}
