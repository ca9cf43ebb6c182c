import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, screenshot } from '#kit/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 60_000)
afterAll(() => browser.close())

test('the browser has letters for Latin, Arabic and Hebrew, and bold ones where a page asks for the family', async () => {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const fontsOf = async (font: string, text: string): Promise<string[]> => {
    await page.setContent(`<p style='font: ${font}'>${text}</p>`)
    const { root } = await session.send('DOM.getDocument')
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' })
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
    return fonts.map(({ postScriptName }) => postScriptName)
  }
  for (const family of ['system-ui', 'serif', 'monospace', '"Nobody Has It"']) {
    expect(await fontsOf(`24px ${family}`, 'café')).toEqual(['NotoSans-Regular'])
    expect(await fontsOf(`24px ${family}`, 'مرحبًا')).toEqual(['NotoSansArabic-Regular'])
    expect(await fontsOf(`24px ${family}`, 'שלום')).toEqual(['NotoSansHebrew-Regular'])
  }
  expect(await fontsOf('bold 24px "Noto Sans"', 'café')).toEqual(['NotoSans-Bold'])
  expect(await fontsOf('bold 24px "Noto Sans Arabic"', 'مرحبًا')).toEqual(['NotoSansArabic-Bold'])
  expect(await fontsOf('bold 24px "Noto Sans Hebrew"', 'שלום')).toEqual(['NotoSansHebrew-Bold'])
  await page.close()
})

test('a screenshot is a picture of the whole page under the name it was given', async () => {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
  await page.setContent(`<body style="margin: 0; height: 900px; font: 24px system-ui">
    <p>Institute, café</p><p dir="rtl">مرحبًا بكم في <b>المعهد</b>، S-000123</p>
    <p dir="rtl">ברוכים הבאים <b>למכון</b>, S-000123</p></body>`)
  const path = await screenshot(page, 'kit-letters')
  expect(path).toMatch(/\.cache\/screenshots\/kit-letters\.png$/)
  const png = await readFile(path)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([400, 900])
  await page.close()
})
