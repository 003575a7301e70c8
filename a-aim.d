aim.o: firmware/flight/aim.c firmware/flight/navigator.h \
 firmware/state/destination.h hal/types.h hal/assert.h \
 firmware/state/mode.h firmware/state/navigator.h hal/airframe.h \
 math/geodesic.h firmware/state/param.h mavlink/message.h \
 mavlink/messages.def firmware/state/params.def math/trig.h
firmware/flight/navigator.h:
firmware/state/destination.h:
hal/types.h:
hal/assert.h:
firmware/state/mode.h:
firmware/state/navigator.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
math/trig.h:
