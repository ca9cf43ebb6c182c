import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'acorn'
import { beforeAll, describe, expect, test } from 'vitest'
import { newerCssThan } from '#kit/newer-css-than.ts'
import { newerThan, type Floor } from '#kit/newer-than.ts'
import { browserScripts } from '../../build/browser-scripts.ts'
import type { PageStart } from '#app/pages/console-files.ts'
import { consoleFiles } from '../../build/console.ts'

/** What MDN's data says of the oldest browsers that pages are for. The real ones: test/browser/old-browsers.test.ts. */

/** Chromium 109 is the last for Windows 7 and 8. */
const CONSOLE: Floor = { chrome: '109', firefox: '115', safari: '16.4' }
const FAMILIES: Floor = { chrome: '92', firefox: '91', safari: '15.4' }

/** Names of what is missing somewhere, without the browsers: each is one that a page does without there. */
const names = (found: Record<string, string[]>): string[] => Object.keys(found).toSorted()

describe('the console', () => {
  let scripts: string[]
  let style: string
  beforeAll(async () => {
    const files = [...(await consoleFiles())].map(([name, bytes]) => [name, bytes.toString('utf8')] as const)
    scripts = files.filter(([name]) => name.endsWith('.js')).map(([, text]) => text)
    const { console: start } = JSON.parse(files.find(([name]) => name === 'start.json')?.[1] ?? '') as Record<
      string,
      PageStart
    >
    style = files.find(([name]) => name === start?.style)?.[1] ?? ''
  })

  test('calls nothing that its oldest browsers lack, but what it fills and what a library looks for first', () => {
    const looked = [
      // @noble/hashes and @internationalized/date look whether they are there.
      'Uint8Array.fromHex',
      'toHex',
      'getTextInfo',
      // react-aria looks, and measures by itself where it is not.
      'checkVisibility',
      // qr looks, for pictures that the console does not make.
      'toBase64',
      // Whether there are passkeys: without this there are none (`knowsPasskeys`).
      'getAuthenticatorData',
      'getPublicKey',
      // wouter looks, and only where a link asks for it, which none does.
      'skipTransition',
      'startViewTransition',
    ]
    const filled = ['toReversed', 'toSorted']
    expect(names(newerThan(CONSOLE, scripts, 2022))).toEqual([...looked, ...filled].toSorted())
    const fills = readFileSync('src/console/fills.ts', 'utf8')
    for (const name of filled) expect(fills).toContain(`fill('${name}'`)
  })

  test('is styled by what they know, but for what may be missing', () => {
    const missed = [
      // Firefox before 121: a head is as wide as the page, and stands above a printed receipt.
      ':has',
      '::-webkit-search-cancel-button',
      // Lines of a title may be of uneven length.
      'text-wrap',
      'text-wrap: balance',
      // Phones alone need it, which are not so old.
      'text-size-adjust',
      // The paper that the printer is set to.
      '@page',
      'size',
      // Each browser knows its own: elsewhere the bar has the browser's colours.
      '::-moz-progress-bar',
      '::-webkit-progress-bar',
      '::-webkit-progress-value',
      // A field of several lines has a fixed height.
      'field-sizing',
      'field-sizing: content',
      // Another font of that kind follows in the list.
      'font-family: ui-monospace',
      // What is dragged may be marked.
      'user-select',
    ]
    expect(names(newerCssThan(CONSOLE, style))).toEqual(missed.toSorted())
  })
})

