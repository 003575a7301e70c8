// SPDX-License-Identifier: Apache-2.0
// The documentation's pages as their reader opens them: from files, with search, on wide and narrow screens, light and dark.
const assert = require('node:assert')
const path = require('node:path')
const { chromium } = require('playwright-core')
const { after, before, test } = require('node:test')
const { pathToFileURL } = require('node:url')

const SITE = pathToFileURL(path.resolve(process.env.SITE || 'build/site')).href
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium'
let browser

before(async () => { browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }) })
after(() => browser?.close())

// A page of the site; every request must stay within it, and no script may fail.
async function open(t, name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options })
  t.after(() => page.close())
  const wrong = []
  page.on('pageerror', error => wrong.push(String(error)))
  page.on('request', request => { if (!/^(file:|data:,$)/.test(request.url())) wrong.push(request.url()) })
  await page.goto(SITE + '/' + name)
  t.after(() => assert.deepEqual(wrong, []))
  return page
}

async function ask(page, words) {
  await page.keyboard.press('/')
  await page.keyboard.type(words)
  await page.waitForSelector('#found li')
  return page.$$eval('#found a', links => links.map(a => a.href))
}

test('the search finds a section by its words, and goes there', async t => {
  const page = await open(t, 'index.html')
  for (const [words, where] of [
    ['signing', 'docs/links.html#'], ['ports', 'docs/links.html#ports'], ['barrier', 'docs/time.html#barriers'],
    ['mock hal', 'docs/unit-testing.html'], ['--clock', 'docs/options.html#'], ['NAVD88 grid', 'docs/altitudes.html'],
    ['gps_off', 'docs/faults.html'], ['gps fail', 'docs/index.html#by-question']]) {
    await page.fill('#search', '')
    await page.evaluate(() => document.activeElement.blur())
    const found = await ask(page, words)
    assert(found.slice(0, 5).some(url => url.includes(where)), `${words}: ${found.join(' ')}`)
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
  const page = await open(t, 'index.html')
  await page.click('main a[href="docs/index.html"]')
  await page.waitForURL(SITE + '/docs/index.html')
  await page.click('main a[href="time.html#barriers"]')
  await page.waitForURL(SITE + '/docs/time.html#barriers')
  assert.equal(await page.$eval('#barriers', e => Math.round(e.getBoundingClientRect().top) >= 56), true)
  assert.equal(await page.$eval('.nav [aria-current]', e => e.textContent), 'Time')
  await page.click('.home')
  await page.waitForURL(SITE + '/index.html')
  assert.equal(await page.$eval('main img', e => e.naturalWidth > 0), true)
})

for (const width of [360, 800, 1300]) {
  test(`nothing is wider than a screen of ${width}`, async t => {
    for (const name of ['index', 'docs/options', 'docs/requirements', 'docs/parameters', 'docs/controller', 'docs/testing', 'ARCHITECTURE']) {
      const page = await open(t, name + '.html', { viewport: { width, height: 700 } })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert(over <= 0, `${name}: ${over} pixels wider`)
    }
  })
}

test('dark where the reader wants it, with enough contrast', async t => {
  const ratio = () => {
    const light = rgb => rgb.match(/\d+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
    const behind = e => {
      for (; e; e = e.parentElement) {
        const colour = getComputedStyle(e).backgroundColor
        if (!/, 0\)$/.test(colour)) return colour
      }
    }
    return [...document.querySelectorAll('main p, main a, main code, .nav a, aside a, th, #search')].map(e => {
      const pair = [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a)
      return (pair[0] + 0.05) / (pair[1] + 0.05)
    })
  }
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(t, 'docs/testing.html', { colorScheme })
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), { light: 'rgb(255, 255, 255)', dark: 'rgb(20, 28, 37)' }[colorScheme])
    assert(Math.min(...await page.evaluate(ratio)) >= 4.5)     // WCAG 2, AA
  }
})
