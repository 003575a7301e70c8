/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stand-ins for what flies with a drone in an instance, and for the service that it reports to.
 * They are for tests of the Simulation Controller, and an example of what takes their places.
 *
 * Each role is a program of its own, named by the first argument.
 */
#ifndef MF_STANDIN_STANDIN_H
#define MF_STANDIN_STANDIN_H

/* Exit codes. */
#define STANDIN_DONE   0
#define STANDIN_FAILED 1
#define STANDIN_USAGE  2

/** @brief Onboard software: asks for the weather, flies a mission, reports to the cloud service.
 *  @param argv  of the role: argv[0] is its name  @return exit code */
int standin_onboard(int argc, char **argv);

/** @brief Run an auxiliary simulator: serves the weather until SIGTERM. */
int standin_weather(int argc, char **argv);

/** @brief A cloud service: takes reports of those who show a certificate, and judges whether they
 *  stay within volumes. */
int standin_cloud(int argc, char **argv);

/** @brief Say what is wrong on standard error. @return STANDIN_USAGE */
__attribute__((format(printf, 1, 2))) int standin_refuse(const char *format, ...);

/** @brief A file as text. @return from malloc(); NULL: it cannot be read, and errno says why */
char *standin_read(const char *path);

/** @brief Wait for SIGTERM or SIGINT. standin_block() must have been called before threads began.
 */
void standin_wait(void);
void standin_block(void);

#endif
