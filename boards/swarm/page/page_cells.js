// SPDX-License-Identifier: Apache-2.0
// The legend of a world of cells: the colours of its map, what they mean, and how many cells have each.
TYPE.CELLS = 107
TAKE[TYPE.CELLS] = d => {
  S.cells = Array.from({ length: Math.floor(d.byteLength / 64) }, (_, k) => ({ value: d.getUint32(64 * k, true), n: d.getUint32(64 * k + 4, true), label: text(d, 64 * k + 8, 56) }))
}
const cellColour = value => value === 1 ? C.axis : C.set[value % C.set.length] // as drawRasters() has them
function showCells() {
  const list = $('cells'), want = [...S.rasters.values()].some(r => r.kind === 0) ? S.cells || [] : []
  list.hidden = !want.length
  while (list.children.length > want.length) list.lastChild.remove()
  want.forEach((key, k) => {
    if (!list.children[k]) list.append(el('li', {}, el('i'), el('span'), el('b')))
    const [i, span, b] = list.children[k].children
    i.style.background = cellColour(key.value)
    i.style.opacity = key.value === 1 ? 1 : 0.6
    if (span.textContent !== key.label) span.textContent = key.label
    if (b.textContent !== String(key.n)) b.textContent = key.n
  })
}
