// SPDX-License-Identifier: Apache-2.0
// The controller's page in a browser: instances are started, shown and ended, seen by its API too.
const { after, before, test } = require('node:test')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const assert = require('node:assert/strict')
const { Controller, accessible, open, shot: take, visit, until } = require('./rig.cjs')

const SURVEY = `description: a survey that may take longer
lifetime: {default: 20m, max: 2h, extend: true}
recording: 1M
values:
  speed: {env: PX4_SIM_SPEED_FACTOR, type: number, min: 0.5, max: 10, help: of vehicle time}
  motion: {env: MAYFLY_MOTION, words: [constant, physics]}
pod: {spec: {containers: [{name: emulator, image: localhost/mayfly}]}}
`
// What is on the screen, looked at by axe; and a picture, if a folder is given for them.
async function shot(page, name) {
  await take(page, 'controller-' + name)
  assert.deepEqual(await accessible(page), [])
}
const row = (page, id) => page.locator(`#rows tr[data-id="${id}"]`)
let browser

before(async () => { browser = await open() })
after(() => browser.close())

function on(name, body, { args = [], size, wrong = [] } = {}) {
  test(name, async () => {
    const controller = await Controller.start({ survey: SURVEY }, ...args)
    try {
      const page = await visit(browser, controller, size)
      await body(page, controller)
      assert.deepEqual(page.wrong.filter(text => !wrong.some(w => w.test(text))), [])
      await page.close()
    } finally {
      await controller.end()
    }
  })
}

on('SIM-001 SIM-007: an instance is started, shown and ended', async (page, c) => {
  await page.locator('#empty', { hasText: 'Nothing runs.' }).waitFor()
  await shot(page, 'empty')
  await page.getByRole('button', { name: 'Start…' }).click()
  await page.locator('#template').selectOption('survey')
  await page.locator('#about', { hasText: 'a survey that may take longer' }).waitFor()
  await page.locator('[name=speed]').fill('4')
  await page.locator('[name=motion]').selectOption('physics')
  await page.locator('#labels').fill('suite=night owner=ana')
  // all of it is seen without scrolling, on the screen of a laptop
  await page.setViewportSize({ width: 1400, height: 900 })
  for (const template of ['drone', 'survey']) {
    await page.locator('#template').selectOption(template)
    const { y, height } = await page.locator('#start').boundingBox()
    assert.ok(y >= 0 && y + height <= 900, `the dialog of ${template}`)
    assert.ok(await page.locator('#start .rows').evaluate(e => e.scrollHeight <= e.clientHeight), `values of ${template}`)
  }
  await page.locator('[name=speed]').fill('4')
  await page.locator('[name=motion]').selectOption('physics')
  await shot(page, 'start')
  await page.locator('#go').click()
  await until(async () => (await c.ask('GET', 'v1/instances')).instances.some(i => i.state === 'ready'))
  const [made] = (await c.ask('GET', 'v1/instances')).instances
  assert.deepEqual([made.template, made.values, made.labels],
    ['survey', { speed: 4, motion: 'physics' }, { suite: 'night', owner: 'ana' }])
  await row(page, made.id).locator('.state.ready').waitFor()
  await page.locator('#one-h', { hasText: made.id }).waitFor()
  await page.locator('#connect code', { hasText: made.connect.mavsdk }).waitFor()
  await page.frameLocator('iframe').locator('#mode', { hasText: 'Hold' }).waitFor() // its live picture
  await page.frameLocator('iframe').locator('#link', { hasText: 'live' }).waitFor()
  await shot(page, 'one')
  await page.locator('#facts dt', { hasText: /^Requested$/ }).waitFor()
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await page.locator('#log', { hasText: 'Mayfly' }).waitFor()
  const said = await (await fetch(c.url + `v1/instances/${made.id}/logs`)).text()
  await until(async () => await page.locator('#log').textContent() === said)
  // lines are wrapped, or scroll; a search marks what it finds, without minding capitals, and counts it
  const wide = () => page.locator('#log').evaluate(e => e.scrollWidth > e.clientWidth)
  assert.equal(await wide(), false)
  await page.locator('#wrap').uncheck()
  assert.equal(await wide(), true)
  await page.locator('#wrap').check()
  const found = said.match(/SEVERITY":"INFO/gi).length
  await page.locator('#search').fill('severity":"INFO')
  assert.equal(await page.locator('#log mark').count(), found)
  assert.match(await page.locator('#hits').textContent(), new RegExp(`^1 of ${found}$`))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#log mark').evaluateAll(all => all.findIndex(m => m.className === 'here')), 2)
  await page.keyboard.press('Shift+Enter')
  assert.match(await page.locator('#hits').textContent(), /^2 of/)
  await shot(page, 'log')
  await page.locator('#search').fill('.*')
  assert.equal(await page.locator('#log mark').count(), 0)
  assert.equal(await page.locator('#log').textContent(), said)
  await page.getByRole('button', { name: 'Events' }).click()
  await page.locator('#events li').first().waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Recording' }).click()
  const file = await (await coming).path()
  assert.equal(fs.readFileSync(file).subarray(0, 4).toString(), 'MFRC')
  await page.getByRole('button', { name: 'Extend…' }).click()
  await page.locator('#longer').fill('90m')
  await page.locator('#more button.main').click()
  await until(async () => {
    const { times } = await c.ask('GET', 'v1/instances/' + made.id)
    return Date.parse(times.ends) - Date.parse(times.asked) === 5400e3
  })
  await page.locator('#end').click()
  await page.locator('#empty', { hasText: 'All have ended.' }).waitFor()
  await page.locator('#ended').check()
  await row(page, made.id).locator('.state', { hasText: /^ended$/ }).waitFor()
  await shot(page, 'ended')
})

on('what the controller refuses is said in its words', async page => {
  await page.route('**/v1/templates', async route => { await new Promise(go => setTimeout(go, 500)); await route.continue() })
  await page.reload() // who asks for the dialog before templates are known gets them in it
  await page.getByRole('button', { name: 'Start…' }).click()
  await page.locator('#life').fill('9h')
  await page.locator('#template').selectOption('survey')
  await page.locator('#go').click()
  await page.locator('#start-said', { hasText: 'lifetime must be 1 s to 7200 s' }).waitFor()
  assert.match(await page.locator('#start-said').textContent(), /\(lifetime\)$/)
  await shot(page, 'refused')
  await page.locator('#cancel').click()
  await page.locator('#filter').fill('nothing=like this')
  await page.locator('#empty').waitFor()
}, { wrong: [/422/] })

on('the newest first, each with its address and labels', async (page, c) => {
  const [first] = (await c.ask('POST', 'v1/instances?wait=ready', { labels: { suite: 'day' } })).instances
  const three = (await c.ask('POST', 'v1/instances?wait=ready', { count: 3, labels: { suite: 'night', owner: 'ana' } })).instances
  const [last] = (await c.ask('POST', 'v1/instances?wait=ready', { template: 'survey' })).instances
  const wanted = [last.id, ...three.map(i => i.id).sort(), first.id]
  await until(async () => (await page.locator('#rows tr').evaluateAll(all => all.map(tr => tr.dataset.id))).join() === wanted.join())
  const cell = (id, n) => row(page, id).locator(`td:nth-child(${n})`)
  for (const i of [first, last, ...three]) await cell(i.id, 4).getByText(i.connect.tcp, { exact: true }).waitFor()
  assert.deepEqual(await cell(three[1].id, 6).locator('button').allTextContents(), ['suite=night', 'owner=ana'])
  await shot(page, 'list')
  // a click on a label shows those alone, and by keys the second of them is opened and closed
  await cell(three[1].id, 6).getByText('owner=ana').click()
  await until(async () => await page.locator('#rows tr').count() === 3)
  await page.locator('#rows .name').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('#one-h', { hasText: wanted[2] }).waitFor()
  assert.equal(await page.locator('#facts dd.wide, #facts .wide dd').first().textContent(), 'suite=night owner=ana')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#onebox').isVisible(), false)
  assert.equal(await page.evaluate(() => document.activeElement.textContent), wanted[2])
  await page.keyboard.press('/')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'filter')
})

test('how many templates there are', async () => {
  for (const [templates, words] of [[{}, ': 1 template; '], [{ survey: SURVEY }, ': 2 templates; ']]) {
    const c = await Controller.start(templates)
    await until(() => c.text.includes('; instances'))
    await c.end()
    assert.ok(c.text.includes(words), c.text)
  }
})

on('five at once, by label, on a telephone', async (page, c) => {
  await c.ask('POST', 'v1/instances?wait=ready', { count: 5, labels: { part: 'a' } })
  await c.ask('POST', 'v1/instances?wait=ready', { template: 'survey', labels: { part: 'b' } })
  await until(async () => await page.locator('#rows tr').count() === 6)
  await shot(page, 'telephone')
  await page.locator('#filter').fill('part=b')
  await until(async () => await page.locator('#rows tr').count() === 1)
  await page.locator('#rows .name').first().click()
  await page.frameLocator('iframe').locator('#mode', { hasText: 'Hold' }).waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen')
  await shot(page, 'telephone-one')
}, { size: { width: 390, height: 844 } })

test('a controller with tenants asks for a token, once', async () => {
  const said = execFileSync(process.env.SIMCTL || 'build/simctl', ['token'], { encoding: 'utf8' })
  const [token, hash] = [/mayfly_\w+/, /sha256:\w+/].map(part => said.match(part)[0])
  const config = `tenants: {default: {tokens: {ci: "${hash}"}}}\n`
  const c = await Controller.start({ survey: SURVEY, '../config': config }, '--config', 'FOLDER/../config.yaml')
  try {
    const page = await visit(browser, c)
    await page.locator('#ask-why', { hasText: 'This controller asks for a token.' }).waitFor()
    await shot(page, 'token')
    await page.locator('#token').fill('wrong')
    await page.locator('#ask button').click()
    await page.locator('#ask-why', { hasText: 'This token is unknown or has expired.' }).waitFor()
    await page.locator('#token').fill(token)
    await page.locator('#ask button').click()
    await page.locator('#empty', { hasText: 'Nothing runs.' }).waitFor()
    const made = await c.ask('POST', 'v1/instances?wait=ready', {}, token)
    await row(page, made.instances[0].id).click()
    await page.frameLocator('iframe').locator('#mode', { hasText: 'Hold' }).waitFor() // with the same token
    assert.ok(!page.url().includes(token))
    await page.close()
  } finally {
    await c.end()
  }
})
