// SPDX-License-Identifier: Apache-2.0
// What a person wants goes back as frames (docs/bus.md): the clock, orders to those that are selected, tasks of a world of cells.

async function send(frames, error) {
  put(error, '')
  try {
    const answer = await fetch('./frames', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: new Blob(frames), signal: AbortSignal.timeout(5000) })
    if (!answer.ok) put(error, await answer.text())
    return answer.ok
  } catch {
    put(error, 'The connection is lost.')
    return false
  }
}
function frame(type, payload) {
  const d = new DataView(new ArrayBuffer(16 + payload))
  d.setUint8(0, 1)
  d.setUint8(1, type)
  d.setUint16(2, payload, true)
  return d
}
function clock(action, value = 0) {
  if (S.recorded) return past.clock(action, value)
  const d = frame(TYPE.CLOCK, 16)
  d.setUint8(16, action)
  d.setFloat64(24, value, true)
  return send([d.buffer], 'clock-err')
}
const toggle = () => clock(S.clock && S.clock.held ? 2 : 1)
const step = () => clock(3, Number($('step-s').value) || 1)

// COMMAND_INT of each, as many in a frame as fit.
const COMMAND_INT = 75, BYTES = 12 + 35, NONE = 0x7fffffff
function put_command(d, at, member, [command, p1, p2, p3, p4, x, y, z, frame]) {
  d.setUint32(at, member, true)
  d.setUint32(at + 4, COMMAND_INT, true)
  d.setUint32(at + 8, 35, true)
  for (const [k, v] of [p1, p2, p3, p4].entries()) d.setFloat32(at + 12 + 4 * k, v, true)
  d.setInt32(at + 28, x, true)
  d.setInt32(at + 32, y, true)
  d.setFloat32(at + 36, z, true)
  d.setUint16(at + 40, command, true)
  d.setUint8(at + 44, frame)
}
// Orders are for the run as it is, so there are none while the page shows an earlier picture.
const present = () => !past.live && !S.ended
async function order(what, commands) {
  if (!present()) return
  const who = [...S.selected].sort((a, b) => a - b), per = Math.floor(65000 / BYTES), frames = []
  const all = who.flatMap(i => commands(i).map(c => [i, c]))
  for (let k = 0; k < all.length; k += per) {
    const some = all.slice(k, k + per), d = frame(TYPE.ORDERS, some.length * BYTES)
    some.forEach(([i, c], j) => put_command(d, 16 + j * BYTES, i, c))
    frames.push(d.buffer)
  }
  if (frames.length && await send(frames, 'order-err')) put('told', `${what}: ${plural(who.length, 'member')}`)
}
const height = () => Number($('height').value) || 0
const arm = [400, 1, 0, 0, 0, 0, 0, 0, 0]
const ORDERS = [
  ['Take off', 'T', () => order('Take off', () => [arm, [22, 0, 0, 0, NaN, NONE, NONE, height(), 6]])],
  ['Land', 'L', () => order('Land', () => [[21, 0, 0, 0, NaN, NONE, NONE, 0, 0]])],
  ['Return', 'R', () => order('Return', () => [[20, 0, 0, 0, 0, 0, 0, 0, 0]])],
  ['Hold', 'H', () => order('Hold', () => [[176, 1, 4, 3, 0, 0, 0, 0, 0]])],
  ['Set speed', '', () => order('Speed', () => [[178, 1, Number($('speed').value), -1, 0, 0, 0, 0, 0]])],
  ['Go there', '', () => aim(!aiming), 'Then a click on the map says where; several keep their formation'],
]
function aim(on) {
  aiming = on && present() && (S.selected.size > 0 || !!S.tasks)
  map.classList.toggle('aim', aiming)
  for (const b of [...$('orders').children, ...$('task-row').children]) if (b.textContent === 'Go there') b.setAttribute('aria-pressed', aiming)
}
// The middle of those that are selected goes there; the others keep their places about it.
function go(east, north) {
  aim(false)
  if (S.tasks) return goTask(east, north)
  let e = 0, n = 0
  for (const i of S.selected) { e += S.east[i] / S.selected.size; n += S.north[i] / S.selected.size }
  const per = 111195 * Math.cos(S.origin[0] * Math.PI / 180)
  order('Go', i => [[192, Number($('speed').value) || -1, 1, 0, NaN, Math.round((S.origin[0] + (north + S.north[i] - n) / 111195) * 1e7),
    Math.round((S.origin[1] + (east + S.east[i] - e) / per) * 1e7), S.origin[2] + height(), 5]])
}
for (const [what, key, run, title] of ORDERS) $('orders').append(el('button', { textContent: what, title: title || (key ? `${what} (${key})` : what), onclick: run, disabled: true }))

// ---- tasks of a world of cells: for the selected drones, or for whichever its controller chooses

function showTasks() {
  const list = $('tasks'), of = t => t.done ? 'done' : (t.drone ? name(t.drone - 1) + ' does it' : 'waits') + (t.why ? ': ' + t.why : '')
  const said = S.tasks.map(of).join('\n')
  if (list.said === said) return
  list.said = said
  list.replaceChildren(...S.tasks.map(t => el('li', {}, el('b', { textContent: t.number }), el('span', { className: t.done ? 'ok' : '', textContent: of(t) }))).reverse())
}
// A text of a task, with what is chosen beside it: {goto: [1, 2]} becomes {goto: [1, 2], priority: high, drone: "drone.1"}.
function taskText(plain, drone) {
  const priority = $('task-priority').value, deadline = $('task-deadline').value
  const more = [...priority ? ['priority: ' + priority] : [], ...deadline ? ['deadline: ' + deadline] : [], ...drone ? [`drone: "${drone}"`] : []]
  return plain.replace(/,?\s*\}\s*$/, more.map(m => ', ' + m).join('') + '}')
}
// Each answer comes with a picture. A world keeps the last 64.
async function give(what, plain) {
  if (!present()) return
  const drones = S.selected.size ? [...S.selected].sort((a, b) => a - b).slice(0, 64).map(name) : ['']
  const frames = [], waiting = [], given = [], refused = []
  put('task-told', '')
  for (const drone of drones) {
    const number = crypto.getRandomValues(new Uint32Array(1))[0], bytes = new TextEncoder().encode(taskText(plain, drone)), d = frame(TYPE.TASK, 4 + bytes.length)
    d.setUint32(16, number, true)
    new Uint8Array(d.buffer).set(bytes, 20)
    frames.push(d.buffer)
    waiting.push(new Promise(done => {
      const end = (task, why) => { clearTimeout(late); S.asked.delete(number); (task ? given : refused).push(task || why); done() }
      const late = setTimeout(() => end(0, 'The run has not answered.'), 5000)
      S.asked.set(number, end)
    }))
  }
  if (!await send(frames, 'task-err')) return
  await Promise.all(waiting)
  if (given.length) put('task-told', `${what}: task ${given.join(', ')}`)
  put('task-err', [...new Set(refused)].join(' '))
}
function goTask(east, north) {
  const r = [...S.rasters.values()].find(r => r.kind === 0), x = Math.floor((east - r.east) / r.side), y = Math.floor((north - r.north) / r.side)
  if (x < 0 || y < 0 || x >= r.columns || y >= r.all) put('task-err', 'There is no cell.')
  else give(`Go to ${x}, ${y}`, `{goto: [${x}, ${y}]}`)
}
const TASKS = [['Go there', 'G', () => aim(!aiming), 'Then a click on the map says to which cell (G: the one in the middle of the map)'],
  ['Go home', 'R', () => give('Go home', '{go_home: true}')], ['Wait', 'W', () => give('Wait', `{wait: ${Number($('task-wait').value) || 0}}`)]]
for (const [what, key, run, title] of TASKS) $('task-row').append(el('button', { textContent: what, title: title || `${what} (${key})`, onclick: run }))
$('task-row').append(el('label', {}, el('input', { id: 'task-wait', className: 'num', type: 'number', min: 0, value: 10, ariaLabel: 'Ticks to wait' }), ' ticks'))
$('task-form').onsubmit = e => {
  e.preventDefault()
  const plain = $('task-text').value.trim()
  if (plain) give('Given', /^\{.*\}$/s.test(plain) ? plain : `{${plain}}`)
}
const TASK_KEYS = { r: TASKS[1][2], w: TASKS[2][2], t: () => $('task-text').focus(), l: () => {}, h: () => {} }
