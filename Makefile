# SPDX-License-Identifier: Apache-2.0
# Mayfly: everything that is built, run and checked; `make help` lists it. No recursive make: each kind of object (plain,
# sanitized, fuzzed, analysed, Cortex-M4) has a folder of its own in build/ and the same rules, from one macro.

BUILD         ?= build
FUZZ_SECONDS  ?= 60
HOURS         ?= 24
WALL          ?= 86400
SEED          ?= $(shell date +%s)
SUITE_RUNS    ?= 100
MUTANTS       ?= 300
MUTANT_SECONDS ?= 3600
PROVE         ?= ci
MESSAGES_JSON ?= ../shared/design/messages.json
CLANG         ?= clang
ARM           ?= arm-none-eabi-
PYTHON        ?= python3
CC   := $(if $(filter default,$(origin CC)),gcc,$(CC))
HOSTCC ?= $(CC)
JOBS := $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS := $(MAKEFLAGS) -r $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) # no rule that comes with make is tried for each header
Q := $(if $(filter 1,$(V)),,@)
COMMA := ,
define NL


endef

# ---------------------------------------------------------------- packages of Debian 12: the only list of them
DEPS_RUN  := gcc libc6-dev libyaml-dev libhttp-parser-dev # compiler (with ld, ar, nm, strip), static C library; YAML; HTTP
DEPS_RUN  += proj-data # the grid of EGM96, which the build packs into the binary; no library comes with it
DEPS_TEST := libcmocka-dev python3 libjansson-dev # unit tests; process tests and checks of ci/; build/fly reads plan files
DEPS_TEST += openssl # the test of certificates makes a CA
DEPS_TEST += pkgconf # the test of make lib asks it, as its users do
DEPS_TEST += libproj-dev libtiff-dev libcurl4-openssl-dev libssl-dev libmicrohttpd-dev libgnutls28-dev # build/geoid; build/elevation; build/simctl, build/standin
HEADERS_GEO := $(addprefix /usr/include/,proj.h microhttpd.h openssl/x509v3.h */tiffio.h */curl/curl.h)
DEPS_DEV  := clang libclang-rt-dev llvm # second compiler; libFuzzer; llvm-symbolizer for names in reports
DEPS_DEV  += clang-format clang-tidy cppcheck valgrind libc6-dbg # make lint; make valgrind needs the C library's symbols
DEPS_DEV  += gcc-arm-none-eabi libnewlib-arm-none-eabi # make cm4, stm32
DEPS_DEV  += libgeos-dev # a process test unites what cameras saw, exactly
DEPS_DEV  += qemu-system-arm # make stm32: the board flies in it (machine netduinoplus2)
DEPS_DEV  += python3-venv musl-tools # make interop; determinism
DEPS_DEV  += zsh # the test of its completion, which is left out without it
DEPS_IMAGE := buildah podman runc python3 ca-certificates # images; certificates go into the tools' image
DEPS_IMAGE += podman-compose netavark aardvark-dns iproute2 iptables # what docs/containers.md does with them
DEPS_DEV  += $(DEPS_IMAGE)
DEPS_CROSS := qemu-user-static $(patsubst %,gcc-%-linux-gnu,i686 aarch64 riscv64 s390x) $(patsubst %,libc6-dev-%-cross,i386 arm64 riscv64 s390x)
DEPS_DIST  := libjansson-dev buildah python3 # make dist, images; of each processor:
DEPS_arm64 := $(filter gcc-aarch64-% %-arm64-cross,$(DEPS_CROSS))
DEPS_riscv64 := $(filter gcc-riscv64-% %-riscv64-cross,$(DEPS_CROSS)) dpkg-dev # unpacks sources of Debian: it has no libraries for it
DEPS_PROVE := frama-c-base # make prove: Eva, and the contracts of the C library; nothing of it is linked
DEPS_PAGE  := chromium # make page; its tests need npm, too, and are left out without it
DEPS_CLUSTER := containerd runc containernetworking-plugins iptables iproute2 conntrack openssl curl musl-tools buildah # make cluster-test; kubectl 1.30 is not Debian's
DEPS_DOORS := debootstrap slirp4netns # make doors: the clean Debian, and its network; with those of make image, page
DEPS_NS3   = g++ libns3-dev
DEPS_NODE  = $(if $(shell command -v npm),,nodejs npm) # make nightly: node-mavlink, page; npm brings some 400 packages

# What a goal installs before anything is compiled, if it is missing; `make all` installs nothing.
GATE := $(if $(filter run lib $(BUILD)/mayfly $(BUILD)/minimal,$(MAKECMDGOALS)),deps)
GATE := $(if $(filter image tools-image,$(MAKECMDGOALS)),deps-image,$(GATE))
GATE := $(if $(filter ns3 demo controller swarm long $(BUILD)/mayfly-swarm page test unit coverage process checks docs bench size memory soak tools-image,$(MAKECMDGOALS)),$(filter deps-image,$(GATE)) deps-test,$(GATE))
GATE := $(if $(filter dist images,$(MAKECMDGOALS)),deps-dist,$(GATE))
GATE := $(if $(filter sanitize valgrind fuzz lint cm4 stm32 stm32-flight determinism interop mixed audit suite clients-under-fire doors cluster-test cluster-scale,$(MAKECMDGOALS)),deps-dev,$(GATE))

# ---------------------------------------------------------------- rooms and flags
PURE  := mavlink math hal firmware world drone
# drivers of microcontrollers: their tests run them on the host, against a model of the chip
CHIPS := hal-stm32
# many drones in one process; threads, but nothing of a host
SIM   := hal-sim
# assembly and symbols of a linker script: nothing for a compiler of the host
CHIP_ONLY := $(addprefix boards/stm32f405/,startup.c conform.c)
ROOMS := $(PURE) host hal-posix $(SIM) fleet boards/posix
GEO   := $(if $(filter deps-test deps-dev,$(GATE))$(word 5,$(wildcard $(HEADERS_GEO))),tools/geoid tools/web tools/elevation tools/simctl tools/standin)
TOOLS := tools/fly tools/replay tools/body tools/generate boards/conform boards/minimal boards/swarm boards/view $(wildcard $(GEO))
LDLIBS := -Wl,--as-needed -lyaml -lhttp_parser -ljansson $(if $(GEO),-lproj -ltiff -lcurl -lmicrohttpd -lgnutls -lcrypto) -lm
IMAGE_TOOLS := geoid elevation fly simctl standin mayfly-swarm
DIST_ARCHS    ?= amd64 arm64 riscv64
DIST_PROGRAMS := mayfly mayfly-swarm replay conform fly # what is shipped, static; the other tools stand on shared libraries: they are in the tools' image
DIST_FILES = $(patsubst %,$(BUILD)/$(1)/%,$(DIST_PROGRAMS) libmayflytime.so)
LIBRARY_SOURCES := libyaml http-parser jansson # what these link beside the C library, as source packages
MAIN  := boards/posix/main
HEAP  := $(if $(wildcard host/base/heap.c),$(foreach f,malloc calloc realloc,-Wl$(COMMA)--wrap=$(f)$(COMMA)-u$(COMMA)__wrap_$(f)))
STD   := -std=c11 -ffp-contract=off -fno-pie -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -g1 -I.
WARN  := -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wswitch-enum -Wvla \
         -Wstrict-prototypes -Wmissing-prototypes
SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
CM4   := -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Os -ffreestanding \
         -fconserve-stack -fno-inline-functions-called-once -fno-move-loop-invariants \
         -include hal/assert_short.h # less flash for each of hundreds of assertions
# flags of a file's room: those without an operating system beneath them see none; its tests see POSIX, as GNU's <math.h> is 3000 lines
# and each main() of theirs has a name of its own, so that those of a room can be one program (ci/objects.mk)
place = $(patsubst $(BUILD)/batch/%,%,$(1))
room_flags = $(if $(filter $(PURE) $(CHIPS),$(firstword $(subst /, ,$(call place,$(1))))),-Wdouble-promotion,$(if $(filter tests/unit/% tests/sim/%,$(call place,$(1))),-D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 \
    $(if $(filter $(TOGETHER),$(1)),'-Dmain(a)=$(call entry,$(1))(a); int $(call entry,$(1))(a)'),-D_GNU_SOURCE))
C_FILES := $(shell find $(ROOMS) $(CHIPS) boards tools tests ci -name '*.[ch]')
H_FILES := $(sort $(filter %.h,$(C_FILES)))
C_FILES := $(filter %.c,$(C_FILES))
sources = $(sort $(filter $(addsuffix /%,$(1)),$(C_FILES)))
objects = $(patsubst %.c,$(1)/obj/%.o,$(2))
libs    = $(foreach r,$(2),$(1)/lib/lib$(subst /,-,$(r)).a)
link    = $(if $(findstring libhost,$(1)),$(HEAP)) -Wl,--gc-sections -Wl,--start-group $(1) -Wl,--end-group
tests   = $(patsubst tests/%.c,$(1)/%,$(sort $(shell find tests/unit/$(ONLY) $(if $(ONLY),,tests/sim) \
          -name 'test_*.c' 2>/dev/null)))
# the same as fewer programs, which link in a tenth of the time; ONLY: one each, so that no other is compiled
programs = $(if $(ONLY),$(call tests,$(1)),$(foreach f,$(TOGETHER_FOLDERS),$(1)/$(f)tests) $(patsubst tests/%.c,$(1)/%,$(ALONE)))

.PHONY: help all lib deps deps-test deps-image deps-dev run demo controller swarm mixed long papers test unit prose coverage process checks sanitize valgrind valgrind-unit valgrind-flight fuzz lint tidy \
        format cppcheck analyze size memory bench cm4 stm32 stm32-flight determinism interop ns3 audit suite clients-under-fire site page doors image tools-image images cluster-test cluster-scale soak docs nightly clean prove \
        recordings mutants install uninstall dist deps-dist
.DELETE_ON_ERROR .SECONDARY:

## help         this list
help:
	@echo "Mayfly: a PX4-compatible drone in one small process. Start with 'make run'."
	@sed -n 's/^## /  make /p' $(firstword $(MAKEFILE_LIST))
	@echo "Variables: CC BUILD EXTRA_CFLAGS (=-g: variables for a debugger, too) EXTRA_LDFLAGS ARGS ONLY FUZZ_SECONDS DEPS=no (install nothing) V=1 (show commands) BATCH=1 (compile each file by itself)"

## deps         install what 'make run' needs from Debian, if it is missing (root or sudo)
deps:
	@sh ci/deps.sh $(DEPS_RUN)
## deps-test    the same for 'make test'
deps-test: | $(filter deps-image,$(GATE)) # one after the other
	@sh ci/deps.sh $(DEPS_RUN) $(DEPS_TEST)
## deps-image   the same for 'make image', with podman and podman-compose to run it
deps-image:
	@sh ci/deps.sh $(DEPS_RUN) $(DEPS_IMAGE)
## deps-dev     the same for everything else: sanitizers, fuzzing, lint, Cortex-M4, image
deps-dev:
	@sh ci/deps.sh $(DEPS_RUN) $(DEPS_TEST) $(DEPS_DEV)

deps-dist:
	@sh ci/deps.sh $(DEPS_RUN) $(DEPS_DIST)

## all          build build/mayfly (one static, stripped binary), build/mayfly-swarm, and tools: fly, replay, mayfly-body, mayfly-generate, mayfly-view, conform, geoid, elevation, simctl, standin
all: $(BUILD)/mayfly $(BUILD)/libmayflytime.so $(patsubst %/main.c,$(BUILD)/%,$(subst boards/,,$(subst boards/swarm,mayfly-swarm,$(subst tools/,,$(subst tools/body,mayfly-body,$(subst tools/generate,mayfly-generate,$(subst boards/view,mayfly-view,$(wildcard $(TOOLS:=/main.c)))))))))
	@$(if $(GEO),,echo "all: left out: build/geoid, build/elevation, build/simctl, build/standin; their libraries are not here (make deps-test)")
## run          build, then start one drone; it says how to connect (ARGS='--home 47.4,8.5,488')
run: $(BUILD)/mayfly
	@$(BUILD)/mayfly $(ARGS)
## demo         a drone of its own, on free ports, flies a square with build/fly (ARGS='--clock fast')
demo: all; @sh ci/flight.sh $(BUILD)/mayfly $(BUILD)/fly $(ARGS)
## controller   build, then run the Simulation Controller on this machine (docs/controller.md)
controller: all; @$(BUILD)/simctl serve $(ARGS)

## swarm        ten thousand drones fly a survey in one process (docs/swarm.md); one is replayed, two threads do the same; clients fly one in interop
swarm: all
	@$(TEST_ENV) $(PYTHON) tests/swarm/run.py
	@$(TEST_ENV) MF_FLIES=20 $(PYTHON) ci/test.py --process tests/process/test_flock.py

## long         unit tests with all cases of which 'make test' takes samples, and the process tests that it leaves out (tests/process/long.txt)
long: all $(call programs,$(BUILD)) $(BUILD)/options $(BUILD)/swarm_breaks
	@$(TEST_ENV) MF_LONG=yes MF_SEEDS=5 MF_LOSSY_RUNS=20 MF_STARTS=60 MF_SIMCTL_KILLS=10 MF_SIMCTL_CYCLES=100 $(PYTHON) ci/test.py --timeout 600 \
	    --unit $(call programs,$(BUILD)) --cases long --process $(PROCESS)

## mixed        three build/mayfly, one of which is killed and comes back, fly beside a hive's 45 agents and 2 vehicles at x5; MAVSDK flies one (docs/hive.md)
mixed: all $(BUILD)/venv/ok; @$(TEST_ENV) $(BUILD)/venv/bin/python -W ignore tests/swarm/mixed.py

## papers       figures that other simulators published, beside ours; fails where one must be equal and is not (docs/papers.md)
papers: all; @$(if $(wildcard $(BUILD)/venv/ok),$(BUILD)/venv/bin/python,$(PYTHON)) ci/papers.py $(BUILD) # with numpy, where 'make interop' has it

## lib          libmayfly.a (a drone without a host), headers and mayfly.pc into build/libmayfly, or DESTDIR and PREFIX=/usr/local
LIB_TO = $(if $(PREFIX),$(DESTDIR)$(PREFIX),$(BUILD)/libmayfly)
lib: $(BUILD)/lib/libmayfly.a
	@sh ci/lib.sh $< '$(LIB_TO)' '$(if $(filter -fPIC,$(EXTRA_CFLAGS)),,-no-pie)' $(PURE)

INSTALL_TO = $(DESTDIR)$(or $(PREFIX),/usr/local)
## install      programs, man page, completions, documentation into PREFIX=/usr/local; DESTDIR for packages
install: all $(BUILD)/options
	@sh ci/install.sh install $(BUILD) '$(INSTALL_TO)'
## uninstall    take them away again
uninstall:
	@sh ci/install.sh uninstall $(BUILD) '$(INSTALL_TO)'

include ci/objects.mk

# ---------------------------------------------------------------- tests
TEST_ENV := MAYFLY=$(BUILD)/mayfly FLY=$(BUILD)/fly BUILD=$(BUILD) CC='$(CC)'
PROCESS   = $(sort $(wildcard tests/process/test_*.py))
DUMP     := $(BUILD)/unit/mavlink/dump_table
DOCS     := $(BUILD)/docs $(BUILD)/options $(BUILD)/scenarios
CHECKS   := '$(PYTHON) ci/include_rules.py' '$(PYTHON) ci/style.py' 'sh ci/globals.sh $(BUILD)' '$(PYTHON) ci/calls.py $(BUILD)' '$(PYTHON) ci/public.py' \
            '$(PYTHON) ci/linkmap.py $(BUILD)/mayfly.map' 'sh ci/docs.sh $(BUILD)/docs --check' '$(PYTHON) ci/doc_links.py' '$(PYTHON) ci/dependencies.py' \
            '$(PYTHON) ci/pages.py $(BUILD) --check' '$(PYTHON) ci/recordings.py $(BUILD)' \
            '$(PYTHON) ci/differences.py' '$(PYTHON) ci/error_codes.py --check' '$(PYTHON) ci/doc_names.py' '$(PYTHON) ci/prose.py' '$(PYTHON) ci/requirements.py --check' '$(PYTHON) tests/unit/mavlink/check_messages_json.py $(DUMP) $(MESSAGES_JSON)'

## test         build and run all tests: unit, sim, process, checks; one line 'N passed, N failed' at the end
test: all $(call programs,$(BUILD)) $(DUMP) $(DOCS) $(BUILD)/swarm_breaks
	@$(TEST_ENV) $(PYTHON) ci/test.py --unit $(call programs,$(BUILD)) --check $(CHECKS) --cases brief --process $(PROCESS)

## unit         unit tests (and tests/sim) only; ONLY=math: those of one room
unit: $(call programs,$(BUILD))
	@$(PYTHON) ci/test.py --unit $^
## process      process tests only, brief and long ones: build/mayfly as its users see it
process: all $(BUILD)/options $(BUILD)/swarm_breaks
	@$(TEST_ENV) $(PYTHON) ci/test.py --process $(PROCESS)
## checks       the rules of the house only: includes, calls, style, globals, link map, requirements
checks: all $(DUMP) $(DOCS)
	@$(TEST_ENV) $(PYTHON) ci/test.py --check $(CHECKS)
## prose        words per sentence of the documents; ARGS='-v docs/time.md': its sentences, the longest first
prose:
	@$(PYTHON) ci/prose.py $(ARGS)
## sanitize     unit tests, checkpoints of swarms, and nonsense at their doors, under AddressSanitizer and UndefinedBehaviorSanitizer
sanitize: $(call programs,$(BUILD)/asan) $(addprefix $(BUILD)/asan/,mayfly-swarm mayfly-body replay conform)
	@BUILD=$(BUILD)/asan $(PYTHON) ci/test.py --timeout 300 --unit $(call programs,$(BUILD)/asan) --process $(addprefix tests/process/test_swarm_,checkpoint.py nonsense.py)
## coverage     branches of firmware/ and mavlink/ that unit tests and tests/sim take; the rest line by line
coverage: $(call programs,$(BUILD)/coverage)
	@$(PYTHON) ci/coverage.py $(BUILD)/coverage/obj $^

## mutants      MUTANTS=300 errors, one at a time, put into firmware/ and mavlink/ by SEED: which does no test notice? AT=FILE:LINE: those
mutants: $(call tests,$(BUILD)/mutants)
	@$(PYTHON) ci/mutants.py $(BUILD)/mutants --count $(MUTANTS) --seed $(SEED) --seconds $(MUTANT_SECONDS) $(if $(AT),--at $(AT)) $^

## prove        undefined behaviour of what reads foreign bytes is ruled out by Frama-C's Eva; where inputs changed (PROVE=nightly: more)
prove:
	@sh ci/deps.sh $(DEPS_RUN) python3 $(DEPS_PROVE) && $(PYTHON) ci/prove.py --build $(BUILD) --when $(PROVE)

VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full
## valgrind     unit tests and a short flight under valgrind
# (its arithmetic knows no long double, and descriptors are fewer: what it finds itself counts, `make test` the rest)
valgrind: valgrind-unit valgrind-flight # side by side: a flight waits most of its time
valgrind-unit: $(call programs,$(BUILD))
	@MF_CASES=200 MF_PHYSICS_PLANS=30 MF_STATE_STEPS=500 $(PYTHON) ci/test.py --timeout 900 --wrap '$(VALGRIND)' --judge 99 --unit $(call programs,$(BUILD))
valgrind-flight: $(BUILD)/valgrind/mayfly $(BUILD)/fly
	@WRAP='$(VALGRIND)' sh ci/flight.sh $(BUILD)/valgrind/mayfly $(BUILD)/fly
## fuzz         every tests/fuzz/fuzz_*.c for FUZZ_SECONDS; a crash prints the line that reproduces it
fuzz: $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
	@sh ci/fuzz.sh $(FUZZ_SECONDS) $^

# ---------------------------------------------------------------- lint
SOURCES := $(filter-out tests/prove/% $(CHIP_ONLY),$(call sources,$(ROOMS) $(CHIPS) boards tools tests ci)) # proofs are Frama-C's
SHIPPED := $(filter-out tests/% ci/%,$(SOURCES))

## lint         clang-format, clang-tidy, cppcheck, gcc -fanalyzer and the checks of ci/
lint: tidy cppcheck analyze
	@clang-format --dry-run -Werror $(SOURCES) $(CHIP_ONLY) $(H_FILES)
	@$(PYTHON) ci/include_rules.py && $(PYTHON) ci/style.py && echo "lint: clean"
tidy: $(SOURCES:%.c=$(BUILD)/tidy/%.ok)
# each file by itself, as no batch compiles it (ci/objects.mk): does it include what it needs?
$(BUILD)/tidy/%.ok: %.c .clang-tidy | $(GATE)
	@mkdir -p $(@D)
	@echo "  TIDY $<"
	$(Q)$(CC) $(STD) $(WARN) $(call room_flags,$<) -fsyntax-only -MMD -MP -MF $(@:.ok=.d) -MT $@ $<
	$(Q)clang-tidy --quiet $< -- $(STD) $(call room_flags,$<) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@
cppcheck: | $(GATE)
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem -I. -j $(JOBS) $(SHIPPED)
analyze: $(call objects,$(BUILD)/analyze,$(SHIPPED))
## format       bring all C files into the form that lint wants
format:
	@clang-format -i $(SOURCES) $(CHIP_ONLY) $(H_FILES)

# ---------------------------------------------------------------- figures, each against its limit in ci/budgets
## size         bytes of binary, image and instance
size: $(BUILD)/mayfly
	@CC='$(CC)' $(PYTHON) ci/size.py $(BUILD)
## memory       static RAM map, largest stack frames, every limit
memory: $(BUILD)/mayfly
	@$(PYTHON) ci/memory.py $(BUILD)
## bench        start-up, processor time, memory, latency, clocks, cost of a scheduler pass, physics against recorded flights
bench: all $(addprefix $(BUILD)/,pass crowd rays physics_vs_sih)
	@rm -rf $(BUILD)/sih && mkdir $(BUILD)/sih && $(PYTHON) tests/perf/sih_flights.py $(BUILD)/mayfly $(BUILD)/sih
	@$(BUILD)/physics_vs_sih $(BUILD)/sih || [ $$? = 2 ] # 2: there are no recordings, and it has said so
	@for p in pass crowd rays; do $(BUILD)/$$p || exit 1; done >$(BUILD)/figures && \
	    for p in walk search radio bees processes hosts; do $(PYTHON) tests/perf/$$p.py $(BUILD)/mayfly-swarm || exit 1; done >>$(BUILD)/figures
	@$(PYTHON) ci/figures.py <$(BUILD)/figures && $(PYTHON) tests/perf/bench.py $(BUILD)/mayfly
## cm4          compile what has no operating system for a Cortex-M4: sizes per room and sub-room, worst-case stack
cm4: $(call objects,$(BUILD)/cm4,$(call sources,$(PURE)))
	@$(PYTHON) ci/cm4.py $(BUILD)/cm4/obj $(ARM)
	@$(PYTHON) ci/stack.py $(BUILD)/cm4/obj $(ARM) cm4.stack airframe_physics misbehave quality recorder wiring
	@$(PYTHON) ci/stack.py $(BUILD)/cm4/obj $(ARM) cm4.stack.physics
## recordings   sessions and recorded flights send the same bytes as before; UPDATE=yes: what they send now is what is wanted
recordings: $(BUILD)/conform $(BUILD)/replay $(DUMP)
	@$(PYTHON) ci/recordings.py $(BUILD) $(if $(filter yes,$(UPDATE)),--update)
## stm32        the images of boards/stm32f405 and their sizes; the same bytes as boards/conform, posix and a swarm, in QEMU
stm32: $(foreach i,simulated absent conform,$(BUILD)/stm32/$(i).elf) $(BUILD)/conform $(BUILD)/mayfly $(BUILD)/fly $(BUILD)/replay $(BUILD)/sim/test_conformance
	@$(PYTHON) ci/stm32.py $(BUILD)/stm32 $(ARM) && $(PYTHON) ci/stm32_same.py $(BUILD)
## stm32-flight MAVSDK and pymavlink fly it in QEMU; its stack, and what a pass costs
stm32-flight: stm32 $(BUILD)/venv/ok
	@$(TEST_ENV) STM32=1 $(BUILD)/venv/bin/python tests/interop/run.py tests/interop/test_stm32.py
## determinism  one hash from gcc and clang at -O0, -O2, -O3, glibc and musl, whatever processors are there, and live clients
determinism: $(BUILD)/replay $(BUILD)/mayfly $(DUMP)
	@CC='$(CC)' CLANG='$(CLANG)' sh ci/determinism.sh $(BUILD)

# ---------------------------------------------------------------- clients, image, documents
## interop      MAVSDK 3 and 4, pymavlink, MAVProxy, DroneKit and, where npm is, node-mavlink fly it (installed into build/)
interop: all $(BUILD)/venv/ok $(BUILD)/venv4/ok
	@$(TEST_ENV) PATH="$(abspath $(BUILD))/venv/bin:$$PATH" $(BUILD)/venv/bin/python tests/interop/run.py
	@$(TEST_ENV) $(BUILD)/venv4/bin/python tests/interop/run.py
$(BUILD)/venv/ok: tests/interop/requirements.txt
$(BUILD)/venv4/ok: tests/interop/requirements4.txt # the same name, another package
$(BUILD)/venv-audit/ok: tools/mayfly-audit/requirements.txt
$(BUILD)/venv-site/ok: ci/site/requirements.txt
$(BUILD)/venv-manifests/ok: tests/doors/requirements.txt
$(BUILD)/venv/ok $(BUILD)/venv4/ok $(BUILD)/venv-site/ok $(BUILD)/venv-audit/ok $(BUILD)/venv-manifests/ok: | $(GATE)
	@echo "installing what $< names into $(@D)" && sh ci/deps.sh python3-venv
	@$(PYTHON) -m venv $(@D) && $(@D)/bin/pip install -q -r $< && touch $@
## ns3          the bridge to ns-3 (C++, GPL-2.0, from libns3-dev) and its tests; without it they are skipped (HOOK=mine.cc: a set-up too)
ns3: all | $(GATE)
	@sh ci/deps.sh $(DEPS_NS3) && $(MAKE) --no-print-directory $(BUILD)/ns3-bridge $(NS3_HOOKS)
	@$(TEST_ENV) $(PYTHON) ci/test.py --process tests/process/test_ns3_bridge.py tests/process/test_swarm_sockets.py tests/process/test_swarm_streams.py
## audit        tools/mayfly-audit: rules, ledger, reports, the worked example (AUDIT=nightly: the whole corpus, figures)
audit: all $(BUILD)/venv-audit/ok
	@$(TEST_ENV) $(BUILD)/venv-audit/bin/python -m pytest -q -p no:cacheprovider -rs tools/mayfly-audit/tests $(ARGS)
	@[ '$(AUDIT)' != nightly ] || $(TEST_ENV) $(BUILD)/venv-audit/bin/python tools/mayfly-audit/tests/measure.py
## suite        SUITE_RUNS=100 times each case of what PX4's own tests expect, at x5 and x10 beside two busy processes
suite: all $(BUILD)/venv/ok
	@$(TEST_ENV) PATH="$(abspath $(BUILD))/venv/bin:$$PATH" MF_SUITE_RUNS=$(SUITE_RUNS) $(BUILD)/venv/bin/python tests/interop/run.py tests/interop/test_px4_suite.py
## site         the documentation as HTML with a search, build/site/index.html, for a web server or a double click
site: $(BUILD)/venv-site/ok
	@$(BUILD)/venv-site/bin/python ci/site/site.py $(BUILD)/site && $(PYTHON) ci/site/check.py $(BUILD)/site
## page         the live picture and the documentation in Chromium, by Playwright (npm, into build/)
page: all site
	@SITE=$(BUILD)/site MAYFLY=$(BUILD)/mayfly SWARM=$(BUILD)/mayfly-swarm SIMCTL=$(BUILD)/simctl REPLAY=$(BUILD)/replay sh ci/page.sh $(BUILD) $(DEPS_PAGE)
