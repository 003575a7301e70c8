// SPDX-License-Identifier: Apache-2.0
// The map of two dimensions, and when which picture is painted.

function bounds() {
  let [x0, y0, x1, y1] = [1 / 0, 1 / 0, -1 / 0, -1 / 0]
  const add = (x, y) => { if (x < x0) x0 = x; if (x > x1) x1 = x; if (y < y0) y0 = y; if (y > y1) y1 = y }
  for (let i = 0; i < S.n; i++) add(S.east[i], S.north[i])
  for (const r of S.rasters.values()) { add(r.east, r.north); add(r.east + r.columns * r.side, r.north + r.all * r.side) }
  for (const [x, y] of S.area || []) add(x, y)
  for (const rows of S.obstacles.values()) for (const [kind, n, e, , sn, se] of rows) {
    if (kind === 0) { add(e, n); add(e + se, n + sn) } else if (kind < 6) { add(e - sn, n - sn); add(e + sn, n + sn) } else add(e, n)
  }
  return [x0, y0, x1, y1]
}
function fit() {
  if (space.on) return space.fit()
  const [x0, y0, x1, y1] = bounds(), left = 100, right = 40
  if (x1 < x0 || !map.clientWidth) return
  view.scale = Math.min((map.clientWidth - left - right) / Math.max(x1 - x0, 20), (map.clientHeight - 90) / Math.max(y1 - y0, 20))
  view.x = (x0 + x1) / 2 - (left - right) / 2 / view.scale
  view.y = (y0 + y1) / 2
  dirty = true
}
function zoom(factor, px = map.clientWidth / 2, py = map.clientHeight / 2) {
  const dx = px - map.clientWidth / 2, dy = map.clientHeight / 2 - py, turned = space.on ? 0 : 1
  const scale = Math.min(400, Math.max(1e-4, view.scale * factor))
  view.x += turned * (dx / view.scale - dx / scale)
  view.y += turned * (dy / view.scale - dy / scale)
  view.scale = scale
  moved = dirty = true
}
function pan(dx, dy) {
  follow(false)
  if (space.on) return space.pan(dx, dy)
  view.x -= dx / view.scale
  view.y += dy / view.scale
  moved = dirty = true
}
const following = () => $('follow').getAttribute('aria-pressed') === 'true'
function follow(on) {
  $('follow').setAttribute('aria-pressed', on)
  if (on) moved = true
  dirty = true
}
const place = (px, py) => space.on ? space.place(px, py, height()) : [view.x + (px - map.clientWidth / 2) / view.scale, view.y + (map.clientHeight / 2 - py) / view.scale]

// A distance from the origin: "50 m E", "0 m"
const from = (m, positive, negative) => m ? length(Math.abs(m)).replace(/\.0 /, ' ') + ' ' + (m > 0 ? positive : negative) : '0 m'
function drawGrid(paper, x, y) {
  const { g, w, h, label } = paper, step = round125(90 / view.scale), scale = view.scale
  g.fillStyle = C.map
  g.fillRect(0, 0, w, h)
  g.lineWidth = 1
  const line = (a, b, c, d, colour) => { g.strokeStyle = colour; g.beginPath(); g.moveTo(a, b); g.lineTo(c, d); g.stroke() }, names = []
  for (let k = Math.ceil((view.x - w / 2 / scale) / step); k * step < view.x + w / 2 / scale; k++) {
    line(x(k * step), 0, x(k * step), h, k ? C.grid : C.axis)
    if (x(k * step) > 100 && x(k * step) < w - 60) names.push([from(k * step, 'E', 'W'), x(k * step), 12])
  }
  for (let k = Math.ceil((view.y - h / 2 / scale) / step); k * step < view.y + h / 2 / scale; k++) {
    line(0, y(k * step), w, y(k * step), k ? C.grid : C.axis)
    if (y(k * step) > 50 && y(k * step) < h - 10) names.push([from(k * step, 'N', 'S'), w - 8, y(k * step), 'right'])
  }
  return () => {
    g.font = '11px system-ui, sans-serif'
    for (const [text, px, py, align] of names) label(text, px, py, C.dim, align)
    g.font = '12px system-ui, sans-serif'
    drawBar(paper, scale)
    drawNorth(paper)
  }
}
// Cells of a world, or what cameras saw.
// Edges lie between pixels: cells that overlap would show stripes, since colours let the ground through.
function drawRasters({ g, h, w }, x, y) {
  const edge = place => Math.round(place * devicePixelRatio) / devicePixelRatio
  for (const r of S.rasters.values()) {
    for (let row = 0; row < r.rows; row++) {
      const top = edge(y(r.north + (r.first + row + 1) * r.side)), low = edge(y(r.north + (r.first + row) * r.side))
      if (top > h || low < 0) continue
      for (let c = 0; c < r.columns; c++) {
        const v = r.cells[row * r.columns + c]
        if (!v) continue
        let last = c
        while (last + 1 < r.columns && r.cells[row * r.columns + last + 1] === v) last++
        const left = edge(x(r.east + c * r.side)), right = edge(x(r.east + (last + 1) * r.side))
        c = last
        if (left > w || right < 0) continue
        g.globalAlpha = r.kind ? 0.25 : v === 1 ? 1 : 0.6
        g.fillStyle = r.kind ? C.ok : v === 1 ? C.axis : C.set[v % C.set.length]
        g.fillRect(left, top, Math.max(right - left, 0.5), Math.max(low - top, 0.5))
      }
    }
  }
  g.globalAlpha = 1
}
function drawObstacles({ g }, x, y) {
  g.fillStyle = C.ground
  g.strokeStyle = C.dim
  g.lineWidth = 1
  const shapes = new Path2D(), walls = new Path2D()
  for (const rows of S.obstacles.values()) for (const [kind, n, e, , a, b, up, c, d, up2] of rows) {
    if (kind === 0) shapes.rect(x(e), y(n + a), b * view.scale, a * view.scale)
    else if (kind < 6) { shapes.moveTo(x(e) + a * view.scale, y(n)); shapes.arc(x(e), y(n), a * view.scale, 0, 2 * Math.PI) }
    else if (up || up2) { walls.moveTo(x(e), y(n)); walls.lineTo(x(e + b), y(n + a)); walls.lineTo(x(e + d), y(n + c)); walls.closePath() } // floors and roofs would hide what is inside
  }
  for (const path of [shapes, walls]) { g.fill(path); g.stroke(path) }
  if (S.area) {
    g.strokeStyle = C.mission
    g.setLineDash([8, 5])
    g.beginPath()
    for (const [e, n] of S.area) g.lineTo(x(e), y(n))
    g.closePath()
    g.stroke()
    g.setLineDash([])
  }
  g.strokeStyle = C.bad
  for (const [e, n] of S.reports) g.strokeRect(x(e) - 3, y(n) - 3, 6, 6)
}
function drawLinks({ g }, x, y, i) {
  const r = range()
  if (i == null || !r || !hasRadio(i)) return
  const with_radio = S.entities.filter(e => hasRadio(e.first))
  g.strokeStyle = C.mission
  g.globalAlpha = 0.6
  g.beginPath()
  for (const e of with_radio) for (let k = e.first; k < e.first + e.count; k++) if (k !== i && apart(i, k) <= r) { g.moveTo(S.sx[i], S.sy[i]); g.lineTo(S.sx[k], S.sy[k]) }
  g.stroke()
  g.globalAlpha = 0.35
  g.setLineDash([4, 5])
  g.beginPath()
  g.arc(S.sx[i], S.sy[i], r * view.scale, 0, 2 * Math.PI)
  g.stroke()
  g.setLineDash([])
  g.globalAlpha = 1
}

// Between two pictures members fly straight on, while time passes about as the wall's does.
function moveOn() {
  const s = S.last && S.pace > 0 && S.pace < 20 && !(S.clock && S.clock.held) ? Math.min(0.4, (performance.now() - S.last.wall) / 1000) * S.pace : 0
  return s
}
// Thousands of members, as squares: a script writes pixels faster than a canvas fills as many squares. That of a selected one has an edge.
const dots = document.createElement('canvas')
function drawDots(g, size) {
  const { width, height } = map, k = devicePixelRatio, side = Math.round(size * k), edge = Math.ceil(1.5 * k), shades = legend.keys.map(([, c]) => rgba(c)), ink = rgba(C.ink)
  if (!dots.image || dots.width !== width || dots.height !== height) Object.assign(dots, { width, height, image: new ImageData(width, height) })
  const pixels = new Uint32Array(dots.image.data.buffer)
  const square = (left, top, side, shade) => { for (let row = 0, at = top * width + left; row < side; row++, at += width) pixels.fill(shade, at, at + side) }
  pixels.fill(0)
  for (let i = 0; i < S.n; i++) {
    const left = Math.round(S.sx[i] * k - side / 2), top = Math.round(S.sy[i] * k - side / 2)
    if (!(left >= edge && top >= edge && left + side + edge <= width && top + side + edge <= height)) continue
    if (S.selected.size > RINGS && S.selected.has(i)) square(left - edge, top - edge, side + 2 * edge, ink)
    square(left, top, side, shades[S.colour[i]])
  }
  dots.getContext('2d').putImageData(dots.image, 0, 0)
  g.drawImage(dots, 0, 0, width / k, height / k)
}
// A ring about each of ten thousand takes Chromium 100 ms.
const RINGS = 500
function drawHalos(g, w, h, side) {
  g.fillStyle = C.ink
  for (const i of S.selected) if (S.sx[i] > -9 && S.sy[i] > -9 && S.sx[i] < w + 9 && S.sy[i] < h + 9) g.fillRect(S.sx[i] - side / 2, S.sy[i] - side / 2, side, side)
}
// The member at the pointer: its name, how high it is above the origin, how fast.
function drawHover({ g, w, label }) {
  const i = S.pointer && !drag ? nearest(...S.pointer, 14) : null
  if (i == null) return
  const text = `${name(i)}, ${number(S.up[i])} m up, ${number(Math.hypot(S.vn[i], S.ve[i], S.vu[i]))} m/s`, half = g.measureText(text).width / 2 + 4
  g.strokeStyle = C.ink
  g.lineWidth = 1
  g.strokeRect(S.sx[i] - 8, S.sy[i] - 8, 16, 16)
  label(text, Math.min(w - half, Math.max(half, S.sx[i])), S.sy[i] < 40 ? S.sy[i] + 20 : S.sy[i] - 20, C.ink)
}
// Members by colours, so that each colour is set once: ten thousand are a matter of some milliseconds.
function drawMembers({ g, w, h, label }, x, y) {
  const s = moveOn(), arrows = S.n <= 3000 && view.scale > 0.4, size = S.n > 3000 ? 3 : 5
  for (let i = 0; i < S.n; i++) { S.sx[i] = x(S.east[i] + S.ve[i] * s); S.sy[i] = y(S.north[i] + S.vn[i] * s) }
  drawLinks({ g }, x, y, one())
  drawAir({ g }, x, y)
  if (S.n > 3000) drawDots(g, size)
  else if (S.selected.size > RINGS) drawHalos(g, w, h, size + 3)
  for (let c = 0; S.n <= 3000 && c < legend.keys.length; c++) {
    if (!counts[c]) continue
    g.fillStyle = legend.keys[c][1]
    if (arrows) g.beginPath()
    for (let i = 0; i < S.n; i++) {
      const px = S.sx[i], py = S.sy[i]
      if (S.colour[i] !== c || px < -9 || py < -9 || px > w + 9 || py > h + 9) continue
      if (!arrows) g.fillRect(px - size / 2, py - size / 2, size, size)
      else if (S.still[i]) g.rect(px - 2, py - 2, 4, 4)
      else {
        const sin = Math.sin(S.yaw[i]), cos = Math.cos(S.yaw[i])
        g.moveTo(px + 8 * sin, py - 8 * cos)
        g.lineTo(px - 5 * sin + 4.5 * cos, py + 5 * cos + 4.5 * sin)
        g.lineTo(px - 2 * sin, py + 2 * cos)
        g.lineTo(px - 5 * sin - 4.5 * cos, py + 5 * cos - 4.5 * sin)
        g.closePath()
      }
    }
    if (arrows) g.fill()
  }
  g.strokeStyle = C.ink
  g.lineWidth = 1.5
  g.beginPath()
  for (const i of S.selected.size > RINGS ? [] : S.selected) {
    if (S.sx[i] < -20 || S.sy[i] < -20 || S.sx[i] > w + 20 || S.sy[i] > h + 20) continue
    g.moveTo(S.sx[i] + 10, S.sy[i])
    g.arc(S.sx[i], S.sy[i], 10, 0, 2 * Math.PI)
  }
  g.stroke()
  if (S.selected.size <= 12) for (const i of S.selected) label(name(i), S.sx[i], S.sy[i] - 19, C.ink)
  drawHover({ g, w, label })
}
function draw() {
  const paper = sheet(map), { w, h } = paper, i = one()
  if (following() && i != null) {
    const s = moveOn()
    view.x = S.east[i] + S.ve[i] * s
    view.y = S.north[i] + S.vn[i] * s
  }
  S.painted++
  if (space.on) return space.draw(paper)
  const x = e => w / 2 + (e - view.x) * view.scale, y = n => h / 2 - (n - view.y) * view.scale
  const over = drawGrid(paper, x, y)
  drawRasters(paper, x, y)
  drawObstacles(paper, x, y)
  if (S.n) drawMembers(paper, x, y)
  over()
}
// Height of the selected one over the last minutes.
function drawOwn() {
  const { g, w, h, label } = sheet($('heights'))
  const i = one(), all = past.since(120).map(p => [p.at, p.up[i]]), ups = all.map(p => p[1])
  if (all.length < 2) return
  const t0 = all[0][0], t1 = all.at(-1)[0]
  const low = Math.min(...ups), high = Math.max(...ups, low + 1)
  g.strokeStyle = C.accent
  g.lineWidth = 2
  g.beginPath()
  for (const [at, up] of all) g.lineTo(6 + (w - 12) * (at - t0) / Math.max(t1 - t0, 0.1), h - 14 - (h - 28) * (up - low) / (high - low))
  g.stroke()
  label(number(high) + ' m', 6, 9, C.dim, 'left')
  label(number(low) + ' m', 6, h - 8, C.dim, 'left')
  label(clockText(t1 - t0), w - 6, h - 8, C.dim, 'right')
}
function paint() {
  if (dirty || moveOn() || space.flashing()) {
    dirty = false
    draw()
    if (one() != null) drawOwn()
  }
  requestAnimationFrame(paint)
}
