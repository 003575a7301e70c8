text.o: firmware/core/text.c firmware/core/text.h firmware/state/limits.h \
 firmware/state/text.h hal/log.h hal/types.h hal/assert.h \
 mavlink/message.h mavlink/messages.def
firmware/core/text.h:
firmware/state/limits.h:
firmware/state/text.h:
hal/log.h:
hal/types.h:
hal/assert.h:
mavlink/message.h:
mavlink/messages.def:
