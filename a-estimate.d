estimate.o: firmware/flight/estimate.c firmware/flight/estimate.h \
 firmware/state/estimate.h hal/airframe.h hal/types.h hal/assert.h \
 hal/gnss.h math/geodesic.h hal/hal.h hal/archive.h hal/clock.h \
 hal/earth.h hal/inject.h hal/log.h hal/power.h hal/sensors.h \
 hal/serial.h hal/store.h firmware/core/units.h math/trig.h \
 mavlink/message.h mavlink/messages.def
firmware/flight/estimate.h:
firmware/state/estimate.h:
hal/airframe.h:
hal/types.h:
hal/assert.h:
hal/gnss.h:
math/geodesic.h:
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
firmware/core/units.h:
math/trig.h:
mavlink/message.h:
mavlink/messages.def:
