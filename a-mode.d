mode.o: firmware/flight/mode.c firmware/flight/mode.h \
 firmware/state/mode.h hal/types.h hal/assert.h
firmware/flight/mode.h:
firmware/state/mode.h:
hal/types.h:
hal/assert.h:
