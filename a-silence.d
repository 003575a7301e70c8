silence.o: firmware/core/silence.c firmware/core/silence.h \
 firmware/state/silence.h hal/types.h hal/assert.h hal/clock.h
firmware/core/silence.h:
firmware/state/silence.h:
hal/types.h:
hal/assert.h:
hal/clock.h:
