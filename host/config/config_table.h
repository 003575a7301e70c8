/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Table of all settings, from which struct mf_config, the file's keys, environment variables,
 * flags, defaults, checks, --help and --print-config are made.
 *
 * Columns: group, type, field, key in the file, environment variable, flag (NULL: none), default,
 * lowest, highest, unit or form or words, help.
 *
 * Types: INT, REAL, BOOL, TEXT; CLOCK one of its words or xN; WORD one of the words in the unit
 * column, its index in the field; UTC a time, 0 for the default; QUALITY of a link (qualityspec.h);
 * HOME sets the four home.* at once; LINK, FAULT, RULE, GEOID, PARAM and RATE are lists without
 * their own field, and for LINK the lowest is its enum mf_link_kind; DO is an action without a
 * value. Environment variables are MAYFLY_ and the key in capitals; home.* keep PX4's names.
 * Variables must not end in _PORT or contain _SERVICE_: Kubernetes puts such ones into every
 * container.
 */
#ifndef MF_HOST_CONFIG_CONFIG_TABLE_H
#define MF_HOST_CONFIG_CONFIG_TABLE_H

/* clang-format off */
#define MF_CONFIG_GROUP_LIST(X)                                        \
    X(LINKS,   "Links; 'none' removes the defaults of a kind, any other value replaces them") \
    X(VEHICLE, "Vehicle")                                              \
    X(WORLD,   "World")                                                \
    X(RUN,     "Running")

#define MF_CONFIG_LIST(X)                                                                          \
    X(LINKS, LINK, tcp, "tcp",                                                                     \
      "MAYFLY_TCP", "--tcp", "127.0.0.1:5760+N", 0, 0, "[HOST:]PORT",                              \
      "TCP server, many clients; port 0: any free one")                                            \
    X(LINKS, LINK, tcp_out, "tcp_out",                                                             \
      "MAYFLY_TCP_OUT", "--tcp-out", "none", 1, 0, "HOST:PORT",                                    \
      "TCP client, connects again and again")                                                      \
    X(LINKS, LINK, udp, "udp",                                                                     \
      "MAYFLY_UDP", "--udp", "127.0.0.1:5760+N", 2, 0, "[HOST:]PORT",                              \
      "UDP server, learns its peers")                                                              \
    X(LINKS, LINK, udp_out, "udp_out",                                                             \
      "MAYFLY_UDP_OUT", "--udp-out", "14550, 14540+N", 3, 0, "HOST:PORT[@LOCAL]",                  \
      "UDP client, sends at once; by default as PX4 from 18570+N and 14580+N")                     \
    X(LINKS, BOOL, free_ports, "free_ports",                                                       \
      "MAYFLY_FREE_PORTS", "--free-ports", "false", 0, 1, "",                                      \
      "default servers take any free port, and there are no default clients; as 'mayfly exec'")    \
    X(LINKS, LINK, serial, "serial",                                                               \
      "MAYFLY_SERIAL", "--serial", "none", 4, 0, "DEVICE:BAUD",                                    \
      "serial device, raw 8N1")                                                                    \
    X(LINKS, WORD, profile, "profile",                                                             \
      "MAYFLY_PROFILE", "--profile", "sim", 0, 0, "sim|px4|onboard|min|px4-sitl",                  \
      "default stream rates; px4, px4-sitl: onboard on the default link to 14540; px4-sitl: "      \
      "parameters of PX4's simulator, too; per link in the file")                                  \
    X(LINKS, RATE, streams, "streams",                                                             \
      "MAYFLY_STREAMS", "--stream", "by profile", 0, 1000, "MESSAGE=HZ",                           \
      "rate of one message, 0: on request only; per link in the file")                             \
    X(LINKS, BOOL, remote_id, "remote_id",                                                         \
      "MAYFLY_REMOTE_ID", "--remote-id", "false", 0, 1, "",                                        \
      "send remote identification at ASTM F3411's rates: OPEN_DRONE_ID_*; --stream overrides it") \
    X(LINKS, BOOL, forward, "forward",                                                             \
      "MAYFLY_FORWARD", "--forward", "true", 0, 1, "",                                             \
      "pass frames of clients on to each other, as PX4; per link in the file")                      \
    X(LINKS, QUALITY, link_quality, "link_quality",                                                \
      "MAYFLY_LINK_QUALITY", "--link-quality", "none", 0, 0, "PRESET|TERM[,TERM]",                 \
      "loss, delay, rate, ...: sik57k, in:loss=10%,delay=50ms (docs/links.md); per link in the file") \
    X(LINKS, TEXT, signing_key, "signing_key",                                                     \
      "MAYFLY_SIGNING_KEY", "--signing-key", "none", 0, 0, "FILE",                                 \
      "key of signatures: 64 hexadecimal digits or a passphrase; MAV_SIGN_CFG: which frames must be signed") \
    X(LINKS, BOOL, statustext_gcs_only, "statustext_gcs_only",                                     \
      "MAYFLY_STATUSTEXT_GCS_ONLY", "--statustext-gcs-only", "false", 0, 1, "",                    \
      "STATUSTEXT only to links with a ground station's HEARTBEAT, as PX4")                        \
                                                                                                   \
    X(VEHICLE, INT, instance, "instance",                                                          \
      "MAYFLY_INSTANCE", "--instance", "0", 0, 40000, "",                                          \
      "number N of this drone: moves default ports, system id and uid; mayfly-3, a pod's name, is 3") \
    X(VEHICLE, INT, sysid, "sysid",                                                                \
      "MAYFLY_SYSID", "--sysid", "N+1", 1, 254, "",                                                \
      "MAVLink system id")                                                                         \
    X(VEHICLE, WORD, motion, "motion",                                                             \
      "MAYFLY_MOTION", "--motion", "constant", 0, 0, "constant|physics|event",                     \
      "motion of the body: at constant speed, as PX4 in SIH, or constant with --clock event") \
    X(VEHICLE, REAL, accel_mps2, "accel",                                                          \
      "MAYFLY_ACCEL", "--accel", "0", 0, 1000, "m/s^2",                                            \
      "motion constant: ramps at both ends of each leg, 0: none; less than 0.001 is none")         \
    X(VEHICLE, REAL, drag_per_s, "drag",                                                           \
      "MAYFLY_DRAG", "--drag", "1", 0, 10, "1/s",                                                  \
      "motion physics and wind: deceleration by drag for each m/s, 1: as in SIH")                  \
    X(VEHICLE, REAL, damping, "damping",                                                           \
      "MAYFLY_DAMPING", "--damping", "1", 0.1, 1, "RATIO",                                         \
      "motion physics: damping ratio at the end of a leg, up to 0.9 the body overshoots the target")  \
    X(VEHICLE, TEXT, uas_id, "uas_id",                                                             \
      "MAYFLY_UAS_ID", "--uas-id", "none", 0, 0, "ID",                                             \
      "remote identification: 20 characters, or a UUID; none: a serial number made of N")          \
    X(VEHICLE, WORD, uas_id_type, "uas_id_type",                                                   \
      "MAYFLY_UAS_ID_TYPE", "--uas-id-type", "serial", 0, 0, "none|serial|registration|uuid",      \
      "kind of --uas-id")                                                                              \
    X(VEHICLE, WORD, ua_type, "ua_type",                                                           \
      "MAYFLY_UA_TYPE", "--ua-type", "multirotor", 0, 0,                                           \
      "none|aeroplane|multirotor|gyroplane|hybrid",                                                \
      "the aircraft, to remote identification")                                                    \
    X(VEHICLE, TEXT, operator_id, "operator_id",                                                   \
      "MAYFLY_OPERATOR_ID", "--operator-id", "none", 0, 0, "ID",                                   \
      "id of the operator, 20 characters; a ground station's OPEN_DRONE_ID_OPERATOR_ID overrides it") \
    X(VEHICLE, WORD, eu_category, "eu_category",                                                   \
      "MAYFLY_EU_CATEGORY", "--eu-category", "undeclared", 0, 0,                                   \
      "undeclared|open|specific|certified",                                                        \
      "EU category of the flight, to remote identification")                                                                             \
    X(VEHICLE, WORD, eu_class, "eu_class",                                                         \
      "MAYFLY_EU_CLASS", "--eu-class", "undeclared", 0, 0, "undeclared|c0|c1|c2|c3|c4|c5|c6",      \
      "EU class of the aircraft, to remote identification")                                                                           \
    X(VEHICLE, PARAM, params, "params",                                                            \
      "MAYFLY_PARAMS", "--param", "none", 0, 0, "NAME=VALUE",                                      \
      "value of a parameter, not saved")                                                           \
    X(VEHICLE, TEXT, params_file, "params_file",                                                       \
      "MAYFLY_PARAMS_FILE", "--params", "none", 0, 0, "FILE",                                      \
      "values of parameters, not saved: QGroundControl's .params or MAVProxy's .parm; --param wins")   \
    X(VEHICLE, BOOL, lenient_param_types, "lenient_param_types",                                   \
      "MAYFLY_LENIENT_PARAM_TYPES", "--lenient-param-types", "false", 0, 1, "",                    \
      "convert PARAM_SET of the other type instead of refusing it")                                \
    X(VEHICLE, BOOL, lose_item_reached, "lose_item_reached",                                       \
      "MAYFLY_LOSE_ITEM_REACHED", "--lose-item-reached", "false", 0, 1, "",                        \
      "lose MISSION_ITEM_REACHED before an item that is done at once, as PX4 mostly does")         \
    X(VEHICLE, BOOL, px4_strict, "px4_strict",                                                     \
      "MAYFLY_PX4_STRICT", "--px4-strict", "false", 0, 1, "",                                      \
      "PX4's own rules wherever Mayfly's differ; its rates and STATUSTEXT rule unless given")      \
    X(VEHICLE, BOOL, audit, "audit", "MAYFLY_AUDIT", "--audit", "false", 0, 1, "",                 \
      "for mayfly-audit: switch off what hides that a client depends on physics")                       \
                                                                                                   \
    X(WORLD, REAL, home_lat_deg, "home.lat",                                                       \
      "PX4_HOME_LAT", NULL, "47.397742", -90, 90, "deg",                                           \
      "latitude of home, the vehicle's place at the start")                                                              \
    X(WORLD, REAL, home_lon_deg, "home.lon",                                                       \
      "PX4_HOME_LON", NULL, "8.545594", -180, 180, "deg",                                          \
      "longitude of home")                                                                                          \
    X(WORLD, REAL, home_alt_amsl_m, "home.alt",                                                    \
      "PX4_HOME_ALT", NULL, "488", -1000, 20000, "m",                                              \
      "altitude of home above mean sea level; it is the ground, flat unless there is terrain")                                                     \
    X(WORLD, REAL, home_yaw_deg, "home.heading",                                                   \
      "MAYFLY_HOME_HEADING", NULL, "0", -180, 360, "deg",                                          \
      "heading at the start, clockwise from true north")                                                                 \
    X(WORLD, HOME, home, "home",                                                                   \
      "MAYFLY_HOME", "--home", "", 0, 0, "LAT,LON,ALT_AMSL[,HEADING]",                             \
      "all of home at once [deg, m]")                                                              \
    X(WORLD, REAL, home_spread_m, "home_spread",                                                   \
      "MAYFLY_HOME_SPREAD", "--home-spread", "0", 0, 10000, "m",                                   \
      "instances stand on a grid with this spacing around home: 0 at home, 1 north of it; 0: all at home") \
    X(WORLD, GEOID, geoid, "geoid",                                                                \
      "MAYFLY_GEOID", "--geoid", "egm96", 0, 0, "MODEL[:FILE]",                                    \
      "models of the geoid, in order: egm96, MODEL:FILE (a pack), constant:METRES, or none: MSL is the ellipsoid") \
    X(WORLD, WORD, geoid_interpolation, "geoid_interpolation",                                     \
      "MAYFLY_GEOID_INTERPOLATION", "--geoid-interpolation", "pack", 0, 0, "pack|bilinear|cubic",  \
      "interpolation between the nodes of a model; pack: the one of each pack")                                    \
    X(WORLD, TEXT, geoid_fingerprint, "geoid_fingerprint",                                         \
      "MAYFLY_GEOID_FINGERPRINT", "--geoid-fingerprint", "none", 0, 0, "HEX",                      \
      "the model at home must have this fingerprint, the one that planning uses")                          \
    X(WORLD, TEXT, elevation_service, "elevation_service",                                         \
      "MAYFLY_ELEVATION_SERVICE", "--elevation-service", "none", 0, 0, "URL",                      \
      "the service that planning uses; needs geoid_fingerprint, which chooses the interpolation")     \
    X(WORLD, TEXT, terrain, "terrain",                                                             \
      "MAYFLY_TERRAIN", "--terrain", "none", 0, 0, "FILE[,FILE...]",                               \
      "packs of the ground's height, in order ('geoid pack' makes them); elsewhere it is as high as home") \
    X(WORLD, REAL, home_terrain_tolerance_m, "home_terrain_tolerance",                             \
      "MAYFLY_HOME_TERRAIN_TOLERANCE", "--home-terrain-tolerance", "10", 0, 30000, "m",            \
      "home's altitude may differ this much from the terrain's; the vehicle stands on the terrain")         \
    X(WORLD, REAL, gnss_warmup_s, "gnss.warmup",                                                   \
      "MAYFLY_GNSS_WARMUP", "--gnss-warmup", "0", 0, 3600, "s",                                    \
      "time without a fix after the boot; imitates PX4's start")                                                       \
    X(WORLD, INT, gnss_satellites, "gnss.satellites",                                              \
      "MAYFLY_GNSS_SATELLITES", "--gnss-satellites", "10", 4, 60, "",                              \
      "satellites in use")                                                                         \
    X(WORLD, REAL, gnss_noise_m, "gnss.noise",                                                     \
      "MAYFLY_GNSS_NOISE", "--gnss-noise", "0", 0, 100, "m",                                       \
      "standard deviation of each fix, north and east")                                \
    X(WORLD, REAL, gnss_noise_vertical_m, "gnss.noise_vertical",                                   \
      "MAYFLY_GNSS_NOISE_VERTICAL", "--gnss-noise-vertical", "0", 0, 100, "m",                     \
      "standard deviation of each fix, up")                                                                                    \
    X(WORLD, REAL, gnss_noise_mps, "gnss.noise_speed",                                             \
      "MAYFLY_GNSS_NOISE_SPEED", "--gnss-noise-speed", "0", 0, 10, "m/s",                          \
      "standard deviation of the velocity over ground, north and east")                                               \
    X(WORLD, REAL, gnss_drift_m, "gnss.drift",                                                     \
      "MAYFLY_GNSS_DRIFT", "--gnss-drift", "0", 0, 1000, "m",                                      \
      "standard deviation of a slow error of the reported position, north and east")             \
    X(WORLD, REAL, gnss_drift_vertical_m, "gnss.drift_vertical",                                   \
      "MAYFLY_GNSS_DRIFT_VERTICAL", "--gnss-drift-vertical", "0", 0, 1000, "m",                    \
      "standard deviation of a slow error of the reported altitude")                                                                                    \
    X(WORLD, REAL, gnss_drift_time_s, "gnss.drift_time",                                           \
      "MAYFLY_GNSS_DRIFT_TIME", "--gnss-drift-time", "60", 1, 86400, "s",                          \
      "correlation time of gnss.drift")                                                                  \
    X(WORLD, REAL, battery_voltage_v, "battery.voltage",                                           \
      "MAYFLY_BATTERY_VOLTAGE", "--battery-voltage", "16.2", 0, 100, "V",                          \
      "voltage of the battery; with battery.capacity: when full, without load")                             \
    X(WORLD, REAL, battery_current_a, "battery.current",                                           \
      "MAYFLY_BATTERY_CURRENT", "--battery-current", "-1", -1, 300, "A",                           \
      "current of the battery, -1: not measured; only without battery.capacity")                                                \
    X(WORLD, REAL, battery_remaining_percent, "battery.remaining",                                 \
      "MAYFLY_BATTERY_REMAINING", "--battery-remaining", "100", 0, 100, "percent",                 \
      "charge of the battery at the start")                                                                             \
    X(WORLD, INT, battery_cells, "battery.cells",                                                  \
      "MAYFLY_BATTERY_CELLS", "--battery-cells", "4", 1, 10, "",                                   \
      "cells of the battery in series")                                                                                 \
    X(WORLD, REAL, battery_capacity_mah, "battery.capacity",                                       \
      "MAYFLY_BATTERY_CAPACITY", "--battery-capacity", "0", 0, 1000000, "mAh",                     \
      "the battery drains in flight; 0: it never changes (docs/disturbances.md)")                        \
    X(WORLD, REAL, battery_hover_a, "battery.hover_current",                                       \
      "MAYFLY_BATTERY_HOVER_CURRENT", "--battery-hover-current", "15", 0, 300, "A",                \
      "current in the air, with battery.capacity")                                                         \
    X(WORLD, REAL, battery_idle_a, "battery.idle_current",                                         \
      "MAYFLY_BATTERY_IDLE_CURRENT", "--battery-idle-current", "1", 0, 300, "A",                   \
      "current armed on the ground, with battery.capacity; disarmed: none")                                \
    X(WORLD, REAL, wind_mps, "wind.speed",                                                         \
      "MAYFLY_WIND_SPEED", "--wind-speed", "0", 0, 50, "m/s",                                      \
      "steady wind: the drone leans into it")                                                      \
    X(WORLD, REAL, wind_from_deg, "wind.direction",                                                \
      "MAYFLY_WIND_DIRECTION", "--wind-direction", "0", -180, 360, "deg",                          \
      "direction from which the wind blows, clockwise from true north")                                            \
    X(WORLD, REAL, gusts_mps, "wind.gusts",                                                        \
      "MAYFLY_WIND_GUSTS", "--wind-gusts", "0", 0, 20, "m/s",                                      \
      "standard deviation of the wind; the drone sways")                                           \
    X(WORLD, REAL, gust_time_s, "wind.gust_time",                                                  \
      "MAYFLY_WIND_GUST_TIME", "--wind-gust-time", "5", 0.5, 3600, "s",                            \
      "correlation time of gusts")                                                                 \
    X(WORLD, INT, seed, "seed",                                                                    \
      "MAYFLY_SEED", "--seed", "1", 0, 2147483647, "",                                             \
      "seed of gusts, noise, drift and lost frames; instances differ under one seed")             \
    X(WORLD, FAULT, faults, "faults",                                                              \
      "MAYFLY_FAULTS", "--faults", "none", 0, 0, "NAME[@TIME][+DURATION]",                         \
      "scheduled faults, such as gps_off@30s+10s; several with commas")                            \
    X(WORLD, RULE, misbehave, "misbehave",                                                         \
      "MAYFLY_MISBEHAVE", "--misbehave", "none", 0, 0, "RULE[(SELECTOR)][=VALUE][*TIMES][@TIME]",  \
      "protocol misbehaviour, such as command_denied(takeoff) (docs/misbehaviour.md)")             \
    X(WORLD, UTC, epoch_utc_us, "epoch",                                                           \
      "MAYFLY_EPOCH", "--epoch", "now", 0, 0, "UTC",                                               \
      "time of the boot: seconds since 1970 or 2026-03-01T12:00:00Z")                              \
                                                                                                   \
    X(RUN, TEXT, config, NULL,                                                                     \
      "MAYFLY_CONFIG", "--config", "none", 0, 0, "FILE",                                           \
      "YAML file with these keys; environment and flags override it")                              \
    X(RUN, CLOCK, clock, "clock",   "MAYFLY_CLOCK",   "--clock",  "real", 0.001, 10000, "real|xN|fast|event|lockstep", \
  "pace of vehicle time: with the wall, N times as fast, as fast as possible, from event to event, as granted") \
X(RUN, WORD, transport, "transport", "MAYFLY_TRANSPORT", "--transport", "wall", 0, 0, "wall|vehicle", \
  "clock of time-outs, retries and link quality; vehicle: as granted, needs --clock lockstep") \
X(RUN, BOOL, virtual_time, "virtual", "MAYFLY_VIRTUAL", "--virtual", "false", 0, 1, "", \
  "mayfly exec: the command's clock is the drone's, on clock lockstep (docs/virtual-time.md)") \
X(RUN, TEXT, virtual_socket, "virtual_socket", "MAYFLY_VIRTUAL_SOCKET", "--virtual-socket", "none", 0, 0, "FILE", \
  "programs that others start join the drone's time at this socket (docs/virtual-time.md)") \
X(RUN, BOOL, parallel, "parallel", "MAYFLY_PARALLEL", "--parallel", "false", 0, 1, "", \
  "with --virtual: processes of an instant run side by side, and runs are not equal") \
X(RUN, LINK, world, "world", "MAYFLY_WORLD", "--world", "none", 8, 0, "[HOST:]PORT", \
  "with --virtual: listen here for other drones of the same time, which have --time-server") \
X(RUN, INT, world_drones, "world_drones", "MAYFLY_WORLD_DRONES", "--world-drones", "0", 0, 12, "", \
  "number of drones that must connect there before time begins") \
X(RUN, LINK, time_socket, "time_socket", "MAYFLY_TIME_SOCKET", "--time-socket", "none", 5, 0, "[HOST:]PORT", \
  "listen here for controllers, which hold vehicle time or grant it (docs/time.md)") \
X(RUN, LINK, time_server, "time_server", "MAYFLY_TIME_SERVER", "--time-server", "none", 6, 0, "HOST:PORT", \
  "connect to a controller, again and again") \
X(RUN, LINK, api, "api", "MAYFLY_API", "--api", "127.0.0.1:5759-N", 7, 0, "[HOST:]PORT", \
  "control API, metrics and events over HTTP (docs/api.md); port 0: any free one") \
X(RUN, TEXT, api_token, "api_token", "MAYFLY_API_TOKEN", "--api-token", "none", 0, 0, "TOKEN|FILE", \
  "bearer token of the API, not needed on loopback; a value with '/' is the path of a file that contains it") \
X(RUN, TEXT, map, "map", "MAYFLY_MAP", "--map", "none", 0, 0, "URL", \
  "map behind the live picture: tiles with {z}, {x} and {y}, which the browser fetches; maptiles.py serves a file") \
X(RUN, TEXT, map_credit, "map_credit", "MAYFLY_MAP_CREDIT", "--map-credit", "none", 0, 0, "TEXT", \
  "owner of the map, shown on it") \
X(RUN, REAL, speed_factor, "speed_factor", "PX4_SIM_SPEED_FACTOR", NULL, "1", 0.001, 10000, "", \
  "as --clock xN; --clock wins") \
X(RUN, REAL, event_gap_ms, "event_gap", "MAYFLY_EVENT_GAP", "--event-gap", "20", 0, 10000, "ms", \
  "clock event: wall time left to clients after each event") \
X(RUN, WORD, event_streams, "event_streams", "MAYFLY_EVENT_STREAMS", "--event-streams", "events", 0, 0, "events|all", \
  "clock event: a set of samples at each event, or every sample") \
X(RUN, WORD, start,  "start",   "MAYFLY_START",   "--start",  "boot", 0, 0, "boot|connect", \
  "start of vehicle time: at the boot, or when the first client is heard") \
X(RUN, REAL, start_grid_s, "start_grid", "MAYFLY_START_GRID", "--start-grid", "0.1", 0, 10, "s", \
  "commands set the vehicle in motion at multiples of this, so that runs are equal; 0: at once") \
X(RUN, TEXT, state, "state",                                                                   \
      "MAYFLY_STATE", "--state", "none", 0, 0, "DIR",                                              \
      "keep parameters, missions and flight logs here; without it nothing is written to disk")                  \
    X(RUN, TEXT, record, "record",                                                                 \
      "MAYFLY_RECORD", "--record", "none", 0, 0, "FILE",                                           \
      "record all input and output, for replay (docs/recording.md)")                     \
    X(RUN, INT, record_max, "record_max",                                                          \
      "MAYFLY_RECORD_MAX", "--record-max", "0", 0, 2147483647, "bytes",                            \
      "largest size of the recording in bytes; the flight goes on without it; 0: no limit")    \
    X(RUN, REAL, lifetime_s, "lifetime",                                                           \
      "MAYFLY_LIFETIME", "--lifetime", "0", 0, 31536000, "s",                                      \
      "end after this much wall time; 0: never")                                                   \
    X(RUN, TEXT, lifetime_file, "lifetime_file",                                                   \
      "MAYFLY_LIFETIME_FILE", "--lifetime-file", "none", 0, 0, "FILE",                             \
      "also end at the time in this file: seconds since 1970 (UTC), which may change")             \
    X(RUN, WORD, log, "log",                                                                       \
      "MAYFLY_LOG", "--log", "text", 0, 0, "text|json",                                            \
      "format of the lines on stderr")                                                               \
    X(RUN, WORD, log_level, "log_level",                                                           \
      "MAYFLY_LOG_LEVEL", "--log-level", "info", 0, 0, "error|warning|notice|info|debug",          \
      "least severity of a line; debug: in JSON also each command that was accepted") \
    X(RUN, DO, print_config, NULL,                                                                 \
      NULL, "--print-config", "", 1, 0, "",                                                        \
      "print the resulting configuration as a file and end")                                       \
    X(RUN, DO, version, NULL,                                                                      \
      NULL, "--version", "", 2, 0, "",                                                             \
      "print the version and end")                                                                 \
    X(RUN, DO, help, NULL,                                                                         \
      NULL, "--help", "", 3, 0, "",                                                                \
      "print the most used settings and end")                                                      \
    X(RUN, DO, help_all, NULL,                                                                     \
      NULL, "--help-all", "", 4, 0, "",                                                            \
      "print all settings and end")

/* Settings of --help: those with which most users begin. */
#define MF_CONFIG_COMMON_LIST(X)                                                                   \
    X(home) X(instance) X(params) X(motion) X(clock) X(tcp) X(udp_out) X(free_ports) X(api)        \
    X(geoid) X(faults) X(misbehave) X(link_quality) X(record) X(state) X(config)

/* Environment variables that 'mayfly exec' sets for its command, and that are not settings: a drone
 * that the command starts finds these, too. */
#define MF_CONFIG_TOLD_LIST(X)                                                                     \
    X(MAVSDK_URL) X(PYMAVLINK_URL) X(API_URL) X(TCP_PORT) X(UDP_PORT) X(API_PORT) X(TIME_PORT)     \
    X(SYSTEM_ID) X(TIME_WORLD)
/* clang-format on */

#endif
