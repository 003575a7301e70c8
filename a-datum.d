datum.o: firmware/flight/datum.c firmware/flight/datum.h \
 firmware/state/datum.h firmware/state/estimate.h hal/airframe.h \
 hal/types.h hal/assert.h hal/gnss.h math/geodesic.h \
 firmware/state/home.h hal/hal.h hal/archive.h hal/clock.h hal/earth.h \
 hal/inject.h hal/log.h hal/power.h hal/sensors.h hal/serial.h \
 hal/store.h mavlink/message.h mavlink/messages.def firmware/core/units.h \
 math/trig.h mavlink/enums.h
firmware/flight/datum.h:
firmware/state/datum.h:
firmware/state/estimate.h:
hal/airframe.h:
hal/types.h:
hal/assert.h:
hal/gnss.h:
math/geodesic.h:
firmware/state/home.h:
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
mavlink/message.h:
mavlink/messages.def:
firmware/core/units.h:
math/trig.h:
mavlink/enums.h:
