// SPDX-License-Identifier: Apache-2.0
// The operator's door: a browser shows the drone of `make run` on its mission, at the address that README has.
const { open, until, visit } = require('../page/rig.cjs')

async function main() {
  const browser = await open()
  try {
    const page = await visit(browser, { url: 'http://127.0.0.1:5759/' })
    await page.locator('#link', { hasText: 'live' }).waitFor()
    await page.locator('#mode', { hasText: /Mission|Takeoff/ }).waitFor()
    await until(async () => /In air/.test(await page.locator('body').innerText()), () => 'in the air')
    if (page.wrong.length) throw new Error(page.wrong.join('\n'))
  } finally {
    await browser.close()
  }
}
main().catch(error => { console.error(error); process.exit(1) })
