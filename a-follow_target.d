follow_target.o: firmware/flight/follow_target.c \
 firmware/flight/control_inputs.h firmware/state/control_inputs.h \
 firmware/state/link.h firmware/state/download.h hal/types.h hal/assert.h \
 mavlink/message.h mavlink/messages.def firmware/state/link_stats.h \
 firmware/state/route.h firmware/state/limits.h mavlink/frame.h \
 firmware/state/stream.h hal/serial.h firmware/state/mode.h \
 firmware/state/navigator.h firmware/state/destination.h hal/airframe.h \
 math/geodesic.h firmware/state/silence.h firmware/state/param.h \
 firmware/state/params.def hal/clock.h firmware/flight/datum.h \
 firmware/state/datum.h firmware/state/estimate.h hal/gnss.h \
 firmware/state/home.h hal/hal.h hal/archive.h hal/earth.h hal/inject.h \
 hal/log.h hal/power.h hal/sensors.h hal/store.h \
 firmware/flight/navigator.h firmware/state/vehicle.h \
 firmware/state/barrier.h firmware/state/calibration.h \
 firmware/state/failsafe.h firmware/state/fence.h firmware/state/ftp.h \
 firmware/state/tree.h firmware/state/metadata.h firmware/state/text.h \
 firmware/state/gcs.h firmware/state/health.h firmware/state/impose.h \
 firmware/state/journal.h firmware/state/say.h \
 firmware/state/log_record.h firmware/state/mission.h \
 firmware/state/items.h firmware/state/options.h \
 firmware/state/remote_id.h firmware/state/shell.h \
 firmware/state/signing.h mavlink/sign.h firmware/state/tasks.h \
 firmware/state/transfer.h firmware/state/transition.h \
 firmware/state/state.h math/trig.h
firmware/flight/control_inputs.h:
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
firmware/state/param.h:
firmware/state/params.def:
hal/clock.h:
firmware/flight/datum.h:
firmware/state/datum.h:
firmware/state/estimate.h:
hal/gnss.h:
firmware/state/home.h:
hal/hal.h:
hal/archive.h:
hal/earth.h:
hal/inject.h:
hal/log.h:
hal/power.h:
hal/sensors.h:
hal/store.h:
firmware/flight/navigator.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/calibration.h:
firmware/state/failsafe.h:
firmware/state/fence.h:
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
firmware/state/items.h:
firmware/state/options.h:
firmware/state/remote_id.h:
firmware/state/shell.h:
firmware/state/signing.h:
mavlink/sign.h:
firmware/state/tasks.h:
firmware/state/transfer.h:
firmware/state/transition.h:
firmware/state/state.h:
math/trig.h:
