// SPDX-License-Identifier: Apache-2.0
// How a drone is drawn and told of, while it flies and afterwards. The page that includes this, after small.js, defines $, S and shown(). S.point:
// the instant that the plot marks, if it is none of the track's.

// ---- words

const SEVERITY = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice']
const RESULT = ['accepted', 'temporarily rejected', 'denied', 'unsupported', 'failed', 'in progress', 'cancelled']
const words = s => s.replaceAll('_', ' ')
const capital = s => s[0].toUpperCase() + s.slice(1)

// Commands as operators call them
const COMMAND = { 16: 'Waypoint', 17: 'Loiter', 20: 'Return', 21: 'Land', 22: 'Take off', 80: 'Point at a place', 84: 'VTOL take-off', 85: 'VTOL land', 176: 'Change mode', 178: 'Change speed',
  179: 'Set home', 183: 'Set servo', 185: 'Terminate flight', 186: 'Change altitude', 187: 'Set actuator', 189: 'Landing sequence', 192: 'Go to', 193: 'Pause or continue',
  195: 'Point at a place', 197: 'Point nowhere', 201: 'Point at a place', 241: 'Calibrate', 245: 'Store parameters', 246: 'Reboot', 262: 'Change standard mode', 300: 'Start mission',
  400: 'Arm or disarm', 401: 'Check before arming', 410: 'Ask for home', 420: 'Inject failure', 510: 'Ask for a message interval', 511: 'Set message interval', 512: 'Ask for a message',
  519: 'Ask for the protocol version', 520: 'Ask for capabilities', 525: 'Ask for storage', 528: 'Ask for flight information', 34: 'Orbit' }
const commandName = d => COMMAND[d.command] || (d.name ? capital(words(d.name.toLowerCase())) : 'Command ' + d.command)
const refused = d => d.result !== 0 && d.result !== 5

// Who a sender is, by MAVLink's usual ids. The control API is a component of the drone.
const sender = d => d.component === 191 && S.v && d.system === S.v.system_id ? 'the API'
  : d.component === 190 || d.system >= 240 ? 'ground station ' + d.system
  : d.component >= 191 && d.component <= 194 ? 'onboard computer of system ' + d.system : `system ${d.system}, component ${d.component}`

// [what, its class, is it said aloud]
const TELL = {
  mode: d => [`Mode ${d.mode}${d.failsafe ? ' by failsafe' : ''}`, d.failsafe ? 'bad' : '', true],
  armed: d => [d.armed ? 'Armed' : 'Disarmed', ''],
  landed: d => [capital(words(d.landed_state)), ''],
  waypoint: d => [`Item ${d.item} reached`, ''],
  fault: d => [`Fault ${d.fault} ${d.active ? 'begins' : 'ends'}`, d.active ? 'bad' : ''],
  statustext: d => [(d.severity < 6 ? SEVERITY[d.severity] + ': ' : '') + d.text, d.severity < 4 ? 'bad' : d.severity < 5 ? 'warn' : '', true],
  command: (d, here) => [`${here || commandName(d)}, from ${here ? 'this page' : sender(d)}: ${RESULT[d.result] || d.result}`, refused(d) ? 'warn' : 'dim'],
  clock: d => [d.standing ? 'Clock paused' : 'Clock runs', 'dim'],
  boot: () => ['Boot', 'ok'],
}

// A waypoint is an event and a text: it is told once.
const twice = e => `${e.vehicle_time_s ?? e.t_s} Waypoint ${e.item} reached`

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

