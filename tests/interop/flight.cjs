// SPDX-License-Identifier: Apache-2.0
// A flight by node-mavlink over TCP: node flight.cjs PORT HEIGHT_AMSL. What it sees is printed as one line of JSON.
const net = require('net')
const mavlink = require('node-mavlink')

const { minimal, standard, common, send } = mavlink

const REGISTRY = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY }
const [port, height] = process.argv.slice(2).map(Number)
const protocol = new mavlink.MavLinkProtocolV2(255, 190)
const seen = { messages: {}, texts: [], acks: [], modes: [], badFrames: 0 }
const waiting = new Set()

function take(packet) {
    const type = REGISTRY[packet.header.msgid]
    if (!type || packet.header.sysid !== 1) return
    const data = packet.protocol.data(packet.payload, type)
    const name = type.MSG_NAME
    seen.messages[name] = (seen.messages[name] || 0) + 1
    if (name === 'STATUSTEXT') seen.texts.push(data.text)
    if (name === 'COMMAND_ACK') seen.acks.push([data.command, data.result])
    if (name === 'HEARTBEAT' && seen.modes.at(-1) !== data.customMode) seen.modes.push(data.customMode)
    for (const one of waiting) {
        if (one.name === name && one.condition(data)) {
            waiting.delete(one)
            one.resolve(data)
        }
    }
}

function until(name, condition = () => true, seconds = 30) {
    return new Promise((resolve, reject) => {
        waiting.add({ name, condition, resolve })
        setTimeout(() => reject(new Error(`no such ${name} within ${seconds} s: ${condition}`)), seconds * 1000).unref()
    })
}

async function ask(socket, command) {
    const ack = until('COMMAND_ACK', m => m.command === command.command, 3)
    await send(socket, command, protocol)
    return (await ack).result
}

async function fly(socket) {
    const first = await until('HEARTBEAT')
    seen.identity = [first.type, first.autopilot]

    const version = new common.RequestMessageCommand(1, 1)
    version.messageId = standard.AutopilotVersion.MSG_ID
    const told = until('AUTOPILOT_VERSION', undefined, 3)
    await ask(socket, version)
    seen.version = (await told).flightSwVersion

    const list = new common.ParamRequestList()
    list.targetSystem = list.targetComponent = 1
    const hash = until('PARAM_VALUE', m => m.paramId === '_HASH_CHECK', 3)
    const last = until('PARAM_VALUE', m => m.paramIndex === m.paramCount - 1, 3)
    await send(socket, list, protocol)
    seen.parameters = [(await hash).paramCount, (await last).paramCount]

    const arm = new common.ComponentArmDisarmCommand(1, 1)
    arm.arm = 1
    const armed = until('HEARTBEAT', m => m.baseMode & minimal.MavModeFlag.SAFETY_ARMED, 3)
    await ask(socket, arm)
    await armed

    const takeoff = new common.NavTakeoffCommand(1, 1)
    takeoff.altitude = height
    const up = until('GLOBAL_POSITION_INT', m => m.alt === height * 1000)
    await ask(socket, takeoff)
    seen.top = (await up).relativeAlt
    const interval = new common.SetMessageIntervalCommand(1, 1)
    interval.messageId = common.AttitudeQuaternion.MSG_ID
    interval.interval = 50000
    const attitude = until('ATTITUDE_QUATERNION', undefined, 3)
    await ask(socket, interval)
    const { q1, q2, q3, q4 } = await attitude
    seen.attitude = [q1, q2, q3, q4]

    const landed = until('HEARTBEAT', m => !(m.baseMode & minimal.MavModeFlag.SAFETY_ARMED))
    await ask(socket, new common.NavLandCommand(1, 1))
    await landed
}

const socket = net.connect({ host: '127.0.0.1', port })
const splitter = new mavlink.MavLinkPacketSplitter({}, { onCrcError: () => { seen.badFrames++ } })
socket.pipe(splitter).pipe(new mavlink.MavLinkPacketParser()).on('data', take)
socket.on('connect', () => fly(socket).then(() => {
    console.log(JSON.stringify(seen))
    process.exit(0)
}, error => {
    console.error(error, JSON.stringify(seen))
    process.exit(1)
}))
