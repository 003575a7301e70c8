nav_limits.o: firmware/flight/nav_limits.c firmware/core/param.h \
 firmware/state/options.h hal/types.h hal/assert.h firmware/state/param.h \
 mavlink/message.h mavlink/messages.def firmware/state/params.def \
 firmware/flight/nav.h firmware/state/nav.h firmware/state/navigator.h \
 firmware/state/destination.h firmware/state/mode.h hal/airframe.h \
 math/geodesic.h firmware/state/state.h math/trig.h
firmware/core/param.h:
firmware/state/options.h:
hal/types.h:
hal/assert.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
firmware/flight/nav.h:
firmware/state/nav.h:
firmware/state/navigator.h:
firmware/state/destination.h:
firmware/state/mode.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/state.h:
math/trig.h:
