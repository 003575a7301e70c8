# SPDX-License-Identifier: Apache-2.0
# Mayfly. `make help` lists the targets. One invocation builds one kind of objects; each kind has a folder of its own:
#   make                                            all programs, in build/
#   make BUILD=build/asan SAN=1 unit                unit tests with AddressSanitizer and UndefinedBehaviorSanitizer

BUILD  ?= build
ARCH   ?= native
PYTHON ?= /usr/bin/python3
PYTEST := $(PYTHON) -m pytest
Q      := $(if $(V),,@)
MAKEFLAGS += -r --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))

# ---------------------------------------------------------------- compilers
CROSS  := $(filter %-,$(ARCH:arm64=aarch64-linux-gnu-) $(ARCH:riscv64=riscv64-linux-gnu-) $(ARCH:cm4=arm-none-eabi-))
CC     := $(CROSS)$(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g1 -fno-asynchronous-unwind-tables
STD    := -std=c11 -I. -ffp-contract=off -ffunction-sections -fdata-sections
WARN   := -Wall -Wextra -Wpedantic -Werror -Wconversion -Wsign-conversion -Wshadow -Wswitch-enum -Wvla \
          -Wstrict-prototypes -Wmissing-prototypes
PIE    := $(if $(filter -fPIC,$(CFLAGS)),,-fno-pie)
LINK   := -no-pie -Wl,--gc-sections -Wl,--build-id=none $(LDFLAGS)
STATIC := -static
KIND   := -fstack-usage
SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
ifdef SAN
KIND   := -O1 $(SANITIZE)
export ASAN_OPTIONS := allocator_may_return_null=1 # tests ask for more memory than there is
LINK   += -fsanitize=address,undefined
STATIC :=
else ifdef COV
COUNT  := -O0 --coverage
KIND   := $(COUNT) -include ci/coverage.h
LINK   += --coverage
else ifdef FUZZ
CC     := clang
KIND   := -O1 -fsanitize=fuzzer-no-link $(SANITIZE)
LINK   += -fsanitize=address,undefined
NEEDS  := deps-dev
else ifdef ANALYZE
# The analyzer takes other paths where its memory has other addresses.
CC     := $(shell setarch -R true 2>/dev/null && echo setarch -R) $(CC)
KIND   := -O1 -fanalyzer
else ifeq ($(ARCH),cm4)
KIND   := -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Os -fconserve-stack -fcallgraph-info=su \
          -fno-inline-functions-called-once -fno-move-loop-invariants -include hal/assert_short.h
FREE   := -ffreestanding
NEEDS  := deps-dev
else ifneq ($(ARCH),native)
# ci/sysroot.sh unpacks Debian's libraries for the processor there, or compiles them from Debian's sources.
SYSROOT := $(BUILD)/sysroot
CC     += $(if $(filter arm64,$(ARCH)),--sysroot=$(SYSROOT) $(addsuffix $(SYSROOT)/usr/lib/aarch64-linux-gnu,-B -L), \
          $(foreach s,libyaml http-parser jansson,-isystem $(SYSROOT)/$(s) -L$(SYSROOT)/$(s)))
NEEDS  := $(SYSROOT).debs/ok
endif

# ---------------------------------------------------------------- sources
# ARCHITECTURE.md says what each room is, and which may include which. Code without an operating system sees none.
PURE   := mavlink math hal firmware world drone
HOST   := host hal-posix boards/posix
OTHER  := hal-sim hal-stm32 fleet $(addprefix boards/,conform minimal swarm view) \
          $(addprefix tools/,body elevation fly generate geoid replay simctl standin web)
CHIP   := boards/stm32f405
sees    = $(if $(filter $(addsuffix /%,$(PURE) hal-stm32 $(CHIP)),$(1)),-Wdouble-promotion $(FREE),-D_GNU_SOURCE)
find_c  = $(sort $(shell find $(1) -name '*.c'))
object  = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
# In no archive: the main() of each program, and the loader of plug-ins, which static programs do not have.
MAINS  := $(wildcard boards/*/main.c tools/*/main.c) boards/swarm/core/loader.c
PURE_O := $(call object,$(call find_c,$(PURE))) $(BUILD)/made/egm96.o
HOST_O := $(call object,$(filter-out $(MAINS),$(call find_c,$(HOST)))) $(patsubst %,$(BUILD)/made/%_page.o,live docs)
OTHER_O := $(call object,$(filter-out $(MAINS) tools/geoid/embed/%,$(call find_c,$(OTHER)))) \
           $(patsubst %,$(BUILD)/made/%_page.o,simctl swarm replay)
TEST_C := $(call find_c,tests/unit tests/sim tests/fuzz tests/perf tests/process/swarm_breaks.c ci)
HELP_O := $(call object,$(shell find tests/unit tests/sim -name '*.c' ! -name 'test_*' ! -name dump_table.c))
TESTS  := $(sort $(shell find tests/unit/$(ONLY) $(if $(ONLY),,tests/sim) -name 'test_*.c' 2>/dev/null))
TESTS  := $(TESTS:%.c=$(BUILD)/%)
TIME_O := $(call object,$(call find_c,tools/virtual-time) host/time/virtual_program.c)
OBJECTS := $(PURE_O) $(HOST_O) $(OTHER_O) $(call object,$(MAINS))
TOOLS    := replay fly geoid elevation simctl standin
PROGRAMS := $(addprefix $(BUILD)/,$(addprefix mayfly-,swarm view body generate) conform $(TOOLS))
SHIPPED  := $(addprefix $(BUILD)/ship/,mayfly mayfly-swarm replay conform fly)
TABLES   := $(addprefix $(BUILD)/,ci/docs ci/options ci/scenarios tests/unit/mavlink/dump_table)
FUZZERS  := $(patsubst %.c,$(BUILD)/%,$(filter tests/fuzz/fuzz_%,$(TEST_C)))
PERF     := $(addprefix $(BUILD)/tests/perf/,pass crowd rays readers physics_vs_sih)
BREAKS   := $(BUILD)/tests/process/swarm_breaks
.PHONY: $(shell sed -n 's/^\([a-z][a-z0-9 -]*\):.*/\1/p' Makefile ci/nightly.mk)
.DELETE_ON_ERROR:

## start
all: $(BUILD)/mayfly $(BUILD)/minimal $(PROGRAMS) $(BUILD)/libmayflytime.so  ## all programs, in build/
run: $(BUILD)/mayfly  ## start one drone; it prints how to connect (ARGS='--home 47.4,8.5,488')
	@$(BUILD)/mayfly $(ARGS)
demo: all  ## a drone on free ports flies a square (ARGS='--clock fast')
	@sh ci/flight.sh $(BUILD)/mayfly $(BUILD)/fly $(ARGS)
ns3: $(addprefix $(BUILD)/,mayfly-swarm ns3-bridge hooks/chain.so) $(HOOK:%.cc=$(BUILD)/hooks/%.so)  # the bridge to ns-3
controller: all  # serve the Simulation Controller on this machine
	@$(BUILD)/simctl serve $(ARGS)
## test
test: all $(TESTS) $(TABLES) $(BREAKS) $(wildcard $(BUILD)/ns3-bridge)  ## all tests and checks
	@$(MAKE) checks
	BUILD=$(BUILD) CC='$(CC)' $(PYTEST) --junitxml=$(BUILD)/test.xml tests/unit tests/sim tests/process $(ARGS)
unit: $(TESTS)  ## unit tests (ONLY=firmware/flight: those of a folder)
	BUILD=$(BUILD) $(PYTEST) --junitxml=$(BUILD)/unit.xml tests/unit/$(ONLY) $(if $(ONLY),,tests/sim) $(ARGS)
process: all $(TABLES) $(BREAKS) $(wildcard $(BUILD)/ns3-bridge)  ## process tests: whole programs (ONLY=test_api.py)
	BUILD=$(BUILD) CC='$(CC)' $(PYTEST) --junitxml=$(BUILD)/process.xml tests/process/$(ONLY) $(ARGS)
long:  ## all tests with all cases; 'make test' takes samples of them
	@MF_LONG=1 $(MAKE) test
sanitize:  ## unit tests, checkpoints and hostile input with AddressSanitizer and UndefinedBehaviorSanitizer
	@MF_LONG=1 $(MAKE) BUILD=$(BUILD)/asan SAN=1 unit
	@MF_LONG=1 $(MAKE) BUILD=$(BUILD)/asan SAN=1 process ARGS='-k "checkpoint or nonsense"'
coverage:  ## lines and branches that unit, simulation and process tests take together, by room
	@$(PYTHON) ci/coverage.py $(BUILD)/cov $(MAKE)
fuzz:  ## run each fuzz target for FUZZ_SECONDS=60
	@$(MAKE) BUILD=$(BUILD)/fuzz FUZZ=1 $(FUZZERS:$(BUILD)/%=$(BUILD)/fuzz/%)
	@sh ci/fuzz.sh $(or $(FUZZ_SECONDS),60) $(FUZZERS:$(BUILD)/%=$(BUILD)/fuzz/%)
VALGRIND := valgrind -q --error-exitcode=99 --leak-check=full
valgrind: $(TESTS) $(BUILD)/mayfly-dynamic $(BUILD)/fly | deps-dev  # unit tests and a flight
	MF_LONG=0 BUILD=$(BUILD) WRAP='$(VALGRIND)' $(PYTEST) --timeout 900 tests/unit tests/sim
	WRAP='$(VALGRIND)' sh ci/flight.sh $(BUILD)/mayfly-dynamic $(BUILD)/fly
interop: all $(BUILD)/venv/ok $(BUILD)/venv4/ok  ## MAVSDK 3 and 4, pymavlink, MAVProxy, DroneKit, node-mavlink fly it
	BUILD=$(BUILD) PATH="$(abspath $(BUILD))/venv/bin:$$PATH" $(BUILD)/venv/bin/python tests/interop/run.py $(ARGS)
	BUILD=$(BUILD) $(BUILD)/venv4/bin/python tests/interop/run.py $(ARGS)
px4-parity: $(BUILD)/conform $(TABLES)  ## missions and commands as a real PX4 answers them (PX4_DATA=recordings)
	@$(PYTHON) tests/px4/parity.py $(BUILD) $(or $(PX4_DATA),../shared/data) $(ARGS)
audit: all $(BUILD)/venv-audit/ok  # tests of tools/mayfly-audit (AUDIT=nightly: its figures, too)
	BUILD=$(BUILD) $(BUILD)/venv-audit/bin/python -m pytest -q -p no:cacheprovider -rsfE tools/mayfly-audit/tests $(ARGS)
	[ '$(AUDIT)' != nightly ] || BUILD=$(BUILD) $(BUILD)/venv-audit/bin/python tools/mayfly-audit/tests/measure.py
page: all site  # the pages in Chromium, by Playwright
	@BUILD=$(BUILD) sh ci/page.sh
## check
checks: all $(TABLES) recordings  ## rules of the house: includes, calls, style, documents, recorded flights
	@for c in include_rules style public readers doc_links doc_names doc_values prose differences; do $(PYTHON) ci/$$c.py || exit 1; done
	@$(PYTHON) ci/calls.py $(BUILD) && sh ci/globals.sh $(BUILD)
ROOMS  := $(PURE) $(HOST) $(OTHER) $(CHIP) tools tests ci
LINTED := $(filter-out tests/prove/% $(CHIP)/core.c $(CHIP)/startup.c $(CHIP)/conform.c,$(call find_c,$(ROOMS)))
FORMATTED := $(LINTED) $(CHIP)/core.c $(CHIP)/startup.c $(CHIP)/conform.c $(shell find $(ROOMS) -name '*.h')
lint: | deps-dev  ## clang-format, clang-tidy, cppcheck, gcc -fanalyzer (MF_LONG=1: clang's analyzer too)
	@clang-format --dry-run -Werror $(FORMATTED)
	@echo $(LINTED) | CHECKS='$(if $(MF_LONG),,-clang-analyzer-*)' xargs -n 1 -P $(shell nproc) \
	    sh -c 'clang-tidy --quiet --checks="$$CHECKS" "$$0" -- $(STD) -D_GNU_SOURCE 2>/dev/null'
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem -I. -j $(shell nproc) $(filter-out tests/% ci/%,$(LINTED))
	@$(MAKE) BUILD=$(BUILD)/analyze ANALYZE=1 objects
objects: $(OBJECTS) $(TIME_O)
format:  # bring C files into the form that lint wants
	@clang-format -i $(FORMATTED)
recordings: all $(TABLES)  # recorded flights send the same bytes as before (UPDATE=yes: what they send now is right)
	@$(PYTHON) ci/recordings.py $(BUILD) $(if $(filter yes,$(UPDATE)),--update)
size: all  # bytes of program, image and instance; static RAM, largest stack frame
	@CC='$(CC)' $(PYTHON) ci/size.py $(BUILD)
bench: all $(PERF)  # start-up, processor time, latency, clocks, swarms, physics against recorded flights
	@sh tests/perf/run.sh $(BUILD)
cm4:  # the rooms without an operating system on a Cortex-M4: what they need, worst-case stack
	@$(MAKE) BUILD=$(BUILD)/cm4 ARCH=cm4 chip && $(PYTHON) ci/cm4.py $(BUILD)/cm4/obj arm-none-eabi-
	@$(PYTHON) ci/stack.py $(BUILD)/cm4/obj arm-none-eabi- cm4.stack airframe_physics misbehave quality recorder wiring
	@$(PYTHON) ci/stack.py $(BUILD)/cm4/obj arm-none-eabi- cm4.stack.physics
stm32: all $(BUILD)/tests/sim/test_conformance  # boards/stm32f405: sizes; the same bytes as on this machine, in QEMU
	@$(MAKE) BUILD=$(BUILD)/cm4 ARCH=cm4 chip
	@$(PYTHON) ci/stm32.py $(BUILD)/cm4 arm-none-eabi- && $(PYTHON) ci/stm32_same.py $(BUILD)

## ship
lib: $(BUILD)/libmayfly.a  ## a drone as a library, in build/libmayfly, or PREFIX and DESTDIR
	@sh ci/lib.sh $< '$(if $(PREFIX),$(DESTDIR)$(PREFIX),$(BUILD)/libmayfly)' '$(if $(PIE),-no-pie)' $(PURE)
install uninstall: all $(BUILD)/ci/options  ## programs, man page, completions, docs (PREFIX=/usr/local, DESTDIR)
	@sh ci/install.sh $@ $(BUILD) '$(DESTDIR)$(or $(PREFIX),/usr/local)'
ship: $(SHIPPED) $(BUILD)/ship/libmayflytime.so
DIST_ARCHS ?= amd64 arm64 riscv64
dist: images all $(BUILD)/ci/options  ## archives, .deb, wheels and images for DIST_ARCHS='amd64 arm64 riscv64'
	@sh ci/dist.sh $(BUILD) $(DIST_ARCHS)
images: ship $(BUILD)/mayfly  # an index of the drone's images for DIST_ARCHS, build/mayfly-images.tar
	@for a in $(filter-out amd64,$(DIST_ARCHS)); do $(MAKE) BUILD=$(BUILD)/$$a ARCH=$$a ship || exit 1; done
	@sh ci/image.sh $(BUILD) --index $(patsubst %,$(BUILD)/%/ship/mayfly,$(patsubst amd64,.,$(DIST_ARCHS)))
image: $(BUILD)/mayfly  ## the drone's image for this machine, build/mayfly-image.tar
	@sh ci/image.sh $(BUILD) $<
tools-image: all  # an image of geoid, elevation, fly, simctl, standin and mayfly-swarm
	@sh ci/image.sh $(BUILD) --tools $(addprefix $(BUILD)/,geoid elevation fly simctl standin mayfly-swarm)
docs: all $(TABLES)  ## write the pages of docs/ that show the code, and tests/texts.txt
	@sh ci/docs.sh $(BUILD)
manifests:  ## write the files of deploy/ that are made of others there (kubectl)
	@$(PYTHON) ci/manifests.py
site: $(BUILD)/venv-site/ok  # the documentation as HTML with a search, build/site/
	@$(BUILD)/venv-site/bin/python ci/site/site.py $(BUILD)/site && $(PYTHON) ci/site/check.py $(BUILD)/site
clean:  ## remove build/
	@rm -rf $(BUILD)
help:  ## this list
	@awk -F ':.*  ##? ' 'function also() { if (more) print "  also:" more; more = "" } \
	    { name = $$1; sub(/ .*/, "", name) } /^## / { also(); print substr($$0, 4) } \
	    /^[a-z].*:.*  ## / { printf "  make %-11s %s\n", name, $$2 } /^[a-z].*:.*  # / { more = more " " $$1 } \
	    END { also() }' Makefile ci/nightly.mk
	@echo "Variables: CC CFLAGS LDFLAGS BUILD, ARGS of the program started, ONLY=folder or file of tests, MF_LONG=1 all"
	@echo "cases, DEPS=no installs nothing, V=1 prints commands. Comments in the Makefile explain the other targets."
include ci/nightly.mk

# ---------------------------------------------------------------- packages of ci/packages, and of PyPI
deps-run deps-test deps-dev: deps-%:
	@sh ci/deps.sh $*
deps-test: | deps-run
deps-dev: | deps-test
$(PURE_O) $(HOST_O) $(TIME_O) $(call object,boards/posix/main.c $(wildcard boards/minimal/*.c)): | deps-run $(NEEDS)
$(OBJECTS) $(HELP_O) $(call object,$(TEST_C) $(call find_c,$(CHIP))): | deps-test $(NEEDS)
$(BUILD)/sysroot.debs/ok:
	@sh ci/deps.sh $(ARCH) && sh ci/sysroot.sh $(BUILD)/sysroot $(ARCH)
$(BUILD)/venv/ok: tests/interop/requirements.txt
$(BUILD)/venv4/ok: tests/interop/requirements4.txt
$(BUILD)/venv-audit/ok: tools/mayfly-audit/requirements.txt
$(BUILD)/venv-site/ok: ci/site/requirements.txt
$(BUILD)/venv-manifests/ok: tests/doors/requirements.txt
$(BUILD)/venv/ok $(BUILD)/venv4/ok $(addprefix $(BUILD)/venv-,audit/ok site/ok manifests/ok): | deps-dev
	@$(PYTHON) -m venv $(@D) && $(@D)/bin/pip install -q -r $< && touch $@

# ---------------------------------------------------------------- objects and archives
# A file is made under another name and then renamed: two makes may build in one folder at the same time.
$(BUILD)/obj/%.o: %.c $(BUILD)/FLAGS
	@mkdir -p $(@D) && echo "  CC $@"
	$(Q)$(CC) $(STD) $(WARN) $(call sees,$<) $(PIE) $(CFLAGS) $(KIND) -MMD -MP -MF $@.$$$$.made -MT $@ -c $< -o $@.$$$$ && \
	    mv $@.$$$$.made $(@:.o=.d) && mv $@.$$$$ $@
$(BUILD)/made/%.o: $(BUILD)/made/%.c $(BUILD)/FLAGS
	$(Q)$(CC) $(STD) $(PIE) $(CFLAGS) $(KIND) -c $< -o $@.$$$$ && mv $@.$$$$ $@
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
# Other flags than before make all objects anew; another list of objects makes the archives anew.
FLAGS := $(CC) $(STD) $(WARN) $(PIE) $(CFLAGS) $(KIND) $(LINK)
LISTS := $(OBJECTS) $(HELP_O)
$(shell mkdir -p $(BUILD)/made)
$(foreach l,FLAGS LISTS,$(shell echo '$($(l))' | cmp -s - $(BUILD)/$(l) || echo '$($(l))' >$(BUILD)/$(l)))
# Programs take what they need from three archives: a drone without an operating system, its board, the rest.
ARCHIVES := $(addprefix $(BUILD)/,other.a host.a libmayfly.a)
$(BUILD)/libmayfly.a: $(PURE_O)
$(BUILD)/host.a: $(HOST_O)
$(BUILD)/other.a: $(OTHER_O)
$(BUILD)/testing.a: $(HELP_O)
$(BUILD)/%.a: $(BUILD)/LISTS
	$(Q)$(CROSS)ar qcs $@.$$$$ $(filter %.o,$^) && mv $@.$$$$ $@

# ---------------------------------------------------------------- programs
# host/base/heap.c stands between a program and its allocator, since mayfly allocates nothing after init.
HEAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,-u,__wrap_malloc,-u,__wrap_calloc,-u,__wrap_realloc
LIBS := -Wl,--as-needed $(addprefix -l,yaml http_parser jansson proj tiff curl microhttpd gnutls crypto cmocka dl m)
FROM  = $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
GOLD := $(if $(shell command -v ld.gold),-fuse-ld=gold) # links 250 tests in two thirds of the time
# Each test is a program of its own, as are programs of ci/ that print tables, and figures of tests/perf/.
ALONE := $(TESTS) $(FUZZERS) $(PERF) $(BREAKS) $(TABLES)
$(ALONE): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/testing.a
$(FUZZERS): private LINK += -fsanitize=fuzzer
$(BREAKS): private LINK += -Wl,--wrap=mf_drone_step
$(BREAKS): $(call object,boards/swarm/main.c)
$(BUILD)/mayfly-swarm: $(call object,boards/swarm/core/loader.c) | $(BUILD)/mayfly-swarm-plot
$(BUILD)/mayfly-swarm-plot: tools/plot/plot.py
	@install $< $@
$(addprefix $(BUILD)/mayfly-,swarm view): $(BUILD)/mayfly-%: $(BUILD)/obj/boards/%/main.o
$(addprefix $(BUILD)/mayfly-,body generate): $(BUILD)/mayfly-%: $(BUILD)/obj/tools/%/main.o
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tools/%/main.o
$(BUILD)/ship/replay $(BUILD)/ship/fly: $(BUILD)/ship/%: $(BUILD)/obj/tools/%/main.o
$(BUILD)/conform $(BUILD)/ship/conform: $(call object,boards/conform/main.c)
$(BUILD)/ship/mayfly-swarm: $(call object,boards/swarm/main.c)
$(addprefix $(BUILD)/,mayfly mayfly-dynamic ship/mayfly): $(call object,boards/posix/main.c)
$(BUILD)/mayfly-dynamic $(PROGRAMS) $(ALONE): $(ARCHIVES)
	@mkdir -p $(@D)
	$(Q)$(CC) $(GOLD) $(LINK) $(HEAP) $(FROM) $(LIBS) -o $@.$$$$ && mv $@.$$$$ $@
$(BUILD)/minimal: $(call object,boards/minimal/main.c boards/minimal/peer.c) $(BUILD)/libmayfly.a
	$(Q)$(CC) $(LINK) $^ -lm -o $@.$$$$ && mv $@.$$$$ $@
# Static programs, stripped: symbols are in PROGRAM.debug, what the linker took in PROGRAM.map.
$(BUILD)/mayfly: $(BUILD)/host.a $(BUILD)/libmayfly.a
$(SHIPPED): $(ARCHIVES)
$(BUILD)/mayfly $(SHIPPED):
	@mkdir -p $(@D)
	$(Q)$(CC) $(STATIC) $(LINK) $(HEAP) $(FROM) -lyaml -lhttp_parser $(if $(filter %/other.a,$^),-ljansson) -lm \
	    -Wl,-Map=$@.map -o $@.debug.$$$$ && mv $@.debug.$$$$ $@.debug
	$(Q)$(CROSS)strip -o $@.$$$$ $@.debug && mv $@.$$$$ $@
# The library of programs in virtual time: without sanitizers, since it runs in processes of others.
$(TIME_O): private KIND := -fPIC -fvisibility=hidden -ftls-model=initial-exec -fasynchronous-unwind-tables $(COUNT)
$(BUILD)/libmayflytime.so: $(TIME_O)
	$(Q)$(CC) -shared -Wl,--build-id=none,-z,defs $(LDFLAGS) $(COUNT) $^ -ldl -o $@.$$$$ && mv $@.$$$$ $@
$(BUILD)/ship/libmayflytime.so: $(BUILD)/libmayflytime.so $(BUILD)/ship/mayfly
	@$(CROSS)strip -o $@ $<
# The bridge to ns-3: C++ under the GPL, with no file of the tree but its own; set-ups that it loads.
NS3_CXX := $(CXX) -std=c++17 -O1 -Wall -Wextra -Werror
$(BUILD)/ns3-bridge: $(wildcard tools/ns3-bridge/*.cc tools/ns3-bridge/*.hh)
	@sh ci/deps.sh ns3
	$(Q)$(NS3_CXX) -rdynamic $(filter %.cc,$^) -ldl -o $@ \
	    $(addprefix -lns3-,wifi lr-wpan olsr aodv spectrum internet propagation mobility network core)
vpath %.cc tools/ns3-bridge/hooks
$(BUILD)/hooks/%.so: %.cc $(BUILD)/ns3-bridge
	@mkdir -p $(@D)
	$(Q)$(NS3_CXX) -fPIC -shared -Itools/ns3-bridge $< -o $@

# ---------------------------------------------------------------- generated sources: data and pages as C arrays
EMBED_C := tools/geoid/embed/main.c $(wildcard world/pack*.c) math/crc32.c mavlink/sha256.c \
           $(addprefix tools/geoid/,gtx.c pack_write.c raster.c)
$(BUILD)/embed: $(EMBED_C) $(wildcard world/pack*.h tools/geoid/*.h)
$(BUILD)/embed-page: ci/page.c mavlink/sha256.c
$(BUILD)/embed $(BUILD)/embed-page: | deps-run
	$(Q)gcc -std=c11 -O1 -I. -D_GNU_SOURCE $(filter %.c,$^) -lm -o $@.$$$$ && mv $@.$$$$ $@
$(BUILD)/made/egm96.c: $(BUILD)/embed
	$(Q)$< $(or $(EGM96),/usr/share/proj/egm96_15.gtx) $@.$$$$ && mv $@.$$$$ $@
PAGES := $(filter %.html %.css %.js,$(wildcard $(addsuffix /*,host/api tools/simctl/api tools/replay boards/swarm/page)))
$(patsubst %,$(BUILD)/made/%_page.c,live docs simctl swarm replay): $(BUILD)/made/%_page.c: $(BUILD)/embed-page $(PAGES)
	$(Q)$< $* $@.$$$$ && mv $@.$$$$ $@

# ---------------------------------------------------------------- boards/stm32f405
ifeq ($(ARCH),cm4)
# Images: firmware with a simulated body, without a body, and boards/conform, whose files come by semihosting.
CHIP_C := $(addprefix $(CHIP)/,main.c console.c core.c startup.c)
CONFORM_C := $(CHIP)/conform.c $(wildcard boards/conform/*.c) $(addprefix host/,base/value.c base/json.c record/post.c \
             record/recording.c spec/faultspec.c spec/geoidspec.c)
chip: $(addprefix $(BUILD)/,simulated.elf absent.elf conform.elf)
# Newlib's inttypes.h needs to be told of the compiler's own stdint.h.
$(call object,$(CONFORM_C)): private FREE :=
$(call object,$(CONFORM_C)): private KIND += -DDRONE_LINKS=3u -DDRONE_PARAMS=16u -DDRONE_RECORDS=32u \
    -DPLAYER_INBOX_BYTES=1024u -DDRONE_RECORDER_BYTES=2048u -DPACK_BYTES=1 -D__int64_t_defined=1
$(BUILD)/simulated.elf: $(call object,$(CHIP_C) $(CHIP)/body_simulated.c) $(BUILD)/made/egm96.o
$(BUILD)/absent.elf: $(call object,$(CHIP_C) $(CHIP)/body_absent.c) $(BUILD)/made/egm96.o
$(BUILD)/conform.elf: $(call object,$(CONFORM_C) $(addprefix $(CHIP)/,core.c startup.c))
$(BUILD)/conform.elf: private LIBC := --specs=rdimon.specs \
    -Wl,--wrap=main,--defsym=end=bss_end,--defsym=BOARD_STACK_BYTES=10240
$(BUILD)/%.elf: $(call object,$(call find_c,$(PURE) hal-stm32)) $(CHIP)/link.ld
	$(Q)$(CC) $(KIND) -nostartfiles -Wl,--gc-sections,-O2,--sort-section=alignment -T $(CHIP)/link.ld \
	    -Wl,-Map=$(@:.elf=.map) $(filter %.o,$^) $(or $(LIBC),--specs=nano.specs) -lm -lc -lgcc -o $@
	$(Q)$(CROSS)objcopy -O binary $@ $(@:.elf=.bin)
endif
