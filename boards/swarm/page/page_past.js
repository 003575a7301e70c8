// SPDX-License-Identifier: Apache-2.0
// The time bar. Pictures of a live swarm are kept and thinned out as they grow old; those of a recording are asked for.

const PAST_BYTES = 8e7, TOLD = ['north', 'east', 'up', 'vn', 've', 'vu', 'yaw', 'mode', 'flags', 'landed', 'charge', 'trust']
// all: pictures by time. live: what goes on while an older one is shown, or null.
const past = { all: [], live: null, wanted: 0, held: false, rate: 1, wall: 0 }

function forget() {
  Object.assign(past, { all: [], live: null })
  Object.assign(space, { flashes: [], heard: new Map(), rows: [] })
}
// What has just come is kept. Whether an older picture stays on the screen.
past.keep = () => {
  const now = past.live || S, last = past.all.at(-1)
  if (!last || now.at > last.at) {
    const most = Math.max(20, Math.floor(PAST_BYTES / (40 * S.n + 100)))
    if (past.all.length >= most) past.all = past.all.filter((_, k) => k % 2 === 0)
    past.all.push({ at: now.at, n: S.n, ...Object.fromEntries(TOLD.map(name => [name, (name === 'north' || name === 'east' || name === 'up' ? Float32Array : now[name].constructor).from(now[name])])) })
  }
  return past.live !== null
}
// Pictures of the last seconds up to the one that is shown.
past.since = s => {
  const end = past.all.findLastIndex(p => p.at <= S.at + 1e-9)
  let k = end
  while (k >= 0 && past.all[k].at > S.at - s && past.all[k].n === S.n) k--
  return past.all.slice(k + 1, end + 1)
}
function showPast(picture) {
  past.live ||= { at: S.at, ...Object.fromEntries(TOLD.map(name => [name, S[name]])) }
  Object.assign(S, { at: picture.at, pace: 0, last: null, ...Object.fromEntries(TOLD.map(name => [name, picture[name]])) })
  aim(false)
  repaint()
  show()
}
function showLive() {
  if (past.live) Object.assign(S, past.live, { pace: 0, last: null })
  past.live = null
  repaint()
  show()
}
// The newest picture that is not after a time.
past.seek = at => {
  if (S.recorded) {
    past.wanted = Math.min(S.recorded.last, Math.max(S.recorded.first, at))
    past.jumped = true
    bar()
    return
  }
  const found = past.all.findLast(p => p.at <= at + 1e-9 && p.n === S.n) || past.all[0]
  if (!found || found.n !== S.n) return
  if (found === past.all.at(-1)) showLive()
  else showPast(found)
  bar()
}
const step_s = () => Number($('step-s').value) || 1
past.by = s => past.seek((S.recorded ? past.wanted : S.at) + s)

// ---- a recording: docs/swarm-page.md

TAKE[101] = d => {
  const fresh = !S.recorded
  S.recorded = { first: d.getFloat64(0, true), last: d.getFloat64(8, true) }
  if (fresh) Object.assign(past, { wanted: S.recorded.first, wall: performance.now() })
}
// Of which time the next frames are wanted.
past.query = () => {
  if (!S.recorded) return ''
  const wall = performance.now()
  if (past.jumped) Object.assign(past, { all: [], jumped: false, hopped: true })
  else if (!past.held) past.wanted = Math.min(S.recorded.last, past.wanted + past.rate * (wall - past.wall) / 1000)
  past.wall = wall
  if (past.wanted >= S.recorded.last) past.held = true
  return '&at=' + past.wanted.toFixed(6)
}
// The first picture after a jump: what led to the one before is not known.
past.arrive = () => {
  if (past.hopped) Object.assign(S, { reports: [], last: null, pace: 0 })
  past.hopped = false
  if (S.recorded) S.clock = { kind: 2, held: past.held, can: 3, rate: past.rate }
}
past.clock = (action, value) => {
  if (action === 3) { past.held = true; past.by(value) }
  else if (action === 4) past.rate = value
  else {
    if (action === 2 && past.wanted >= S.recorded.last) past.seek(S.recorded.first)
    past.held = action === 1
  }
  S.clock = { kind: 2, held: past.held, can: 3, rate: past.rate }
  show()
}

// ---- the bar

function bar() {
  const first = S.recorded ? S.recorded.first : past.all.length ? past.all[0].at : 0, last = S.recorded ? S.recorded.last : past.all.length ? past.all.at(-1).at : 0
  const at = S.recorded ? past.wanted : past.live ? S.at : last, range = $('bar')
  Object.assign(range, { min: first, max: last, step: 'any' })
  if (!past.dragged) range.value = at
  range.setAttribute('aria-valuetext', clockText(at) + (past.live || S.recorded ? '' : ', live'))
  put('bar-at', `${clockText(at)} of ${clockText(last)}`)
  range.disabled = !(last > first)
  $('live').hidden = !!S.recorded
  $('live').setAttribute('aria-pressed', !past.live)
}
