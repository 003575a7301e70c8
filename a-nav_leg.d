nav_leg.o: firmware/flight/nav_leg.c firmware/core/param.h \
 firmware/state/options.h hal/types.h hal/assert.h firmware/state/param.h \
 mavlink/message.h mavlink/messages.def firmware/state/params.def \
 firmware/flight/estimate.h firmware/state/estimate.h hal/airframe.h \
 hal/gnss.h math/geodesic.h hal/hal.h hal/archive.h hal/clock.h \
 hal/earth.h hal/inject.h hal/log.h hal/power.h hal/sensors.h \
 hal/serial.h hal/store.h firmware/flight/nav.h firmware/state/nav.h \
 firmware/state/navigator.h firmware/state/destination.h \
 firmware/state/mode.h firmware/state/state.h firmware/flight/navigator.h \
 firmware/state/limits.h firmware/state/vehicle.h \
 firmware/state/barrier.h firmware/state/calibration.h \
 firmware/state/control_inputs.h firmware/state/link.h \
 firmware/state/download.h firmware/state/link_stats.h \
 firmware/state/route.h mavlink/frame.h firmware/state/stream.h \
 firmware/state/silence.h firmware/state/failsafe.h \
 firmware/state/fence.h firmware/state/home.h firmware/state/ftp.h \
 firmware/state/tree.h firmware/state/metadata.h firmware/state/text.h \
 firmware/state/gcs.h firmware/state/health.h firmware/state/impose.h \
 firmware/state/journal.h firmware/state/say.h \
 firmware/state/log_record.h firmware/state/mission.h \
 firmware/state/datum.h firmware/state/items.h firmware/state/remote_id.h \
 firmware/state/shell.h firmware/state/signing.h mavlink/sign.h \
 firmware/state/tasks.h firmware/state/transfer.h \
 firmware/state/transition.h math/trig.h
firmware/core/param.h:
firmware/state/options.h:
hal/types.h:
hal/assert.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
firmware/flight/estimate.h:
firmware/state/estimate.h:
hal/airframe.h:
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
firmware/flight/nav.h:
firmware/state/nav.h:
firmware/state/navigator.h:
firmware/state/destination.h:
firmware/state/mode.h:
firmware/state/state.h:
firmware/flight/navigator.h:
firmware/state/limits.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/calibration.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
mavlink/frame.h:
firmware/state/stream.h:
firmware/state/silence.h:
firmware/state/failsafe.h:
firmware/state/fence.h:
firmware/state/home.h:
firmware/state/ftp.h:
firmware/state/tree.h:
firmware/state/metadata.h:
firmware/state/text.h:
firmware/state/gcs.h:
firmware/state/health.h:
firmware/state/impose.h:
firmware/state/journal.h:
firmware/state/say.h:
firmware/state/log_record.h:
firmware/state/mission.h:
firmware/state/datum.h:
firmware/state/items.h:
firmware/state/remote_id.h:
firmware/state/shell.h:
firmware/state/signing.h:
mavlink/sign.h:
firmware/state/tasks.h:
firmware/state/transfer.h:
firmware/state/transition.h:
math/trig.h:
