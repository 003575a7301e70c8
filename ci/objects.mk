# How objects, libraries and programs are made; the Makefile says which, and what becomes of them.

# Files that only programs link, and process tests run: each room has them in a library of their own, which unit tests do
# without, so that `make unit` does not compile them. A unit test that begins to use one does not link until its name leaves
# this list.
PROCESS_ONLY := $(filter-out %/main.c,$(wildcard boards/posix/*.c)) boards/conform/story.c
PROCESS_ONLY += $(patsubst %,tools/replay/%.c,child options serve) $(patsubst %,tools/elevation/%.c,answer library raster serve)
PROCESS_ONLY += $(patsubst %,tools/geoid/%.c,at check check_nodes fetch fetch_command folder http info models pack)
PROCESS_ONLY += $(patsubst %,tools/standin/%.c,answer cloud onboard request weather)
PROCESS_ONLY += $(patsubst %,tools/simctl/%.c,client command_run commands serve base/text kube/kube kube/kube_cache kube/kube_settings) \
                $(patsubst %,tools/simctl/api/%.c,api api_drone api_hold api_page metrics openapi routes) \
                $(patsubst %,tools/simctl/local/%.c,local local_begin local_file local_run process)
# Files of world/ that only swarms link, the same way: build/mayfly does without them.
SWARM_ONLY := $(patsubst %,world/%.c,coverage decibel engine field medium mover_bee mover_body mover_cell mover_own mover_rigid mover_stepped mover_thrust multirotor obstacles radio \
    space space_mesh space_slide space_solid space_touch things)
# libraries of rooms with these files
whole = $(foreach r,$(1),$(r) $(if $(filter $(r)/%,$(PROCESS_ONLY)),$(r)/process) $(if $(filter $(r)/%,$(SWARM_ONLY)),$(r)/swarm))

# Unit tests of a folder are one program, BUILD/FOLDER/tests, but those that put functions in the place of others, or
# want arguments; each can be made by itself, too, as BUILD/FOLDER/NAME.
ALONE := $(patsubst %,tests/%.c,sim/test_states sim/test_kill unit/hal-posix/test_archive_file unit/hal-posix/test_store_file \
    unit/host/base/test_guard)
TOGETHER := $(filter-out $(ALONE),$(foreach f,$(C_FILES),$(if $(filter tests/unit/% tests/sim/%,$f),$(if $(filter test_%,$(notdir $f)),$f))))
TOGETHER_FOLDERS := $(foreach f,$(patsubst %,unit/%/,$(PURE) $(CHIPS)) unit/ sim/,$(if $(filter tests/$f%,$(TOGETHER)),$f)) # unit/: what no other has
entry = main_of_$(subst -,_,$(subst /,_,$(patsubst tests/%.c,%,$(1))))

# What is compiled for a library or a program of tests is a part: a room, what only programs or swarms need of it, or tests.
SINGLE := $(wildcard world/pack*.c) math/crc32.c mavlink/sha256.c $(addprefix tools/geoid/,gtx.c pack_write.c raster.c) # the build needs them first
TESTS_OF = $(filter tests/$(1)%,$(filter-out $(if $(filter unit/,$(1)),$(patsubst %,tests/unit/%/%,$(PURE) $(CHIPS))),$(TOGETHER)))
HELPERS := $(filter-out $(TOGETHER) $(ALONE),$(call sources,tests/unit tests/sim))
FILES_world/swarm := $(SWARM_ONLY)
FILES_tests/support := $(foreach f,$(filter tests/unit/%,$(HELPERS)),$(if $(filter dump_%,$(notdir $f)),,$f))
FILES_tests/rig := $(filter tests/sim/%,$(HELPERS))
$(foreach r,$(ROOMS) $(CHIPS) $(TOOLS),\
    $(eval FILES_$(r) := $(filter-out %/main.c %/loader.c $(PROCESS_ONLY) $(SWARM_ONLY),$(call sources,$(r)))) \
    $(eval FILES_$(r)/process := $(filter $(r)/%,$(PROCESS_ONLY))))
$(foreach f,$(TOGETHER_FOLDERS),$(eval FILES_tests/$f := $(call TESTS_OF,$f)))
FILES_virtual := $(call sources,tools/virtual-time) host/time/virtual_program.c
PARTS := virtual world/swarm $(foreach r,$(ROOMS) $(CHIPS) $(TOOLS),$(r) $(r)/process) tests/support tests/rig $(addprefix tests/,$(TOGETHER_FOLDERS))

# Level of optimisation: of the first group that a file is in, else -O1. Tests are optimised as little as may be, what they
# test as it ships; -O1 compiles in two thirds of the time of -O2, -Og in half.
LEVELS := items-O2 start-Os passes-O2 waits-Og loops-O1 once-O0
items-O2 := $(patsubst %,tools/geoid/%.c,pack_write raster gtx geotiff check_nodes) $(patsubst %,boards/swarm/%.c,radio receptions) # each of 37 million nodes, each packet that is heard
start-Os := host/api/% host/config/% host/spec/% # what a start reads once, what people and metrics ask for
waits-Og := tools/% boards/swarm/% boards/conform/% boards/posix/% host/% hal-posix/% ci/% # for the system, most of its time
waits-Og += fleet/% # read and written once, and what comes less than each step
passes-O2 := mavlink/% math/% world/% firmware/vehicle.c $(patsubst %,fleet/%.c,agent behaviour detection flock gradient order search survey sweep) hal-sim/% # what each pass and each frame goes through
loops-O1 := tests/unit/math/% tests/unit/world/test_physics_% tests/unit/hal-stm32/f405.c tests/sim/geoid_reference.c # of millions
once-O0 := tests/unit/% tests/sim/%
level = $(firstword $(filter -O%,$(subst /, ,$(1))) \
    $(patsubst %,-%,$(lastword $(subst -, ,$(firstword $(foreach g,$(LEVELS),$(if $(filter $($g),$(1)),$g)))))) -O1)

# Up to BATCH files of a part that have one level are compiled at once: most of what a compiler does for a file is to start, and to
# read headers. ci/batches.awk writes what includes them, BUILD/batch/PART/LEVEL/N.c, and BATCHES_PART. Each file
# must compile by itself, too: kinds other than the plain one do that, and lint, and BATCH=1.
BATCH ?= 24
define batched
$(foreach p,$(PARTS),$(foreach f,$(filter-out $(SINGLE),$(FILES_$p)),$(patsubst %/,%,$p) $(call level,$f) $f $(if $(filter tests/%,$f),$(if $(filter $(TOGETHER),$f),$(call entry,$f)))$(NL)))
endef
$(BUILD)/batches.mk: Makefile ci/objects.mk ci/batches.awk $(C_FILES) $(H_FILES) $(sort $(dir $(C_FILES) $(H_FILES)))
	$(shell mkdir -p $(@D))$(file >$@.list,$(batched))
	@awk -v max=$(BATCH) -v to=$(BUILD)/batch -f ci/batches.awk $@.list >$@.new
	@cmp -s $@.new $@ || rm -rf $(BUILD)/obj/$(BUILD)/batch # a batch may be gone, and nothing else new
	@mv $@.new $@
ifneq ($(filter-out clean help format deps%,$(if $(filter-out 1,$(BATCH)),$(or $(MAKECMDGOALS),help))),)
-include $(BUILD)/batches.mk
endif
# objects of a part: kind's folder, part
made = $(call objects,$(1),$(if $(and $(filter $(BUILD) $(BUILD)/pic,$(1)),$(filter-out 1,$(BATCH))),$(BATCHES_$(patsubst %/,%,$(2))) $(filter $(SINGLE),$(FILES_$(2))),$(FILES_$(2))))

OF_BATCH := -Wno-shadow -ffile-prefix-map=./= $(if $(findstring clang,$(CC)),,-ftrack-macro-expansion=0) # names of one file are at another's file scope; a twentieth less

ARCHIVE := ar --plugin /dev/null qcs # where LLVM is installed, loading it for its plug-in is four fifths of what ar does

# one kind: folder, compiler, its flags, what must be there before (or nothing)
define KIND
$(1)/obj/%.o: %.c Makefile ci/objects.mk | $$(GATE) $(4)
	$$(if $$(wildcard $$(@D)),,@mkdir -p $$(@D))
	$$(if $$(filter 1,$$(V)),,$$(info $$()  CC $$@))
	$$(Q)$(2) $$(STD) $$(WARN) $$(call room_flags,$$<) $$(if $$(filter $$(BUILD)/batch/%,$$<),$$(OF_BATCH)) $(3) $$(EXTRA_CFLAGS) -MMD -MP -c $$< -o $$@
$(1)/lib/%.a: ci/objects.mk | $$(GATE)
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && $(ARCHIVE) $$@ $$(filter %.o,$$^) # files of two rooms may have one name: appended, not replaced
$(foreach p,$(filter-out virtual %/,$(PARTS)),$(call libs,$(1),$p): $(call made,$(1),$p)$(NL))
$(1)/lib/libworld.a: $(1)/obj/$(BUILD)/egm96.o
$(1)/lib/libhost.a: $(1)/obj/$(BUILD)/page.o
$(1)/lib/libtools-simctl-process.a: $(1)/obj/$(BUILD)/simctl_page.o
$(1)/lib/libboards-swarm.a: $(1)/obj/$(BUILD)/swarm_page.o
$(1)/lib/libtools-replay.a: $(1)/obj/$(BUILD)/replay_page.o
$(foreach r,$(PURE) $(CHIPS),$(call TEST,$(1),$(2) $(3),unit/$(r)/,tests/support $(or $(need_$(r)),$(r)))$(NL))
$(call TEST,$(1),$(2) $(3),unit/,tests/support $(ROOMS) world/swarm $(TOOLS))
$(call TEST,$(1),$(2) $(3),sim/,tests/rig tests/support $(ROOMS) world/swarm $(TOOLS))
endef
FAST_LD := $(if $(shell command -v ld.gold),-fuse-ld=gold) # half the time, for some hundred programs
# programs of a folder of tests/: kind's folder, compiler with flags, folder, what it is linked with; a room below host/ needs
# none of its libraries
define TEST
$(1)/$(3)%: $(1)/obj/tests/$(3)%.o $(call libs,$(1),$(4))
	$$(if $$(wildcard $$(@D)),,@mkdir -p $$(@D))
	$$(Q)$(2) -no-pie $$(FAST_LD) $$(EXTRA_LDFLAGS) $$< $$(call link,$(call libs,$(1),$(4))) -lcmocka $(if $(filter host,$(4)),$$(LDLIBS),-lm) $$(call main_is,tests/$(3)$$*.c) -o $$@
$(call TESTS,$(1),$(2),$(3),$(4))
endef
main_is = $(if $(filter $(TOGETHER),$(1)),-Wl$(COMMA)--defsym=main=$(call entry,$(1)))
define table
#include "tests/lib/together.h"
$(foreach t,$(2),int $(call entry,$t)(void);$(NL))
const struct together_test k_together[] = {$(foreach t,$(2),{"$(t:tests/$(1)%.c=%)", $(call entry,$t)}$(COMMA)$(NL)) {0, 0}};
endef
# the same, and the tests; a folder is newer than what it lost
define TESTS
$(1)/$(3)tests.c: Makefile ci/objects.mk $(sort $(dir $(FILES_tests/$(3))))
	$$(shell mkdir -p $$(@D))$$(file >$$@,$$(call table,$(3),$(FILES_tests/$(3))))
$(1)/$(3)tests: $(1)/$(3)tests.c $(1)/obj/tests/lib/together.o $(call made,$(1),tests/$(3)) $(call libs,$(1),$(4))
	$$(Q)$(2) -no-pie -I. $$(FAST_LD) $$(EXTRA_LDFLAGS) $$(filter-out %.a,$$^) $$(call link,$(call libs,$(1),$(4))) -lcmocka $(if $(filter host,$(4)),$$(LDLIBS),-lm) -o $$@
endef
need_world    := world world/swarm hal math
need_firmware := $(PURE)
need_drone    := $(PURE) host
$(foreach c,$(CHIPS),$(eval need_$(c) := $(c) $(PURE)))

# tests are debugged by what they print
PLAIN = -fstack-usage $(call level,$<) $(if $(filter tests/unit/% tests/sim/%,$(call place,$<)),-g0)
$(eval $(call KIND,$(BUILD),$(CC),$$(PLAIN)))
$(eval $(call KIND,$(BUILD)/mutants,$(CC),$$(PLAIN)))
$(eval $(call KIND,$(BUILD)/asan,$(CC),-O1 $(SANITIZE)))
$(eval $(call KIND,$(BUILD)/coverage,$(CC),-O0 --coverage))
$(eval $(call KIND,$(BUILD)/fuzz,$(CLANG),-O1 -fsanitize=fuzzer-no-link $(SANITIZE)))
# where the memory of gcc lies changes what its analyzer doubts: the same place each time, where the system allows it
$(eval $(call KIND,$(BUILD)/analyze,$(shell setarch -R true 2>/dev/null && echo setarch -R) $(CC),-O1 -fanalyzer))
# the call graph beside each object is for ci/stack.py; ccache would leave it out
$(eval $(call KIND,$(BUILD)/cm4,CCACHE_DISABLE=1 $(ARM)gcc,$(CM4) -fcallgraph-info=su))
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# EGM96 as constant data, made by a program of the machine that builds: of the drone's own objects where they run there
EMBED := tools/geoid/embed/main.c \
         $(if $(filter-out $(HOSTCC),$(CC))$(EXTRA_CFLAGS)$(EXTRA_LDFLAGS),$(SINGLE),$(call objects,$(BUILD),$(SINGLE)))
$(BUILD)/egm96.c: $(EMBED) $(wildcard world/pack*.h tools/geoid/*.h) | $(GATE)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(STD) -no-pie -O1 -D_GNU_SOURCE $(EMBED) -lm -o $(BUILD)/embed && $(BUILD)/embed $(or $(EGM96),/usr/share/proj/egm96_15.gtx) $@

# pages of the control API and of the controller, the same way
$(BUILD)/embed-page: ci/page.c mavlink/sha256.c mavlink/sha256.h | $(GATE)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(STD) -no-pie -O1 ci/page.c mavlink/sha256.c -o $@
PICTURE := host/api/picture.css host/api/small.js host/api/picture.js
$(BUILD)/page.c: host/api/page.html host/api/docs.html $(PICTURE) $(BUILD)/embed-page
	$(Q)$(BUILD)/embed-page $< $@ host/api/page.h mf && $(BUILD)/embed-page host/api/docs.html $@.docs host/api/page.h mf_docs && \
	    cat $@.docs >>$@ && rm $@.docs
$(BUILD)/simctl_page.c: tools/simctl/api/page.html $(BUILD)/embed-page
	$(Q)$(BUILD)/embed-page $< $@ tools/simctl/api/page.h simctl "frame-src 'self'; "
$(BUILD)/swarm_page.c: boards/swarm/page.html $(wildcard boards/swarm/page_*.js) host/api/picture.css host/api/small.js $(BUILD)/embed-page
	$(Q)$(BUILD)/embed-page $< $@ boards/swarm/page_html.h swarm
$(BUILD)/replay_page.c: tools/replay/flight.html $(PICTURE) $(BUILD)/embed-page
	$(Q)$(BUILD)/embed-page $< $@ tools/replay/page.h replay

# A build id would hash the name of this folder, which is in what debuggers read.
LINK_AS := -no-pie -Wl,--build-id=none
LIBS := $(call libs,$(BUILD),$(call whole,$(ROOMS)))
MAYFLY_LIBS := $(filter-out %-swarm.a,$(call libs,$(BUILD),$(call whole,$(filter-out $(SIM) fleet,$(ROOMS))))) # one drone is no fleet
$(BUILD)/lib/libmayfly.a: $(foreach p,$(PURE) world/swarm,$(call made,$(BUILD),$p)) $(BUILD)/obj/$(BUILD)/egm96.o
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(ARCHIVE) $@ $^
$(BUILD)/mayfly.debug: $(BUILD)/obj/$(MAIN).o $(MAYFLY_LIBS)
	$(Q)$(CC) -static $(LINK_AS) $(EXTRA_LDFLAGS) $< $(call link,$(MAYFLY_LIBS)) -lyaml -lhttp_parser -lm -Wl,-Map=$(BUILD)/mayfly.map -o $@
$(BUILD)/mayfly: $(BUILD)/mayfly.debug
	$(Q)strip -o $@ $< && size $@ # text is the file; bss is capacity, whose unused pages cost nothing

# What is shipped, for every processor: static, in build/PROCESSOR. For arm64 Debian has libraries; for riscv64 they are built from
# its source packages, and the C library is the cross compiler's.
GNU_amd64   := x86_64-linux-gnu
GNU_arm64   := aarch64-linux-gnu
GNU_riscv64 := riscv64-linux-gnu
ROOT_arm64   = --sysroot=$(BUILD)/arm64/root $(patsubst %,%$(BUILD)/arm64/root/usr/lib/$(GNU_arm64),-B -L)
ROOT_riscv64 = $(foreach s,$(LIBRARY_SOURCES),-isystem $(BUILD)/riscv64/root/$(s) -L$(BUILD)/riscv64/root/$(s))
CROSS := arm64 riscv64
$(foreach p,$(CROSS),$(eval $(call KIND,$(BUILD)/$(p),$(GNU_$(p))-gcc,-O2 $(ROOT_$(p)),$(BUILD)/$(p)/root.debs/ok)))
$(BUILD)/arm64/root.debs/ok: ci/sysroot.sh
	@sh ci/deps.sh $(DEPS_arm64)
	@sh ci/sysroot.sh $(BUILD)/arm64/root arm64 libc6-dev libyaml-dev libhttp-parser-dev libjansson-dev
$(BUILD)/riscv64/root.debs/ok: ci/sources.sh
	@sh ci/deps.sh $(DEPS_riscv64)
	@sh ci/sources.sh $(BUILD)/riscv64/root $(GNU_riscv64) $(LIBRARY_SOURCES)

home_mayfly := $(MAIN:%/main=%)
home_mayfly-swarm := boards/swarm
home_of = $(or $(home_$(1)),$(filter %/$(1),$(TOOLS)))
define SHIP # processor, folder of its objects, compiler with the options of the libraries' root
$(foreach p,$(DIST_PROGRAMS),$(BUILD)/$(1)/$(p): $(2)/obj/$(call home_of,$(p))/main.o $(call libs,$(2),$(call whole,$(ROOMS) $(filter-out $(ROOMS),$(call home_of,$(p)))))$(NL))
$(DIST_PROGRAMS:%=$(BUILD)/$(1)/%):
	@mkdir -p $$(@D)
	$$(Q)$(3) -static $(LINK_AS) $$< $$(call link,$$(filter %.a,$$^)) -lyaml -lhttp_parser -ljansson -lm -Wl,-Map=$$@.map -o $$@.debug
	$$(Q)$(GNU_$(1))-strip -o $$@ $$@.debug
endef
$(eval $(call SHIP,amd64,$(BUILD),$(CC) $(EXTRA_LDFLAGS)))
$(foreach p,$(CROSS),$(eval $(call SHIP,$(p),$(BUILD)/$(p),$(GNU_$(p))-gcc $(ROOT_$(p)))))

$(BUILD)/valgrind/mayfly: $(BUILD)/obj/$(MAIN).o $(MAYFLY_LIBS) # dynamic: valgrind replaces only an allocator that it sees
	@mkdir -p $(@D)
	$(Q)$(CC) -no-pie $< $(call link,$(MAYFLY_LIBS)) -lyaml -lhttp_parser -lm -o $@

# what programs in virtual time load before the C library
VIRTUAL_AS := -Og -fPIC -fasynchronous-unwind-tables -fvisibility=hidden -ftls-model=initial-exec
$(eval $(call KIND,$(BUILD)/pic,$(CC),$(VIRTUAL_AS)))
$(foreach p,$(CROSS),$(eval $(call KIND,$(BUILD)/$(p)/pic,$(GNU_$(p))-gcc,$(VIRTUAL_AS),$(BUILD)/$(p)/root.debs/ok)))
SHARE = -shared -Wl,--build-id=none -Wl,-z,defs $(EXTRA_LDFLAGS) $^ -ldl -o $@
$(BUILD)/libmayflytime.so: $(call made,$(BUILD)/pic,virtual)
	$(Q)$(CC) $(SHARE)
$(BUILD)/amd64/libmayflytime.so: $(call made,$(BUILD)/pic,virtual)
	@mkdir -p $(@D)
	$(Q)$(CC) -s $(SHARE)
$(foreach p,$(CROSS),$(eval $(BUILD)/$(p)/libmayflytime.so: $(call objects,$(BUILD)/$(p)/pic,$(FILES_virtual))))
$(CROSS:%=$(BUILD)/%/libmayflytime.so): $(BUILD)/%/libmayflytime.so:
	$(Q)$(GNU_$*)-gcc -s $(SHARE)

# the shortest board stands on the rooms without an operating system alone, as one on a chip does
tool_rooms = $(if $(filter boards/minimal,$(1)),$(PURE) $(1),$(call whole,$(ROOMS) $(TOOLS)))
program = $(BUILD)/$(if $(filter boards/swarm boards/view tools/body tools/generate,$(1)),mayfly-)$(notdir $(1))
$(foreach t,$(TOOLS),$(eval $(call program,$(t)): $(BUILD)/obj/$(t)/main.o $(call libs,$(BUILD),$(call tool_rooms,$(t)))))
$(BUILD)/mayfly-swarm: $(BUILD)/obj/boards/swarm/loader.o # of plug-ins; what is shipped is static and has none
$(foreach t,$(TOOLS),$(call program,$(t))):
	$(Q)$(CC) $(LINK_AS) $(FAST_LD) $(EXTRA_LDFLAGS) $(filter %.o,$^) $(call link,$(filter %.a,$^)) $(if $(filter %/minimal,$@),-lm,$(LDLIBS)) -o $@

# the bridge to ns-3: C++, under the GPL, with no file of the tree but its own
NS3     := $(patsubst %.cc,$(BUILD)/obj/%.o,$(wildcard tools/ns3-bridge/*.cc))
NS3_LIBS = $(addprefix -lns3-,wifi lr-wpan olsr aodv spectrum internet propagation mobility network core)
$(NS3): $(BUILD)/obj/%.o: %.cc $(wildcard tools/ns3-bridge/*.hh)
	@mkdir -p $(@D)
	@echo "  CXX $@"
	$(Q)$(CXX) -std=c++17 -O1 -Wall -Wextra -Werror -c $< -o $@
$(BUILD)/ns3-bridge: $(NS3)
	$(Q)$(CXX) -rdynamic $^ $(NS3_LIBS) -ldl -o $@
# set-ups of one's own, which it loads
NS3_HOOKS := $(patsubst %.cc,$(BUILD)/hooks/%.so,$(notdir $(wildcard tools/ns3-bridge/hooks/*.cc) $(HOOK)))
vpath %.cc tools/ns3-bridge/hooks $(dir $(HOOK))
$(NS3_HOOKS): $(BUILD)/hooks/%.so: %.cc $(wildcard tools/ns3-bridge/*.hh)
	@mkdir -p $(@D)
	@echo "  CXX $@"
	$(Q)$(CXX) -std=c++17 -O1 -Wall -Wextra -Werror -fPIC -shared -Itools/ns3-bridge $< -o $@

# a swarm within which assertions fail, for a process test
$(BUILD)/swarm_breaks: $(BUILD)/obj/tests/process/swarm_breaks.o $(BUILD)/obj/boards/swarm/main.o $(call libs,$(BUILD),$(call tool_rooms,boards/swarm))
	$(Q)$(CC) $(LINK_AS) $(FAST_LD) -Wl,--wrap=mf_drone_step $(filter %.o,$^) $(call link,$(filter %.a,$^)) $(LDLIBS) -o $@

# under AddressSanitizer, for process tests
$(BUILD)/asan/mayfly-swarm: $(patsubst %,$(BUILD)/asan/obj/boards/swarm/%.o,main loader)
$(BUILD)/asan/mayfly-body: $(BUILD)/asan/obj/tools/body/main.o
$(BUILD)/asan/replay: $(BUILD)/asan/obj/tools/replay/main.o
$(BUILD)/asan/conform: $(BUILD)/asan/obj/boards/conform/main.o
$(addprefix $(BUILD)/asan/,mayfly-swarm mayfly-body replay conform): $(call libs,$(BUILD)/asan,$(call tool_rooms,boards/swarm))
	$(Q)$(CC) $(SANITIZE) $(LINK_AS) $(EXTRA_LDFLAGS) $(filter %.o,$^) $(call link,$(filter %.a,$^)) $(LDLIBS) -o $@

PROGRAMS := tests/perf/pass tests/perf/crowd tests/perf/rays tests/perf/physics_vs_sih ci/docs ci/options ci/scenarios
$(foreach p,$(PROGRAMS),$(eval $(BUILD)/$(notdir $(p)): $(BUILD)/obj/$(p).o $(LIBS)))
$(addprefix $(BUILD)/,$(notdir $(PROGRAMS))):
	$(Q)$(CC) -static -no-pie $(FAST_LD) $< $(call link,$(LIBS)) -lyaml -lhttp_parser -lm -o $@
$(BUILD)/fuzz/fuzz_%: $(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.o $(call libs,$(BUILD)/fuzz,tests/support $(call whole,$(ROOMS) $(TOOLS)))
	$(Q)$(CLANG) -fsanitize=fuzzer $(SANITIZE) -no-pie $< $(call link,$(filter %.a,$^)) $(LDLIBS) -o $@


# boards/stm32f405: the objects of make cm4, linked for the chip; body_*.c is what flies
STM32       := boards/stm32f405
STM32_LIBS  := $(call libs,$(BUILD)/cm4,$(PURE) $(CHIPS))
STM32_BOARD := $(filter-out %/body_simulated.c %/body_absent.c %/conform.c,$(call sources,$(STM32)))
STM32_LINK = $(ARM)gcc $(CM4) -nostartfiles -Wl,--gc-sections -Wl,-O2 -Wl,--sort-section=alignment -T $(STM32)/link.ld -Wl,-Map=$(@:.elf=.map) $(filter %.o,$^) \
    -Wl,--start-group $(STM32_LIBS) -lm -lc -lgcc -Wl,--end-group
$(foreach b,simulated absent,$(eval $(BUILD)/stm32/$(b).elf: $(call objects,$(BUILD)/cm4,$(STM32_BOARD) $(STM32)/body_$(b).c)))
$(BUILD)/stm32/%.elf: $(STM32_LIBS) $(STM32)/link.ld
	@mkdir -p $(@D)
	$(Q)$(STM32_LINK) --specs=nano.specs -o $@
	$(Q)$(ARM)objcopy -O binary $@ $(@:.elf=.bin)
# boards/conform on the chip, as small as that wants it; the rooms below are the same objects. Newlib's inttypes.h does not
# notice the compiler's own stdint.h unless told.
STM32_SAME := $(call sources,boards/conform) \
              $(addprefix host/,record/recording.c spec/faultspec.c spec/geoidspec.c base/value.c base/json.c record/post.c) $(STM32)/conform.c
$(eval $(call KIND,$(BUILD)/stm32/conform,$(ARM)gcc,$(CM4:-ffreestanding=) -DDRONE_LINKS=3u -DDRONE_PARAMS=16u \
    -DDRONE_RECORDS=32u -DPLAYER_INBOX_BYTES=1024u -DDRONE_RECORDER_BYTES=2048u -DPACK_BYTES=1 -D__int64_t_defined=1))
$(BUILD)/stm32/conform.elf: $(call objects,$(BUILD)/stm32/conform,$(STM32_SAME)) $(BUILD)/cm4/obj/$(STM32)/startup.o $(STM32_LIBS) $(STM32)/link.ld
	$(Q)$(STM32_LINK) -Wl,--wrap=main -Wl,--defsym=end=bss_end,--defsym=BOARD_STACK_BYTES=10240 --specs=rdimon.specs -o $@
