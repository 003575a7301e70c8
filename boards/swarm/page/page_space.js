// SPDX-License-Identifier: Apache-2.0
// Three dimensions. The point that the map has in its middle is what the eye turns around, and view.scale is how large things are there, so that
// both pictures show the same. WebGL (page_gl.js) draws beneath the map, which then shows names and selections alone.

const TAN = Math.tan(Math.PI / 8) // of half the field of view
const TRACK_S = 60, TRACK_LINES = 20000, STEMS = 400, FLASH_MS = 700, FLASHES = 3000, HEARD_S = 5, PAIRS = 10000, SHAPES = 3000
const space = { on: false, az: -0.5, el: 0.6, z: 0, stale: true, painter: null, rows: [], flashes: [], heard: new Map(), tracks: new Lines(), lines: new Lines() }
const shown = what => $(what).getAttribute('aria-pressed') === 'true'

// ---- the eye

function camera() {
  const sa = Math.sin(space.az), ca = Math.cos(space.az), se = Math.sin(space.el), ce = Math.cos(space.el), away = map.clientHeight / 2 / TAN / view.scale
  const ahead = [sa * ce, ca * ce, -se], right = [ca, -sa, 0], up = [sa * se, ca * se, ce]
  return { ahead, right, up, away, eye: [view.x - away * ahead[0], view.y - away * ahead[1], space.z - away * ahead[2]], middle: [map.clientWidth / 2, map.clientHeight / 2], k: map.clientHeight / 2 / TAN }
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
// Where a place is on the map [px], and how far ahead [m]; behind the eye it is nowhere.
function project(c, e, n, u) {
  const d = [e - c.eye[0], n - c.eye[1], u - c.eye[2]], w = dot(d, c.ahead)
  return w > 0 ? [c.middle[0] + c.k * dot(d, c.right) / w, c.middle[1] - c.k * dot(d, c.up) / w, w] : [NaN, NaN, w]
}
// flipped: the upper edge is below, from where pixels are copied
function matrix(c, flipped) {
  const near = c.away / 50, far = c.away * 20 + 4 * space.radius, [w, h] = [c.middle[0] * 2, c.middle[1] * 2]
  const rows = [[c.right, 2 * c.k / w], [c.up, (flipped ? -2 : 2) * c.k / h], [c.ahead, (far + near) / (far - near)], [c.ahead, 1]].map(([v, k]) => [...v.map(x => x * k), -k * dot(v, c.eye)])
  rows[2][3] -= 2 * far * near / (far - near)
  return { near, see: new Float32Array([0, 1, 2, 3].flatMap(column => rows.map(row => row[column]))) }
}
// Places of all members on the map, for who clicks.
space.settle = () => {
  const c = camera(), s = moveOn()
  for (let i = 0; i < S.n; i++) [S.sx[i], S.sy[i]] = project(c, S.east[i] + S.ve[i] * s, S.north[i] + S.vn[i] * s, S.up[i] + S.vu[i] * s)
}
// The place at a height that is seen there. Towards the sky there is none, and it is that in the middle.
space.place = (px, py, height) => {
  const c = camera(), x = (px - c.middle[0]) / c.k, y = (c.middle[1] - py) / c.k
  const way = c.ahead.map((a, k) => a + x * c.right[k] + y * c.up[k]), t = (height - c.eye[2]) / way[2]
  return t > 0 && Number.isFinite(t) ? [c.eye[0] + t * way[0], c.eye[1] + t * way[1]] : [view.x, view.y]
}
space.orbit = (dx, dy) => {
  space.az -= dx * 0.006
  space.el = Math.min(Math.PI / 2, Math.max(-0.2, space.el + dy * 0.006))
  moved = dirty = true
}
space.pan = (dx, dy) => {
  const ahead = dy / view.scale / Math.max(0.3, Math.sin(space.el)), right = -dx / view.scale
  view.x += ahead * Math.sin(space.az) + right * Math.cos(space.az)
  view.y += ahead * Math.cos(space.az) - right * Math.sin(space.az)
  moved = dirty = true
}
function heights() {
  let low = 0, high = 0
  for (let i = 0; i < S.n; i++) { low = Math.min(low, S.up[i]); high = Math.max(high, S.up[i]) }
  for (const rows of S.obstacles.values()) for (const [kind, , , u, a, , up, , , up2] of rows) high = Math.max(high, u + up, kind === 2 ? u + a : u + up2)
  return [low, high]
}
space.fit = () => {
  const [x0, y0, x1, y1] = bounds(), [low, high] = heights()
  if (x1 < x0 || !map.clientWidth) return
  const radius = Math.max(10, Math.hypot(x1 - x0, y1 - y0, high - low) / 2), more = 0.07 * radius, corners = [0, 1, 2, 3, 4, 5, 6, 7].map(k => [k & 1 ? x0 - more : x1 + more, k & 2 ? y0 - more : y1 + more, k & 4 ? low : high])
  Object.assign(view, { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min(map.clientWidth, map.clientHeight) / 2 / radius })
  space.z = (low + high) / 2
  const below = z => { // pixels by which the picture of all corners is too low, with the camera at a height
    space.z = z
    const c = camera(), ys = corners.map(at => project(c, ...at)[1])
    return (Math.min(...ys) + Math.max(...ys)) / 2 - c.middle[1]
  }
  for (let k = 0; k < 3; k++) { // in the middle, and nearer, until the outermost corner is at the edge
    const z = space.z, now = below(z), per_m = below(z + 1) - now
    space.z = per_m ? z - now / per_m : z
    const c = camera(), most = Math.max(...corners.map(at => { const [x, y] = project(c, ...at); return Math.max(Math.abs(x - c.middle[0]) / (c.middle[0] - 30), Math.abs(y - c.middle[1]) / (c.middle[1] - 50)) }))
    if (most > 0.2) view.scale = Math.min(400, view.scale / most)
  }
  dirty = true
}
space.show = on => {
  if (on && !space.painter) {
    space.painter = Painter.on($('space'))
    $('space').addEventListener('webglcontextlost', () => { space.painter = null; space.show(false) }, { once: true })
  }
  if (on && !space.painter) {
    notice('This browser has no WebGL 2, which three dimensions need', 'bad')
    return
  }
  space.on = on
  if (!on && !space.painter) $('space').replaceWith($('space').cloneNode()) // a lost one draws no more
  $('space').hidden = !on
  $('three').setAttribute('aria-pressed', on)
  put('say', on ? 'three dimensions' : 'two dimensions')
  Object.assign(space, { stale: true, rows: [] })
  if (!moved) fit()
  dirty = true
}

// ---- who has heard whom: frames RECEPTIONS

TAKE[100] = (d, at_s) => {
  const wall = performance.now()
  if (S.recorded && Math.abs(at_s - past.wanted) > HEARD_S) return // of before a jump
  for (let at = 8; at + 8 <= d.byteLength; at += 8) {
    const from = d.getUint32(at, true), to = d.getUint32(at + 4, true)
    space.flashes.push([from, to, wall])
    space.heard.delete(from * 2 ** 24 + to) // the newest stands last
    space.heard.set(from * 2 ** 24 + to, at_s)
  }
  space.flashes.splice(0, space.flashes.length - FLASHES)
}
function forgetHeard() {
  for (const [pair, at] of space.heard) {
    if (at <= S.at && at > S.at - HEARD_S && space.heard.size <= PAIRS) break
    space.heard.delete(pair)
  }
}
// Lines between members: calls line(from, to, colour, alpha). Where some are selected, those that they send or hear.
function eachLink(line) {
  if (past.live) return // they are of the present
  const wall = performance.now(), wanted = (a, b) => a < S.n && b < S.n && (!S.selected.size || S.selected.has(a) || S.selected.has(b))
  if (shown('hears')) {
    forgetHeard()
    for (const pair of space.heard.keys()) if (wanted(Math.floor(pair / 2 ** 24), pair % 2 ** 24)) line(Math.floor(pair / 2 ** 24), pair % 2 ** 24, C.mission, 0.4)
  }
  space.flashes = space.flashes.filter(f => wall - f[2] < FLASH_MS)
  const most = Math.max(0.25, Math.min(1, 100 / space.flashes.length)) // a thousand at once shall not hide who sends them
  if (shown('packets')) for (const [a, b, born] of space.flashes) if (wanted(a, b)) line(a, b, C.warn, most * (1 - (wall - born) / FLASH_MS))
}
space.flashing = () => shown('packets') && space.flashes.length > 0

// ---- tracks: of the selected members, or of all where they are few

function eachTrack(line) {
  const who = S.selected.size ? [...S.selected].slice(0, 100) : S.n <= 200 ? Array.from({ length: S.n }, (_, i) => i).filter(i => !S.still[i]) : []
  const all = past.since(TRACK_S)
  if (!shown('tracks') || !who.length || !all.length) return
  const step = Math.ceil(who.length * all.length / TRACK_LINES)
  for (const i of who) {
    let last = null
    for (let k = all.length - 1; k >= 0; k -= step) {
      const p = all[k], q = last || S
      if (p !== past.all.at(-1) || last) line(p.east[i], p.north[i], p.up[i], q.east[i], q.north[i], q.up[i], legend.keys[S.colour[i]][1], Math.max(0.15, 1 - (S.at - p.at) / TRACK_S))
      last = p
    }
  }
}

// ---- in two dimensions

// Lines as `each` tells path(colour, alpha, x, y, x, y) of them: one path for each of few shades, since each is drawn in one go.
function drawPaths(g, each) {
  const paths = new Map()
  g.lineWidth = 1.5
  each((colour, alpha, a, b, c, d) => {
    const key = colour + Math.ceil(alpha * 6) / 6
    if (!paths.has(key)) paths.set(key, [colour, Math.ceil(alpha * 6) / 6, new Path2D()])
    const p = paths.get(key)[2]
    p.moveTo(a, b)
    p.lineTo(c, d)
  })
  for (const [colour, alpha, p] of paths.values()) {
    g.strokeStyle = colour
    g.globalAlpha = alpha
    g.stroke(p)
  }
  g.globalAlpha = 1
}
const drawAir = ({ g }, x, y) => drawPaths(g, path => {
  eachTrack((e, n, u, e2, n2, u2, colour, alpha) => path(colour, 0.7 * alpha, x(e), y(n), x(e2), y(n2)))
  eachLink((a, b, colour, alpha) => path(colour, alpha, S.sx[a], S.sy[a], S.sx[b], S.sy[b]))
})

// ---- in three dimensions

// Without a graphics card, WebGL takes longer for a point than a script for its pixels.
const byHand = () => S.n > SHAPES && space.painter.soft
function gatherMembers() {
  const palette = legend.keys.map(([, c]) => rgba(c)), all = Array.from({ length: S.n }, (_, i) => i)
  const told = who => {
    const floats = new Float32Array(who.length * 8), colours = new Uint32Array(floats.buffer)
    who.forEach((i, k) => {
      floats.set([S.east[i], S.north[i], S.up[i], S.ve[i], S.vn[i], S.vu[i], S.yaw[i]], 8 * k)
      colours[8 * k + 7] = palette[S.colour[i]]
    })
    return floats
  }
  if (S.n > SHAPES) space.painter.setPoints(told(byHand() ? [] : all))
  else space.painter.setMembers([0, 1].map(still => told(all.filter(i => S.still[i] === still))))
}
function gather() {
  const rows = [...S.obstacles.values()], [low, high] = heights(), [x0, y0, x1, y1] = bounds()
  space.radius = Math.hypot(x1 - x0, y1 - y0, high - low) / 2 || 1
  space.box = [x0, y0, x1, y1, high]
  if (rows.length !== space.rows.length || rows.some((r, k) => r !== space.rows[k])) {
    space.rows = rows
    space.painter.setSurface(rows.flat())
    space.fresh = true
  }
  gatherMembers()
  space.fresh ||= space.tracks.n > 0 || S.rasters.size > 0
  space.tracks.n = 0
  eachTrack((e, n, u, e2, n2, u2, colour, alpha) => space.tracks.add(e, n, u, e2, n2, u2, rgba(colour, 0.8 * alpha)))
  space.fresh ||= space.tracks.n > 0
  space.stale = false
}
// The frame about the members that has the metres: its edges in steps of the grid, near the middle; the corner with the heights; their step.
const gridStep = () => round125(50 / view.scale)
function metreFrame(c) {
  const step = gridStep(), [x0, y0, x1, y1, high] = space.box || [0, 0, 0, 0, 0], middle = [Math.round(view.x / step), Math.round(view.y / step)]
  const edges = (low, high, m) => { const a = Math.max(Math.floor(low / step), m - 9), b = Math.min(Math.ceil(high / step), m + 9); return a < b ? [a, b] : [m - 2, m + 2] }
  const [west, east] = edges(x0, x1, middle[0]), [south, north] = edges(y0, y1, middle[1])
  const corners = [[west, south], [west, north], [east, south], [east, north]].map(p => p.map(k => k * step))
  const left = corners.map(p => [project(c, ...p, 0)[0], p]).filter(([x]) => x > 44).sort((a, b) => a[0] - b[0])[0]
  return { step, west, east, south, north, corner: left ? left[1] : corners[0], rise: round125(28 / view.scale), top: Math.max(high, 0) }
}
const ticks = f => f.top < f.rise ? [f.top] : Array.from({ length: Math.min(20, Math.ceil(f.top / f.rise)) }, (_, k) => (k + 1) * f.rise)
function gatherFrame(lines, f) {
  const [w, e, s, n] = [f.west, f.east, f.south, f.north].map(k => k * f.step), colour = rgba(C.dim, 0.55)
  for (const [a, b, c, d] of [[w, s, e, s], [e, s, e, n], [e, n, w, n], [w, n, w, s]]) lines.add(a, b, 0, c, d, 0, colour)
  if (f.top <= 0) return
  const [x, y] = f.corner, r = 4 / view.scale, up = ticks(f)
  lines.add(x, y, 0, x, y, up.at(-1), rgba(C.dim))
  for (const z of up) lines.add(x - r * Math.cos(space.az), y + r * Math.sin(space.az), z, x + r * Math.cos(space.az), y - r * Math.sin(space.az), z, rgba(C.dim))
}
// Metres along the two edges that are nearer, and up the corner.
function paintFrame({ g, w, h, label }, c, f) {
  const had = []
  const at = (text, [x, y, far], dx, dy, align) => {
    if (!(far > 0 && x + dx > ({ right: 44, left: 10 }[align] || 30) && y > 20 && x < w - 30 && y < h - 40) || x < 100 && (y < 170 || y > h - 60) || had.some(p => Math.abs(p[0] - x) < 52 && Math.abs(p[1] - y) < 15)) return
    had.push([x, y])
    label(text, x + dx, y + dy, C.dim, align)
  }
  const y = (c.eye[1] < (f.south + f.north) / 2 * f.step ? f.south : f.north) * f.step, x = (c.eye[0] < (f.west + f.east) / 2 * f.step ? f.west : f.east) * f.step
  g.font = '11px system-ui, sans-serif'
  if (f.top > 0) for (const z of ticks(f).reverse()) {
    const p = project(c, ...f.corner, z)
    at(metres(z, z < 10 && z % 1 ? 1 : 0), p, p[0] < 60 ? 8 : -8, 0, p[0] < 60 ? 'left' : 'right')
  }
  for (let k = f.west; k <= f.east; k++) at(from(k * f.step, 'E', 'W'), project(c, k * f.step, y, 0), 0, 12)
  for (let k = f.south; k <= f.north; k++) at(from(k * f.step, 'N', 'S'), project(c, x, k * f.step, 0), 0, 12)
  g.font = '12px system-ui, sans-serif'
}
// The ground is at the origin's height.
function gatherGround(lines) {
  const step = gridStep(), reach = 20
  const [e, n] = [Math.round(view.x / step), Math.round(view.y / step)], far = reach * step
  for (let k = -reach; k <= reach; k++) {
    const alpha = 1 - (Math.abs(k) / reach) ** 2 * 0.9
    lines.add((e + k) * step, n * step - far, 0, (e + k) * step, n * step + far, 0, rgba(e + k ? C.grid : C.axis, alpha))
    lines.add(e * step - far, (n + k) * step, 0, e * step + far, (n + k) * step, 0, rgba(n + k ? C.grid : C.axis, alpha))
  }
}
// Lines that are others in each picture: calls line(from, to, colour, alpha).
function eachMoving(s, line) {
  const at = i => [S.east[i] + S.ve[i] * s, S.north[i] + S.vn[i] * s, S.up[i] + S.vu[i] * s]
  const stems = S.selected.size ? [...S.selected].slice(0, STEMS) : S.n <= STEMS ? Array.from({ length: S.n }, (_, i) => i) : []
  const foot = 3 / view.scale
  for (const i of stems) {
    const [e, n, u] = at(i)
    line([e, n, u], [e, n, 0], C.dim, 0.5)
    for (const side of [-foot, foot]) line([e - foot, n - side, 0], [e + foot, n + side, 0], C.dim, 0.5)
  }
  eachLink((a, b, colour, alpha) => line(at(a), at(b), colour, alpha))
  ;(S.area || []).forEach((p, k, all) => line([...p, 0], [...all[(k + 1) % all.length], 0], C.mission, 1))
  const r = 4 / view.scale
  for (const [e, n] of S.reports) { line([e - r, n - r, 0], [e + r, n + r, 0], C.bad, 1); line([e - r, n + r, 0], [e + r, n - r, 0], C.bad, 1) }
}
function paintRasters() {
  for (const r of S.rasters.values()) {
    const set = C.set.map(c => rgba(c, 0.6)), [axis, seen] = [rgba(C.axis), rgba(C.ok, 0.25)], pixels = new Uint32Array(r.rows * r.columns)
    for (let k = 0; k < pixels.length; k++) pixels[k] = !r.cells[k] ? 0 : r.kind ? seen : r.cells[k] === 1 ? axis : set[r.cells[k] % set.length]
    for (let k = 0; k < pixels.length; k++) { // the painter wants colours times alpha
      const p = pixels[k], a = (p >>> 24) / 255
      pixels[k] = (p & 0xff000000 | ((p >>> 16 & 255) * a) << 16 | ((p >>> 8 & 255) * a) << 8 | (p & 255) * a) >>> 0
    }
    const south = r.north + r.first * r.side
    space.painter.drawGround(r.columns, r.rows, new Uint8Array(pixels.buffer), [r.east, south, r.east + r.columns * r.side, south + r.rows * r.side])
  }
}
// Squares of four pixels, on a copy of what WebGL has drawn: one picture is shown faster than two, one above the other.
function paintPoints(g, c, s) {
  const { width, height } = map, k = devicePixelRatio, side = Math.round(4 * k), palette = legend.keys.map(([, colour]) => rgba(colour))
  if (!space.sheet || space.sheet.width !== width || space.sheet.height !== height) space.sheet = new ImageData(width, height)
  const pixels = new Uint32Array(space.sheet.data.buffer), { eye, ahead: [a, b, d], right: [r, q], up: [v, t, z] } = c, { east, north, up, ve, vn, vu, colour } = S
  space.sheet.data.set(space.beneath)
  for (let i = 0; i < S.n; i++) {
    const x = east[i] + ve[i] * s - eye[0], y = north[i] + vn[i] * s - eye[1], h = up[i] + vu[i] * s - eye[2], scale = c.k * k / (x * a + y * b + h * d)
    const left = Math.round(c.middle[0] * k + scale * (x * r + y * q) - side / 2), top = Math.round(c.middle[1] * k - scale * (x * v + y * t + h * z) - side / 2)
    if (!(scale > 0 && left >= 0 && top >= 0 && left + side <= width && top + side <= height)) continue
    const shade = palette[colour[i]]
    for (let from = top * width + left, row = 0; row < side; row++, from += width) for (let at = from; at < from + side; at++) pixels[at] = shade
  }
  g.putImageData(space.sheet, 0, 0)
  drawPaths(g, path => eachMoving(s, (p, q, colour, alpha) => {
    const [x, y, far] = project(c, ...p), [x2, y2, far2] = project(c, ...q)
    if (far > 0 && far2 > 0) path(colour, alpha, x, y, x2, y2)
  }))
}
// Names and heights, rings about the selected members, metres, the scale at the middle, and north.
function paintNames(paper, c, s) {
  const { g, w, h, label } = paper, names = []
  drawBar(paper, view.scale)
  paintFrame(paper, c, space.frame)
  if (S.selected.size > RINGS || S.pointer) space.settle()
  if (S.selected.size > RINGS) drawHalos(g, w, h, 2)
  g.strokeStyle = C.ink
  g.lineWidth = 1.5
  g.beginPath()
  for (const i of S.selected.size > RINGS ? [] : S.selected) {
    const [x, y] = project(c, S.east[i] + S.ve[i] * s, S.north[i] + S.vn[i] * s, S.up[i] + S.vu[i] * s), r = 10
    if (!(x > -20 && y > -20 && x < w + 20 && y < h + 20)) continue
    g.moveTo(x + r, y)
    g.arc(x, y, r, 0, 2 * Math.PI)
    if (S.selected.size <= 12) names.push([`${name(i)}, ${number(S.up[i], 0)} m up`, x, y - 19])
  }
  g.stroke()
  for (const [text, x, y] of names) label(text, x, y, C.ink)
  if (S.n) drawHover(paper)
  g.fillStyle = C.ink
  g.beginPath()
  const [sin, cos] = [Math.sin(-space.az), Math.cos(-space.az)], at = (a, b) => [w - 26 + a * cos - b * sin, 30 + (a * sin + b * cos) * Math.max(0.35, Math.sin(space.el))]
  for (const [a, b] of [[0, -12], [6, 8], [0, 4], [-6, 8]]) g.lineTo(...at(a, b))
  g.fill()
  label('N', ...at(0, -21), C.ink)
}
// Beneath points by hand WebGL's picture is the same while nothing in it changes.
function paintSpace(c, s) {
  const { painter, lines } = space, { see, near } = matrix(c, byHand()), seen = [c.eye, c.ahead, c.k, map.width, map.height, C.map, ...Object.values(space.frame)].join()
  if (space.beneath && byHand() && !space.fresh && seen === space.seen) return
  Object.assign(space, { fresh: false, seen })
  painter.begin(see, c.eye, c.ahead, near, C.haze)
  painter.clear(true)
  painter.drawFloor([view.x, view.y], 4 * c.away, parts(C.floor))
  const { step, west, east, south, north } = space.frame
  painter.drawGround(1, 1, new Uint8Array(new Uint32Array([rgba(C.map)]).buffer), [west, south, east, north].map(k => k * step))
  paintRasters()
  lines.n = 0
  gatherGround(lines)
  gatherFrame(lines, space.frame)
  painter.drawLines(lines, 1)
  painter.clear(false)
  if (S.n > SHAPES) painter.drawPoints(s, 4)
  else if (S.n) painter.drawMembers(s, 0.5, 9 / c.k)
  painter.clear(true)
  lines.n = 0
  if (!byHand()) eachMoving(s, (p, q, colour, alpha) => lines.add(...p, ...q, rgba(colour, alpha)))
  painter.drawLines(space.tracks, 1.5)
  painter.drawLines(lines, 1.5)
  painter.drawSurface(parts(C.dim, 0.4))
  painter.clear(false)
  space.beneath = byHand() ? painter.copy(space.beneath) : null
  painter.canvas.style.visibility = byHand() ? 'hidden' : ''
}
space.draw = paper => {
  const c = camera(), s = moveOn()
  if (following() && one() != null) space.z = S.up[one()] + S.vu[one()] * s
  if (S.n && space.stale) gather()
  space.frame = metreFrame(c)
  paintSpace(c, s)
  if (byHand()) paintPoints(paper.g, c, s)
  paintNames(paper, c, s)
}
