import { expect, test } from 'vitest'
import { accentOf, contrast } from '../../../src/console/shell/color.ts'

/** Colours that institutes may choose, those on which a word cannot be read among them. */
const HOSTILE = ['#000000', '#ffffff', '#ffff00', '#00ffff', '#ff00ff', '#808080', '#777777', '#767676', '#ff0000']
const colors = [...HOSTILE, '#00ff00', '#0000ff', '#123456', '#fedcba', '#14675e', '#f2c879']
for (let hue = 0; hue < 4096; hue += 37) colors.push(`#${(hue * 4099).toString(16).padStart(6, '0').slice(-6)}`)

/** The grounds of style/tokens.css on which the accent is written; dark ones take the hue of the colour. */
const LIGHT = ['#ffffff', '#f6f5f1', '#efeee8', '#f3f2ed']
const DARK = ['--page', '--surface', '--sunken', '--hover']
/** The inks of style/tokens.css that are written on dark grounds. */
const INKS = ['#e8eeec', '#a8b5b1', '#ff9d92', '#f0cb86', '#93d8a8', '#a5c6ee']
const READABLE = 4.5

test.each(['light', 'dark'] as const)('words in and on the colour of any institute can be read, %s', (theme) => {
  for (const color of colors) {
    const tokens = accentOf(color, theme === 'dark')
    const of = (name: string): string => tokens[name] as string
    const grounds = theme === 'dark' ? DARK.map(of) : LIGHT
    const pairs: [string, string][] = [
      ...grounds.map((ground): [string, string] => [of('--accent'), ground]),
      ...(theme === 'dark' ? grounds.flatMap((ground) => INKS.map((ink): [string, string] => [ink, ground])) : []),
      [of('--accent'), of('--wash')],
      [of('--accent-strong'), of('--wash')],
      [of('--on-accent'), of('--accent')],
      [of('--on-accent'), of('--accent-strong')],
      [theme === 'dark' ? '#e8eeec' : '#1d2725', of('--wash')],
      ['#ffffff', of('--rail')],
      [of('--rail-soft'), of('--rail')],
    ]
    const unreadable = pairs.filter(([ink, ground]) => contrast(ink, ground) < READABLE)
    expect(unreadable, `${color} in ${theme} colours: ${JSON.stringify(tokens)}`).toEqual([])
  }
})

test('a dark page keeps the hue of the institute, where white mixed in would turn it to chalk', () => {
  const spread = (color: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    return Math.max(...parts) - Math.min(...parts)
  }
  for (const color of ['#a02050', '#0044cc', '#8a1c1c', '#5b2a86']) {
    expect(spread(accentOf(color, true)['--accent'] as string), color).toBeGreaterThan(80)
  }
  expect(spread(accentOf('#808080', true)['--accent'] as string)).toBe(0)
})
