// SPDX-License-Identifier: Apache-2.0
// Plots below the altitude of a flight that is over, and what can be saved of it. flight.html includes this; it defines S, flight, events,
// first, last, now and place().

// ---- the plots: speed, attitude, heading, battery, estimate error, link

// Figures at a time, from a row of the page's data: cm/s, 0.1 deg, 1/1000, 0.01 V, frames; null: not known
function figuresOf([ms, north, east, down, roll, pitch, charge, volt, sent, received, lost]) {
  const scaled = (x, unit) => x == null ? null : x * unit
  return { s: ms / 1e3, north: scaled(north, 0.01), east: scaled(east, 0.01), down: scaled(down, 0.01), roll: scaled(roll, 0.1), pitch: scaled(pitch, 0.1),
    charge: scaled(charge, 0.1), volt: scaled(volt, 0.01), sent, received, lost }
}

// Frames in a second of a counter, over a second at least. A link that closes takes its frames with it.
function rates(key) {
  const all = S.figures, found = []
  for (let i = 0, from = 0; i < all.length; i++) {
    while (from < i && all[i].s - all[from + 1].s >= 1) from++
    const dt = all[i].s - all[from].s
    found.push([all[i].s, all[i][key] == null || dt < 0.5 ? null : Math.max(0, all[i][key] - all[from][key]) / dt])
  }
  return found
}
const of = take => () => S.figures.map(f => [f.s, take(f)])
const errors = take => () => flight.truth ? S.track.map(p => [p.s, p.lost ? null : take(p)]) : []

// name, unit, digits, [line, colour, its points], lowest and highest value, if they are fixed
const PANELS = [
  ['Speed', 'm/s', 1, [['over ground', 'track', of(f => Math.hypot(f.north, f.east))], ['climb', 'mission', of(f => -f.down)]]],
  ['Attitude', '°', 1, [['roll', 'track', of(f => f.roll)], ['pitch', 'mission', of(f => f.pitch)]]],
  ['Heading', '°', 0, [['from north', 'track', () => turned(S.track)]], 0, 360],
  ['Battery', '%', 1, [['charge', 'ok', of(f => f.charge)]], 0, 100],
  ['Battery voltage', 'V', 2, [['voltage', 'ok', of(f => f.volt)]]],
  ['Estimate error', 'm', 2, [['horizontal', 'warn', errors(p => apart(p, p.believed))], ['vertical', 'rally', errors(p => Math.abs(p.alt - p.believed.alt))]]],
  ['Link', 'frames/s', 0, [['sent', 'track', () => rates('sent')], ['received', 'ok', () => rates('received')], ['lost', 'bad', () => rates('lost')]]],
].map(([name, unit, digits, lines, low, high]) => ({ name, unit, digits, low, high,
  lines: lines.map(([name, colour, points]) => ({ name, colour, make: points, points: [] })) }))

// A turn through north is a gap, not a line from 359 to 0.
function turned(track) {
  return track.flatMap((p, i) => i && Math.abs(p.heading_deg - track[i - 1].heading_deg) > 180 ? [[p.s, null], [p.s, p.heading_deg]] : [[p.s, p.heading_deg]])
}

for (const p of PANELS) {
  p.canvas = el('canvas')
  p.canvas.setAttribute('role', 'img')
  for (const l of p.lines) l.value = el('b')
  p.box = el('div', { className: 'panel' }, el('div', { className: 'caption' }, el('h3', {}, p.name), ...p.lines.map(l => {
    const i = el('i')
    i.style.borderColor = `var(--${l.colour})`
    return el('span', {}, i, l.name + ' ', l.value)
  })), el('div', {}, p.canvas))
  $('panels').append(p.box)
}

function listFigures() {
  for (const p of PANELS) {
    for (const l of p.lines) l.points = l.make()
    const all = p.lines.flatMap(l => l.points.map(q => q[1])).filter(y => y != null)
    p.box.hidden = !all.length
    let low = p.low ?? all.reduce((a, b) => Math.min(a, b), 0), high = p.high ?? all.reduce((a, b) => Math.max(a, b), 0)
    if (p.unit === 'V') low = all.reduce((a, b) => Math.min(a, b), high)
    const room = Math.max(high - low, { V: 0.4, m: 0.5, '°': 4 }[p.unit] ?? 2) // what is nearly even is drawn as such
    if (p.high == null) high = low + room * 1.08
    if (p.low == null && low < 0 || p.unit === 'V') low -= room * 0.08
    p.from = low
    p.to = high
  }
}

// The value of a line at a time: between its points, or none in a gap
function valueAt(points, t) {
  let low = 0, high = points.length - 1
  if (high < 0 || t < points[0][0] - 1e-6) return null
  while (low < high) {
    const mid = low + high + 1 >> 1
    if (points[mid][0] <= t) low = mid
    else high = mid - 1
  }
  const [s, y] = points[low], next = points[low + 1]
  return next && next[1] != null && y != null && next[0] > s ? y + (next[1] - y) * (t - s) / (next[0] - s) : y
}

function tellFigures() {
  for (const p of PANELS) {
    const said = p.lines.map(l => {
      const y = valueAt(l.points, now), text = y == null ? '–' : number(y, p.digits) + (p.unit === '°' ? '°' : ' ' + p.unit)
      if (l.value.textContent !== text) l.value.textContent = text
      return l.name + ' ' + text
    })
    p.canvas.setAttribute('aria-label', `${p.name} over vehicle time: ${said.join(', ')}`)
  }
}

function drawPanel(p) {
  const { g, w, h, label, line, disc } = sheet(p.canvas)
  if (!plot.to) return
  const top = 6, bottom = h - 6, y = v => bottom - (v - p.from) / (p.to - p.from) * (bottom - top)
  const step = p.high === 360 ? 90 : round125((p.to - p.from) / Math.max(1.5, (bottom - top) / 18)), digits = step < 0.1 ? 2 : step < 1 ? 1 : 0
  const left = plot.to(first), right = plot.to(last)
  g.font = '11px system-ui, sans-serif'
  for (let v = Math.ceil(p.from / step - 1e-9) * step; v <= p.to + 1e-9; v += step) {
    line([[left, y(v)], [right, y(v)]], Math.abs(v) < step / 2 ? C.axis : C.grid, 1)
    label(number(v, digits), left - 6, y(v), C.dim, 'right')
  }
  for (const l of p.lines) {
    let run = []
    for (const [s, v] of [...l.points, [last, null]]) {
      if (v != null) run.push([plot.to(s), y(v)])
      else { line(run, C[l.colour], 1.75); run = [] }
    }
  }
  line([[plot.to(now), 0], [plot.to(now), h]], C.dim, 1)
  for (const l of p.lines) {
    const v = valueAt(l.points, now)
    if (v != null) disc(plot.to(now), y(v), 3, C[l.colour], C.card)
  }
}
function drawFigures() {
  for (const p of PANELS) if (!p.box.hidden) drawPanel(p)
}

// ---- what is saved

function save(blob, ending) {
  const a = el('a', { href: URL.createObjectURL(blob), download: flight.name.replace(/\.[^.]*$/, '') + ending })
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 10000)
}

// One line for each instant that has figures.
function table() {
  const lines = ['time_s,lat_deg,lon_deg,alt_amsl_m,height_m,ground_amsl_m,heading_deg,vel_north_mps,vel_east_mps,vel_down_mps,roll_deg,pitch_deg,battery_percent,' +
    'voltage_v,estimate_lat_deg,estimate_lon_deg,estimate_alt_amsl_m,frames_sent,frames_received,frames_lost,mode,armed']
  const fixed = (x, digits) => x == null ? '' : x.toFixed(digits)
  for (const f of S.figures) {
    const p = place(f.s), home = latest('home', f.s), mode = latest('mode', f.s), armed = latest('armed', f.s)
    if (!p) continue
    const t = p.truth, e = p.position
    lines.push([fixed(f.s, 3), fixed(t.lat_deg, 7), fixed(t.lon_deg, 7), fixed(t.alt_amsl_m, 2), fixed(home && t.alt_amsl_m - home.takeoff_amsl_m, 2), fixed(t.ground, 2),
      fixed(t.heading_deg, 1), fixed(f.north, 2), fixed(f.east, 2), fixed(f.down, 2), fixed(f.roll, 1), fixed(f.pitch, 1), fixed(f.charge, 1), fixed(f.volt, 2),
      fixed(e && e.lat_deg, 7), fixed(e && e.lon_deg, 7), fixed(e && e.alt_amsl_m, 2), f.sent ?? '', f.received ?? '', f.lost ?? '',
      mode ? mode.mode : '', armed && armed.armed ? 1 : 0].join())
  }
  return lines.join('\n') + '\n'
}
$('csv').onclick = () => save(new Blob([table()], { type: 'text/csv' }), '.csv')

// Map, altitude, modes and figures one below the other, as they stand on the page
function picture() {
  const k = devicePixelRatio, w = plot.clientWidth, rows = [], HEAD = 30, NAME = 22, GAP = 8
  rows.push([null, flight.name + ', ' + clockText(now) + (S.v.mode ? ', ' + S.v.mode : ''), HEAD, [...$('legend').querySelectorAll('span')].map(s => ({ name: s.textContent,
    colour: s.querySelector('i').style.borderColor.slice(6, -1) }))], [map], [null, 'Altitude', NAME], [plot])
  if (!$('bandbox').hidden) rows.push([$('bands')])
  for (const p of PANELS) if (!p.box.hidden) rows.push([null, `${p.name} [${p.unit}]`, NAME, p.lines], [p.canvas])
  const high = ([canvas, , h]) => canvas ? canvas.clientHeight + GAP : h
  const all = el('canvas', { width: Math.round(w * k), height: Math.round(rows.reduce((sum, r) => sum + high(r), GAP) * k) }), g = all.getContext('2d')
  g.scale(k, k)
  g.fillStyle = C.card
  g.fillRect(0, 0, w, all.height)
  g.textBaseline = 'middle'
  let y = GAP
  for (const row of rows) {
    const [canvas, text, h, lines] = row
    if (canvas) g.drawImage(canvas, 0, y, w, canvas.clientHeight)
    else {
      g.font = (h === HEAD ? 'bold 15px' : 'bold 12px') + ' system-ui, sans-serif'
      g.fillStyle = C.ink
      g.fillText(text, 12, y + h / 2)
      let x = 24 + g.measureText(text).width
      g.font = '12px system-ui, sans-serif'
      for (const l of lines || []) {
        g.fillStyle = C[l.colour]
        g.fillText(l.name, x, y + h / 2)
        x += g.measureText(l.name).width + 14
      }
    }
    y += high(row)
  }
  return all
}
$('png').onclick = () => { drawAll(); picture().toBlob(blob => save(blob, '.png')) }
