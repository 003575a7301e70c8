// SPDX-License-Identifier: Apache-2.0
// The live picture in a browser: what it shows, and what its buttons do, seen in MAVLink or by the API.
const { after, before, test } = require('node:test')
const assert = require('node:assert/strict')
const { Drone, Client, open, visit, until, GPS_RAW_INT } = require('./rig.cjs')

const HOME = [47.397742, 8.545594]
const live = page => page.locator('#link', { hasText: 'live' }).waitFor()
const label = page => page.locator('#map').getAttribute('aria-label')
let browser

before(async () => { browser = await open() })
after(() => browser.close())

// One drone and one page on it, which must not have complained at the end.
function on(name, args, body) {
  test(name, async () => {
    const drone = await Drone.start(...args)
    try {
      const page = await visit(browser, drone)
      await body(page, drone)
      assert.deepEqual(page.wrong, [])
      await page.close()
    } finally {
      await drone.end()
    }
  })
}

on('it shows the vehicle', [], async page => {
  await live(page)
  await page.locator('#mode', { hasText: 'Hold' }).waitFor()
  assert.equal(await page.locator('#arm').textContent(), 'ready to arm')
  assert.equal(await page.locator('#place').textContent(), '47.3977420°, 8.5455940°')
  assert.equal(await page.locator('#amsl').textContent(), '488.0 m')
  assert.equal(await page.locator('#gps').textContent(), '3D fix, 10 satellites')
  assert.equal(await page.locator('#battery').textContent(), '100 %, 16.20 V')
  assert.equal(await page.locator('#health .sick').count(), 0)
  await page.locator('#log li', { hasText: 'Boot' }).waitFor()
  assert.equal(await page.title(), 'Hold – Mayfly 1')
})

on('GPS loss by a button is seen in MAVLink', [], async (page, drone) => {
  const client = new Client(drone.tcp)
  await client.expect(GPS_RAW_INT, p => p[28] === 3)
  const lost = client.expect(GPS_RAW_INT, p => p[28] === 0)
  await page.getByRole('button', { name: 'Inject gps_off' }).click()
  await lost
  await page.locator('#gps', { hasText: 'no receiver' }).waitFor()
  await page.locator('#notice', { hasText: 'No position' }).waitFor()
  await page.locator('#health .sick', { hasText: 'gps fails' }).waitFor()
  await page.locator('#log li', { hasText: 'Fault gps_off begins' }).waitFor()
  await page.locator('.fault.on[data-fault=gps_off]').waitFor()
  const back = client.expect(GPS_RAW_INT, p => p[28] === 3)
  await page.getByRole('button', { name: 'Clear gps_off' }).click()
  await back
  await page.locator('#gps', { hasText: '3D fix' }).waitFor()
  assert.equal(await page.locator('.fault.on').count(), 0)
  client.end()
})

on('faults with values, and what is wrong with them', [], async (page, drone) => {
  await live(page)
  await page.getByLabel('Search faults').fill('glitch')
  assert.equal(await page.locator('.fault:visible').count(), 1)
  await page.getByLabel('gps_glitch north m').fill('300')
  await page.getByLabel('gps_glitch east m').fill('400')
  await page.getByRole('button', { name: 'Inject gps_glitch' }).click()
  await until(async () => /The reported position is 500 m off/.test(await label(page)))
  await page.locator('#legend', { hasText: 'reported' }).waitFor()
  const find = async name => (await drone.ask('v1/faults')).faults.find(f => f.fault === name)
  assert.deepEqual((await find('gps_glitch')).values, [300, 400, 0])
  await page.getByLabel('Search faults').fill('')
  await page.getByLabel('battery %', { exact: true }).fill('101')
  await page.getByRole('button', { name: 'Inject battery', exact: true }).click()
  await page.locator('.fault[data-fault=battery] .err', { hasText: 'battery: 101 is out of range, allowed: 0 .. 100' }).waitFor()
  page.wrong = page.wrong.filter(text => !text.includes('422')) // the browser notes what was refused
  await page.getByLabel('prearm text').fill('Preflight Fail: door open')
  await page.getByRole('button', { name: 'Inject prearm' }).click()
  await page.locator('#arm', { hasText: 'door open' }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.locator('#arm', { hasText: 'ready to arm' }).waitFor()
  assert.equal((await find('gps_glitch')).active, false)
})

on('rules of protocol misbehaviour', [], async (page, drone) => {
  await live(page)
  const rules = async () => (await drone.ask('v1/misbehaviour')).rules.map(r => [r.name, r.rule])
  await page.getByLabel('Search faults').fill('command_denied')
  await page.getByLabel('command_denied (COMMAND)').fill('takeoff')
  await page.getByRole('button', { name: 'Add command_denied' }).click()
  await page.locator('.fault.on[data-rule=command_denied]').waitFor()
  assert.deepEqual(await rules(), [['command_denied', 'command_denied(NAV_TAKEOFF)']])
  await page.getByLabel('command_denied (COMMAND)').fill('nonsense')
  await page.getByRole('button', { name: 'Add command_denied' }).click()
  await page.locator('[data-rule=command_denied] .err', { hasText: 'nonsense' }).waitFor()
  page.wrong = page.wrong.filter(text => !text.includes('422'))
  await page.getByRole('button', { name: 'command_denied(NAV_TAKEOFF) ✕' }).click()
  await page.locator('.fault.on').waitFor({ state: 'detached' })
  assert.deepEqual(await rules(), [])
})

on('the clock is held, runs and changes by its buttons', [], async (page, drone) => {
  await live(page)
  const clock = () => drone.ask('v1/clock')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.locator('#pace', { hasText: 'paused' }).waitFor()
  await page.locator('#clock', { hasText: 'paused at' }).waitFor()
  const held = (await clock()).vehicle_time_s
  await page.getByLabel('Seconds to run').fill('3600')
  await page.getByRole('button', { name: 'Fast', exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await until(async () => (await clock()).vehicle_time_s >= held + 3600)
  await until(async () => (await clock()).standing)
  const then = (await clock()).vehicle_time_s
  assert.ok(Math.abs(then - held - 3600) < 1e-5)
  await page.locator('#time', { hasText: '1:00:' }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: '×10', exact: true }).click()
  await until(async () => (await clock()).rate === 10)
  assert.deepEqual([(await clock()).mode, (await clock()).action], ['real', 'resume'])
  await page.locator('#pace', { hasText: '×10' }).waitFor()
  await page.getByLabel('Seconds to run').fill('-1')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('#clock-err', { hasText: 'that time is over' }).waitFor()
  page.wrong = page.wrong.filter(text => !text.includes('422'))
})

on('a clock that cannot keep its rate shows the one it achieves', ['--clock', 'x20'], async (page, drone) => {
  await live(page)
  const client = new Client(drone.tcp) // so that something is due
  await client.expect(GPS_RAW_INT)
  for (let i = 0; i < 6; i++) {
    drone.process.kill('SIGSTOP')
    await new Promise(done => setTimeout(done, 250))
    drone.process.kill('SIGCONT')
    await new Promise(done => setTimeout(done, 50))
  }
  await page.locator('#pace', { hasText: /^×[0-9.]+ of ×20$/ }).waitFor()
  await page.locator('#clock', { hasText: 'instead of ×20: the host or a client is too slow' }).waitFor()
  client.end()
})

on('a mission of 10,000 items, a fence and rally points', [], async (page, drone) => {
  const client = new Client(drone.tcp)
  const around = (i, n, r) => [HOME[0] + r * Math.cos(i / n * 6.2832), HOME[1] + r * Math.sin(i / n * 6.2832)]
  assert.equal(await client.upload(1, [0, 1, 2, 3].map(i => [5001, ...around(i, 4, 0.02), 0, 4]).concat([[5004, ...around(1, 4, 0.015), 0, 50]])), 0)
  assert.equal(await client.upload(2, [[5100, ...around(1, 8, 0.005), 30]]), 0)
  assert.equal(await client.upload(0, Array.from({ length: 10000 }, (_, i) => [16, ...around(i, 1000, 0.01), 30])), 0)
  client.end()
  await until(async () => /Mission of 10,000 items, item 0 is next. 2 fence zones, 1 rally point\./.test(await label(page)),
    () => page.locator('#map').getAttribute('aria-label'))
  assert.equal(await page.locator('#mission').textContent(), 'item 0 of 10000, not started')
  assert.equal(await page.locator('#fence').textContent(), '2 zones, 1 rally point')
  const part = await drone.ask('v1/mission?from=9999&count=5')
  assert.deepEqual([part.count, part.from, part.items.length, part.items[0].seq], [10000, 9999, 1, 9999])
  const painted = () => page.evaluate(() => document.getElementById('map').toDataURL())
  const whole = await painted()
  await page.locator('#map').focus()
  await page.keyboard.press('+')
  await until(async () => await painted() !== whole)
  await page.keyboard.press('f')
  await until(async () => await painted() === whole)
})

on('it flies the drone: actions, a click on the map, a plan, a parameter', ['--clock', 'x20'], async (page, drone) => {
  await live(page)
  const state = async () => drone.ask('v1/vehicle')
  const press = name => page.getByRole('button', { name, exact: true }).click()
  await press('Start mission')
  await page.locator('#fly-err', { hasText: 'Start mission: ' }).waitFor() // there is none
  await press('Arm')
  await until(async () => (await state()).armed)
  await page.getByLabel('Altitude above home').fill('30')
  await press('Take off')
  await until(async () => Math.abs((await state()).position.alt_relative_m - 30) < 0.01)
  await press('Go there')
  const box = await page.locator('#map').boundingBox()
  await page.mouse.click(box.x + box.width / 2 + 60, box.y + box.height / 2 - 40)
  await page.locator('#fly', { hasText: 'Go to 47.39' }).waitFor()
  const text = (await page.locator('#fly').textContent()).match(/(-?[\d.]+)°, (-?[\d.]+)°/)
  await until(async () => Math.abs((await state()).position.lat_deg - text[1]) < 1e-6 && Math.abs((await state()).position.lon_deg - text[2]) < 1e-6)
  assert.ok(+text[1] > HOME[0] && +text[2] > HOME[1]) // up and right is north-east
  await page.locator('#plan').setInputFiles('docs/square.plan')
  await page.locator('#fly', { hasText: 'square.plan: 6 items uploaded' }).waitFor()
  await page.locator('#plan').setInputFiles('tests/data/plans/bad_jump.plan')
  await page.locator('#fly-err', { hasText: 'goes to 9' }).waitFor()
  await page.getByRole('combobox', { name: 'Parameter' }).fill('MPC_XY_CRUISE')
  await page.getByLabel('Value', { exact: true }).fill('7.5')
  await press('Set')
  await page.locator('#fly', { hasText: 'MPC_XY_CRUISE is 7.5' }).waitFor()
  await press('Start mission')
  await page.locator('#mode', { hasText: 'Mission' }).waitFor()
  await press('Return')
  await until(async () => (await state()).armed === false)
  assert.ok(page.wrong.every(text => /status of 422/.test(text)), page.wrong) // of the bad plan
  page.wrong.length = 0
})

on('a take-off while disarmed is agreed to, then arms and climbs', ['--clock', 'x20'], async (page, drone) => {
  await live(page)
  const state = () => drone.ask('v1/vehicle')
  const dialog = page.getByRole('dialog', { name: 'Arm and take off?' })
  const press = name => page.getByRole('button', { name, exact: true }).click()
  await page.getByLabel('Altitude above home').fill('12')
  await press('Take off')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual([(await state()).armed, (await state()).mode], [false, 'Hold'])
  await press('Take off')
  assert.match(await dialog.textContent(), /12\u00a0m/)
  await dialog.getByRole('button', { name: 'Arm and take off' }).click()
  await until(async () => Math.abs((await state()).position.alt_relative_m - 12) < 0.01)
  assert.equal((await state()).armed, true)
})

on('a take-off that the drone refuses shows its reason, and changes nothing', [], async (page, drone) => {
  await live(page)
  await drone.ask('v1/faults', { fault: 'prearm', text: 'Preflight Fail: door open' })
  await page.locator('#arm', { hasText: 'door open' }).waitFor()
  await page.getByRole('button', { name: 'Take off', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Arm and take off' }).click()
  await page.locator('#fly-err', { hasText: 'Arm: ' }).waitFor()
  const { reason } = await drone.ask('v1/commands', { action: 'arm' })
  assert.equal(await page.locator('#fly-err').textContent(), 'Arm: ' + reason)
  assert.deepEqual([(await drone.ask('v1/vehicle')).armed, (await drone.ask('v1/vehicle')).mode], [false, 'Hold'])
})

on('a refused command shows the reason of the API, and events name commands and who sent them', [], async (page, drone) => {
  await live(page)
  await page.getByRole('button', { name: 'Go there' }).click()
  await page.locator('#aim', { hasText: 'Click the map' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#aim').isVisible(), false)
  await page.getByRole('button', { name: 'Go there' }).click()
  const box = await page.locator('#map').boundingBox()
  await page.mouse.click(box.x + box.width / 2 + 60, box.y + box.height / 2 - 40)
  const { reason, name } = await drone.ask('v1/commands', { action: 'goto', lat_deg: HOME[0], lon_deg: HOME[1] })
  assert.deepEqual([name, reason.length > 0], ['temporarily_rejected', true])
  await page.locator('#fly-err', { hasText: reason }).waitFor()
  assert.equal(await page.locator('#fly-err', { hasText: 'rejected' }).count(), 0)
  const client = new Client(drone.tcp)
  const arm = Buffer.alloc(33) // COMMAND_LONG: arm, of a ground station (255/190)
  arm.writeFloatLE(1, 0)
  arm.writeUInt16LE(400, 28)
  arm.set([1, 1, 0], 30)
  client.send(76, arm)
  const told = () => page.locator('#log [data-event=command] span').allTextContents()
  await until(async () => (await told()).length === 3, () => String(page.wrong))
  assert.deepEqual((await told()).map(text => text.split(':')[0]),
    ['Arm or disarm, from ground station 255', 'Go to, from the API', 'Go to, from this page'])
  client.end()
})

on('the altitude spans what it says', ['--clock', 'fast'], async (page, drone) => {
  await live(page)
  await drone.ask('v1/clock', { action: 'hold' })
  await drone.ask('v1/clock', { action: 'run', for_s: 390 })
  await until(async () => (await drone.ask('v1/clock')).standing && (await drone.ask('v1/vehicle')).vehicle_time_s > 390)
  const ends = () => page.evaluate(() => { const r = plot.clientWidth - 52; return [plot.from(r) - plot.from(52), shown().at(-1).s - S.v.vehicle_time_s] })
  for (const [value, span] of [['120', 120], ['600', 390]]) {
    await page.getByLabel('Length of track and plot').selectOption(value)
    await until(async () => Math.abs((await ends())[0] - span) < 5, () => value)
  }
})

on('captions break between figures only', [], async page => {
  await live(page)
  await page.locator('#hover span', { hasText: 'take-off' }).waitFor()
  for (const width of [1000, 1200, 1400, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const lines = await page.evaluate(() => [...document.querySelectorAll('#hover span')].map(e => e.getClientRects().length))
    assert.ok(lines.length >= 2 && lines.every(n => n === 1), String(lines))
  }
})

on('a plan that is dropped anywhere is uploaded', [], async (page, drone) => {
  await live(page)
  const plan = require('node:fs').readFileSync('docs/square.plan', 'utf8')
  for (const [where, name] of [['#map', 'one.plan'], ['#faultbox', 'two.plan']]) {
    const files = await page.evaluateHandle(([text, name]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name))
      return data
    }, [plan, name])
    await page.dispatchEvent(where, 'dragover', { dataTransfer: files })
    await page.locator('#mapbox.over').waitFor()
    await page.dispatchEvent(where, 'drop', { dataTransfer: files })
    await page.locator('#fly', { hasText: name + ': 6 items uploaded' }).waitFor()
    assert.equal(await page.locator('#mapbox.over').count(), 0)
    assert.deepEqual(await drone.ask('v1/mission', null, 'DELETE'), { mission: 0, fence: 0, rally: 0 })
  }
})

// Four corners of a square, which the drone flew at once and before anybody looked.
on('a flight on the event clock is drawn whole, also late and after a reload', ['--clock', 'event'], async (page, drone) => {
  const corners = [[47.3982816, 8.545594], [47.3982816, 8.5463903], [47.397742, 8.5463903], [47.397742, 8.545594]]
  const all = page => page.evaluate(corners => corners.every(([lat, lon]) =>
    shown().some(p => Math.abs(p.lat_deg - lat) < 2e-7 && Math.abs(p.lon_deg - lon) < 2e-7 && p.alt > 500)), corners)
  await live(page)
  const plan = JSON.parse(require('node:fs').readFileSync('docs/square.plan', 'utf8'))
  assert.deepEqual(await drone.ask('v1/mission', plan, 'PUT'), { mission: 6, fence: 0, rally: 0, stored: true, feasible: true, reason: null })
  await drone.ask('v1/commands', { action: 'arm' })
  await drone.ask('v1/commands', { action: 'start_mission' })
  await until(async () => (await drone.ask('v1/vehicle')).armed === false)
  await until(() => all(page))
  await page.reload()
  await live(page)
  await until(() => all(page))
  assert.ok(await page.evaluate(() => shown().length) < 20)
})

test('it outlives the drone, and shows the next one', async t => {
  let drone = await Drone.start()
  t.after(() => drone.end())
  const page = await visit(browser, drone)
  await live(page)
  await page.getByRole('button', { name: 'Inject gps_off' }).click()
  await page.locator('#log li', { hasText: 'Fault gps_off begins' }).waitFor()
  await drone.end()
  await page.locator('#notice', { hasText: 'Connection lost, trying again' }).waitFor()
  drone = await Drone.start('--api', `127.0.0.1:${drone.api}`, '--home', '-33.9,151.2,20')
  await live(page)
  await page.locator('#place', { hasText: '−33.9000000°, 151.2000000°' }).waitFor()
  await page.locator('#gps', { hasText: '3D fix' }).waitFor()
  await until(async () => await page.locator('#notice').textContent() === '')
  await until(async () => await page.locator('.fault.on').count() === 0)
  await drone.ask('v1/faults', { fault: 'mag_off' })
  await page.locator('#log li', { hasText: 'Fault mag_off begins' }).waitFor()
  assert.equal(await page.locator('#log li', { hasText: 'gps_off' }).count(), 0)
  assert.equal(await page.locator('#log li', { hasText: 'Boot' }).count(), 1)
  assert.deepEqual(page.wrong.filter(text => !/ERR_(CONNECTION|CONTENT_LENGTH|EMPTY|INCOMPLETE|SOCKET)/.test(text)), [])
  await page.close()
})

on('elsewhere than on loopback it asks for the token', ['--api', '0.0.0.0:0', '--api-token', 'correct-horse'], async page => {
  const form = page.getByRole('dialog', { name: 'Token' })
  await form.getByLabel('Token', { exact: true }).fill('wrong-horse')
  await form.getByRole('button', { name: 'Connect' }).click()
  await form.getByText('This token is wrong.').waitFor()
  await form.getByLabel('Token', { exact: true }).fill('correct-horse')
  await form.getByRole('button', { name: 'Connect' }).click()
  await live(page)
  await page.locator('#log li', { hasText: 'Boot' }).waitFor()
  await page.getByRole('button', { name: 'Inject gps_off' }).click()
  await page.locator('#gps', { hasText: 'no receiver' }).waitFor()
  await page.reload()
  await live(page)
  assert.equal(await form.isVisible(), false)
  assert.equal(await page.evaluate(() => localStorage.length), 0)
  page.wrong = page.wrong.filter(text => !text.includes('401'))
})

on('without a token there, it says why nothing is shown', ['--api', '0.0.0.0:0'], async page => {
  await page.locator('#notice', { hasText: 'not served on this address without --api-token' }).waitFor()
  page.wrong = page.wrong.filter(text => !text.includes('403'))
})

on('without a home nothing is said of it, and the height above take-off stays', [], async (page, drone) => {
  await live(page)
  await page.locator('#far', { hasText: 'm' }).waitFor()
  await drone.ask('v1/faults', { fault: 'home_lost' })
  await until(async () => await page.locator('#far').textContent() === '–')
  assert.equal(await page.locator('#rel').textContent(), '0.0 m')
  await until(async () => !/from home/.test(await label(page))) // it is said when the map is drawn
  assert.match(await page.locator('#hover').textContent(), /0\.0 m above take-off/)
  await drone.ask('v1/faults/home_lost', null, 'DELETE')
  await page.locator('#far', { hasText: '0.0 m' }).waitFor()
})

on('on a phone nothing is wider than the screen', [], async (page, drone) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await live(page)
  await drone.ask('v1/faults', { fault: 'gps_glitch' })
  await page.getByRole('button', { name: 'gps_glitch ✕' }).waitFor()
  assert.equal(await page.locator('.fault:visible').count(), 0) // folded
  for (const id of ['#charge', 'header a', '#time', '#link']) { // without a tap
    const box = await page.locator(id).boundingBox()
    assert.ok(box.height > 10 && box.y + box.height < 90 && box.x >= 0 && box.x + box.width <= 390, id)
  }
  assert.equal(await page.locator('#charge').textContent(), 'Battery 100 %')
  const below = id => page.locator(id).evaluate(e => e.getBoundingClientRect().bottom)
  assert.ok(await below('#plotbox') <= 844) // map, state and altitude are seen first
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) < 2500)
  await page.locator('summary', { hasText: 'GPS' }).click()
  await page.locator('.fault.on:visible').waitFor()
  await page.locator('#find').fill('battery_low')
  assert.equal(await page.locator('.fault:visible').count(), 1)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  await page.getByRole('button', { name: 'Follow' }).click()
  assert.equal(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed'), 'true')
})
