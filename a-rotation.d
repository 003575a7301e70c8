rotation.o: firmware/core/rotation.c firmware/core/rotation.h hal/types.h \
 hal/assert.h math/trig.h
firmware/core/rotation.h:
hal/types.h:
hal/assert.h:
math/trig.h:
