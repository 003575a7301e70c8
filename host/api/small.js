// SPDX-License-Identifier: Apache-2.0
// What pages with a map share. The page that includes this defines $ and the colours C.

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
const number = (x, digits = 1) => x == null || Number.isNaN(x) ? '–' : x.toFixed(digits).replace(/^-(0\.?0*)$/, '$1').replace('-', '−')
const metres = (x, digits) => x == null ? '–' : number(x, digits) + ' m'
const plural = (n, what) => n.toLocaleString('en') + ' ' + what + (n === 1 ? '' : 's')
const length = m => m >= 10000 ? number(m / 1000, m < 1e5 ? 1 : 0) + ' km' : number(m, m < 100 ? 1 : 0) + ' m'
function clockText(at_s) {
  const s = Math.round(at_s * 10) / 10 // first, so that 179.96 is no 2:60.0
  const m = Math.floor(s / 60), h = Math.floor(m / 60)
  const rest = (s - m * 60).toFixed(1).padStart(4, '0')
  return (h ? h + ':' + String(m % 60).padStart(2, '0') : m) + ':' + rest
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
// A length of about 70 pixels, at the lower left
function drawBar({ h, label, line }, scale) {
  const bar = round125(70 / scale) * scale
  line([[14, h - 18], [14, h - 12], [14 + bar, h - 12], [14 + bar, h - 18]], C.ink, 1.5)
  label(length(bar / scale).replace(/\.0 /, ' '), 14 + bar / 2, h - 24, C.ink)
}
function drawNorth({ g, w, label }) {
  g.fillStyle = C.ink
  g.beginPath()
  for (const [x, y] of [[0, -11], [6, 8], [0, 4], [-6, 8]]) g.lineTo(w - 22 + x, 28 + y)
  g.fill()
  label('N', w - 22, 9, C.ink)
}