// The point of a track between two others, at a time
function mixed(a, b, s) {
  const k = (s - a.s) / (b.s - a.s), mix = key => a[key] == null || b[key] == null ? a[key] : a[key] + (b[key] - a[key]) * k
  return { ...a, s, lat_deg: mix('lat_deg'), lon_deg: a.lon_deg + wrap(b.lon_deg - a.lon_deg) * k, alt: mix('alt'), ground: mix('ground'), said: a.said && b.said ? a.said : null, way: null }
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

// Everything, or without what lies much farther from home than the rest: one wrong waypoint must not make the others a dot.
let drawBehind = null // what the page has behind the map
let beyond = 0 // how many points that leaves out
// S.whole, if a page sets it, has the plans of all times.
function fit(whole) {
  const lists = S.lists
  S.lists = S.whole || lists
  if (origin) fitLists(whole)
  S.lists = lists
}
function fitLists(whole) {
  const points = [], others = [...items('mission'), ...items('rally'), S.v && S.v.position].filter(i => i && i.lat_deg != null).map(at)
  for (const z of zones()) {
    if (z.corners) others.push(...z.corners.map(at))
    else {
      const [x, y] = at(z.centre)
      others.push([x - z.radius, y - z.radius], [x + z.radius, y + z.radius])
    }
  }
  for (const p of [S.home, ...shown(), ...shown().map(p => p.said), S.v && (S.v.truth || S.v.position)]) if (p) points.push(at(p))
  const [hx, hy] = points[0] || [0, 0], far = others.map(([x, y]) => Math.hypot(x - hx, y - hy)).sort((a, b) => a - b)
  const cut = far.findIndex((d, i) => d > (i && far[i - 1] > 1 ? Math.max(5000, 20 * far[i - 1]) : 1e5))
  const limit = whole || cut < 0 ? 1 / 0 : far[cut]
  points.push(...others.filter(([x, y]) => Math.hypot(x - hx, y - hy) < limit))
  beyond = limit < 1 / 0 ? far.length - cut : 0
  let [x0, y0, x1, y1] = [1 / 0, 1 / 0, -1 / 0, -1 / 0]
  for (const [x, y] of points) {
    x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y)
  }
  if (x1 < x0) return
  const left = 100, right = 65, h = map.clientHeight - 110 // pixels: the buttons are on the left
  view.scale = Math.min((map.clientWidth - left - right) / Math.max(x1 - x0, 60), h / Math.max(y1 - y0, 60))
  view.x = (x0 + x1) / 2 - (left - right) / 2 / view.scale
  view.y = (y0 + y1) / 2
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
$('fit').onclick = () => { // twice: with what is far away
  const whole = beyond > 0 && !moved && !following()
  follow(false)
  moved = false
  fit(whole)
}
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

function drawGrid(paper, to) {
  const { g, w, h, label, line } = paper, step = round125(90 / view.scale), scale = view.scale
  const [hx, hy] = S.home ? at(S.home) : [0, 0]
  g.fillStyle = C.map
  g.fillRect(0, 0, w, h)
  if (drawBehind) drawBehind(g, w, h, to)
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
    g.font = '12px system-ui, sans-serif'
    drawBar(paper, scale)
    drawNorth(paper)
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
  const inside = marks.filter(([, , [x, y]]) => x > -20 && y > -20 && x < w + 20 && y < h + 20), crowd = inside.length > 40
  g.globalAlpha = 0.45
  line(route, C.mission, crowd ? 2 : 5)
  g.globalAlpha = 1
  const spots = new Set(), size = crowd ? 56 : 24 // of labels: one per place
  inside.sort((a, b) => (b[0] === current) - (a[0] === current))
  const later = []
  for (const [i, , [x, y]] of inside) {
    const spot = Math.round(x / size) + ',' + Math.round(y / size)
    if (!spots.has(spot)) later.push([i, x, y])
    else if (all.length < 2000) disc(x, y, crowd ? 1.5 : 2.5, C.mission)
    spots.add(spot)
  }
  const farther = marks.filter(([, , [x, y]]) => x < 0 || y < 0 || x > w || y > h)
  return () => {
    if (crowd) {
      for (const [i, x, y] of later.filter(([i]) => i !== current)) {
        disc(x, y, 2, C.mission)
        g.font = '10px system-ui, sans-serif'
        label(i, x, y - 9, C.mission)
      }
    }
    for (const [i, x, y] of later.reverse()) {
      const now = i === current, long = i > 99
      if (crowd && !now) continue
      disc(x, y, long ? 12 : 10, now ? C.mission : C.card, C.mission, 2)
      if (now) disc(x, y, long ? 16 : 14, null, C.mission, 1.5)
      g.font = (long ? 10 : 11) + 'px system-ui, sans-serif'
      g.textAlign = 'center'
      g.fillStyle = now ? C.card : C.ink
      g.fillText(i, x, y + 0.5)
    }
    if (beyond) pointTo(farther)
  }
  // At the edge, where that goes which the picture leaves out: three of them, the next one first.
  function pointTo(marks) {
    const visible = new Map(inside.map(([i, , spot]) => [i, spot])), reach = (from, by, size, margin) =>
      by ? ((by > 0 ? size - margin : margin) - from) / by : 1 / 0
    for (const [i, it, [x, y]] of marks.sort((a, b) => (b[0] === current) - (a[0] === current)).slice(0, 3)) {
      const [fx, fy] = visible.get(i - 1) || visible.get(i + 1) || [w / 2, h / 2], dx = x - fx, dy = y - fy
      const k = Math.max(0, Math.min(reach(fx, dx, w, 26), reach(fy, dy, h, 40))), ex = fx + dx * k, ey = fy + dy * k
      g.save()
      g.translate(ex, ey)
      g.rotate(Math.atan2(dy, dx))
      g.beginPath()
      for (const [px, py] of [[14, 0], [-4, -8], [-4, 8]]) g.lineTo(px, py)
      g.fillStyle = C.mission
      g.fill()
      g.restore()
      g.font = '12px system-ui, sans-serif'
      label(`item ${i}, ${length(apart(it, S.home || S.v.truth || it))}`, ex + (ex > w / 2 ? -14 : 14), ey + (ey > h / 2 ? -12 : 14), C.mission, ex > w / 2 ? 'right' : 'left')
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
  s.g.font = '12px system-ui, sans-serif'
  const beside = (text, x, y, colour) => // on the right, if it fits there
    x + 22 + s.g.measureText(text).width < w ? label(text, x + 18, y, colour, 'left') : label(text, x - 18, y, colour, 'right')
  if (off > 0.5) {
    line([to(at(truth)), to(at(said))], C.warn, 1.5, [2, 4])
    const [x, y] = drawVehicle(s, to, said, C.warn, true)
    beside('reported, ' + length(off) + ' off', x, y, C.warn)
  }
  if (truth) {
    const [x, y] = drawVehicle(s, to, truth, said ? C.accent : C.bad, false)
    if (off > 0.5 || !said) beside(said ? 'true' : 'true position; none is reported', x, y, said ? C.accent : C.bad)
  }
  describe(v, truth, said, off)
}

let keys = ''
function describe(v, truth, said, off) {
  const far = S.home && truth ? `Vehicle ${length(apart(truth, S.home))} from home, heading ${number(truth.heading_deg, 0)} degrees. ` : ''
  const text = 'Map. ' + far + (off > 0.5 ? `The reported position is ${length(off)} off. ` : '') +
    (said ? '' : 'No position is reported. ') +
    `Mission of ${plural(items('mission').length, 'item')}${v.mission.count ? ', item ' + v.mission.current + ' is next' : ''}. ` +
    (beyond ? `${plural(beyond, 'point')} too far away for this picture. ` : '') +
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

// ---- the altitude, over time or along the mission

const plot = $('plot')
let cursor = null // vehicle time [s], or metres along the mission

// The way of the mission: places, with the metres until there.
let way = { key: null, origin: null, points: [] }
function mission() {
  const key = items('mission')
  if (way.key === key && way.origin === origin && way.home === S.home) return way
  way = { key, origin, home: S.home, points: [] }
  let d = 0
  const go = (o, alt, i) => {
    const last = way.points.at(-1), [x, y] = at(o)
    if (last) d += Math.hypot(x - last.x, y - last.y)
    way.points.push({ x, y, alt, d, i })
  }
  key.forEach((it, i) => {
    const first = !way.points.length && S.home
    if (first && (it.command === 22 || MOVES.has(it.command))) go(S.home, S.home.alt_amsl_m, null)
    if (it.command === 22) go(it.lat_deg == null ? S.home : it, it.alt_amsl_m, i)
    else if (MOVES.has(it.command) && it.lat_deg != null) go(it, it.alt_amsl_m, i)
    else if (it.command === 20 && S.home && way.points.length) go(S.home, way.points.at(-1).alt, i)
  })
  return way
}

// How far along its mission the vehicle is at a point of its track: on the leg that it was on before, or soon after it, else
// on any. null: at none of them.
const ASIDE_M = 30
function along(p, before) {
  if (p.way === way) return p.leg
  const [x, y] = at(p), legs = way.points
  const near = (from, to) => {
    let best = null
    for (let i = Math.max(1, from); i < Math.min(legs.length, to); i++) {
      const a = legs[i - 1], b = legs[i], dx = b.x - a.x, dy = b.y - a.y, n = dx * dx + dy * dy
      const k = n ? Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / n)) : 0
      const off = Math.hypot(x - a.x - k * dx, y - a.y - k * dy) + (before && i === before.i && a.d + k * Math.sqrt(n) < before.d - 1 ? 1 : 0)
      if (off < (best ? best.off - 0.1 : ASIDE_M)) best = { i, off, d: a.d + k * Math.sqrt(n) }
    }
    return best
  }
  p.way = way
  p.leg = (before && near(before.i, before.i + 4)) || near(1, 1 / 0)
  return p.leg
}

// Runs of the track in which the vehicle is somewhere on its mission.
function onMission(track) {
  const runs = []
  let leg = null
  for (const p of track) {
    const now = along(p, leg)
    if (!now) { leg = null; continue }
    if (!leg) runs.push([])
    runs.at(-1).push({ ...p, x: now.d })
    leg = now
  }
  return runs
}

const TICKS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200]
function drawPlot() {
  const s = sheet(plot), { g, w, h, label, line, disc } = s, track = shown()
  const far = $('axis').value === 'mission' && origin
  const planned = far ? mission().points : []
  if (far && planned.length < 2) label('There is no mission', w / 2, h / 2, C.dim)
  plot.at = null
  if (track.length < 1 || !S.v) return
  const zero = S.zero
  const left = 52, right = w - (zero == null ? 14 : 52), top = 22, bottom = h - 22
  const t0 = Math.max(0, Math.min(track[0].s, track.at(-1).s - 10)), t1 = Math.max(track.at(-1).s, t0 + 10)
  plot.to = t => left + (t - t0) / (t1 - t0) * (right - left) // times, also for what is drawn below it
  plot.from = x => t0 + (x - left) / (right - left) * (t1 - t0)
  if (far && planned.length < 2) { put('hover', ''); return }
  const runs = far ? onMission(track) : [track.map(p => ({ ...p, x: p.s }))], all = runs.flat()
  const x1 = far ? planned.at(-1).d : t1, x0 = far ? 0 : t0
  let low = 1 / 0, high = -1 / 0
  for (const p of [...all, ...planned]) {
    for (const a of [p.alt, p.ground, p.said && p.said.alt]) if (a != null) { low = Math.min(low, a); high = Math.max(high, a) }
  }
  const room = Math.max(10, high - low)
  const step = round125(room / Math.max(2, (bottom - top) / 28))
  const base = zero == null ? 0 : zero
  low -= room * 0.08
  high = Math.max(high, low + room) + room * 0.08
  const px = x => left + (x - x0) / Math.max(1e-3, x1 - x0) * (right - left)
  const py = a => bottom - (a - low) / (high - low) * (bottom - top)
  g.font = '11px system-ui, sans-serif'
  for (let a = Math.ceil((low - base) / step) * step + base; a <= high; a += step) {
    line([[left, py(a)], [right, py(a)]], Math.abs(a - base) < step / 2 && zero != null ? C.axis : C.grid, 1)
    label(number(a, step < 1 ? 1 : 0), left - 6, py(a), C.dim, 'right')
    if (zero != null) label((a - base > step / 2 ? '+' : '') + number(a - base, step < 1 ? 1 : 0), right + 6, py(a), C.dim, 'left')
  }
  const fit = (x1 - x0) / (right - left) * 80
  const tick = far ? round125(Math.max(1, fit)) : TICKS_S.find(x => x > fit) || 86400
  for (let x = Math.ceil(x0 / tick) * tick; x <= x1; x += tick) {
    line([[px(x), top], [px(x), bottom]], C.grid, 1)
    if (px(x) > left + 20 && px(x) < right - 20) label(far ? length(x).replace(/\.0 /, ' ') : clockText(x).replace(/\.0$/, ''), px(x), h - 12, C.dim)
  }
  label('m AMSL', left - 6, 8, C.dim, 'center')
  if (zero != null) label('m above take-off', right + 44, 8, C.dim, 'right')
  for (const run of runs) {
    if (!run.length || run[0].ground == null) continue
    g.beginPath()
    g.moveTo(px(run[0].x), bottom)
    for (const p of run) g.lineTo(px(p.x), py(p.ground))
    g.lineTo(px(run.at(-1).x), bottom)
    g.fillStyle = C.ground
    g.fill()
  }
  const way = planned.filter(p => p.alt != null)
  line(way.map(p => [px(p.d), py(p.alt)]), C.mission, 1.5, [6, 3])
  for (const run of runs) line(run.map(p => [px(p.x), py(p.alt)]), C.track, 2.5)
  for (const run of runs) {
    for (let i = 0, off = []; i <= run.length; i++) {
      if (i < run.length && run[i].said) off.push([px(run[i].x), py(run[i].said.alt)])
      else { line(off, C.warn, 2, [4, 4]); off = [] }
    }
  }
  let free = 0
  for (const p of way) {
    disc(px(p.d), py(p.alt), 2.5, C.mission)
    if (p.i == null || px(p.d) < free) continue
    label(p.i, px(p.d), py(p.alt) - 9, C.mission)
    free = px(p.d) + 22
  }
  const nearest = x => all.reduce((a, b) => Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a)
  plot.at = x => { // [metres or seconds, the time]
    const there = x0 + (x - left) / (right - left) * (x1 - x0)
    return [there, far && all.length ? nearest(there).s : there]
  }
  const placed = (p, before) => {
    const leg = far && along(p, before)
    return far && !leg ? null : { ...p, x: far ? leg.d : p.s }
  }
  const near = S.point ? placed({ ...S.v.truth, ...S.point }, far && (track.findLast(p => p.s <= S.point.s && p.leg) || {}).leg)
    : cursor == null || !all.length ? placed(track.at(-1)) : nearest(cursor)
  if (!near) { put('hover', 'The vehicle is not on its mission'); return }
  if (cursor != null) line([[px(near.x), top], [px(near.x), bottom]], C.dim, 1)
  disc(px(near.x), py(near.alt), 4, C.track, C.card)
  tellHover(clockText(near.s) + ': ', [...far ? [length(near.x) + ' along'] : [], metres(near.alt) + ' AMSL', ...zero == null ? [] : [metres(near.alt - zero) + ' above take-off'],
    ...near.ground == null || Math.abs(near.ground - zero) < 0.05 ? [] : [metres(near.alt - near.ground) + ' above ground']])
}
// A line breaks between figures only.
function tellHover(time, figures) {
  const text = time + figures.join(', ')
  if ($('hover').textContent !== text) $('hover').replaceChildren(time, ...figures.flatMap((f, i) => [i ? ', ' : '', el('span', {}, f)]))
}
$('axis').onchange = () => {
  cursor = null
  plot.setAttribute('aria-label', 'Altitude ' + $('axis').selectedOptions[0].text)
  dirty = true
}
plot.onpointermove = e => { if (plot.at) { [cursor] = plot.at(e.offsetX); dirty = true } }
plot.onpointerleave = plot.onblur = () => { cursor = null; dirty = true }
plot.onkeydown = e => {
  const d = { ArrowLeft: -1, ArrowRight: 1 }[e.key], track = shown()
  if (!d || !track.length) return
  e.preventDefault()
  const points = $('axis').value === 'mission' ? onMission(track).flat() : track.map(p => ({ x: p.s }))
  if (!points.length) return
  const i = cursor == null ? points.length - 1 : points.findIndex(p => p.x >= cursor)
  cursor = points[Math.max(0, Math.min(points.length - 1, (i < 0 ? points.length - 1 : i) + d))].x
  dirty = true
}

// ---- what is drawn, when something has changed

function colours() {
  const css = getComputedStyle(document.documentElement)
  for (const name of ['map', 'grid', 'axis', 'ink', 'dim', 'card', 'track', 'mission', 'rally', 'ok', 'warn', 'bad', 'accent', 'ground', 'halo', 'sky', 'soil']) {
    C[name] = css.getPropertyValue('--' + name).trim()
  }
  dirty = true
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', colours)
new ResizeObserver(() => { if (!moved) fit(); dirty = true }).observe(map)
new ResizeObserver(() => { dirty = true }).observe(plot)
let drawMore = null // what the page itself has to draw
function draw() {
  requestAnimationFrame(draw)
  if (dirty) {
    dirty = false
    drawMap()
    drawPlot()
    if (drawMore) drawMore()
  }
}
