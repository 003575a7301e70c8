// SPDX-License-Identifier: Apache-2.0
// The page of a swarm in three dimensions, and its time bar. SHOTS names a folder for pictures to look at.
const assert = require('node:assert/strict')
const { until, accessible, hall, shot, states, texts, Swarm } = require('./rig.cjs')

const WORLD = hall(['kind: sphere, at: [60, 80, 20], radius: 12', 'kind: cone, at: [-30, 60, 0], radius: 10, height: 25'], 'send: {every: 1, bytes: [1, 2]}, ')
const state = states(scenario => typeof scenario === 'string' ? Swarm.start(scenario) : Swarm.replay(...scenario))
const near = (got, wanted, by) => got.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) <= by, `${got} is not ${wanted}`))
const fact = (page, what) => page.locator('#facts dt', { hasText: what }).locator('xpath=following-sibling::dd[1]').textContent()
// The eye looks at the origin from a height [rad], north being ahead; a metre there is four pixels.
const look = (page, el) => page.evaluate(el => {
  Object.assign(view, { x: 0, y: 0, scale: 4 })
  Object.assign(space, { az: 0, el, z: 0 })
  moved = dirty = true
  space.settle()
  return [S.sx[61], S.sy[61]]
}, el)

state('where things are seen', WORLD, async page => {
  await page.locator('#map').focus()
  await page.keyboard.press('3')
  assert.equal(await page.locator('#three').getAttribute('aria-pressed'), 'true')
  await page.locator('#map[aria-label^="Three-dimensional map with 63 members"]').waitFor()
  const [w, h] = await page.evaluate(() => [map.clientWidth, map.clientHeight])
  // idle.2 stands 10 m north and 30 m west, on the ground. From above the picture is a map:
  near(await look(page, Math.PI / 2), [w / 2 - 120, h / 2 - 40], 0.5)
  // metres stand at the grid, here every 20 m, as the lines are at least 50 pixels apart; the ground goes on beyond the frame about the members
  const named = new Map((await texts(page)).map(([text, x]) => [text, x]))
  near([named.get('20 m E'), named.get('40 m E')], [w / 2 + 80, w / 2 + 160], 0.5)
  const [floor, wanted] = await page.evaluate(([x, y]) => {
    const { gl } = space.painter, p = new Uint8Array(4), ratio = devicePixelRatio
    space.draw(sheet(map))
    gl.readPixels(x * ratio, gl.drawingBufferHeight - y * ratio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p)
    return ['#' + [...p].slice(0, 3).map(b => b.toString(16).padStart(2, '0')).join(''), C.floor]
  }, [w / 2 - 4 * 110, h / 2 - 4 * 30])
  assert.equal(floor, wanted)
  // from 30 degrees: k pixels are a metre at one metre; the eye is k / 4 away, and the member 10 cos 30 farther, 10 sin 30 higher
  const k = h / 2 / Math.tan(22.5 * Math.PI / 180), far = k / 4 + 10 * Math.cos(Math.PI / 6)
  const at = await look(page, Math.PI / 6)
  near(at, [w / 2 - k * 30 / far, h / 2 - k * 5 / far], 0.5)
  // there WebGL has drawn it, in its colour and somewhat darker, and nothing beside it
  const [there, beside, colour, paper] = await page.evaluate(([x, y]) => {
    space.draw(sheet(map))
    const { gl } = space.painter, ratio = devicePixelRatio
    const pixel = (x, y) => { const p = new Uint8Array(4); gl.readPixels(x * ratio, gl.drawingBufferHeight - y * ratio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p); return [...p].slice(0, 3) }
    const bytes = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16))
    return [pixel(x, y), pixel(x - 25, y - 8), bytes(legend.keys[S.colour[61]][1]), bytes(C.map)]
  }, at)
  assert.ok((await texts(page)).some(t => t[0] === '20 m'), 'heights beside the corner')
  await page.locator('#map').hover({ position: { x: at[0] + 2, y: at[1] } })
  assert.ok((await texts(page)).some(t => t[0] === 'idle.2, 0.0 m up, 0.0 m/s'))
  const light = there.map((x, k) => x / colour[k])
  assert.ok(light.every(x => x > 0.5 && x <= 1 && Math.abs(x - light[0]) < 0.05), `${there} for ${colour}`)
  assert.deepEqual(beside, paper)
  // all members are shapes; the box has 12 triangles, the cylinder 24 + 48 + 24, the sphere 10 rings of 48
  // and 2 caps of 24, the cone 24 + 24: counted by hand
  assert.deepEqual(await page.evaluate(() => space.painter.shapes.map(s => s.n)), [63, 0])
  assert.equal(await page.evaluate(() => space.painter.surface.n), 12 + 96 + (10 * 48 + 2 * 24) + (24 + 24))
  await page.locator('#map').click({ position: { x: at[0], y: at[1] } })
  assert.equal(await fact(page, 'Name'), 'idle.2')
  // a drag turns the picture, a key, too; Shift and an arrow moves it; F shows everything
  const [az, el] = await page.evaluate(() => [space.az, space.el])
  await page.mouse.move(400, 300)
  await page.mouse.down()
  await page.mouse.move(450, 320, { steps: 3 })
  await page.mouse.up()
  near(await page.evaluate(() => [space.az, space.el]), [az - 50 * 0.006, el + 20 * 0.006], 1e-6)
  await page.keyboard.press('ArrowLeft')
  near(await page.evaluate(() => [space.az, space.el]), [az - 80 * 0.006, el + 20 * 0.006], 1e-6)
  await page.evaluate(() => { space.az = 0 })
  await page.keyboard.press('Shift+ArrowRight')
  near(await page.evaluate(() => [view.x, view.y]), [15, 0], 1e-6)
  await page.keyboard.press('f')
  await page.evaluate(() => { space.az = -0.5; space.el = 0.6; dirty = true })
  await page.waitForTimeout(1500)
  await shot(page, 'space')
  assert.deepEqual(await accessible(page), [])
  // back on the map the same place is in the middle
  await page.keyboard.press('+')
  const middle = await page.evaluate(() => [view.x, view.y])
  await page.keyboard.press('3')
  assert.equal(await page.locator('#space').isHidden(), true)
  assert.deepEqual(await page.evaluate(() => [view.x, view.y]), middle)
})

state('the time bar of a live swarm', WORLD, async page => {
  await until(() => page.evaluate(() => S.at > 5 && past.all.length > 15))
  const [at, up, north] = await page.evaluate(() => { const p = past.all[10]; return [p.at, p.up[5], p.north[41]] })
  // by hand: the bar goes to a picture, and what it showed is shown again, while the run goes on
  await page.locator('#bar').evaluate((bar, at) => { bar.value = at; bar.dispatchEvent(new Event('input')) }, at + 0.01)
  assert.deepEqual(await page.evaluate(() => [S.at, S.up[5], S.north[41]]), [at, up, north])
  assert.equal(await page.locator('#live').getAttribute('aria-pressed'), 'false')
  // what is seen is no more: it is called so, and takes no orders, neither by hand nor by keys
  const sent = [], orders = () => page.locator('#orders button').evaluateAll(all => all.map(b => b.disabled))
  page.on('request', r => { if (r.method() === 'POST') sent.push(r.url()) })
  await page.locator('#all').click()
  assert.equal(await page.locator('#link').textContent(), 'earlier')
  assert.ok((await orders()).every(off => off))
  await page.locator('#map').focus()
  for (const key of 'tlrhg') await page.keyboard.press(key)
  assert.deepEqual(sent, [])
  const live = await page.evaluate(() => past.live.at)
  await until(() => page.evaluate(live => past.live.at > live + 0.5, live))
  assert.deepEqual(await page.evaluate(() => [S.at, S.up[5], S.north[41]]), [at, up, north])
  // by keys: a second earlier, then the present
  await page.locator('#map').focus()
  await page.keyboard.press('[')
  near([await page.evaluate(() => S.at)], [at - 1], 0.3)
  await page.keyboard.press('b')
  assert.ok(await page.evaluate(() => S.at) > live)
  assert.equal(await page.locator('#link').textContent(), 'live')
  assert.ok((await orders()).every(off => !off))
  await page.locator('#map').focus()
  await page.keyboard.press('h')
  await until(() => sent.length === 1)
  assert.match(await page.locator('#bar').getAttribute('aria-valuetext'), /^0:\d\d\.\d, live$/)
  // what is kept is bounded: it is thinned out, and still begins where it began
  const [count, first, last] = await page.evaluate(() => {
    const most = Math.floor(PAST_BYTES / (40 * S.n + 100)), first = past.all[0].at, p = past.all[0]
    past.all = Array.from({ length: most }, (_, k) => ({ ...p, at: first + k * (S.at - first) / most }))
    S.at += 0.001
    past.keep()
    return [past.all.length / most, past.all[0].at - first, past.all.at(-1).at - S.at]
  })
  assert.ok(count > 0.49 && count < 0.52)
  assert.deepEqual([first, last], [0, 0])
})

state('packets, and who hears whom', WORLD, async page => {
  await until(() => page.evaluate(() => space.flashes.length > 100))
  // as the medium has it: the first packet of walker.1 reaches the one beside it, 12 m away, and nobody beyond 40 m has heard anybody
  assert.ok(await page.evaluate(() => space.heard.has(0 * 2 ** 24 + 1)))
  assert.equal(await page.evaluate(() => [...space.heard.keys()].filter(p => apart(Math.floor(p / 2 ** 24), p % 2 ** 24) > 42).length), 0)
  assert.equal(await page.evaluate(() => [...space.heard.keys()].filter(p => p >= 40 * 2 ** 24).length), 0) // bees and idle ones send nothing
  await page.locator('#three').click()
  await page.locator('#hears').click()
  await page.locator('#find').fill('idle.2')
  await page.keyboard.press('Enter')
  const lines = await page.evaluate(() => { const all = []; eachLink((a, b) => all.push([a, b])); return all })
  assert.ok(lines.length > 0 && lines.every(([, b]) => b === 61), 'the selected one hears, and sends nothing')
  await page.waitForTimeout(300)
  await page.locator('#none').click()
  await until(() => page.evaluate(() => space.flashes.length > 100))
  await shot(page, 'space-packets')
})

const RECORDED = [WORLD, 'time.clock=fast', 'time.end=60', 'outputs.pictures={file: pictures, every: 0.5}', 'outputs.csv={file: w.csv, every: 0.5, of: [walker.7]}']
state('a recording', RECORDED, async (page, swarm) => {
  assert.equal(await page.locator('#link').textContent(), 'recording')
  assert.deepEqual(await page.evaluate(() => S.recorded), { first: 0, last: 60 })
  // it plays, stands, goes at another speed, by the same keys as a run
  await until(() => page.evaluate(() => S.at > 1))
  await page.locator('#map').focus()
  await page.keyboard.press('Space')
  await page.locator('#held', { hasText: 'time stands' }).waitFor()
  const stood = await page.evaluate(() => past.wanted)
  await page.waitForTimeout(500)
  assert.equal(await page.evaluate(() => past.wanted), stood)
  // the bar goes to a time; the place is that of the CSV of the run, by another way: degrees
  const row = require('node:fs').readFileSync(swarm.folder + '/w.csv', 'utf8').split('\n').find(l => l.startsWith('40.500,')).split(',')
  await page.locator('#bar').evaluate(bar => { bar.value = 40.6; bar.dispatchEvent(new Event('input')) })
  await until(() => page.evaluate(() => S.at === 40.5))
  const [north, east, up] = await page.evaluate(() => [S.north[6], S.east[6], S.up[6]])
  near([north, east, up], [(row[2] - 47.397742) * 111170, (row[3] - 8.545594) * 111170 * Math.cos(47.397742 * Math.PI / 180) * 1.0028, row[4] - 488], 0.3)
  assert.equal(await page.locator('#bar-at').textContent(), '0:40.6 of 1:00.0')
  await page.fill('#step-s', '5')
  await page.locator('#map').focus()
  await page.keyboard.press('[')
  await until(() => page.evaluate(() => S.at === 35.5))
  await page.keyboard.press('.')
  await until(() => page.evaluate(() => S.at === 40.5))
  assert.ok(await page.evaluate(() => past.all.every(p => p.at >= 35.5)), 'tracks begin where the jump led to')
  await page.selectOption('#rate', '10')
  await page.locator('#map').focus()
  await page.keyboard.press('Space')
  await until(() => page.evaluate(() => S.at === 60 && S.clock.held))
  await page.keyboard.press('3')
  await page.waitForTimeout(800)
  await shot(page, 'space-recording')
  assert.deepEqual(await accessible(page), [])
  assert.equal(await page.locator('#orders button').first().isDisabled(), true)
})

state('dark, narrow, in three dimensions', WORLD, async page => {
  await page.locator('#find').fill('bee.3')
  await page.keyboard.press('Enter')
  await page.locator('#three').click()
  await page.locator('#follow').click()
  await page.waitForTimeout(1500)
  near(await page.evaluate(() => [view.x, view.y, space.z]), await page.evaluate(() => [S.east[42], S.north[42], S.up[42]]), 2)
  await shot(page, 'space-phone')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
  assert.deepEqual(await accessible(page), [])
}, { width: 390, height: 844 }, 'dark')

state('without WebGL, and when it is lost', WORLD, async page => {
  await page.evaluate(() => { Painter.had = Painter.on; Painter.on = () => null })
  await page.locator('#three').click()
  assert.equal(await page.locator('#notice').textContent(), 'This browser has no WebGL 2, which three dimensions need')
  assert.equal(await page.locator('#three').getAttribute('aria-pressed'), 'false')
  await page.evaluate(() => { Painter.on = Painter.had })
  const lit = () => page.evaluate(() => { space.draw(sheet(map)); return space.painter.gl.getError() === 0 && !space.painter.gl.isContextLost() })
  await page.locator('#three').click()
  assert.ok(await lit())
  await page.evaluate(() => space.painter.gl.getExtension('WEBGL_lose_context').loseContext())
  await until(() => page.evaluate(() => !space.on)) // the map is there instead
  await page.locator('#three').click()
  assert.ok(await lit())
  page.wrong = page.wrong.filter(text => !/loseContext/.test(text))
})

state('ten thousand in three dimensions', WORLD.replace('count: 40', 'count: 9937').replace('[8, 5]', '[100, 100]').replace('range: 40', 'range: 15'), async page => {
  await page.locator('#three').click()
  await until(() => page.evaluate(() => S.at > 8)) // all have taken off
  const before = await page.evaluate(() => [S.painted, S.frames, performance.now()])
  await page.waitForTimeout(4000)
  const [painted, more, ms] = await page.evaluate(([painted, frames, t]) => [S.painted - painted, S.frames - frames, performance.now() - t], before)
  console.log(`# 10,000 members in three dimensions: ${(1000 * painted / ms).toFixed(1)} pictures painted a second, ${(1000 * more / ms).toFixed(1)} received`)
  assert.ok(painted > 3 && more > 0)
  await shot(page, 'space-10000')
  // idle.1, of another colour and apart from walkers, is painted after them: by hand without a graphics card, as in CI, else by WebGL
  const seen = soft => page.evaluate(soft => {
    const { gl, soft: was } = space.painter, k = devicePixelRatio
    Object.assign(space, { stale: true, beneath: null })
    space.painter.soft = soft
    const paper = sheet(map)
    space.draw(paper)
    space.settle()
    const p = new Uint8Array(4), [x, y] = [S.sx[9957] * k, S.sy[9957] * k]
    if (soft) p.set(paper.g.getImageData(x, y, 1, 1).data)
    else gl.readPixels(x, gl.drawingBufferHeight - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p)
    space.painter.soft = was
    return [space.painter.cloud.n, '#' + [...p].slice(0, 3).map(b => b.toString(16).padStart(2, '0')).join(''), legend.keys[S.colour[9957]][1]]
  }, soft)
  for (const [soft, n] of [[true, 0], [false, 9960]]) {
    const [points, pixel, colour] = await seen(soft)
    assert.deepEqual([points, pixel], [n, colour])
  }
}, { width: 1440, height: 900 }, 'dark')
