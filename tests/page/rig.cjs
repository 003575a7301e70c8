// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: a drone of their own on free ports, what it says over MAVLink, and a browser.
const { chromium } = require('playwright-core')
const assert = require('node:assert/strict')
const { execFileSync, spawn } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { after, before, test } = require('node:test')

const MAYFLY = process.env.MAYFLY || 'build/mayfly'
const SIMCTL = process.env.SIMCTL || 'build/simctl'
const SWARM = process.env.SWARM || 'build/mayfly-swarm'
const PATIENCE_MS = 30000
const HEARTBEAT = 0, GPS_RAW_INT = 24, MISSION_COUNT = 44, MISSION_ACK = 47, MISSION_REQUEST_INT = 51, MISSION_ITEM_INT = 73
const CRC_EXTRA = { [HEARTBEAT]: 50, [MISSION_COUNT]: 221, [MISSION_ITEM_INT]: 38, 76: 152 }

// A process; ports as 0 are chosen by the machine, and told in the lines that it writes.
class Drone {
  static async start(...args) {
    const drone = new Drone()
    drone.text = ''
    drone.process = spawn(MAYFLY, ['--tcp', '127.0.0.1:0', '--udp', 'none', '--udp-out', 'none',
      ...args.includes('--api') ? [] : ['--api', '127.0.0.1:0'], ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    drone.process.stderr.on('data', data => { drone.text += data })
    await until(() => /http:\/\/\S+:\d+\/: live/.test(drone.text), () => drone.text)
    drone.url = drone.text.match(/(http:\/\/\S+:\d+\/): live/)[1].replace('0.0.0.0', '127.0.0.1')
    drone.api = Number(drone.url.match(/:(\d+)\//)[1])
    drone.tcp = Number(drone.text.match(/tcp 127\.0\.0\.1:(\d+)/)[1])
    return drone
  }

  async ask(path, body, method = 'POST') {
    const answer = await fetch(this.url + path, body || method === 'DELETE'
      ? { method, body: body && JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : undefined)
    return answer.json()
  }

  end() {
    if (this.process.exitCode !== null) return undefined
    const gone = new Promise(done => this.process.on('exit', done))
    this.process.kill('SIGTERM')
    return gone
  }
}

// A controller of instances that are processes of this machine, with templates of a folder that goes with it.
class Controller {
  static async start(templates, ...args) {
    const c = new Controller()
    c.text = ''
    c.top = fs.mkdtempSync(path.join(os.tmpdir(), 'mayfly-page-'))
    c.folder = path.join(c.top, 'templates')
    fs.mkdirSync(c.folder)
    for (const [name, text] of Object.entries(templates)) fs.writeFileSync(path.join(c.folder, name + '.yaml'), text)
    c.process = spawn(SIMCTL, ['serve', '--listen', '127.0.0.1:0', '--templates', c.folder, ...args.map(a => a.replace('FOLDER', c.folder))],
      { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [c.process.stdout, c.process.stderr]) stream.on('data', data => { c.text += data })
    await until(() => /http:\/\/\S+:\d+/.test(c.text), () => c.text)
    c.url = c.text.match(/http:\/\/[^\s:]+:\d+/)[0] + '/'
    return c
  }

  async ask(method, path, body, token) {
    const answer = await fetch(this.url + path, { method, body: body && JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...token && { Authorization: 'Bearer ' + token } } })
    return answer.json()
  }

  end() {
    const gone = new Promise(done => this.process.on('exit', done))
    this.process.kill('SIGTERM')
    return gone.then(() => fs.rmSync(this.top, { recursive: true }))
  }
}

// A swarm that serves its page on a free port.
class Swarm {
  // scenario: a text, or the arguments that name a file
  static async start(scenario) {
    const s = new Swarm()
    s.text = ''
    s.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mayfly-swarm-'))
    const file = path.join(s.folder, 'world.yaml')
    if (typeof scenario === 'string') fs.writeFileSync(file, scenario)
    s.process = spawn(SWARM, [...typeof scenario === 'string' ? [file] : scenario, '--out', s.folder], { stdio: ['ignore', 'ignore', 'pipe'] })
    s.process.stderr.on('data', data => { s.text += data })
    await until(() => /http:\/\/\S+:\d+\/: live/.test(s.text), () => s.text)
    s.url = s.text.match(/(http:\/\/\S+:\d+\/): live/)[1]
    return s
  }

  // A recording of a run that is over
  static async replay(scenario, ...sets) {
    const s = new Swarm()
    s.text = ''
    s.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mayfly-swarm-'))
    fs.writeFileSync(path.join(s.folder, 'world.yaml'), scenario)
    const args = [path.join(s.folder, 'world.yaml'), '--out', s.folder, ...sets.flatMap(set => ['--set', set])]
    execFileSync(SWARM, args, { stdio: 'ignore' })
    s.process = spawn(path.join(path.dirname(SWARM), 'mayfly-view'), [path.join(s.folder, 'pictures'), '--listen', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
    s.process.stderr.on('data', data => { s.text += data })
    await until(() => /http:\/\/\S+:\d+\/: recording/.test(s.text), () => s.text)
    s.url = s.text.match(/(http:\/\/\S+:\d+\/): recording/)[1]
    return s
  }

  async end() {
    if (this.process.exitCode === null) {
      const gone = new Promise(done => this.process.on('exit', done))
      this.process.kill('SIGTERM')
      await gone
    }
    fs.rmSync(this.folder, { recursive: true })
  }
}

// A client over TCP: frames of MAVLink 2 as they come, payloads without cut zeros.
class Client {
  constructor(port) {
    this.waiting = new Set()
    this.seq = 0
    let rest = Buffer.alloc(0)
    this.socket = net.connect({ host: '127.0.0.1', port })
    this.socket.on('error', () => {})
    this.socket.on('data', data => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 12 && rest.length >= 12 + rest[1]) {
        const payload = Buffer.alloc(255)
        rest.copy(payload, 0, 10, 10 + rest[1])
        const id = rest.readUIntLE(7, 3)
        rest = rest.subarray(12 + rest[1])
        for (const one of this.waiting) if (one.id === id && one.fits(payload)) one.done(payload)
      }
    })
  }

  // The first message from now on that fits
  expect(id, fits = () => true) {
    return new Promise((done, fail) => {
      const one = { id, fits, done: payload => { clearTimeout(late); this.waiting.delete(one); done(payload) } }
      const late = setTimeout(() => fail(new Error(`no such message ${id}: ${fits}`)), PATIENCE_MS)
      this.waiting.add(one)
    })
  }

  send(id, payload) {
    const head = Buffer.from([payload.length, 0, 0, this.seq++ & 255, 255, 190, id & 255, id >> 8, 0])
    const body = Buffer.concat([head, payload])
    let crc = 0xffff
    for (const byte of [...body, CRC_EXTRA[id]]) {
      let t = (byte ^ crc) & 0xff
      t = (t ^ t << 4) & 0xff
      crc = (crc >> 8 ^ t << 8 ^ t << 3 ^ t >> 4) & 0xffff
    }
    this.socket.write(Buffer.concat([Buffer.from([0xfd]), body, Buffer.from([crc & 255, crc >> 8])]))
  }

  // Upload a list of [command, latitude, longitude, height above home, first parameter]. Type: MAV_MISSION_TYPE
  async upload(type, items) {
    const count = Buffer.alloc(9)
    count.writeUInt16LE(items.length, 0)
    count.set([1, 1, type], 2)
    for (let seq = -1; ;) {
      const asked = this.expect(MISSION_REQUEST_INT)
      const ended = this.expect(MISSION_ACK)
      ended.catch(() => {})
      asked.catch(() => {})
      if (seq < 0) this.send(MISSION_COUNT, count.subarray(0, 5))
      else this.send(MISSION_ITEM_INT, item(seq, type, items[seq]))
      const next = await Promise.race([asked, ended.then(p => ({ result: p[2] }))])
      if (next.result !== undefined) return next.result
      seq = next.readUInt16LE(0)
    }
  }

  end() { this.socket.destroy() }
}

function item(seq, type, [command, lat, lon, height, param1 = 0]) {
  const p = Buffer.alloc(38)
  p.writeFloatLE(param1, 0)
  p.writeFloatLE(NaN, 12)
  p.writeInt32LE(Math.round(lat * 1e7), 16)
  p.writeInt32LE(Math.round(lon * 1e7), 20)
  p.writeFloatLE(height, 24)
  p.writeUInt16LE(seq, 28)
  p.writeUInt16LE(command, 30)
  p.set([1, 1, 6, seq === 0 ? 1 : 0, 1, type], 32)
  return p
}

async function until(holds, what = () => holds) {
  const end = Date.now() + PATIENCE_MS
  while (!await holds()) {
    if (Date.now() > end) throw new Error('it never came to be: ' + what())
    await new Promise(done => setTimeout(done, 20))
  }
}

// A browser; what its pages complain of, and what they ask of anybody else, is kept in page.wrong.
const open = () => chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'], // containers have neither
})

async function visit(browser, drone, size = { width: 1440, height: 900 }, address = drone.url) {
  const page = await browser.newPage({ viewport: size })
  page.setDefaultTimeout(PATIENCE_MS)
  page.wrong = []
  page.on('console', m => { // but for what a test's own look at colours costs, and a machine without a graphics card
    if (['error', 'warning'].includes(m.type()) && !/willReadFrequently|GPU stall/.test(m.text())) page.wrong.push(m.text())
  })
  page.on('pageerror', e => page.wrong.push(e.message))
  page.on('request', r => { if (!/^data:/.test(r.url()) && !r.url().startsWith(drone.url)) page.wrong.push('asks ' + r.url()) })
  await page.goto(address)
  return page
}

// What axe finds wrong with a page, in words; it is put there past the page's policy, which allows no script but its own.
async function accessible(page) {
  await page.evaluate(fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const { violations } = await page.evaluate(() => axe.run())
  return violations.map(v => `${v.id}: ${v.help}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`)
}

// A picture to look at, if a folder is given for them
async function shot(page, name) {
  if (!process.env.SHOTS) return
  fs.mkdirSync(process.env.SHOTS, { recursive: true })
  await page.screenshot({ path: path.join(process.env.SHOTS, name + '.png') })
}

// Texts that a picture of a swarm's page has on its map, as [text, x, y].
const texts = page => page.evaluate(() => {
  const all = [], kind = CanvasRenderingContext2D.prototype, had = kind.fillText
  kind.fillText = function (...what) { if (this.canvas === map) all.push(what.slice(0, 3)); had.apply(this, what) }
  draw()
  kind.fillText = had
  return all
})

// Tests of a swarm's page, in a browser of their own. `start` brings what a scenario says; it is ended, whatever happens.
function states(start) {
  let browser
  before(async () => { browser = await open() })
  after(() => browser.close())
  return (name, scenario, body, size, scheme) => test(name, async () => {
    const swarm = await start(scenario)
    try {
      const page = await visit(browser, swarm, size)
      if (scheme) await page.emulateMedia({ colorScheme: scheme })
      await until(() => page.evaluate(() => S.n && S.frames > 1))
      await body(page, swarm)
      assert.deepEqual(page.wrong, [])
      await page.close()
    } finally {
      await swarm.end()
    }
  })
}

// Walkers, bees and three that idle about a hall. obstacles: more of them; walker: what walkers have besides
const hall = (obstacles = [], walker = '') => `
swarm: 1
title: Walkers about a hall
seed: 7
time: {clock: real, end: 900}
medium: {range: 40}
space:
  origin: [47.397742, 8.545594, 488]
  obstacles:
${['kind: box, at: [40, -20, 0], size: [4, 60, 20]', 'kind: cylinder, at: [0, 80, 0], radius: 8, height: 30', ...obstacles].map(o => `    - {${o}}`).join('\n')}
entities:
  - {name: walker, count: 40, place: {grid: [8, 5], spacing: 12}, start: 1, radio: {kind: cc2420}, ${walker}behaviour: {kind: walk, rate: 10, speed_max: 3, speed_sigma: 0.5, heading_sigma: 0.3, height: [10, 40]}}
  - {name: bee, as: agent, count: 20, place: {disc: [-40, 0, 30]}, radio: {kind: cc2420}, behaviour: {kind: walk, rate: 10, speed_max: 2, speed_sigma: 0.2, heading_sigma: 0.2, height: 15}}
  - {name: idle, count: 3, place: {list: [[0, -30], [10, -30], [20, -30]]}, radio: {kind: cc2420}}
outputs: {page: "127.0.0.1:0"}
`

module.exports = { accessible, hall, shot, states, texts, Drone, Swarm, Client, Controller, open, visit, until, GPS_RAW_INT, HEARTBEAT }
