utc.o: firmware/core/utc.c firmware/core/utc.h firmware/state/text.h \
 firmware/state/limits.h hal/log.h hal/types.h hal/assert.h \
 firmware/state/utc.h math/calendar.h firmware/core/text.h
firmware/core/utc.h:
firmware/state/text.h:
firmware/state/limits.h:
hal/log.h:
hal/types.h:
hal/assert.h:
firmware/state/utc.h:
math/calendar.h:
firmware/core/text.h:
