transition.o: firmware/flight/transition.c firmware/flight/transition.h \
 firmware/state/home.h hal/types.h hal/assert.h firmware/state/mode.h \
 firmware/state/navigator.h firmware/state/destination.h hal/airframe.h \
 math/geodesic.h firmware/state/state.h firmware/state/transition.h \
 firmware/core/param.h firmware/state/options.h firmware/state/param.h \
 mavlink/message.h mavlink/messages.def firmware/state/params.def \
 firmware/core/text.h firmware/state/limits.h firmware/state/text.h \
 hal/log.h firmware/flight/estimate.h firmware/state/estimate.h \
 hal/gnss.h hal/hal.h hal/archive.h hal/clock.h hal/earth.h hal/inject.h \
 hal/power.h hal/sensors.h hal/serial.h hal/store.h \
 firmware/flight/failsafe.h firmware/state/control_inputs.h \
 firmware/state/link.h firmware/state/download.h \
 firmware/state/link_stats.h firmware/state/route.h mavlink/frame.h \
 firmware/state/stream.h firmware/state/silence.h \
 firmware/state/failsafe.h firmware/flight/health.h \
 firmware/state/health.h firmware/flight/mode.h \
 firmware/flight/navigator.h firmware/flight/news.h \
 firmware/flight/state.h firmware/link/say.h firmware/state/say.h \
 firmware/state/vehicle.h firmware/state/barrier.h \
 firmware/state/calibration.h firmware/state/fence.h firmware/state/ftp.h \
 firmware/state/tree.h firmware/state/metadata.h firmware/state/gcs.h \
 firmware/state/impose.h firmware/state/journal.h \
 firmware/state/log_record.h firmware/state/mission.h \
 firmware/state/datum.h firmware/state/items.h firmware/state/remote_id.h \
 firmware/state/shell.h firmware/state/signing.h mavlink/sign.h \
 firmware/state/tasks.h firmware/state/transfer.h
firmware/flight/transition.h:
firmware/state/home.h:
hal/types.h:
hal/assert.h:
firmware/state/mode.h:
firmware/state/navigator.h:
firmware/state/destination.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/state.h:
firmware/state/transition.h:
firmware/core/param.h:
firmware/state/options.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
firmware/core/text.h:
firmware/state/limits.h:
firmware/state/text.h:
hal/log.h:
firmware/flight/estimate.h:
firmware/state/estimate.h:
hal/gnss.h:
hal/hal.h:
hal/archive.h:
hal/clock.h:
hal/earth.h:
hal/inject.h:
hal/power.h:
hal/sensors.h:
hal/serial.h:
hal/store.h:
firmware/flight/failsafe.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
mavlink/frame.h:
firmware/state/stream.h:
firmware/state/silence.h:
firmware/state/failsafe.h:
firmware/flight/health.h:
firmware/state/health.h:
firmware/flight/mode.h:
firmware/flight/navigator.h:
firmware/flight/news.h:
firmware/flight/state.h:
firmware/link/say.h:
firmware/state/say.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/calibration.h:
firmware/state/fence.h:
firmware/state/ftp.h:
firmware/state/tree.h:
firmware/state/metadata.h:
firmware/state/gcs.h:
firmware/state/impose.h:
firmware/state/journal.h:
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
