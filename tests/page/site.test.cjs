// SPDX-License-Identifier: Apache-2.0
// The documentation's pages as their reader opens them: from files, with search, on wide and narrow screens, light and dark.
const assert = require('node:assert/strict')
const path = require('node:path')
const { after, before, test } = require('node:test')
const { pathToFileURL } = require('node:url')
const { accessible, open, shot, visit } = require('./rig.cjs')

const SITE = { url: pathToFileURL(path.resolve(process.env.SITE || 'build/site')).href + '/' }
let browser

before(async () => { browser = await open() })
after(() => browser.close())

// A page of the site; every request must stay within it, and no script may fail.
async function read(t, name, size) {
  const page = await visit(browser, SITE, size, SITE.url + name)
  t.after(async () => {
    assert.deepEqual(page.wrong, [])
    await page.close()
  })
  return page
}

async function ask(page, words) {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
  await page.waitForSelector('#found li')
  return page.$$eval('#found a', links => links.map(a => a.href))
}

test('the search finds a section by its words, and goes there', async t => {
  const page = await read(t, 'index.html')
  for (const [words, where] of [
    ['signing', 'docs/links.html#'], ['ports', 'docs/links.html#ports'], ['barrier', 'docs/time.html#barriers'],
    ['mock hal', 'docs/unit-testing.html'], ['--clock', 'docs/options.html#'], ['NAVD88 grid', 'docs/altitudes.html'],
    ['gps_off', 'docs/faults.html'], ['gps fail', 'docs/index.html#by-question'],
    ['swarm', 'docs/swarm.html'], ['virtual time', 'docs/virtual-time.html'], ['client audit', 'docs/audit/index.html']]) {
    await page.fill('#search', '')
    await page.evaluate(() => document.activeElement.blur())
    const found = await ask(page, words)
    assert(found.slice(0, 5).some(url => url.includes(where)), `${words}: ${found.join(' ')}`)
  }
  for (const [words, where] of [['low battery return', /docs\/(failsafes|testing)\.html/], ['parameters', /docs\/parameters\.html/]]) {
    await page.fill('#search', '')
    await page.evaluate(() => document.activeElement.blur())
    assert.match((await ask(page, words))[0], where)      // not the table of all parameters, nor the changelog, which have every word
  }
  await page.fill('#search', 'packet loss')
  await page.keyboard.press('ArrowDown')
  const to = await page.evaluate(() => document.activeElement.href)
  await page.keyboard.press('Enter')
  await page.waitForURL(to)
  await page.fill('#search', 'xyzzy')
  await page.waitForSelector('#found .none')
})

test('links lead from page to page, and to the anchor', async t => {
  const page = await read(t, 'index.html')
  await page.click('main a[href="docs/index.html"]')
  await page.waitForURL(SITE.url + 'docs/index.html')
  await page.click('main a[href="time.html#barriers"]')
  await page.waitForURL(SITE.url + 'docs/time.html#barriers')
  assert.equal(await page.$eval('#barriers', e => Math.round(e.getBoundingClientRect().top) >= 56), true)
  assert.equal(await page.$eval('.nav [aria-current]', e => e.textContent), 'Time')
  await page.click('.home')
  await page.waitForURL(SITE.url + 'index.html')
  assert.equal(await page.$eval('main img', e => e.naturalWidth > 0), true)
})

for (const width of [360, 800, 1300]) {
  test(`nothing is wider than a screen of ${width}`, async t => {
    for (const name of ['index', 'docs/options', 'docs/requirements', 'docs/parameters', 'docs/controller', 'docs/testing', 'ARCHITECTURE']) {
      const page = await read(t, name + '.html', { width, height: 700 })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert(over <= 0, `${name}: ${over} pixels wider`)
    }
  })
}

for (const colorScheme of ['light', 'dark']) {
  test(`${colorScheme} where the reader wants it, and axe finds nothing`, async t => {
    for (const [name, size] of [['docs/testing.html'], ['docs/options.html', { width: 390, height: 844 }]]) {
      const page = await read(t, name, size)
      await page.emulateMedia({ colorScheme })
      await ask(page, 'clock')
      const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      assert.equal(colour, { light: 'rgb(255, 255, 255)', dark: 'rgb(20, 28, 37)' }[colorScheme])
      await shot(page, `site-${colorScheme}-${path.basename(name, '.html')}`)
      assert.deepEqual(page.wrong, [])
      assert.deepEqual(await accessible(page), [])
      page.wrong = []     // axe asked for the style sheet, which a page from a file may not
    }
  })
}
