// SPDX-License-Identifier: Apache-2.0
// The live page of a swarm: what it shows of members, obstacles and radio links, orders and the clock, by hand and by keys. SHOTS names a folder
// for pictures to look at.
const assert = require('node:assert/strict')
const { until, accessible, hall, shot, states, texts, Swarm } = require('./rig.cjs')

const PHONE = { width: 390, height: 844 }
const WORLD = hall()
const state = states(Swarm.start)
const at_s = page => page.evaluate(() => S.at)
const fact = (page, what) => page.locator('#facts dt', { hasText: what }).locator('xpath=following-sibling::dd[1]').textContent()

state('members, colours, selection', WORLD, async page => {
  assert.equal(await page.locator('#count').textContent(), '63 members')
  assert.equal(await page.locator('#title').textContent(), 'Walkers about a hall')
  assert.deepEqual(await page.evaluate(() => S.obstacles.get(0)), [[0, 40, -20, 0, 4, 60, 20, 0, 0, 0], [1, 0, 80, 0, 8, 8, 30, 0, 0, 0]])
  await page.selectOption('#by', 'kind')
  await page.locator('#keys', { hasText: 'walker, vehicle40bee, agent20idle, vehicle3' }).waitFor()
  await page.locator('#keys button', { hasText: 'bee' }).click()
  assert.equal(await page.evaluate(() => [...S.selected].join()), Array.from({ length: 20 }, (_, i) => i + 40).join())
  await page.selectOption('#by', 'state')
  await page.locator('#keys', { hasText: 'in the air' }).waitFor()
  // the second idle one stands at 10 m north, 30 m west: a click there selects it
  const where = await page.evaluate(() => [S.sx[61], S.sy[61]])
  await page.locator('#map').click({ position: { x: where[0], y: where[1] } })
  assert.equal(await fact(page, 'Name'), 'idle.2')
  assert.equal(await fact(page, 'North, east'), '10.0 m, −30.0 m')
  assert.equal(await fact(page, 'State'), 'disarmed, on the ground')
  assert.equal(await fact(page, 'Battery'), '100 %')
  // of radio: the three idle ones stand 10 m apart, and others within 40 m of them are found by hand, here once more in another way
  const near = await page.evaluate(() => Array.from({ length: S.n }, (_, k) => k).filter(k => k !== 61 && Math.hypot(S.north[k] - 10, S.east[k] + 30, S.up[k] - S.up[61]) <= 40).length)
  assert.ok(Math.abs(Number(await fact(page, 'Within radio range')) - near) <= 2)
  await shot(page, 'swarm')
  assert.deepEqual(await accessible(page), [])
  await page.locator('#find').fill('walker.7')
  await page.keyboard.press('Enter')
  assert.equal(await fact(page, 'Name'), 'walker.7')
  // the same name once more, and one that nobody has
  await page.locator('#none').click()
  await page.locator('#find').press('Enter')
  assert.equal(await fact(page, 'Name'), 'walker.7')
  await page.locator('#find').fill('walker.41')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'map')
  assert.deepEqual(await page.evaluate(() => [S.selected.size, document.querySelector('#facts dd').textContent]), [0, 'walker.41'])
})

state('a grid with metres that follows the zoom, and the member at the pointer', WORLD, async page => {
  const [w, h] = await page.evaluate(() => [map.clientWidth, map.clientHeight])
  // lines at least 90 pixels apart: 50 m at 4 pixels a metre, 5 m at 40, 10 km at a hundredth
  for (const [scale, step, words] of [[4, 50, '50 m'], [40, 5, '5 m'], [0.01, 10000, '10 km']]) {
    await page.evaluate(scale => { Object.assign(view, { x: 0, y: 0, scale }); moved = true }, scale)
    const all = await texts(page), at = text => all.find(t => t[0] === text).slice(1)
    assert.deepEqual(at(words + ' E'), [w / 2 + step * scale, 12])
    assert.deepEqual(at(words + ' S'), [w - 8, h / 2 + step * scale])
  }
  await page.evaluate(() => { Object.assign(view, { x: -30, y: 10, scale: 40 }); dirty = true })
  const about = async () => (await texts(page)).map(t => t[0]).filter(t => t.includes('idle.2'))
  assert.deepEqual(await about(), [])
  await page.locator('#map').hover({ position: { x: w / 2 + 3, y: h / 2 - 4 } }) // idle.2 stands in the middle
  assert.deepEqual(await about(), ['idle.2, 0.0 m up, 0.0 m/s'])
  await page.locator('#help').hover()
  assert.deepEqual(await about(), [])
})