## clients-under-fire  which of these clients survive which misbehaviour of protocol and links (ARGS=--short; --page: docs/)
clients-under-fire: all $(BUILD)/venv/ok
	@$(TEST_ENV) $(BUILD)/venv/bin/python tests/fire/run.py $(ARGS)
## doors        README's doors on a clean Debian 12 with a clock beside each (root, network); DOOR='tester embedded': those
doors: all $(BUILD)/venv/ok $(BUILD)/venv-manifests/ok
	@sh ci/deps.sh $(DEPS_DOORS) && PAGE=install sh ci/page.sh $(BUILD) $(DEPS_PAGE) && BUILD=$(BUILD) $(PYTHON) tests/doors/run.py $(DOOR)
## image        the drone's container image for this machine, build/mayfly-image.tar (buildah or podman)
image: $(BUILD)/mayfly
	@sh ci/image.sh $(BUILD) $<
## tools-image  geoid, elevation, fly, simctl, standin and mayfly-swarm with their libraries and certificates, build/mayfly-tools-image.tar
tools-image: $(BUILD)/mayfly $(BUILD)/libmayflytime.so $(IMAGE_TOOLS:%=$(BUILD)/%)
	@sh ci/image.sh $(BUILD) --tools $(IMAGE_TOOLS:%=$(BUILD)/%)
## images       build/mayfly-images.tar: the drone's for DIST_ARCHS='amd64 arm64 riscv64' in one index
images: $(BUILD)/mayfly $(DIST_ARCHS:%=$(BUILD)/%/mayfly)
	@sh ci/image.sh $(BUILD) --index $(filter-out $<,$^)
## dist         build/dist: programs, .deb, wheel of the pytest plugin for DIST_ARCHS, images in one index, checksums; reproducible
dist: images $(BUILD)/options $(foreach a,$(DIST_ARCHS),$(call DIST_FILES,$(a)))
	@sh ci/dist.sh $(BUILD) '$(DIST_PROGRAMS)' $(DIST_ARCHS)
## cluster-test the controller as a pod of a real Kubernetes, which CLUSTER=../shared/cluster/cluster starts on this machine (root); left out where none is built, but for DEMAND=yes
cluster-test: image tools-image $(BUILD)/fly $(BUILD)/simctl
	@$(TEST_ENV) $(PYTHON) tests/cluster/run.py $(ARGS)
## cluster-scale  5,000 instances (ARGS='--count 500') on a real control plane whose nodes are pretended: rates, memory, what becomes the limit
cluster-scale: $(BUILD)/simctl
	@$(TEST_ENV) $(PYTHON) tests/cluster/scale.py $(ARGS)
## docs         write the generated pages of docs/ anew
docs: $(DOCS) $(BUILD)/minimal all
	@sh ci/docs.sh $< && $(PYTHON) ci/pages.py $(BUILD) && $(PYTHON) ci/error_codes.py && $(PYTHON) ci/requirements.py
## nightly      what .ci/run does, with an hour of fuzzing, 24 h of soak in each motion, 100 runs of 'make suite', 300 mutants, 100,000 random plans, a million random inputs, every proof, all processors and a Kubernetes that it builds
nightly:
	@sh ci/deps.sh $(DEPS_CROSS) dpkg-dev $(DEPS_NODE) $(DEPS_CLUSTER) && DEMAND=yes CLUSTER_KILLS=50 FUZZ_SECONDS=3600 PHYSICS_PLANS=100000 STATE_STEPS=1000000 KILLS=1000 SUITE_RUNS=100 VIRTUAL_RUNS=100 MUTANTS=$(MUTANTS) PROVE=nightly AUDIT=nightly HOURS=24 WALL=14400 SEED=$(SEED) DIST_ARCHS='$(DIST_ARCHS)' .ci/run
## soak         HOURS=24 of vehicle time in each motion (at most WALL seconds) of random flights, faults, links and clients; SEED repeats them
soak: all; @$(PYTHON) tests/soak/run.py $(BUILD)/mayfly --hours $(HOURS) --wall $(WALL) --seed $(SEED)
## clean        remove build/
clean:; @rm -rf $(BUILD)
