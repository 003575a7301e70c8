// SPDX-License-Identifier: Apache-2.0
// How a drone is drawn and told of, while it flies and afterwards. The page that includes this defines $, S and shown(). S.point:
// the instant that the plot marks, if it is none of the track's.

// ---- words

const SEVERITY = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice']
const RESULT = ['accepted', 'temporarily rejected', 'denied', 'unsupported', 'failed', 'in progress', 'cancelled']
const words = s => s.replaceAll('_', ' ')
const capital = s => s[0].toUpperCase() + s.slice(1)

// [what, its class, is it said aloud]
const TELL = {
  mode: d => [`Mode ${d.mode}${d.failsafe ? ' by failsafe' : ''}`, d.failsafe ? 'bad' : '', true],
  armed: d => [d.armed ? 'Armed' : 'Disarmed', ''],
  landed: d => [capital(words(d.landed_state)), ''],
  waypoint: d => [`Item ${d.item} reached`, ''],
  fault: d => [`Fault ${d.fault} ${d.active ? 'begins' : 'ends'}`, d.active ? 'bad' : ''],
  statustext: d => [(d.severity < 6 ? SEVERITY[d.severity] + ': ' : '') + d.text, d.severity < 4 ? 'bad' : d.severity < 5 ? 'warn' : '', true],
  command: d => [`Command ${d.command} of ${d.system}/${d.component}: ${RESULT[d.result] || d.result}`, d.result ? 'warn' : 'dim'],
  clock: d => [d.standing ? 'Time stands' : 'Time passes', 'dim'],
  boot: () => ['Boot', 'ok'],
}

function el(tag, props, ...inside) {
  const e = Object.assign(document.createElement(tag), props)
  e.append(...inside)
  return e
}
function put(id, text, kind) {
  const e = $(id)
  if (e.textContent !== text) e.textContent = text
  if (kind !== undefined) e.className = kind
}
const number = (x, digits = 1) => x == null ? '–' : x.toFixed(digits).replace(/^-(0\.?0*)$/, '$1').replace('-', '−')
const metres = (x, digits) => x == null ? '–' : number(x, digits) + ' m'
const plural = (n, what) => n + ' ' + what + (n === 1 ? '' : 's')
const length = m => m >= 10000 ? number(m / 1000, 1) + ' km' : number(m, m < 100 ? 1 : 0) + ' m'
function clockText(at_s) {
  const s = Math.round(at_s * 10) / 10 // first, so that 179.96 is no 2:60.0
  const m = Math.floor(s / 60), h = Math.floor(m / 60)
  const rest = (s - m * 60).toFixed(1).padStart(4, '0')
  return (h ? h + ':' + String(m % 60).padStart(2, '0') : m) + ':' + rest
}

// ---- where things are: metres east and north of an origin, on WGS84

const RAD = Math.PI / 180
let origin = null
function setOrigin(o) {
  const s = Math.sin(o.lat_deg * RAD), w = 1 - 0.00669437999014 * s * s
  origin = { lat_deg: o.lat_deg, lon_deg: o.lon_deg,
    north: 6335439.327 / (w * Math.sqrt(w)) * RAD, east: 6378137 * Math.cos(o.lat_deg * RAD) / Math.sqrt(w) * RAD }
}
const wrap = d => d > 180 ? d - 360 : d < -180 ? d + 360 : d
const at = o => [wrap(o.lon_deg - origin.lon_deg) * origin.east, (o.lat_deg - origin.lat_deg) * origin.north]
function apart(a, b) {
  if (!origin) setOrigin(b)
  const [ax, ay] = at(a), [bx, by] = at(b)
  return Math.hypot(ax - bx, ay - by)
}

// ---- the map

const map = $('map'), view = { x: 0, y: 0, scale: 2 }
let dirty = true, moved = false, C = {}
const items = name => S.lists[name] ? S.lists[name].items : []
const MOVES = new Set([16, 17, 18, 19, 21, 31, 82])

function zones() {
  const all = items('fence'), found = []
  for (let i = 0; i < all.length; i++) {
    const it = all[i], out = it.command === 5002 || it.command === 5004
    if (it.command === 5003 || it.command === 5004) found.push({ out, centre: it, radius: it.param[0] })
    if (it.command === 5001 || it.command === 5002) {
      const corners = all.slice(i, i + it.param[0])
      i += Math.max(0, corners.length - 1)
      found.push({ out, corners })
    }
  }
  const far = S.lists.fence && S.lists.fence.more && S.lists.fence.more.distance_max_m
  if (far && S.home) found.push({ centre: S.home, radius: far, limit: true })
  return found
}

function fit() {
  if (!origin) return
  const points = [...items('mission'), ...items('rally')].filter(i => i.lat_deg != null).map(at)
  for (const z of zones()) {
    if (z.corners) points.push(...z.corners.map(at))
    else {
      const [x, y] = at(z.centre)
      points.push([x - z.radius, y - z.radius], [x + z.radius, y + z.radius])
    }
  }
  for (const p of [S.home, ...shown(), S.v && S.v.position]) if (p) points.push(at(p))
  let [x0, y0, x1, y1] = [1 / 0, 1 / 0, -1 / 0, -1 / 0]
  for (const [x, y] of points) {
    x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y)
  }
  if (x1 < x0) return
  view.x = (x0 + x1) / 2
  view.y = (y0 + y1) / 2
  const w = map.clientWidth - 130, h = map.clientHeight - 110
  view.scale = Math.min(w / Math.max(x1 - x0, 60), h / Math.max(y1 - y0, 60))
  dirty = true
}

function zoom(factor, px = map.clientWidth / 2, py = map.clientHeight / 2) {
  const dx = px - map.clientWidth / 2, dy = map.clientHeight / 2 - py
  const scale = Math.min(200, Math.max(1e-5, view.scale * factor))
  if (!following()) {
    view.x += dx / view.scale - dx / scale
    view.y += dy / view.scale - dy / scale
  }
  view.scale = scale
  moved = dirty = true
}
const following = () => $('follow').getAttribute('aria-pressed') === 'true'
function follow(on) {
  $('follow').setAttribute('aria-pressed', on)
  dirty = true
}
$('in').onclick = () => zoom(1.5)
$('out').onclick = () => zoom(1 / 1.5)
$('fit').onclick = () => { follow(false); moved = false; fit() }
$('follow').onclick = () => follow(!following())
map.onwheel = e => {
  e.preventDefault()
  zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.offsetX, e.offsetY)
}
function pan(dx, dy) {
  follow(false)
  view.x -= dx / view.scale
  view.y += dy / view.scale
  moved = dirty = true
}
map.onkeydown = e => {
  const key = { '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), f: () => $('fit').click(),
    v: () => $('follow').click(), ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60) }[e.key]
  if (key && !e.ctrlKey && !e.metaKey) {
    e.preventDefault()
    key()
  }
}
const fingers = new Map()
map.onpointerdown = e => { map.setPointerCapture(e.pointerId); fingers.set(e.pointerId, e) }
map.onpointerup = map.onpointercancel = e => fingers.delete(e.pointerId)
map.onpointermove = e => {
  const was = fingers.get(e.pointerId)
  if (!was) return
  const other = [...fingers.values()].find(f => f.pointerId !== e.pointerId)
  fingers.set(e.pointerId, e)
  if (other) {
    const gap = f => Math.hypot(f.offsetX - other.offsetX, f.offsetY - other.offsetY)
    zoom(gap(e) / Math.max(1, gap(was)), (e.offsetX + other.offsetX) / 2, (e.offsetY + other.offsetY) / 2)
  } else {
    pan(e.offsetX - was.offsetX, e.offsetY - was.offsetY)
  }
}

// A canvas in the size of the screen's dots. Text has a halo, so that it can be read on anything.
function sheet(canvas) {
  const k = devicePixelRatio, w = canvas.clientWidth, h = canvas.clientHeight
  if (canvas.width !== Math.round(w * k) || canvas.height !== Math.round(h * k)) {
    canvas.width = Math.round(w * k)
    canvas.height = Math.round(h * k)
  }
  const g = canvas.getContext('2d')
  g.setTransform(k, 0, 0, k, 0, 0)
  g.clearRect(0, 0, w, h)
  g.font = '12px system-ui, sans-serif'
  g.lineJoin = 'round'
  g.textBaseline = 'middle'
  const label = (text, x, y, colour, align = 'center') => {
    g.textAlign = align
    g.lineWidth = 3
    g.strokeStyle = C.halo
    g.strokeText(text, x, y)
    g.fillStyle = colour
    g.fillText(text, x, y)
  }
  const line = (points, colour, width, dash = []) => {
    if (!points.length) return
    g.beginPath()
    for (const [x, y] of points) g.lineTo(x, y)
    g.setLineDash(dash)
    g.strokeStyle = colour
    g.lineWidth = width
    g.stroke()
    g.setLineDash([])
  }
  const disc = (x, y, r, fill, stroke, width = 1.5) => {
    g.beginPath()
    g.arc(x, y, r, 0, 2 * Math.PI)
    if (fill) { g.fillStyle = fill; g.fill() }
    if (stroke) { g.strokeStyle = stroke; g.lineWidth = width; g.stroke() }
  }
  return { g, w, h, label, line, disc }
}
// 1, 2 or 5 times a power of ten, not below
function round125(x) {
  const p = 10 ** Math.floor(Math.log10(x))
  return [1, 2, 5, 10].find(k => k * p >= x * 0.999) * p
}

function drawGrid({ g, w, h, label, line }, to) {
  const step = round125(90 / view.scale), scale = view.scale
  const [hx, hy] = S.home ? at(S.home) : [0, 0]
  g.fillStyle = C.map
  g.fillRect(0, 0, w, h)
  const tick = d => length(Math.abs(d)).replace(/\.0 /, ' ')
  const names = []
  for (let k = Math.ceil((view.x - w / 2 / scale - hx) / step); k * step < view.x + w / 2 / scale - hx; k++) {
    const [x] = to([hx + k * step, 0])
    line([[x, 0], [x, h]], k ? C.grid : C.axis, 1)
    if (x > 75 && x < w - 60) names.push([k ? tick(k * step) + (k > 0 ? ' E' : ' W') : S.home ? 'home' : '0 m', x, 12])
  }
  for (let k = Math.ceil((view.y - h / 2 / scale - hy) / step); k * step < view.y + h / 2 / scale - hy; k++) {
    const [, y] = to([0, hy + k * step])
    line([[0, y], [w, y]], k ? C.grid : C.axis, 1)
    if (k && y > 50 && y < h - 64) names.push([tick(k * step) + (k > 0 ? ' N' : ' S'), w - 10, y, 'right'])
  }
  return () => {
    g.font = '11px system-ui, sans-serif'
    for (const [text, x, y, align] of names) label(text, x, y, C.dim, align)
    const bar = round125(70 / scale) * scale
    line([[14, h - 18], [14, h - 12], [14 + bar, h - 12], [14 + bar, h - 18]], C.ink, 1.5)
    g.font = '12px system-ui, sans-serif'
    label(tick(bar / scale), 14 + bar / 2, h - 24, C.ink)
    g.fillStyle = C.ink
    g.beginPath()
    for (const [x, y] of [[0, -11], [6, 8], [0, 4], [-6, 8]]) g.lineTo(w - 22 + x, 28 + y)
    g.fill()
    label('N', w - 22, 9, C.ink)
  }
}

function drawZones({ g, line, disc }, to) {
  for (const z of zones()) {
    const colour = z.out ? C.bad : C.ok
    const points = z.corners && z.corners.map(c => to(at(c)))
    const centre = z.centre && to(at(z.centre))
    g.beginPath()
    if (points) for (const [x, y] of points) g.lineTo(x, y)
    else g.arc(...centre, z.radius * view.scale, 0, 2 * Math.PI)
    g.closePath()
    g.globalAlpha = z.out ? 0.14 : z.limit ? 0 : 0.05
    g.fillStyle = colour
    g.fill()
    g.globalAlpha = 1
    g.strokeStyle = colour
    g.lineWidth = z.limit ? 1.5 : 2
    g.setLineDash(z.limit ? [6, 6] : z.out ? [10, 4] : [])
    g.stroke()
    g.setLineDash([])
  }
}

// The line, and a function that draws the numbers, on top of the track.
function drawMission({ g, w, h, label, line, disc }, to) {
  const all = items('mission'), route = [], current = S.v ? S.v.mission.current : -1
  const marks = []
  const home = S.home && to(at(S.home))
  all.forEach((it, i) => {
    const here = it.lat_deg != null && to(at(it))
    if (it.command === 22 && home && !route.length) route.push(home)
    else if (MOVES.has(it.command) && here) {
      route.push(here)
      marks.push([i, it, here])
    } else if (it.command === 20 && route.length && home) {
      line([route.at(-1), home], C.mission, 1.5, [5, 5])
    } else if (here && it.command !== 22) {
      g.strokeStyle = C.mission
      g.lineWidth = 1.5
      g.strokeRect(here[0] - 4, here[1] - 4, 8, 8) // a region of interest, a gate
    }
    if (it.command === 18 && here && it.param[2]) disc(...here, Math.abs(it.param[2]) * view.scale, null, C.mission)
  })
  g.globalAlpha = 0.45
  line(route, C.mission, 5)
  g.globalAlpha = 1
  const spots = new Set() // of labels: one per place
  marks.sort((a, b) => (b[0] === current) - (a[0] === current))
  const later = []
  for (const [i, it, [x, y]] of marks) {
    if (x < -20 || y < -20 || x > w + 20 || y > h + 20) continue
    const spot = Math.round(x / 24) + ',' + Math.round(y / 24)
    if (spots.has(spot)) {
      if (all.length < 2000) disc(x, y, 2.5, C.mission)
    } else {
      spots.add(spot)
      later.push([i, it, x, y])
    }
  }
  return () => {
    for (const [i, , x, y] of later.reverse()) {
      const now = i === current, long = i > 99
      disc(x, y, long ? 12 : 10, now ? C.mission : C.card, C.mission, 2)
      if (now) disc(x, y, long ? 16 : 14, null, C.mission, 1.5)
      g.font = (long ? 10 : 11) + 'px system-ui, sans-serif'
      g.textAlign = 'center'
      g.fillStyle = now ? C.card : C.ink
      g.fillText(i, x, y + 0.5)
    }
  }
}

function drawVehicle({ g, label }, to, place, colour, ghost) {
  const [x, y] = to(at(place))
  g.save()
  g.translate(x, y)
  g.rotate(place.heading_deg * RAD)
  g.beginPath()
  for (const [px, py] of [[0, -15], [10, 12], [0, 6], [-10, 12]]) g.lineTo(px, py)
  g.closePath()
  g.strokeStyle = ghost ? colour : C.card
  g.lineWidth = ghost ? 2 : 4
  g.stroke()
  g.globalAlpha = ghost ? 0.25 : 1
  g.fillStyle = colour
  g.fill()
  g.restore()
  return [x, y]
}

function drawMap() {
  const s = sheet(map), { label, line, disc, w, h } = s, v = S.v
  const truth = v && (v.truth || v.position), said = v && v.position
  if (!origin) {
    s.g.fillStyle = C.map
    s.g.fillRect(0, 0, w, h)
    return
  }
  if (following() && truth) [view.x, view.y] = at(truth)
  const to = ([x, y]) => [w / 2 + (x - view.x) * view.scale, h / 2 - (y - view.y) * view.scale]
  const edges = drawGrid(s, to)
  drawZones(s, to)
  const track = shown(), marks = drawMission(s, to)
  line(track.map(p => to(at(p))), C.track, 2.5)
  for (let i = 0, run = []; i <= track.length; i++) {
    if (i < track.length && track[i].said) run.push(to(at(track[i].said)))
    else { line(run, C.warn, 2, [4, 4]); run = [] }
  }
  marks()
  for (const r of items('rally')) {
    const [x, y] = to(at(r))
    disc(x, y, 10, C.rally, C.card)
    s.g.font = 'bold 11px system-ui, sans-serif'
    s.g.textAlign = 'center'
    s.g.fillStyle = C.card
    s.g.fillText('R', x, y + 0.5)
  }
  if (S.home) {
    const [x, y] = to(at(S.home))
    disc(x, y, 10, C.ink, C.card)
    s.g.font = 'bold 11px system-ui, sans-serif'
    s.g.textAlign = 'center'
    s.g.fillStyle = C.card
    s.g.fillText('H', x, y + 0.5)
  }
  const off = truth && said ? apart(truth, said) : 0
  edges()
  if (off > 0.5) {
    line([to(at(truth)), to(at(said))], C.warn, 1.5, [2, 4])
    const [x, y] = drawVehicle(s, to, said, C.warn, true)
    label('reported, ' + length(off) + ' off', x + 18, y, C.warn, 'left')
  }
  if (truth) {
    const [x, y] = drawVehicle(s, to, truth, said ? C.accent : C.bad, false)
    if (off > 0.5) label('true', x + 18, y, C.accent, 'left')
  }
  describe(v, truth, said, off)
}

let keys = ''
function describe(v, truth, said, off) {
  const far = S.home && truth ? `Vehicle ${length(apart(truth, S.home))} from home, heading ${number(truth.heading_deg, 0)} degrees. ` : ''
  const text = 'Map. ' + far + (off > 0.5 ? `The reported position is ${length(off)} off. ` : '') +
    (said ? '' : 'No position is reported. ') +
    `Mission of ${plural(items('mission').length, 'item')}${v.mission.count ? ', item ' + v.mission.current + ' is next' : ''}. ` +
    `${plural(zones().length, 'fence zone')}, ${plural(items('rally').length, 'rally point')}. Arrow keys move it, plus and minus zoom.`
  if (map.getAttribute('aria-label') !== text) map.setAttribute('aria-label', text)
  const shownKeys = [['track', 'track'], ...items('mission').length ? [['mission', 'mission']] : [],
    ...zones().some(z => !z.out) ? [['ok', 'stay inside']] : [], ...zones().some(z => z.out) ? [['bad', 'stay out', 1]] : [],
    ...items('rally').length ? [['rally', 'rally points']] : [], ...off > 0.5 || shown().some(p => p.said) ? [['warn', 'reported', 1]] : []]
  if (keys !== shownKeys.join()) {
    keys = shownKeys.join()
    $('legend').replaceChildren(...shownKeys.map(([colour, name, dash]) => {
      const i = el('i', { className: dash ? 'dash' : '' })
      i.style.borderColor = `var(--${colour})`
      return el('span', {}, i, name)
    }))
  }
}

// ---- the altitude

const plot = $('plot')
let cursor = null // vehicle time [s]
function drawPlot() {
  const s = sheet(plot), { g, w, h, label, line, disc } = s, track = shown()
  if (track.length < 1 || !S.v) return
  const zero = S.zero
  const left = 52, right = w - (zero == null ? 14 : 52), top = 22, bottom = h - 22
  const t1 = track.at(-1).s, t0 = Math.min(track[0].s, t1 - 10)
  let low = 1 / 0, high = -1 / 0
  for (const p of track) {
    for (const a of [p.alt, p.ground, p.said && p.said.alt]) if (a != null) { low = Math.min(low, a); high = Math.max(high, a) }
  }
  const room = Math.max(10, high - low)
  const step = round125(room / Math.max(2, (bottom - top) / 32))
  const base = zero == null ? 0 : zero
  low -= room * 0.08
  high = Math.max(high, low + room) + room * 0.08
  const px = t => left + (t - t0) / (t1 - t0) * (right - left)
  const py = a => bottom - (a - low) / (high - low) * (bottom - top)
  g.font = '11px system-ui, sans-serif'
  for (let a = Math.ceil((low - base) / step) * step + base; a <= high; a += step) {
    line([[left, py(a)], [right, py(a)]], Math.abs(a - base) < step / 2 && zero != null ? C.axis : C.grid, 1)
    label(number(a, step < 1 ? 1 : 0), left - 6, py(a), C.dim, 'right')
    if (zero != null) label((a - base > step / 2 ? '+' : '') + number(a - base, step < 1 ? 1 : 0), right + 6, py(a), C.dim, 'left')
  }
  const tick = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200].find(x => (t1 - t0) / x < (right - left) / 80) || 86400
  for (let t = Math.ceil(t0 / tick) * tick; t <= t1; t += tick) {
    line([[px(t), top], [px(t), bottom]], C.grid, 1)
    if (px(t) > left + 20 && px(t) < right - 20) label(clockText(t).replace(/\.0$/, ''), px(t), h - 12, C.dim)
  }
  label('m AMSL', left - 6, 8, C.dim, 'center')
  if (zero != null) label('m above take-off', right + 44, 8, C.dim, 'right')
  if (track[0].ground != null) {
    g.beginPath()
    g.moveTo(px(track[0].s), bottom)
    for (const p of track) g.lineTo(px(p.s), py(p.ground))
    g.lineTo(px(t1), bottom)
    g.fillStyle = C.ground
    g.fill()
  }
  line(track.map(p => [px(p.s), py(p.alt)]), C.track, 2.5)
  for (let i = 0, run = []; i <= track.length; i++) {
    if (i < track.length && track[i].said) run.push([px(track[i].s), py(track[i].said.alt)])
    else { line(run, C.warn, 2, [4, 4]); run = [] }
  }
  plot.to = px
  plot.from = x => t0 + (x - left) / (right - left) * (t1 - t0)
  const near = S.point || (cursor == null ? track.at(-1) : track.reduce((a, b) => Math.abs(b.s - cursor) < Math.abs(a.s - cursor) ? b : a))
  if (cursor != null) line([[px(near.s), top], [px(near.s), bottom]], C.dim, 1)
  disc(px(near.s), py(near.alt), 4, C.track, C.card)
  put('hover', `${clockText(near.s)}: ${metres(near.alt)} AMSL` + (zero == null ? '' : `, ${metres(near.alt - zero)} above take-off`) +
    (near.ground == null || Math.abs(near.ground - zero) < 0.05 ? '' : `, ${metres(near.alt - near.ground)} above ground`))
}
plot.onpointermove = e => { if (plot.from) { cursor = plot.from(e.offsetX); dirty = true } }
plot.onpointerleave = plot.onblur = () => { cursor = null; dirty = true }
plot.onkeydown = e => {
  const d = { ArrowLeft: -1, ArrowRight: 1 }[e.key], track = shown()
  if (!d || !track.length) return
  e.preventDefault()
  const i = cursor == null ? track.length - 1 : track.findIndex(p => p.s >= cursor)
  cursor = track[Math.max(0, Math.min(track.length - 1, (i < 0 ? track.length - 1 : i) + d))].s
  dirty = true
}

// ---- what is drawn, when something has changed

function colours() {
  const css = getComputedStyle(document.documentElement)
  for (const name of ['map', 'grid', 'axis', 'ink', 'dim', 'card', 'track', 'mission', 'rally', 'ok', 'warn', 'bad', 'accent', 'ground', 'halo']) {
    C[name] = css.getPropertyValue('--' + name).trim()
  }
  dirty = true
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', colours)
new ResizeObserver(() => { if (!moved) fit(); dirty = true }).observe(map)
new ResizeObserver(() => { dirty = true }).observe(plot)
function draw() {
  if (dirty) {
    dirty = false
    drawMap()
    drawPlot()
  }
  requestAnimationFrame(draw)
}
