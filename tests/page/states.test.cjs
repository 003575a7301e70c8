// SPDX-License-Identifier: Apache-2.0
// The live picture in eight states, each looked at by axe, too. SHOTS names a folder for pictures to look at.
const { after, before, test } = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const { Drone, open, visit, until, accessible, shot } = require('./rig.cjs')

const SQUARE = JSON.parse(fs.readFileSync('docs/square.plan', 'utf8'))
const PHONE = { width: 390, height: 844 }
const live = page => page.locator('#link', { hasText: 'live' }).waitFor()
let browser

before(async () => { browser = await open() })
after(() => browser.close())

// A drone and its page; at the end axe looks at it, and a picture is kept.
function state(name, args, body, size) {
  test(name, async () => {
    const drone = await Drone.start(...args)
    try {
      const page = await visit(browser, drone, size)
      await live(page)
      await body(page, drone)
      await shot(page, name.replaceAll(' ', '-'))
      assert.deepEqual(await accessible(page), [])
      assert.deepEqual(page.wrong, [])
      await page.close()
    } finally {
      await drone.end()
    }
  })
}

// Fly a plan from 10 s of vehicle time up to another one, and stand there.
async function fly(drone, plan, to_s) {
  await drone.ask('v1/clock', { mode: 'fast' })
  await drone.ask('v1/clock', { action: 'hold' })
  await reach(drone, 10)
  await drone.ask('v1/mission', plan, 'PUT')
  await drone.ask('v1/commands', { action: 'arm' })
  await drone.ask('v1/commands', { action: 'start_mission' })
  await reach(drone, to_s)
}
async function reach(drone, to_s) {
  await drone.ask('v1/clock', { action: 'run', for_s: to_s - (await drone.ask('v1/clock')).vehicle_time_s })
  await until(async () => { const c = await drone.ask('v1/clock'); return c.standing && Math.abs(c.vehicle_time_s - to_s) < 1e-3 })
}
const item = (command, lat_deg, lon_deg) => ({ command, frame: 3, param: [0, 0, 0, 0], lat_deg, lon_deg, alt_m: 30 })
const TAKEOFF = item(22, 47.397742, 8.545594)

const told = (page, text) => page.locator('#log li', { hasText: text }).count()
const label = page => page.locator('#map').getAttribute('aria-label')
// What is painted at a place of the map, some points beside it: [red, green, blue].
const colour = (page, place, dx = 0, dy = 0) => page.evaluate(([place, dx, dy]) => {
  const [x, y] = at(place), k = devicePixelRatio
  const px = map.clientWidth / 2 + (x - view.x) * view.scale + dx, py = map.clientHeight / 2 - (y - view.y) * view.scale + dy
  return [...map.getContext('2d').getImageData(px * k, py * k, 1, 1).data.slice(0, 3)]
}, [place, dx, dy])

state('idle', [], async page => {
  await page.locator('#arm', { hasText: 'ready to arm' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('heading', { level: 2 }).count(), 6)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Mayfly')
  assert.deepEqual(await page.evaluate(() => [179.94, 179.96, 3599.99, 0].map(clockText)), ['2:59.9', '3:00.0', '1:00:00.0', '0:00.0'])
})

state('mission', ['--motion', 'physics'], async (page, drone) => {
  await fly(drone, SQUARE, 50)
  await page.locator('#time', { hasText: '0:50.0' }).waitFor()
  await page.locator('#log li', { hasText: 'Item 1 reached' }).waitFor()
  assert.deepEqual([await told(page, 'Item 1 reached'), await told(page, 'Waypoint 1 reached')], [1, 0])
  const { position } = await drone.ask('v1/vehicle')
  assert.ok(Math.abs(position.pitch_deg) + Math.abs(position.roll_deg) > 1) // it accelerates or brakes, and leans
  const whole = x => x.toFixed(0).replace(/^-0$/, '0').replace('-', '−')
  assert.equal(await page.locator('#dial').getAttribute('aria-label'),
    `Roll ${whole(position.roll_deg)}, pitch ${whole(position.pitch_deg)}, heading ${whole(position.heading_deg)} degrees`)
  assert.equal(await page.locator('#lean').textContent(), `${whole(position.roll_deg)}°, ${whole(position.pitch_deg)}°`)
})

// The square is 60 m wide: item 3 is 180 m along, from home.
state('along the mission', [], async (page, drone) => {
  await fly(drone, SQUARE, 30)
  await page.locator('#time', { hasText: '0:30.0' }).waitFor()
  await page.getByLabel('Altitude over what').selectOption('along mission')
  const { truth } = await drone.ask('v1/vehicle'), north_m = (truth.lat_deg - 47.397742) * 111180, east_m = (truth.lon_deg - 8.545594) * 75460
  assert.ok(north_m > 5 && north_m < 55 && Math.abs(east_m - 60) < 0.5, [north_m, east_m]) // on the third side, on its way south
  await until(async () => /m along/.test(await page.locator('#hover').textContent()))
  const [, d, alt] = (await page.locator('#hover').textContent()).match(/: ([\d.]+) m along, ([\d.]+) m AMSL/)
  assert.ok(Math.abs(d - (180 - north_m)) < 1.5, d)
  assert.equal(alt, '503.0')
  assert.equal(await page.locator('#plot').getAttribute('aria-label'), 'Altitude along mission')
  await drone.ask('v1/mission', null, 'DELETE')
  await until(async () => await page.locator('#hover').textContent() === '') // there is none to fly along
  await drone.ask('v1/mission', SQUARE, 'PUT')
  await until(async () => /m along/.test(await page.locator('#hover').textContent()))
})

state('event clock', ['--clock', 'event'], async (page, drone) => {
  await drone.ask('v1/mission', SQUARE, 'PUT')
  await drone.ask('v1/commands', { action: 'arm' })
  await drone.ask('v1/commands', { action: 'start_mission' })
  await until(async () => (await drone.ask('v1/vehicle')).armed === false)
  await page.locator('#mission', { hasText: 'complete' }).waitFor()
  for (const [lat_deg, lon_deg] of [[47.398012, 8.545594], [47.3982816, 8.545992], [47.398012, 8.5463903], [47.397742, 8.545992]]) {
    await until(async () => (await colour(page, { lat_deg, lon_deg }))[2] > 150) // the track is on the middle of each side
  }
})

state('reloaded', [], async (page, drone) => {
  const track = () => page.evaluate(() => JSON.stringify(shown().map(p => [p.s, p.lat_deg, p.lon_deg, p.alt])))
  await fly(drone, SQUARE, 35)
  await page.locator('#time', { hasText: '0:35.0' }).waitFor()
  await until(async () => JSON.parse(await track()).length > 5)
  const before = await track()
  await page.reload()
  await live(page)
  await until(async () => await track() === before, track)
  await page.locator('#log li', { hasText: 'Item 3 reached' }).waitFor()
})

state('GPS off', [], async (page, drone) => {
  await fly(drone, SQUARE, 30)
  await drone.ask('v1/faults', { fault: 'gps_off' })
  await reach(drone, 33)
  await page.locator('#gps', { hasText: 'no receiver' }).waitFor()
  await page.locator('#time', { hasText: '0:33.0' }).waitFor()
  await page.locator('#notice', { hasText: 'The arrow shows the truth' }).waitFor()
  const { position, truth } = await drone.ask('v1/vehicle')
  assert.equal(position, null)
  assert.ok(truth.alt_amsl_m < 502) // it descends
  assert.equal(await page.locator('#rel').textContent(), (truth.alt_amsl_m - 488).toFixed(1) + ' m')
  assert.equal(await page.locator('#amsl').textContent(), truth.alt_amsl_m.toFixed(1) + ' m')
  assert.match(await page.locator('#place').textContent(), /\(true\)$/)
  assert.deepEqual(await colour(page, truth), [184, 29, 48]) // the arrow is there, in the colour of what is wrong
  assert.match(await label(page), /No position is reported/)
  for (const size of [page.viewportSize(), PHONE]) { // the notice covers nothing of the map: no label, no button
    await page.setViewportSize(size)
    const notice = await page.locator('#notice').boundingBox(), box = await page.locator('#mapbox').boundingBox()
    assert.ok(notice.height > 20 && notice.y + notice.height <= box.y, [notice, box])
    await shot(page, 'GPS-off-' + size.width)
  }
})

state('500 items', [], async (page, drone) => {
  const items = Array.from({ length: 481 }, (_, i) => {
    const row = Math.floor(i / 20), col = row % 2 ? 19 - i % 20 : i % 20
    return item(16, 47.397742 + row * 0.0002, 8.545594 + col * 0.0004)
  })
  await fly(drone, { items: [TAKEOFF, ...items] }, 120)
  await page.locator('#time', { hasText: '2:00.0' }).waitFor()
  const { truth } = await drone.ask('v1/vehicle')
  await until(async () => (await colour(page, truth)).join() === '11,92,173') // the vehicle is above everything
  for (const i of [100, 215, 333]) { // between the items of a row there is a line, and nothing above and below it
    const a = items[i], between = { lat_deg: a.lat_deg, lon_deg: a.lon_deg + 0.0001 }
    for (const dy of [4, -4]) assert.ok((await colour(page, between, 0, dy))[1] > 220, i)
  }
})

state('far waypoint', [], async (page, drone) => {
  await fly(drone, { items: [TAKEOFF, item(16, 47.3987, 8.5456), item(16, 47.3987, 8.5469), item(16, 38.4, 8.5469), item(16, 47.3978, 8.5469)] }, 30)
  await page.locator('#time', { hasText: '0:30.0' }).waitFor()
  const scale = () => page.evaluate(() => view.scale)
  await until(async () => /1 point too far away for this picture/.test(await label(page)))
  assert.ok(await scale() > 2) // pixels per metre: the 107 m of the others fill the picture
  await page.getByRole('button', { name: 'Fit' }).click() // the second one, since it did the first by itself
  await until(async () => !/too far away/.test(await label(page)))
  assert.ok(await scale() < 0.01)
  await page.getByRole('button', { name: 'Fit' }).click()
  await until(async () => /1 point too far away/.test(await label(page)))
})

state('mobile', [], async (page, drone) => {
  await fly(drone, SQUARE, 35)
  await page.locator('#time', { hasText: '0:35.0' }).waitFor()
  await page.locator('#legend', { hasText: 'mission' }).waitFor()
  const box = id => page.locator(id).boundingBox(), map = await box('#map'), legend = await box('#legend')
  assert.ok(legend.y >= map.y + map.height && map.height > 200) // the scale is in the map
  assert.ok((await box('#hover')).height < 40)
  const tools = await box('.tools'), west = await page.evaluate(() => map.getBoundingClientRect().x + map.clientWidth / 2 + (at(S.home)[0] - view.x) * view.scale)
  assert.ok(west - 12 > tools.x + tools.width, [west, tools]) // no button on the westernmost side
}, PHONE)

state('dark', [], async (page, drone) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await fly(drone, SQUARE, 35)
  await page.locator('#time', { hasText: '0:35.0' }).waitFor()
  await until(async () => (await colour(page, { lat_deg: 47.398012, lon_deg: 8.545992 })).join() === '16,24,31')
})

// A map of whoever the operator named: orange down to zoom 17, none beyond; its pictures alone are asked for elsewhere.
test('a map behind it', async () => {
  const asked = [], svg = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#f80"/><path d="M0 0H256V256" stroke="#840" fill="none"/></svg>'
  const server = require('node:http').createServer((request, answer) => {
    asked.push(request.url)
    answer.writeHead(+request.url.split('/')[1] > 17 ? 404 : 200, { 'Content-Type': 'image/svg+xml' })
    answer.end(+request.url.split('/')[1] > 17 ? '' : svg)
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const drone = await Drone.start('--map', `http://127.0.0.1:${server.address().port}/{z}/{x}/{y}`, '--map-credit', 'Maps & Co')
  try {
    const page = await visit(browser, drone)
    await live(page)
    await fly(drone, SQUARE, 35)
    await page.locator('#credit', { hasText: 'Maps & Co' }).waitFor()
    // what is on the screen, since a canvas with pictures from elsewhere cannot be read
    const seen = async () => page.evaluate(async ([png, place]) => {
      const image = new Image(), canvas = document.createElement('canvas'), box = map.getBoundingClientRect(), [x, y] = at(place)
      image.src = 'data:image/png;base64,' + png
      await image.decode()
      Object.assign(canvas, { width: image.width, height: image.height })
      const g = canvas.getContext('2d')
      g.drawImage(image, 0, 0)
      return [...g.getImageData(box.x + map.clientWidth / 2 + (x - view.x) * view.scale, box.y + map.clientHeight / 2 - (y - view.y) * view.scale, 1, 1).data].join()
    }, [(await page.screenshot()).toString('base64'), { lat_deg: 47.39805, lon_deg: 8.54595 }])
    await until(async () => await seen() === '255,136,0,255')
    // longitude 8.5456 and latitude 47.3977 are in the column 68647 and the row 45888 of zoom 17
    assert.ok(asked.includes('/17/68647/45888'), asked)
    await shot(page, 'map')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, 'map-dark')
    await page.setViewportSize(PHONE)
    await shot(page, 'map-mobile')
    assert.deepEqual(await accessible(page), [])
    assert.deepEqual(page.wrong.filter(text => !text.startsWith(`asks http://127.0.0.1:${server.address().port}/`) && !/status of 404/.test(text)), [])
    await page.close()
  } finally {
    server.close()
    server.closeAllConnections()
    await drone.end()
  }
})
