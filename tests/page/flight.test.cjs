// SPDX-License-Identifier: Apache-2.0
// A flight as one file, of build/replay --html, opened in a browser without any server.
const { after, before, test } = require('node:test')
const { execFileSync } = require('node:child_process')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Drone, accessible, open, shot, until, visit } = require('./rig.cjs')

const REPLAY = process.env.REPLAY || 'build/replay'
let browser, folder

before(async () => {
  browser = await open()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mayfly-flight-'))
})
after(async () => {
  await browser.close()
  fs.rmSync(folder, { recursive: true })
})

// The page of a square that was flown, with a position that is 50 m off for 5 s.
async function flown() {
  const drone = await Drone.start('--clock', 'event', '--record', path.join(folder, 'flight.mfr'), '--faults', 'gps_glitch=30:40:0@12s+5s')
  await drone.ask('v1/mission', JSON.parse(fs.readFileSync('docs/square.plan', 'utf8')), 'PUT')
  await drone.ask('v1/commands', { action: 'arm' })
  await drone.ask('v1/commands', { action: 'start_mission' })
  await until(async () => (await drone.ask('v1/vehicle')).armed === false)
  await drone.end()
  fs.writeFileSync(path.join(folder, 'flight.html'), execFileSync(REPLAY, ['--html', path.join(folder, 'flight.mfr')], { stdio: ['ignore', 'pipe', 'ignore'] }))
  return visit(browser, { url: 'file://' + path.join(folder, 'flight.html') })
}

// What a plot says at the instant that is shown
const figure = (page, name) => page.locator('.panel').filter({ has: page.locator(`h3:text-is("${name}")`) }).locator('canvas').getAttribute('aria-label')

const save = async (page, name) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return [download.suggestedFilename(), fs.readFileSync(await download.path())]
}

// The picture is as wide as the plots; the table has the fault's 30 m north and 40 m east, and the square's height.
async function saved(page) {
  const [picture, png] = await save(page, 'Save picture')
  assert.deepEqual([picture, png.toString('latin1', 1, 4)], ['flight.png', 'PNG'])
  assert.equal(png.readUInt32BE(16), await page.evaluate(() => plot.clientWidth))
  assert.ok(png.readUInt32BE(20) > 1000)
  const [table, csv] = await save(page, 'Save CSV')
  assert.equal(table, 'flight.csv')
  const [head, ...lines] = csv.toString().trim().split('\n').map(line => line.split(','))
  assert.ok(lines.every(line => line.length === head.length) && lines.length > 20)
  const of = (line, name) => line[head.indexOf(name)]
  const glitch = lines.find(line => +of(line, 'time_s') > 13 && +of(line, 'time_s') < 16)
  assert.ok(Math.abs((of(glitch, 'estimate_lat_deg') - of(glitch, 'lat_deg')) * 111175 - 30) < 0.1)
  assert.ok(Math.abs((of(glitch, 'estimate_lon_deg') - of(glitch, 'lon_deg')) * 75450 - 40) < 0.1)
  assert.equal(Math.max(...lines.map(line => +of(line, 'height_m'))), 15)
  assert.ok(lines.some(line => of(line, 'mode') === 'Mission' && of(line, 'armed') === '1'))
}

test('a flight as a file: time, map, altitude, events', async () => {
  const page = await flown()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'flight.mfr')
  assert.equal(await page.locator('#time').textContent(), '0:00.0') // it opens at the start
  await page.locator('#mode', { hasText: 'Hold' }).waitFor()
  await page.locator('#about', { hasText: 'Track simplified to' }).waitFor()
  assert.match(await page.locator('#about').textContent(), /Worst estimate error50\.0\d m at 0:1/) // to within what was left out of the track
  const outside = await page.evaluate(() => [...S.track, ...S.track.map(p => p.said), ...S.whole.mission.items].filter(p => p && p.lat_deg != null).map(at)
    .filter(([x, y]) => Math.abs(x - view.x) * view.scale > map.clientWidth / 2 || Math.abs(y - view.y) * view.scale > map.clientHeight / 2).length)
  assert.equal(outside, 0)
  const arm = page.locator('#rows tr', { hasText: 'Arm or disarm' })
  assert.equal(await arm.locator('td').nth(1).textContent(), 'the API')
  const row = page.locator('#rows tr', { hasText: 'Item 1 reached' })
  assert.equal(await row.count(), 1)
  assert.equal(await page.locator('#rows tr', { hasText: 'Waypoint 1 reached' }).count(), 0)
  await row.click()
  await page.locator('#mode', { hasText: 'Mission' }).waitFor() // a side of the square, before the position is off
  await page.getByLabel('Altitude over what').selectOption('along mission')
  await until(async () => /: 60\.0 m along, 503\.0 m AMSL/.test(await page.locator('#hover').textContent()))
  await shot(page, 'flight-along')
  await page.getByLabel('Altitude over what').selectOption('over time')
  await page.getByRole('slider', { name: 'Vehicle time' }).fill('14')
  await page.locator('#now', { hasText: 'gps_glitch' }).waitFor()
  await page.locator('#now', { hasText: 'estimate error' }).waitFor()
  assert.match(await figure(page, 'Estimate error'), /: horizontal (49\.99|50\.0\d) m, vertical 0\.0\d m$/) // 30 m north, 40 m east
  await shot(page, 'flight')
  assert.equal(await page.locator('.panel:visible').count(), 7)
  const t_s = await page.evaluate(() => { const [a, b] = [1, 2].map(i => events.find(e => e.event === 'waypoint' && e.item === i).t_s); return (a + b) / 2 })
  await page.evaluate(t => go(t), t_s) // between two corners: eastwards, at the plan's speed
  assert.equal(await figure(page, 'Speed'), 'Speed over vehicle time: over ground 10.0 m/s, climb 0.0 m/s')
  assert.equal(await figure(page, 'Heading'), 'Heading over vehicle time: from north 90°')
  assert.equal(await figure(page, 'Battery'), 'Battery over vehicle time: charge 100.0 %')
  assert.equal(await figure(page, 'Battery voltage'), 'Battery voltage over vehicle time: voltage 16.20 V')
  assert.match(await figure(page, 'Link'), /: sent \d+ frames\/s, received \d+ frames\/s, lost 0 frames\/s$/)
  await saved(page)
  assert.deepEqual(await accessible(page), [])
  assert.deepEqual(page.wrong, [])
  await page.close()
})
