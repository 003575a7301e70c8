zones.o: firmware/flight/zones.c firmware/flight/zones.h \
 firmware/state/fence.h firmware/state/home.h hal/types.h hal/assert.h \
 firmware/state/navigator.h firmware/state/destination.h \
 firmware/state/mode.h hal/airframe.h math/geodesic.h \
 firmware/state/param.h mavlink/message.h mavlink/messages.def \
 firmware/state/params.def hal/hal.h hal/archive.h hal/clock.h \
 hal/earth.h hal/gnss.h hal/inject.h hal/log.h hal/power.h hal/sensors.h \
 hal/serial.h hal/store.h firmware/state/items.h firmware/core/units.h \
 math/trig.h firmware/flight/items.h firmware/state/datum.h \
 firmware/state/estimate.h math/polygon.h mavlink/enums.h
firmware/flight/zones.h:
firmware/state/fence.h:
firmware/state/home.h:
hal/types.h:
hal/assert.h:
firmware/state/navigator.h:
firmware/state/destination.h:
firmware/state/mode.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
hal/hal.h:
hal/archive.h:
hal/clock.h:
hal/earth.h:
hal/gnss.h:
hal/inject.h:
hal/log.h:
hal/power.h:
hal/sensors.h:
hal/serial.h:
hal/store.h:
firmware/state/items.h:
firmware/core/units.h:
math/trig.h:
firmware/flight/items.h:
firmware/state/datum.h:
firmware/state/estimate.h:
math/polygon.h:
mavlink/enums.h:
