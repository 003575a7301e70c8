health.o: firmware/flight/health.c firmware/flight/health.h \
 firmware/state/health.h firmware/state/param.h hal/types.h hal/assert.h \
 mavlink/message.h mavlink/messages.def firmware/state/params.def \
 hal/inject.h hal/log.h hal/power.h firmware/core/param.h \
 firmware/state/options.h firmware/core/tasks.h firmware/state/tasks.h \
 firmware/flight/calibration.h firmware/state/calibration.h hal/hal.h \
 hal/airframe.h hal/archive.h hal/clock.h hal/earth.h hal/gnss.h \
 hal/sensors.h hal/serial.h hal/store.h firmware/flight/control_inputs.h \
 firmware/state/control_inputs.h firmware/state/link.h \
 firmware/state/download.h firmware/state/link_stats.h \
 firmware/state/route.h firmware/state/limits.h mavlink/frame.h \
 firmware/state/stream.h firmware/state/mode.h firmware/state/navigator.h \
 firmware/state/destination.h math/geodesic.h firmware/state/silence.h \
 firmware/flight/estimate.h firmware/state/estimate.h \
 firmware/flight/fence.h firmware/state/datum.h firmware/state/home.h \
 firmware/state/fence.h firmware/state/mission.h firmware/state/items.h \
 firmware/state/text.h firmware/flight/fence_change.h \
 firmware/flight/mission.h firmware/flight/mode.h \
 firmware/state/vehicle.h firmware/state/barrier.h \
 firmware/state/failsafe.h firmware/state/ftp.h firmware/state/tree.h \
 firmware/state/metadata.h firmware/state/gcs.h firmware/state/impose.h \
 firmware/state/journal.h firmware/state/say.h \
 firmware/state/log_record.h firmware/state/remote_id.h \
 firmware/state/shell.h firmware/state/signing.h mavlink/sign.h \
 firmware/state/transfer.h firmware/state/transition.h \
 firmware/state/state.h mavlink/enums.h
firmware/flight/health.h:
firmware/state/health.h:
firmware/state/param.h:
hal/types.h:
hal/assert.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
hal/inject.h:
hal/log.h:
hal/power.h:
firmware/core/param.h:
firmware/state/options.h:
firmware/core/tasks.h:
firmware/state/tasks.h:
firmware/flight/calibration.h:
firmware/state/calibration.h:
hal/hal.h:
hal/airframe.h:
hal/archive.h:
hal/clock.h:
hal/earth.h:
hal/gnss.h:
hal/sensors.h:
hal/serial.h:
hal/store.h:
firmware/flight/control_inputs.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
firmware/state/limits.h:
mavlink/frame.h:
firmware/state/stream.h:
firmware/state/mode.h:
firmware/state/navigator.h:
firmware/state/destination.h:
math/geodesic.h:
firmware/state/silence.h:
firmware/flight/estimate.h:
firmware/state/estimate.h:
firmware/flight/fence.h:
firmware/state/datum.h:
firmware/state/home.h:
firmware/state/fence.h:
firmware/state/mission.h:
firmware/state/items.h:
firmware/state/text.h:
firmware/flight/fence_change.h:
firmware/flight/mission.h:
firmware/flight/mode.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/failsafe.h:
firmware/state/ftp.h:
firmware/state/tree.h:
firmware/state/metadata.h:
firmware/state/gcs.h:
firmware/state/impose.h:
firmware/state/journal.h:
firmware/state/say.h:
firmware/state/log_record.h:
firmware/state/remote_id.h:
firmware/state/shell.h:
firmware/state/signing.h:
mavlink/sign.h:
firmware/state/transfer.h:
firmware/state/transition.h:
firmware/state/state.h:
mavlink/enums.h:
