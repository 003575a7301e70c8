# SPDX-License-Identifier: Apache-2.0
# Targets that take long, or need root, a network or a cluster: part of the Makefile.
SEED ?= $(shell date +%s)
## long
clean-room:  ## README's commands, and ten other ways, on a Debian that has nothing (root; CASES='root clang': those)
	@sh ci/deps.sh clean && $(PYTHON) ci/clean_room.py $(CASES)
determinism: all $(TABLES)  # one hash from all compilers, levels, C libraries, processors and live clients
	@CC='$(CC)' sh ci/determinism.sh $(BUILD)
prove:  ## Frama-C's Eva rules out undefined behaviour of readers of foreign bytes (PROVE=nightly: all)
	@sh ci/deps.sh run prove && $(PYTHON) ci/prove.py --build $(BUILD) --when $(or $(PROVE),ci)
mutants:  ## put MUTANTS=40 errors into each room, one at a time: does a test fail? (SEED; AT=FILE:LINE or room: those)
	@$(MAKE) BUILD=$(BUILD)/mutants unit
	@$(PYTHON) ci/mutants.py $(BUILD)/mutants $(TESTS:$(BUILD)/%=$(BUILD)/mutants/%) --count $(or $(MUTANTS),40) \
	    --compile '$(CC) $(STD) -D_GNU_SOURCE $(PIE) $(CFLAGS)' --link '$(CC) $(GOLD) $(LINK) $(HEAP)' --libraries '$(LIBS)' \
	    --seed $(SEED) $(if $(AT),--at $(AT))
hashes:  ## runs of a swarm have the hashes of tests/data/hashes.txt (a part of 'make long')
	@MF_LONG=1 $(MAKE) process ARGS='-k "swarm or flock"'
soak: all  ## HOURS=24 of vehicle time in each motion, at most WALL=86400 s: random flights, faults, clients (SEED)
	@$(PYTHON) tests/soak/run.py $(BUILD)/mayfly --hours $(or $(HOURS),24) --wall $(or $(WALL),86400) --seed $(SEED)
mixed: all $(BUILD)/venv/ok  # drones as processes beside agents and vehicles of a swarm; MAVSDK flies one
	@BUILD=$(BUILD) $(BUILD)/venv/bin/python -W ignore tests/swarm/mixed.py
papers: all $(BUILD)/venv/ok  # published figures of four simulators, beside Mayfly's
	@$(BUILD)/venv/bin/python ci/papers.py $(BUILD)
clients-under-fire: all $(BUILD)/venv/ok  # which clients survive which misbehaviour (ARGS=--short; --page: docs/)
	@BUILD=$(BUILD) $(BUILD)/venv/bin/python tests/fire/run.py $(ARGS)
doors: all $(BUILD)/venv/ok $(BUILD)/venv-manifests/ok  # README's doors on a clean Debian, timed (root; DOOR=tester)
	@sh ci/deps.sh clean image && PAGE=install BUILD=$(BUILD) sh ci/page.sh
	@BUILD=$(BUILD) $(PYTHON) tests/doors/run.py $(DOOR)
cluster-test: image tools-image  # the controller as a pod of a Kubernetes (CLUSTER=program that starts one; root)
	@sh ci/deps.sh cluster image test && BUILD=$(BUILD) $(PYTHON) tests/cluster/run.py $(ARGS)
nightly:  ## all of this and of .ci/run: an hour of fuzzing, a day of soak, every proof, all processors
	@sh ci/deps.sh other arm64 riscv64 cluster && DEMAND=yes DIST_ARCHS='$(DIST_ARCHS)' SEED=$(SEED) .ci/run
