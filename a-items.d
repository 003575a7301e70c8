items.o: firmware/flight/items.c firmware/flight/items.h \
 firmware/state/datum.h firmware/state/estimate.h hal/airframe.h \
 hal/types.h hal/assert.h hal/gnss.h math/geodesic.h \
 firmware/state/home.h hal/hal.h hal/archive.h hal/clock.h hal/earth.h \
 hal/inject.h hal/log.h hal/power.h hal/sensors.h hal/serial.h \
 hal/store.h firmware/state/items.h firmware/core/units.h math/trig.h \
 mavlink/message.h mavlink/messages.def firmware/flight/datum.h \
 firmware/state/limits.h math/crc32.h mavlink/enums.h
firmware/flight/items.h:
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
firmware/state/items.h:
firmware/core/units.h:
math/trig.h:
mavlink/message.h:
mavlink/messages.def:
firmware/flight/datum.h:
firmware/state/limits.h:
math/crc32.h:
mavlink/enums.h:
