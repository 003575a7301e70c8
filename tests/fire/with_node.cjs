// SPDX-License-Identifier: Apache-2.0
// node-mavlink: a library without transfers of its own, so these are the shortest loops that its users write: ask once, wait
// three seconds. The same dialogue as client.py's: operations on standard input, a line of JSON for each.
const net = require('net')
const readline = require('readline')
const mavlink = require('node-mavlink')

const { minimal, standard, common, send } = mavlink
const REGISTRY = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY }
const PATIENCE_S = 3
const data = JSON.parse(process.argv[4])
const protocol = new mavlink.MavLinkProtocolV2(255, 190)
const waiting = new Set()
data.port = Number(process.argv[2])
let socket

class Reported extends Error {}

function take(packet) {
    const type = REGISTRY[packet.header.msgid]
    if (!type || packet.header.sysid !== 1) return
    const m = packet.protocol.data(packet.payload, type)
    for (const one of waiting) {
        if (one.names.includes(type.MSG_NAME) && one.condition(m)) {
            waiting.delete(one)
            clearTimeout(one.timer)
            one.resolve(Object.assign(m, { name: type.MSG_NAME }))
        }
    }
}

function until(names, condition = () => true, seconds = PATIENCE_S) {
    return new Promise((resolve, reject) => {
        const one = { names: [names].flat(), condition, resolve }
        one.timer = setTimeout(() => {
            waiting.delete(one)
            reject(new Reported(`no ${one.names.join(' or ')} in ${seconds} s`))
        }, seconds * 1000)
        waiting.add(one)
    })
}

function to(message, fields) {
    return Object.assign(message, { targetSystem: 1, targetComponent: 1 }, fields)
}

async function command(message, fields) {
    Object.assign(message, fields)
    let ack = until('COMMAND_ACK', m => m.command === message.command)
    await send(socket, message, protocol)
    ack = await ack
    if (ack.result === 5) ack = await until('COMMAND_ACK', m => m.command === message.command && m.result !== 5, 10)
    if (ack.result !== 0) throw new Reported(`COMMAND_ACK ${common.MavResult[ack.result]}`)
}

async function connect() {
    socket = net.connect({ host: '127.0.0.1', port: data.port })
    socket.on('error', () => {})
    socket.pipe(new mavlink.MavLinkPacketSplitter()).pipe(new mavlink.MavLinkPacketParser()).on('data', take)
    await until('HEARTBEAT', undefined, 10)
}

// The value of PARAM_VALUE: an integer comes as its bits.
function value(m) {
    if (m.paramType === 9) return m.paramValue
    const bits = new DataView(new ArrayBuffer(4))
    bits.setFloat32(0, m.paramValue, true)
    return bits.getInt32(0, true)
}

async function parameters() {
    const found = {}
    let count = null
    const complete = m => {
        count = m.paramCount
        if (m.paramIndex < 65535) found[m.paramId] = value(m)
        return Object.keys(found).length >= count
    }
    const all = until('PARAM_VALUE', complete, 10)
    await send(socket, to(new common.ParamRequestList()), protocol)
    await all.catch(() => { throw new Reported(`${Object.keys(found).length} of ${count} parameters in 10 s`) })
    return found
}

const one = name => async () => {
    const answer = until('PARAM_VALUE', m => m.paramId === name)
    await send(socket, to(new common.ParamRequestRead(), { paramId: name, paramIndex: -1 }), protocol)
    return value(await answer)
}

async function flight() {
    await until('SYS_STATUS')
    const armed = until('HEARTBEAT', m => m.baseMode & 128, 8)
    armed.catch(() => {})
    await command(new common.ComponentArmDisarmCommand(1, 1), { arm: 1 })
    await armed
    const up = until('EXTENDED_SYS_STATE', m => m.landedState === 2, 15)
    up.catch(() => {})
    await command(new common.NavTakeoffCommand(1, 1), { altitude: data.home[2] + data.takeoff })
    await up
}

const upload = mission => async () => {
    const next = () => until(['MISSION_REQUEST', 'MISSION_REQUEST_INT', 'MISSION_ACK'])
    let asked = next()
    await send(socket, to(new common.MissionCount(), { count: mission.length }), protocol)
    for (;;) {
        const m = await asked
        if (m.name === 'MISSION_ACK') {
            if (m.type !== 0) throw new Reported(`MISSION_ACK ${common.MavMissionResult[m.type]}`)
            return mission.length
        }
        const [number, x, y, z] = mission[m.seq]
        asked = next()
        asked.catch(() => {})
        await send(socket, to(new common.MissionItemInt(), {
            seq: m.seq, frame: 6, command: number, current: m.seq === 0 ? 1 : 0, autocontinue: 1, param4: NaN, x, y, z
        }), protocol)
    }
}

async function download() {
    const counted = until('MISSION_COUNT')
    await send(socket, to(new common.MissionRequestList()), protocol)
    const { count } = await counted
    const found = []
    while (found.length < count) {
        const item = until('MISSION_ITEM_INT', m => m.seq === found.length)
        await send(socket, to(new common.MissionRequestInt(), { seq: found.length }), protocol)
        const m = await item
        found.push([m.command, m.x, m.y, m.z])
    }
    await send(socket, to(new common.MissionAck(), { type: 0 }), protocol)
    return found
}

const requested = (number, name, get) => async () => {
    const told = until(name)
    told.catch(() => {})
    await command(new common.RequestMessageCommand(1, 1), { messageId: number })
    return get(await told)
}

const OPERATIONS = {
    connect, parameters, parameter: one(data.parameter), other_parameter: one(data.other_parameter), flight,
    land: () => command(new common.NavLandCommand(1, 1), {}),
    upload: upload(data.mission), short_upload: upload(data.short_mission), download,
    message: requested(148, 'AUTOPILOT_VERSION', m => [m.flightSwVersion >>> 24, m.flightSwVersion >>> 16 & 255]),
    other_message: requested(49, 'GPS_GLOBAL_ORIGIN', m => m.latitude / 1e7)
}

readline.createInterface({ input: process.stdin }).on('line', line => {
    OPERATIONS[line.trim()]().then(
        result => console.log(JSON.stringify({ claim: 'done', value: result === undefined ? null : result })),
        error => console.log(JSON.stringify(error instanceof Reported
            ? { claim: 'error', text: error.message }
            : { claim: 'crash', text: `${error.name}: ${error.message}` })))
}).on('close', () => process.exit(0))
