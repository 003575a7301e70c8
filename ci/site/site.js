// SPDX-License-Identifier: Apache-2.0
// Search over the sections of all pages, whose index is loaded when the field is used first; copy buttons; the narrow menu.
const TOP = document.currentScript.dataset.top
const field = document.getElementById('search'), found = document.getElementById('found')
const MOST = 12, AROUND = 70, LONG = 6000      // rows; characters of an excerpt; characters by which a text counts half
const LISTS = /^CHANGELOG|^docs\/requirements/
let loading

function load() {
  return loading ||= new Promise(resolve => {
    const script = document.createElement('script')     // not fetch(), which a page from a file may not use
    script.src = TOP + 'index.js'
    script.onload = resolve
    document.head.append(script)
  })
}

const escaped = text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const beginning = word => new RegExp((/^\w/.test(word) ? '(?<![a-z0-9])' : '') + escaped(word), 'gi')
const times = (word, text, most) => Math.min(text.match(word)?.length || 0, most)

// Every word must occur; one in the page's title counts most, more so if the title begins with it, then one in the heading, then one that
// a table explains. In a long text, such as a table of all parameters, words come together by chance and count less. A page of a series,
// which lies deeper, comes after the page that explains its subject, and a list of all that was done or proven after all others.
function rank(words) {
  const hits = []
  for (const [page, title, anchor, heading, terms, text] of INDEX) {
    let score = 0
    for (const word of words) {
      const within = (times(word, terms, 1) * 8 + times(word, text, 6) * 2) / (1 + text.length / LONG)
      const first = anchor ? 6 : title.search(word) === 0 ? 50 : 40
      const here = times(word, title, 1) * first + times(word, heading, 1) * 20 + within
      if (!here) { score = 0; break }
      score += here
    }
    if (page.split('/').length > 3 || LISTS.test(page)) score /= 4
    if (score) hits.push({ score, url: TOP + page + (anchor ? '#' + anchor : ''), title, heading, text })
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, MOST)
}

function marked(text, words) {
  const parts = text.split(new RegExp(`(${words.map(w => w.source).join('|')})`, 'i'))
  return parts.map((part, i) => {
    if (i % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function excerpt(text, words) {
  const at = Math.max(0, Math.min(...words.map(w => text.search(w)).filter(i => i >= 0), text.length) - AROUND / 2)
  const from = at ? text.indexOf(' ', at) + 1 : 0
  const to = text.lastIndexOf(' ', from + 2 * AROUND)
  return (from ? '… ' : '') + text.slice(from, to) + (to < text.length - 2 ? ' …' : '')
}

async function search() {
  const asked = field.value
  const words = (asked.match(/\S+/g) || []).map(beginning)
  found.hidden = !words.length
  if (!words.length) return
  await load()
  if (field.value !== asked) return
  const rows = rank(words).map(hit => {
    const row = document.createElement('li'), link = document.createElement('a')
    const name = document.createElement('b'), text = document.createElement('span')
    link.href = hit.url
    name.append(...marked(hit.title + (hit.heading ? ' › ' + hit.heading : ''), words))
    text.append(...marked(excerpt(hit.text, words), words))
    link.append(name, text)
    row.append(link)
    return row
  })
  if (!rows.length) {
    const none = document.createElement('li')
    none.className = 'none'
    none.textContent = 'Nothing found: fewer words, or the beginning of one'
    rows.push(none)
  }
  found.replaceChildren(...rows)
}

function step(by) {
  const links = [...found.querySelectorAll('a')], at = links.indexOf(document.activeElement) + by
  ;(links[at] || field).focus()
}

field.addEventListener('focus', load)
field.addEventListener('input', search)
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus() }
  if (event.key === 'Escape') { found.hidden = true; field.blur() }
  if (found.hidden) return
  if (event.key === 'ArrowDown') { event.preventDefault(); step(1) }
  if (event.key === 'ArrowUp') { event.preventDefault(); step(-1) }
  if (event.key === 'Enter' && document.activeElement === field) found.querySelector('a')?.click()
})
document.addEventListener('click', event => { if (!event.target.closest('.search') || event.target.closest('a')) found.hidden = true })

for (const pre of document.querySelectorAll('main pre')) {
  const box = document.createElement('div'), button = document.createElement('button')
  box.className = 'code'
  pre.tabIndex = 0
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
  pre.replaceWith(box)
  box.append(pre, button)
}

const menu = document.querySelector('.nav'), current = menu.querySelector('[aria-current]')
if (matchMedia('(max-width: 760px)').matches) menu.open = false
else if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
