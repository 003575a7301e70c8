fence_ahead.o: firmware/flight/fence_ahead.c \
 firmware/flight/fence_ahead.h firmware/state/estimate.h hal/airframe.h \
 hal/types.h hal/assert.h hal/gnss.h math/geodesic.h \
 firmware/state/fence.h firmware/state/home.h firmware/state/navigator.h \
 firmware/state/destination.h firmware/state/mode.h \
 firmware/state/param.h mavlink/message.h mavlink/messages.def \
 firmware/state/params.def hal/hal.h hal/archive.h hal/clock.h \
 hal/earth.h hal/inject.h hal/log.h hal/power.h hal/sensors.h \
 hal/serial.h hal/store.h firmware/core/param.h firmware/state/options.h \
 firmware/flight/estimate.h firmware/flight/fence.h \
 firmware/state/datum.h firmware/state/mission.h firmware/state/items.h \
 firmware/state/limits.h firmware/state/link.h firmware/state/download.h \
 firmware/state/link_stats.h firmware/state/route.h mavlink/frame.h \
 firmware/state/stream.h firmware/state/text.h \
 firmware/flight/navigator.h math/trig.h
firmware/flight/fence_ahead.h:
firmware/state/estimate.h:
hal/airframe.h:
hal/types.h:
hal/assert.h:
hal/gnss.h:
math/geodesic.h:
firmware/state/fence.h:
firmware/state/home.h:
firmware/state/navigator.h:
firmware/state/destination.h:
firmware/state/mode.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
hal/hal.h:
hal/archive.h:
hal/clock.h:
hal/earth.h:
hal/inject.h:
hal/log.h:
hal/power.h:
hal/sensors.h:
hal/serial.h:
hal/store.h:
firmware/core/param.h:
firmware/state/options.h:
firmware/flight/estimate.h:
firmware/flight/fence.h:
firmware/state/datum.h:
firmware/state/mission.h:
firmware/state/items.h:
firmware/state/limits.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
mavlink/frame.h:
firmware/state/stream.h:
firmware/state/text.h:
firmware/flight/navigator.h:
math/trig.h:
