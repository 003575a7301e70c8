failsafe.o: firmware/flight/failsafe.c firmware/flight/failsafe.h \
 firmware/state/control_inputs.h firmware/state/link.h \
 firmware/state/download.h hal/types.h hal/assert.h mavlink/message.h \
 mavlink/messages.def firmware/state/link_stats.h firmware/state/route.h \
 firmware/state/limits.h mavlink/frame.h firmware/state/stream.h \
 hal/serial.h firmware/state/mode.h firmware/state/navigator.h \
 firmware/state/destination.h hal/airframe.h math/geodesic.h \
 firmware/state/silence.h firmware/state/failsafe.h \
 firmware/state/param.h firmware/state/params.def firmware/state/state.h \
 firmware/core/param.h firmware/state/options.h \
 firmware/flight/control_inputs.h hal/clock.h
firmware/flight/failsafe.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
hal/types.h:
hal/assert.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/link_stats.h:
firmware/state/route.h:
firmware/state/limits.h:
mavlink/frame.h:
firmware/state/stream.h:
hal/serial.h:
firmware/state/mode.h:
firmware/state/navigator.h:
firmware/state/destination.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/silence.h:
firmware/state/failsafe.h:
firmware/state/param.h:
firmware/state/params.def:
firmware/state/state.h:
firmware/core/param.h:
firmware/state/options.h:
firmware/flight/control_inputs.h:
hal/clock.h:
