import { expect, test } from 'vitest'
import { accentOf, contrast } from '../../../src/console/shell/color.ts'

/** Colours that institutes may choose, those on which a word cannot be read among them. */
const HOSTILE = ['#000000', '#ffffff', '#ffff00', '#00ffff', '#ff00ff', '#808080', '#777777', '#767676', '#ff0000']
const colors = [...HOSTILE, '#00ff00', '#0000ff', '#123456', '#fedcba', '#14675e', '#f2c879']
for (let hue = 0; hue < 4096; hue += 37) colors.push(`#${(hue * 4099).toString(16).padStart(6, '0').slice(-6)}`)

/** The grounds of style/tokens.css on which the accent is written. */
const GROUNDS = {
  light: ['#ffffff', '#f6f5f1', '#efeee8', '#f3f2ed'],
  dark: ['#121817', '#1a2220', '#141b1a', '#202a27'],
}
const READABLE = 4.5

test.each(['light', 'dark'] as const)('words in and on the colour of any institute can be read, %s', (theme) => {
  for (const color of colors) {
    const tokens = accentOf(color, theme === 'dark')
    const of = (name: string): string => tokens[name] as string
    const pairs: [string, string][] = [
      ...GROUNDS[theme].map((ground): [string, string] => [of('--accent'), ground]),
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
