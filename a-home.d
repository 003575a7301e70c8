home.o: firmware/flight/home.c firmware/flight/home.h \
 firmware/state/home.h hal/types.h hal/assert.h math/geodesic.h \
 math/trig.h
firmware/flight/home.h:
firmware/state/home.h:
hal/types.h:
hal/assert.h:
math/geodesic.h:
math/trig.h:
