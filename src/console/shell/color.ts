/** The institute's colour as the accent of the pages, moved until words on it and in it can be read. */

type Rgb = readonly [number, number, number]

/** WCAG's contrast of text of ordinary size. */
const READABLE = 4.5
const STEP = 0.04

const parse = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

const write = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const luminance = (rgb: Rgb): number => {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export const contrast = (a: string, b: string): number => {
  const [dark, light] = [luminance(parse(a)), luminance(parse(b))].toSorted((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => part + ((to[at] as number) - part) * share) as unknown as Rgb

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** Mixes with black or white, step by step, until the contrast with each ground is there. */
const readableOn = (color: string, toward: Rgb, grounds: (moved: string) => readonly string[]): string => {
  for (let share = 0; share < 1; share += STEP) {
    const moved = write(mix(parse(color), toward, share))
    if (grounds(moved).every((ground) => contrast(moved, ground) >= READABLE)) return moved
  }
  return write(toward)
}

/** The ground of what is chosen, which has a little of the accent itself. */
const washOf = (accent: string, isDark: boolean): string =>
  write(mix(parse(isDark ? '#1a2220' : '#ffffff'), parse(accent), isDark ? 0.16 : 0.1))

/** The variables of style/tokens.css that follow from the institute's colour. */
export const accentOf = (color: string, isDark: boolean): Readonly<Record<string, string>> => {
  // The darkest ground of light pages on which the accent is written, and the lightest of dark ones.
  const ground = isDark ? '#2a3532' : '#eae9e3'
  const accent = readableOn(color, isDark ? WHITE : BLACK, (moved) => [ground, washOf(moved, isDark)])
  const strong = write(mix(parse(accent), isDark ? WHITE : BLACK, 0.25))
  // White words and softer ones lie on the rail.
  const rail = readableOn(write(mix(parse(color), BLACK, isDark ? 0.6 : 0.3)), BLACK, () => ['#b9c9c5'])
  return {
    '--accent': accent,
    '--accent-strong': strong,
    '--on-accent': isDark ? '#0b1614' : '#ffffff',
    '--wash': washOf(accent, isDark),
    '--rail': rail,
    '--rail-soft': '#d5e0dd',
  }
}
