// SPDX-License-Identifier: Apache-2.0
// The API for a browser: every route of the document is there, and a request that is sent is carried out.
const { after, before, test } = require('node:test')
const assert = require('node:assert/strict')
const { Controller, Drone, accessible, open, shot, until, visit } = require('./rig.cjs')

let browser

before(async () => { browser = await open() })
after(() => browser.close())

const at = drone => visit(browser, drone, undefined, drone.url + 'docs')
const op = (page, method, path) => page.locator('details.op').filter({ has: page.locator('summary b', { hasText: new RegExp(`^${method}$`) }) })
  .filter({ has: page.locator(`summary code:text-is("${path}")`) })

test('the API in the browser', async () => {
  const drone = await Drone.start()
  try {
    const page = await at(drone)
    const document = await drone.ask('openapi.json')
    const routes = Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/vehicles/{')).flatMap(([path, m]) => Object.keys(m).map(x => x.toUpperCase() + path))
    await until(async () => await page.locator('details.op').count() === routes.length)
    const groups = await page.locator('#ops h2').allTextContents()
    assert.deepEqual(groups, ['State', 'Commands', 'Plans', 'Parameters', 'Faults', 'Clock', 'Links', 'Process'])
    assert.deepEqual(await page.locator('#groups a').allTextContents(), groups)
    assert.deepEqual(await page.locator('#group-clock .op > summary').evaluateAll(all => all.map(s => s.children[0].textContent + s.children[1].textContent)),
      ['GET/v1/clock', 'POST/v1/clock'])
    await shot(page, 'docs')
    const post = op(page, 'POST', '/v1/faults')
    await post.locator('summary').click()
    await post.locator('.words summary', { hasText: 'words' }).first().click()
    await post.getByText('gps_off, gps_no_fix').first().waitFor()
    const example = await post.locator('.cols section').nth(1).locator('pre').textContent() // of the answer, as the document has it
    assert.deepEqual(JSON.parse(example), document.components.schemas.faults.examples[0])
    const [send, body, fields] = await Promise.all([post.getByRole('button', { name: 'Send' }), post.getByLabel('Body of POST'), post.locator('.more').first()].map(x => x.boundingBox()))
    assert.ok(send.y - body.y - body.height < 40 && send.y < fields.y, 'Send stands with what it sends')
    await post.getByLabel('Body of POST').fill('{"fault": "gps_glitch", "values": [3, 4, 0]}')
    assert.equal(await post.locator('pre').first().textContent(), `curl --json '{"fault": "gps_glitch", "values": [3, 4, 0]}' '${drone.url}v1/faults'`)
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByText('200 OK').waitFor()
    assert.deepEqual((await drone.ask('v1/faults')).faults.filter(f => f.active).map(f => [f.fault, f.values]), [['gps_glitch', [3, 4, 0]]])
    const end = op(page, 'DELETE', '/v1/faults/{fault}')
    await end.locator('summary').click()
    await end.getByLabel('fault').fill('gps_glitch')
    await end.getByRole('button', { name: 'Send' }).click()
    await until(async () => (await drone.ask('v1/faults')).faults.every(f => !f.active))
    await post.getByLabel('Body of POST').fill('{"fault": "nonsense"}')
    await post.getByRole('button', { name: 'Send' }).click()
    await post.getByRole('heading', { name: 'Answer: 422' }).waitFor()
    const track = op(page, 'GET', '/v1/track')
    await track.locator('summary').click()
    await track.getByLabel('after').fill('0.5')
    assert.equal(await track.locator('pre').first().textContent(), `curl '${drone.url}v1/track?after=0.5'`)
    const file = op(page, 'PUT', '/v1/parameters')
    await file.locator('summary').click()
    await file.getByLabel('Body of PUT').fill('MIS_TAKEOFF_ALT 7')
    assert.equal(await file.locator('pre').first().textContent(),
      `curl -X PUT -H 'Content-Type: text/plain' --data-binary 'MIS_TAKEOFF_ALT 7' '${drone.url}v1/parameters'`)
    await file.getByRole('button', { name: 'Send' }).click()
    await file.getByText('200 OK').waitFor()
    await page.getByLabel('Search').fill('/v1/track')
    assert.equal(await page.locator('details.op:visible').count(), 1)
    assert.deepEqual(await page.locator('#ops h2:visible').allTextContents(), ['State'])
    await shot(page, 'docs-track')
    await page.getByLabel('Search').fill('/v1/faults')
    await shot(page, 'docs-faults')
    assert.deepEqual(await accessible(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await accessible(page), [])
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'docs-mobile')
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    assert.deepEqual(page.wrong.filter(text => !/422/.test(text)), [])
    await page.close()
  } finally {
    await drone.end()
  }
})

test('the API of the controller in the browser', async () => {
  const controller = await Controller.start({ survey: 'description: a survey\npod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}\n' })
  try {
    const page = await visit(browser, controller, undefined, controller.url + 'v1/docs')
    await page.getByRole('heading', { name: 'Instances' }).waitFor()
    assert.deepEqual(await page.locator('#ops h2').allTextContents(), ['Instances', 'Templates', 'Process'])
    const start = op(page, 'POST', '/v1/instances')
    await start.locator('summary').first().click()
    await start.getByRole('heading', { name: 'Example answer, 201' }).waitFor()
    const example = JSON.parse(await start.locator('.cols section').nth(1).locator('pre').textContent()).instances[0]
    await start.getByRole('button', { name: 'Send' }).click()
    await start.getByRole('heading', { name: 'Answer: 201' }).waitFor()
    const { instances } = await controller.ask('GET', 'v1/instances')
    assert.deepEqual(instances.map(i => [i.template, i.labels]), [['survey', { team: 'maps' }]])
    assert.deepEqual(Object.keys(example).sort(), Object.keys(instances[0]).sort()) // the example has what answers have
    assert.deepEqual(Object.keys(example.times).sort(), Object.keys(instances[0].times).sort())
    await shot(page, 'docs-controller')
    assert.deepEqual(await accessible(page), [])
    assert.deepEqual(page.wrong, [])
    await page.close()
  } finally {
    await controller.end()
  }
})

test('elsewhere than on loopback it asks for the token', async () => {
  const drone = await Drone.start('--api', '0.0.0.0:0', '--api-token', 'correct-horse')
  try {
    const page = await at(drone)
    await page.getByLabel('This API asks for its token').fill('correct-horse')
    await page.getByRole('button', { name: 'Show' }).click()
    const get = op(page, 'GET', '/v1/vehicle')
    await get.locator('summary').click()
    assert.match(await get.locator('pre').first().textContent(), /-H "Authorization: Bearer \$TOKEN"/)
    await get.getByRole('button', { name: 'Send' }).click()
    await get.getByText('200 OK').waitFor()
    await page.close()
  } finally {
    await drone.end()
  }
})