state('pause, step, speed by keys', WORLD, async page => {
  await page.locator('#map').focus()
  await page.keyboard.press('Space')
  await page.locator('#held', { hasText: 'time stands' }).waitFor()
  await until(() => page.evaluate(() => S.clock.held))
  const from = await at_s(page)
  await page.waitForTimeout(700)
  assert.equal(await at_s(page), from)
  await page.fill('#step-s', '2.5')
  await page.locator('#map').focus()
  await page.keyboard.press('.')
  await until(async () => Math.abs(await at_s(page) - from - 2.5) < 1e-9)
  await page.keyboard.press('Space')
  await until(async () => await at_s(page) > from + 2.6)
  await page.selectOption('#rate', '10')
  await until(() => page.evaluate(() => S.pace > 5))
  await page.keyboard.press('n')
  assert.equal(await fact(page, 'Name'), 'walker.1')
  await page.keyboard.press('a')
  assert.equal(await fact(page, 'Members'), '63')
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  assert.equal(await page.locator('#by').inputValue(), 'kind')
  await page.keyboard.press('?')
  await page.locator('#keyhelp[open]').waitFor()
  await shot(page, 'swarm-keys')
  await page.keyboard.press('Escape')
})

state('orders over the order port', WORLD, async page => {
  await page.locator('#find').fill('idle')
  await page.keyboard.press('Enter')
  await page.fill('#height', '12')
  await page.locator('#orders button', { hasText: 'Take off' }).click()
  await page.locator('#told', { hasText: 'Take off: 3 members' }).waitFor()
  await page.selectOption('#rate', '10')
  await until(() => page.evaluate(() => [60, 61, 62].every(i => Math.abs(S.up[i] - 12) < 0.5)))
  // go: the middle of the three, 10 m north and 30 m west, to 10 m south and 60 m west; each keeps its place about it
  await page.locator('#orders button', { hasText: 'Go there' }).click()
  const to = await page.evaluate(() => { view.x = -45; view.y = 0; view.scale = 6; moved = true; dirty = true; return [map.clientWidth / 2 + (-60 + 45) * 6, map.clientHeight / 2 + 10 * 6] })
  await page.waitForTimeout(200)
  await page.locator('#map').click({ position: { x: to[0], y: to[1] } })
  await until(() => page.evaluate(() => [60, 61, 62].every((i, k) => Math.hypot(S.north[i] + 20 - 10 * k, S.east[i] + 60) < 1)))
  await page.locator('#orders button', { hasText: 'Land' }).click()
  await until(() => page.evaluate(() => [60, 61, 62].every(i => S.landed[i] === 1 && !(S.flags[i] & 2))))
  // agents obey, too
  await page.locator('#find').fill('bee.5')
  await page.keyboard.press('Enter')
  await page.locator('#orders button', { hasText: 'Land' }).click()
  await until(() => page.evaluate(() => S.landed[44] === 1))
})

state('the picture of a vehicle, and of an agent', WORLD.replace('outputs:', 'links: {api: 0}\noutputs:'), async page => {
  const open = async press => {
    const [picture] = await Promise.all([page.context().waitForEvent('page'), press()])
    picture.wrong = []
    picture.on('console', m => { if (['error', 'warning'].includes(m.type())) picture.wrong.push(m.text()) })
    picture.on('pageerror', e => picture.wrong.push(e.message))
    await picture.locator('#link', { hasText: 'live' }).waitFor()
    return picture
  }
  await page.locator('#find').fill('walker.7')
  await page.keyboard.press('Enter')
  const vehicle = await open(() => page.locator('#picture').click())
  assert.match(vehicle.url(), /:\d+\/vehicles\/7\/$/)
  assert.equal(await vehicle.locator('#system').textContent(), 'system 7')
  await until(() => vehicle.evaluate(() => S.track.length > 2)) // it walks
  await vehicle.locator('#faults [data-fault=gps_off]').waitFor({ state: 'attached' })
  await vehicle.locator('#actions button', { hasText: 'Land' }).click()
  await vehicle.locator('#mode', { hasText: 'Land' }).waitFor()
  await vehicle.locator('#log', { hasText: 'Land' }).waitFor()
  await vehicle.locator('#hold').click()
  await page.locator('#held', { hasText: 'time stands' }).waitFor()
  await vehicle.locator('#clock', { hasText: 'paused at' }).waitFor()
  await vehicle.locator('#resume').click()
  await vehicle.locator('#clock', { hasText: 'runs, ×1' }).waitFor()
  await shot(vehicle, 'swarm-picture')
  assert.deepEqual(vehicle.wrong, [])
  await vehicle.close()
  await page.locator('#find').fill('bee.5')
  await page.keyboard.press('Enter')
  await page.locator('#map').focus()
  const bee = await open(() => page.keyboard.press('o'))
  await until(() => bee.evaluate(() => S.track.length > 2))
  assert.equal(await bee.locator('#mission').textContent(), 'none')
  await bee.locator('#actions button', { hasText: 'Land' }).click()
  await bee.locator('#fly-err', { hasText: 'of the kind agent' }).waitFor()
  await shot(bee, 'swarm-picture-agent')
  assert.deepEqual(bee.wrong.filter(w => !/409/.test(w)), [])
  await bee.close()
})
state('no picture without a control API', WORLD, async page => {
  assert.equal(await page.locator('#picture').isVisible(), false)
  await page.locator('#find').fill('walker.7')
  await page.keyboard.press('Enter')
  await page.locator('#picture').click()
  await page.locator('#picture-err', { hasText: 'This run has no control API: give its scenario links.api.' }).waitFor()
  page.wrong = page.wrong.filter(w => !/404/.test(w))
  await page.locator('#find').fill('walker.8')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#picture-err').textContent(), '')
})

state('what sensors of the selected one measure', WORLD.replace('as: agent,', 'as: agent, sensors: [{kind: compass, rate: 5}, {kind: object, of: idle, reach: 500, rate: 5}],'), async page => {
  await page.locator('#find').fill('bee.5')
  await page.keyboard.press('Enter')
  await page.locator('#facts dt', { hasText: 'Object idle' }).waitFor()
  await until(async () => /^idle\.[123] \d+\.\d m, \d+°; 3 there$/.test(await fact(page, 'Object idle')))
  await until(async () => Math.abs(parseFloat(await fact(page, 'Compass')) - parseFloat(await fact(page, 'Heading'))) < 3)
  await shot(page, 'swarm-sensors')
  await page.locator('#find').fill('idle.1')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#facts dt', { hasText: 'Compass' }).count(), 0)
})

state('dark, on a phone', WORLD, async page => {
  await page.selectOption('#by', 'height')
  await page.locator('#find').fill('bee.3')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(1500)
  await shot(page, 'swarm-phone')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
  assert.deepEqual(await accessible(page), [])
}, PHONE, 'dark')

