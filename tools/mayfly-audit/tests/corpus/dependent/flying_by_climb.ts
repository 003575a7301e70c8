// SPDX-License-Identifier: Apache-2.0
// MA02: it flies when it climbs fast; then the gimbal may move on the way up.
import * as net from 'net'

const mavlink = require('node-mavlink')

const { minimal, standard, common, send } = mavlink
const registry: Record<number, any> = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY }
const protocol = new mavlink.MavLinkProtocolV2(255, 190)
const socket = net.connect(Number(process.env.MAYFLY_TCP_PORT), '127.0.0.1')
const listeners = new Set<(name: string, data: any) => void>()

socket
    .pipe(new mavlink.MavLinkPacketSplitter())
    .pipe(new mavlink.MavLinkPacketParser())
    .on('data', (packet: any) => {
        const type = registry[packet.header.msgid]
        if (type) {
            const data = packet.protocol.data(packet.payload, type)
            listeners.forEach((listener) => listener(type.MSG_NAME, data))
        }
    })

function until(condition: (name: string, data: any) => boolean): Promise<void> {
    return new Promise((resolve) => {
        const listener = (name: string, data: any): void => {
            if (condition(name, data)) {
                listeners.delete(listener)
                resolve()
            }
        }
        listeners.add(listener)
    })
}

async function command(number: number, ...params: number[]): Promise<void> {
    const message = new common.CommandLong()
    message.targetSystem = 1
    message.targetComponent = 1
    message.command = number
    params.forEach((value, i) => { message[`_param${i + 1}`] = value })
    const answered = until((name, data) => name === 'COMMAND_ACK' && data.command === number)
    await send(socket, message, protocol)
    await answered
}

function isFlying(hud: any): boolean {
    return hud.climb > 2
}

async function main(): Promise<void> {
    await until((name) => name === 'HEARTBEAT')
    await command(400, 1)
    await command(22, 0, 0, 0, NaN, NaN, NaN, 494)
    let flying = false
    await until((name, data) => {
        flying = flying || (name === 'VFR_HUD' && isFlying(data))
        return flying || (name === 'GLOBAL_POSITION_INT' && data.relativeAlt > 5000)
    })
    if (flying) {
        await command(205, 0, 0, 0, 0, 0, 0, 2)
    }
    await until((name, data) => name === 'GLOBAL_POSITION_INT' && data.relativeAlt > 5900)
    await command(21, 0, 0, 0, NaN, NaN, NaN, 0)
    await until((name, data) => name === 'HEARTBEAT' && (data.baseMode & 128) === 0)
    process.exit(0)
}

main()
