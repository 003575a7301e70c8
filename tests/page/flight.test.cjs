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

test('a flight as a file: time, map, altitude, events', async () => {
  const page = await flown()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'flight.mfr')
  await page.locator('#mode', { hasText: 'Hold' }).waitFor() // its end
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
  await page.locator('#now', { hasText: 'estimate off by' }).waitFor()
  await shot(page, 'flight')
  assert.deepEqual(await accessible(page), [])
  assert.deepEqual(page.wrong, [])
  await page.close()
})