const named = name => [`examples/scenarios/${name}.yaml`, '--set', 'outputs.page=127.0.0.1:0', '--set', 'time.clock=x4']
state('a team that searches, and what it has seen', [...named('sharks'), '--set', 'outputs.coverage.cell=5'], async page => {
  assert.equal(await page.locator('#count').textContent(), '3 members')
  assert.deepEqual(await page.evaluate(() => S.area), [[0, 0], [0, 1000], [1000, 1000], [1000, 0]])
  await until(() => page.evaluate(() => S.rasters.size && [...S.rasters.get(0).cells].filter(c => c).length > 100))
  await page.selectOption('#by', 'kind')
  await page.locator('#keys', { hasText: 'uav, agent3' }).waitFor()
  await shot(page, 'swarm-search')
})
state('a world of cells', [...named('package_delivery'), '--set', 'time.end=900'], async page => {
  assert.equal(await page.locator('#count').textContent(), '3 members')
  await until(() => page.evaluate(() => S.rasters.get(0).cells.length === 24 * 24))
  await page.locator('#keys', { hasText: 'underway' }).waitFor()
  await page.selectOption('#by', 'trust')
  await page.locator('#map').focus()
  await page.keyboard.press('Space')
  await page.locator('#held', { hasText: 'time stands' }).waitFor()
  await page.keyboard.press('n')
  assert.equal(await fact(page, 'Name'), 'drone.1')
  assert.match(await fact(page, 'Battery'), /^\d+ %$/)
  await shot(page, 'swarm-cells')
})
state('a legend of cells', [...named('package_delivery'), '--variation', 'interrupted', '--set', 'time.end=900'], async page => {
  await page.locator('#cells', { hasText: 'delivered' }).waitFor()
  await page.locator('#map').focus()
  await page.keyboard.press('Space')
  await page.locator('#held', { hasText: 'time stands' }).waitFor()
  // of nine packages the drones carry three at most
  const legend = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#cells li')].map(li => [li.children[1].textContent, Number(li.children[2].textContent)])))
  assert.deepEqual(Object.keys(legend), ['blocked', 'delivered', 'charger', 'package'])
  assert.deepEqual([legend.blocked, legend.charger], [15, 3])
  assert.ok(legend.delivered + legend.package >= 6 && legend.delivered + legend.package <= 9)
  // each colour is that of the map: of the one blocked cell at (4, 9), in device pixels
  const [map, key] = await page.evaluate(() => {
    const r = S.rasters.get(0), k = devicePixelRatio, at = (c, row) => [(view.scale * (r.east + (c + 0.3) * r.side - view.x) + map.clientWidth / 2) * k, (map.clientHeight / 2 - view.scale * (r.north + (row + 0.3) * r.side - view.y)) * k]
    const [x, y] = at(4, 9).map(Math.round)
    return [map.getContext('2d').getImageData(x, y, 1, 1).data.slice(0, 3).join(), getComputedStyle(document.querySelector('#cells i')).backgroundColor]
  })
  assert.equal(key.replace(/[^0-9,]/g, ''), map)
  await shot(page, 'swarm-cells-legend')
  assert.deepEqual(await accessible(page), [])
})

// What became of a task, as the list has it.
const task = (page, number) => page.locator('#tasks li').filter({ has: page.locator('b', { hasText: new RegExp(`^${number}$`) }) }).locator('span').textContent()
state('tasks of a world of cells, by hand and by keys', [...named('package_delivery'), '--set', 'time.end=900'], async page => {
  assert.equal(await page.locator('#orderbox').isVisible(), false)
  await until(() => page.evaluate(() => S.tasks && S.tasks.length === 9))
  const cell = i => page.evaluate(i => { const r = S.rasters.get(0); return [Math.floor((S.east[i] - r.east) / r.side), Math.floor((S.north[i] - r.north) / r.side)] }, i)
  const told = () => page.locator('#task-told').textContent()
  const number = async () => Number((await told()).match(/task (\d+)$/)[1])
  // to the chosen one, by a click on a cell
  await page.locator('#find').fill('drone.2')
  await page.keyboard.press('Enter')
  await page.selectOption('#task-priority', 'high')
  await page.locator('#task-row button', { hasText: 'Go there' }).click()
  const there = await page.evaluate(() => { const r = S.rasters.get(0); return [map.clientWidth / 2 + (r.east + 17.5 * r.side - view.x) * view.scale, map.clientHeight / 2 - (r.north + 3.5 * r.side - view.y) * view.scale] })
  await page.locator('#map').click({ position: { x: there[0], y: there[1] } })
  await page.locator('#task-told', { hasText: 'Go to 17, 3: task 10' }).waitFor()
  await until(async () => await task(page, 10) === 'done' || (await cell(1)).join() === '17,3')
  // by keys, to whichever its controller chooses; the middle of the map is cell 20, 20
  await page.locator('#map').focus()
  await page.keyboard.press('Escape')
  await page.evaluate(() => { const r = S.rasters.get(0); view.x = r.east + 20.5 * r.side; view.y = r.north + 20.5 * r.side; moved = true })
  await page.keyboard.press('g')
  await page.locator('#task-told', { hasText: 'Go to 20, 20: task 11' }).waitFor()
  await page.keyboard.press('a')
  await page.fill('#task-wait', '3')
  await page.locator('#map').focus()
  await page.keyboard.press('w')
  await page.locator('#task-told', { hasText: 'Wait: task 12, 13, 14' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.keyboard.type('wait: 1')
  await page.keyboard.press('Enter')
  await page.locator('#task-told', { hasText: 'Given: task 15' }).waitFor()
  assert.equal(await page.evaluate(() => S.tasks.length), 15)
  // what cannot be is said, and gives none
  await page.fill('#task-text', '{goto: [99, 0]}')
  await page.keyboard.press('Enter')
  await page.locator('#task-err', { hasText: /\S/ }).waitFor()
  assert.equal(await told(), '')
  assert.equal(await page.evaluate(() => S.tasks.length), 15)
  await shot(page, 'swarm-tasks')
  assert.deepEqual(await accessible(page), [])
})

state('the end of a run is told', WORLD.replace('end: 900', 'end: 4'), async page => {
  await page.locator('#link', { hasText: 'ended' }).waitFor()
  assert.equal(await page.locator('#notice').textContent(), 'The run has ended')
  assert.equal(await at_s(page), 4)
})

state('ten thousand', WORLD.replace('count: 40', 'count: 9937').replace('[8, 5]', '[100, 100]').replace('medium: {range: 40}\n', ''), async page => {
  await page.evaluate(() => { moved = false; S.painted = 0 })
  const frames = await page.evaluate(() => S.frames), began = Date.now()
  await page.waitForTimeout(3000)
  const [painted, more] = await page.evaluate(() => [S.painted, S.frames]), took = (Date.now() - began) / 1000
  console.log(`# 10,000 members: ${(painted / took).toFixed(1)} pictures painted a second, ${((more - frames) / took).toFixed(1)} received`)
  assert.equal(await page.locator('#count').textContent(), '9,960 members')
  assert.ok(painted > 3 && more > frames)
  await shot(page, 'swarm-10000')
  // idle.1 is the last but two to be painted, and stands apart
  const [x, y] = await page.evaluate(() => { draw(); return [S.sx[9957], S.sy[9957]] })
  const pixel = dx => page.evaluate(([x, y]) => { draw(); return '#' + [...map.getContext('2d').getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3).map(b => b.toString(16).padStart(2, '0')).join('') }, [x + dx, y])
  assert.equal(await pixel(0), await page.evaluate(() => legend.keys[S.colour[9957]][1]))
  assert.notEqual(await pixel(-3), await page.evaluate(() => C.ink))
  // all are selected: no ring about each, which takes 100 ms a picture
  await page.locator('#all').click()
  assert.equal(await page.evaluate(() => {
    const kind = CanvasRenderingContext2D.prototype, had = kind.arc
    let rings = 0
    kind.arc = function (...what) { rings++; had.apply(this, what) }
    draw()
    kind.arc = had
    return rings
  }), 0)
  assert.equal(await pixel(-3), await page.evaluate(() => C.ink)) // the edge of one that is selected
  await shot(page, 'swarm-10000-all')
}, { width: 1440, height: 900 }, 'dark')