describe('the pages behind mail links, which are for families', () => {
  let files: Map<string, Buffer>
  const firstOf = (name: string): string[] => {
    const starts = JSON.parse(String(files.get('start.json'))) as Record<string, PageStart>
    const { script, style, modules } = starts[name]!
    return [style, script, ...modules].map((file) => String(files.get(file)))
  }
  beforeAll(async () => {
    files = await consoleFiles()
  })

  test.each(['invitation', 'reset-password', 'verify-email'])('%s calls nothing that their browsers lack', (name) => {
    const [, ...scripts] = firstOf(name)
    const looked = [
      // React looks whether it is there, and throws what it would report.
      'reportError',
      // @internationalized/date and react-aria look, and do without.
      'getTextInfo',
      'checkVisibility',
      // wouter looks, and only where a link asks for it, which none does.
      'skipTransition',
      'startViewTransition',
      // A request of the registration that is kept, which no such page has.
      'getState',
    ]
    const found = names(newerThan(FAMILIES, scripts, 2022)).filter((one) => one !== 'toSorted')
    expect(found.filter((one) => !looked.includes(one))).toEqual([])
    // Of the syntax of 2022, what the bundler does not put in other words.
    for (const script of scripts) expect(script).not.toMatch(/\bstatic\s*\{|\(\?<[=!]/)
  })

  test('are styled by what they know, but for what may be missing', () => {
    const [style = ''] = firstOf('invitation')
    const missed = [
      // The next of the list, or what the browser does by itself.
      'color-scheme',
      'color-scheme: light',
      'color-scheme: dark',
      'font-family: system-ui',
      'text-size-adjust',
      'text-wrap',
      'text-wrap: balance',
      // The page is as high as what stands on it.
      'dvh',
      // Of lists that no such page has.
      ':has',
    ]
    expect(names(newerCssThan(FAMILIES, style))).toEqual(missed.toSorted())
  })
})

describe('the registration form, and the pages without a script', () => {
  /** What a page does without: it looks whether it is there, or leads to the console, which needs as much. */
  const DOES_WITHOUT: Partial<Record<string, string[]>> = {
    'widget.js': ['replaceSync'],
    // A browser that lacks them is not asked for messages, and never has the script.
    'push-worker.js': ['showNotification', 'subscribe'],
  }

  test.each(Object.entries(browserScripts))('%s calls nothing that the oldest browsers lack', (name, script) => {
    const text = script().toString('utf8')
    expect(names(newerThan(FAMILIES, [text], 2021))).toEqual(DOES_WITHOUT[name] ?? [])
    expect(newerThan(CONSOLE, [text], 2021)).toEqual({})
  })

  test('what looks at the browser is written for browsers of any age', () => {
    expect(() => parse(readFileSync('web-setup/floor.js', 'utf8'), { ecmaVersion: 5 })).not.toThrow()
  })

  test('the registration form can say that a browser of 2017 is too old', () => {
    const script = browserScripts['widget.js']().toString('utf8')
    expect(() => parse(script, { ecmaVersion: 2017 })).not.toThrow()
  })

  test.each(readdirSync('web-setup/assets/style'))('%s is of what they know, but for what may be missing', (name) => {
    const missed = new Set([
      // A card is not coloured: its mark is. Words stand twice where no script runs.
      ':has',
      'accent-color',
      // A field for a long token scrolls.
      'field-sizing',
      'field-sizing: content',
      'text-wrap',
      'text-wrap: balance',
      'text-wrap: pretty',
      // The next font of the list.
      'font-family: system-ui',
      'font-family: ui-monospace',
      'overscroll-behavior',
      'overscroll-behavior: contain',
      // Firefox before 94: as wide as its box.
      'inline-size: fit-content',
      // Chromium before 93 knows it as flex-start, which these boxes are.
      'align-self: start',
    ])
    const css = readFileSync(path.join('web-setup/assets/style', name), 'utf8')
    expect(names(newerCssThan(FAMILIES, css)).filter((one) => !missed.has(one))).toEqual([])
  })

  test('and so is the registration form', () => {
    const [, css = ''] = /const CSS = `([^]*?)\n`/.exec(readFileSync('src/widget/style.ts', 'utf8')) ?? []
    expect(css).toContain('button')
    // Firefox before 96 draws its lists and bars light, also on a dark form.
    expect(names(newerCssThan(FAMILIES, css)).filter((one) => !one.startsWith('color-scheme'))).toEqual([])
  })
})

describe('the check itself', () => {
  test('finds built-ins by their owner and by their name, and lets those be that a script has of its own', () => {
    const of = (script: string) => newerThan(CONSOLE, [script], 2022)
    expect(of('new Set(all).union(more)')).toEqual({ union: ['chrome 109', 'firefox 115', 'safari 16.4'] })
    expect(of('Object.groupBy(all, by)')).toEqual({ 'Object.groupBy': ['chrome 109', 'firefox 115', 'safari 16.4'] })
    expect(of('URL.canParse(text)')).toEqual({ 'URL.canParse': ['chrome 109', 'safari 16.4'] })
    expect(of('queue.toSorted()')).toEqual({ toSorted: ['chrome 109'] })
    expect(of('class Words { toSorted() {} } new Words().toSorted()')).toEqual({})
    expect(of('structuredClone(all).at(-1).replaceAll(1, 2)')).toEqual({})
    expect(newerThan(FAMILIES, ['structuredClone(all)'], 2021)).toEqual({
      structuredClone: ['chrome 92', 'firefox 91'],
    })
    expect(() => newerThan(FAMILIES, ['class A { static {} }'], 2021)).toThrow(SyntaxError)
  })

  test('finds what is new of styles, unless something older stands before it', () => {
    const of = (css: string) => names(newerCssThan(CONSOLE, css))
    expect(of('a { color: color-mix(in srgb, red, blue); min-height: 100dvh }')).toEqual(['color-mix()'])
    expect(of('a:has(b) { color: red } a, b:has(c) { color: red }')).toEqual([':has', ':has in a list'])
    expect(of('a { color: red; color: color-mix(in srgb, red, blue) }')).toEqual([])
    expect(of('@supports (color: color-mix(in srgb, red, red)) { a { color: color-mix(in srgb, red, red) } }')).toEqual(
      [],
    )
    expect(of('a { &:hover { color: light-dark(red, blue) } } a:dir(rtl) { height: 1lh }')).toEqual([
      '&',
      ':dir',
      'lh',
      'light-dark()',
    ])
  })
})
