// SPDX-License-Identifier: Apache-2.0
// How the live page flies the drone and steers its clock. page.html includes this; it defines $, S, ask() and the map.

// ---- flying: what MAVLink's clients may do, by the same handlers

// [text, action of the API, MAV_CMD]
const ACTIONS = [['Arm', 'arm', 400], ['Take off', 'takeoff', 22], ['Hold', 'hold', 176], ['Start mission', 'start_mission', 300], ['Return', 'return', 20],
  ['Land', 'land', 21], ['Disarm', 'disarm', 400]]
const GOTO = 192

// What this page has sent and no event has told yet: [MAV_CMD, text]. Other programs use the same API, from the same component.
const sent = []
function sentHere(d) {
  const i = d.system === S.v?.system_id ? sent.findIndex(([command]) => command === d.command) : -1
  return i < 0 ? null : sent.splice(i, 1)[0][1]
}

// @return whether it was accepted, or is in progress
async function flown(promise, text) {
  try {
    const a = await promise, done = a.result === undefined || a.result === 0 || a.result === 5
    put('fly', done ? text(a) + (a.name === undefined || a.default !== undefined ? '' : ': ' + words(a.name)) : '')
    put('fly-err', done ? '' : `${text(a)}: ${a.reason || 'the drone answers ' + words(a.name)}`)
    return done
  } catch (e) {
    put('fly', '')
    put('fly-err', e.message)
    return false
  }
}
function act(text, command, what, name = text) {
  const mine = [command, name]
  sent.push(mine)
  const answer = ask('POST', '/v1/commands', what)
  answer.catch(() => sent.splice(sent.indexOf(mine), 1)) // none was sent
  return flown(answer, () => text)
}
const altitude = () => $('fly-alt').value === '' ? {} : { alt_m: +$('fly-alt').value }
for (const [text, action, command] of ACTIONS) {
  $('actions').append(el('button', { onclick: () => action === 'takeoff' ? takeOff() : act(text, command, { action }) }, text))
}

// A disarmed drone only changes its mode for a take-off: it is armed first, once the operator has agreed.
async function takeOff() {
  const up = () => act('Take off', 22, { action: 'takeoff', ...altitude() })
  if (!S.v || S.v.armed) return up()
  put('confirm-h', 'Arm and take off?')
  put('confirm-text', `The drone is disarmed. It arms and climbs to ${$('fly-alt').value === '' ? 'the altitude of MIS_TAKEOFF_ALT' : $('fly-alt').value + '\u00a0m above home'}.`)
  $('confirm').querySelector('form').onsubmit = async e => {
    e.preventDefault()
    $('confirm').close()
    if (await act('Arm', 400, { action: 'arm' })) await up()
  }
  $('confirm').showModal()
  $('confirm-yes').focus()
}
$('confirm-no').onclick = () => $('confirm').close()

const placeAt = (x, y) => ({ lat_deg: origin.lat_deg + (view.y + (map.clientHeight / 2 - y) / view.scale) / origin.north,
  lon_deg: wrap(origin.lon_deg + (view.x + (x - map.clientWidth / 2) / view.scale) / origin.east) })
function aim(on) {
  $('go').setAttribute('aria-pressed', on)
  map.classList.toggle('aim', on)
  $('aim').hidden = !on
}
$('no-aim').onclick = () => aim(false)
document.addEventListener('keydown', e => { if (e.key === 'Escape') aim(false) })
$('go').onclick = () => aim($('go').getAttribute('aria-pressed') !== 'true')
map.onclick = e => {
  if ($('go').getAttribute('aria-pressed') !== 'true' || !origin) return
  aim(false)
  const place = placeAt(e.offsetX, e.offsetY)
  act(`Go to ${place.lat_deg.toFixed(6)}°, ${place.lon_deg.toFixed(6)}°`, GOTO, { action: 'goto', ...place, ...altitude() }, 'Go to')
}
// The blanks of a plan would make it larger than the drone takes.
async function upload(file) {
  let text = await file.text()
  try { text = JSON.stringify(JSON.parse(text)) } catch { /* a waypoint file, or the drone says where it breaks */ }
  flown(ask('PUT', '/v1/mission', text), n => `${file.name}: ${plural(n.mission, 'item')} uploaded`)
}
$('plan').onchange = () => { if ($('plan').files[0]) upload($('plan').files[0]); $('plan').value = '' }
for (const name of ['dragover', 'dragleave', 'drop']) { // anywhere: a browser would open what it drops beside the map
  document.addEventListener(name, e => {
    e.preventDefault()
    $('mapbox').classList.toggle('over', name === 'dragover')
    if (name === 'drop' && e.dataTransfer.files[0]) upload(e.dataTransfer.files[0])
  })
}
$('param-name').onfocus = () => {
  if (!$('param-names').children.length) {
    ask('GET', '/v1/parameters').then(d => {
      $('param-names').replaceChildren(...d.parameters.map(p => el('option', { value: p.name })))
    }, () => {})
  }
}
$('param-name').onchange = () => {
  ask('GET', '/v1/parameters/' + encodeURIComponent($('param-name').value)).then(p => { $('param-value').placeholder = +p.value.toPrecision(7) }, () => {})
}
$('param').onsubmit = e => {
  e.preventDefault()
  flown(ask('PUT', '/v1/parameters/' + encodeURIComponent($('param-name').value), { value: +$('param-value').value }),
    p => `${p.name} is ${+p.value.toPrecision(7)}`)
}

// ---- the clock

const RATES = [['×1', 'real', 1], ['×10', 'real', 10], ['×100', 'real', 100], ['Fast', 'fast'], ['Event', 'event']]
for (const [text, mode, rate] of RATES) {
  $('rates').append(el('button', { onclick: () => order(rate ? { mode, rate } : { mode }) }, text))
}
const order = what => ask('POST', '/v1/clock', what).then(c => {
  put('clock-err', '')
  showClock(c)
  setTimeout(getClock, 150)
}, e => put('clock-err', e.message))
$('hold').onclick = () => order({ action: 'hold' })
$('resume').onclick = () => order({ action: 'resume' })
$('run').onclick = () => order({ action: 'run', for_s: +$('run-s').value })
$('run-event').onclick = () => order({ action: 'run', event: true })
$('run-s').onkeydown = e => { if (e.key === 'Enter') $('run').click() }

function showClock(c) {
  const behind = c.behind && !(c.achieved_rate > 0.98 * c.rate) // less shows nowhere
  const name = c.mode === 'real' ? '×' + c.rate : c.mode, achieved = behind ? '×' + +c.achieved_rate.toPrecision(3) : ''
  S.quick = c.mode !== 'real' || c.rate > 2
  const others = c.controllers - (c.action === 'resume' ? 0 : 1)
  put('pace', c.standing ? 'paused' : behind ? `${achieved} of ${name}` : name, c.standing || behind ? 'chip on warn' : 'chip')
  put('clock', (c.standing ? 'paused at ' + clockText(c.vehicle_time_s)
    : behind ? `runs at ${achieved} instead of ${name}: the host or a client is too slow`
    : c.action === 'run' ? 'runs' + (c.until_s == null ? ' to the next event' : ' until ' + clockText(c.until_s)) : 'runs, ' + name) +
    (others > 0 ? '; ' + plural(others, 'other controller') : ''), c.standing || behind ? 'warn' : 'dim')
  RATES.forEach(([, mode, rate], i) =>
    $('rates').children[i].setAttribute('aria-pressed', c.mode === mode && (!rate || c.rate === rate)))
  $('resume').disabled = c.action === 'resume'
  $('hold').disabled = c.action === 'hold'
}
