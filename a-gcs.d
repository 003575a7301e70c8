gcs.o: firmware/flight/gcs.c firmware/flight/gcs.h firmware/state/gcs.h \
 firmware/state/silence.h hal/types.h hal/assert.h hal/clock.h \
 firmware/core/silence.h
firmware/flight/gcs.h:
firmware/state/gcs.h:
firmware/state/silence.h:
hal/types.h:
hal/assert.h:
hal/clock.h:
firmware/core/silence.h:
