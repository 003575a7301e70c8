nav_request.o: firmware/flight/nav_request.c firmware/core/tasks.h \
 firmware/state/tasks.h hal/types.h hal/assert.h \
 firmware/flight/estimate.h firmware/state/estimate.h hal/airframe.h \
 hal/gnss.h math/geodesic.h hal/hal.h hal/archive.h hal/clock.h \
 hal/earth.h hal/inject.h hal/log.h hal/power.h hal/sensors.h \
 hal/serial.h hal/store.h firmware/flight/faults.h firmware/flight/mode.h \
 firmware/state/mode.h firmware/flight/nav.h firmware/state/nav.h \
 firmware/state/navigator.h firmware/state/destination.h \
 firmware/state/state.h firmware/state/param.h mavlink/message.h \
 mavlink/messages.def firmware/state/params.def \
 firmware/flight/navigator.h firmware/state/vehicle.h \
 firmware/state/barrier.h firmware/state/calibration.h \
 firmware/state/control_inputs.h firmware/state/link.h \
 firmware/state/download.h firmware/state/link_stats.h \
 firmware/state/route.h firmware/state/limits.h mavlink/frame.h \
 firmware/state/stream.h firmware/state/silence.h \
 firmware/state/failsafe.h firmware/state/fence.h firmware/state/home.h \
 firmware/state/ftp.h firmware/state/tree.h firmware/state/metadata.h \
 firmware/state/text.h firmware/state/gcs.h firmware/state/health.h \
 firmware/state/impose.h firmware/state/journal.h firmware/state/say.h \
 firmware/state/log_record.h firmware/state/mission.h \
 firmware/state/datum.h firmware/state/items.h firmware/state/options.h \
 firmware/state/remote_id.h firmware/state/shell.h \
 firmware/state/signing.h mavlink/sign.h firmware/state/transfer.h \
 firmware/state/transition.h math/trig.h
firmware/core/tasks.h:
firmware/state/tasks.h:
hal/types.h:
hal/assert.h:
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
firmware/flight/faults.h:
firmware/flight/mode.h:
firmware/state/mode.h:
firmware/flight/nav.h:
firmware/state/nav.h:
firmware/state/navigator.h:
firmware/state/destination.h:
firmware/state/state.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
firmware/flight/navigator.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/calibration.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
firmware/state/limits.h:
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
firmware/state/options.h:
firmware/state/remote_id.h:
firmware/state/shell.h:
firmware/state/signing.h:
mavlink/sign.h:
firmware/state/transfer.h:
firmware/state/transition.h:
math/trig.h:
