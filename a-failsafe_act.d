failsafe_act.o: firmware/flight/failsafe_act.c \
 firmware/flight/failsafe_act.h firmware/state/failsafe.h \
 firmware/state/mode.h hal/types.h hal/assert.h firmware/core/param.h \
 firmware/state/options.h firmware/state/param.h mavlink/message.h \
 mavlink/messages.def firmware/state/params.def firmware/core/tasks.h \
 firmware/state/tasks.h firmware/core/text.h firmware/state/limits.h \
 firmware/state/text.h hal/log.h firmware/flight/control_inputs.h \
 firmware/state/control_inputs.h firmware/state/link.h \
 firmware/state/download.h firmware/state/link_stats.h \
 firmware/state/route.h mavlink/frame.h firmware/state/stream.h \
 hal/serial.h firmware/state/navigator.h firmware/state/destination.h \
 hal/airframe.h math/geodesic.h firmware/state/silence.h hal/clock.h \
 firmware/flight/failsafe.h firmware/state/state.h \
 firmware/flight/health.h firmware/state/health.h hal/inject.h \
 hal/power.h firmware/flight/mode.h firmware/flight/state.h \
 firmware/flight/transition.h firmware/state/home.h \
 firmware/state/transition.h firmware/link/say.h firmware/state/say.h \
 firmware/state/vehicle.h firmware/state/barrier.h \
 firmware/state/calibration.h firmware/state/estimate.h hal/gnss.h \
 firmware/state/fence.h hal/hal.h hal/archive.h hal/earth.h hal/sensors.h \
 hal/store.h firmware/state/ftp.h firmware/state/tree.h \
 firmware/state/metadata.h firmware/state/gcs.h firmware/state/impose.h \
 firmware/state/journal.h firmware/state/log_record.h \
 firmware/state/mission.h firmware/state/datum.h firmware/state/items.h \
 firmware/state/remote_id.h firmware/state/shell.h \
 firmware/state/signing.h mavlink/sign.h firmware/state/transfer.h
firmware/flight/failsafe_act.h:
firmware/state/failsafe.h:
firmware/state/mode.h:
hal/types.h:
hal/assert.h:
firmware/core/param.h:
firmware/state/options.h:
firmware/state/param.h:
mavlink/message.h:
mavlink/messages.def:
firmware/state/params.def:
firmware/core/tasks.h:
firmware/state/tasks.h:
firmware/core/text.h:
firmware/state/limits.h:
firmware/state/text.h:
hal/log.h:
firmware/flight/control_inputs.h:
firmware/state/control_inputs.h:
firmware/state/link.h:
firmware/state/download.h:
firmware/state/link_stats.h:
firmware/state/route.h:
mavlink/frame.h:
firmware/state/stream.h:
hal/serial.h:
firmware/state/navigator.h:
firmware/state/destination.h:
hal/airframe.h:
math/geodesic.h:
firmware/state/silence.h:
hal/clock.h:
firmware/flight/failsafe.h:
firmware/state/state.h:
firmware/flight/health.h:
firmware/state/health.h:
hal/inject.h:
hal/power.h:
firmware/flight/mode.h:
firmware/flight/state.h:
firmware/flight/transition.h:
firmware/state/home.h:
firmware/state/transition.h:
firmware/link/say.h:
firmware/state/say.h:
firmware/state/vehicle.h:
firmware/state/barrier.h:
firmware/state/calibration.h:
firmware/state/estimate.h:
hal/gnss.h:
firmware/state/fence.h:
hal/hal.h:
hal/archive.h:
hal/earth.h:
hal/sensors.h:
hal/store.h:
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
firmware/state/transfer.h:
