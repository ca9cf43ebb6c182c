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

/** From 0 to 360; 0 for what has no hue. */
const hueOf = ([red, green, blue]: Rgb): number => {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (most === least) return 0
  const range = most - least
  if (most === red) return (60 * ((green - blue) / range) + 360) % 360
  return most === green ? 60 * ((blue - red) / range) + 120 : 60 * ((red - green) / range) + 240
}

/** @param saturation of 1, as is the lightness */
const hsl = (hue: number, saturation: number, lightness: number): Rgb => {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12
    return 255 * (lightness - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }) as unknown as Rgb
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => part + ((to[at] as number) - part) * share) as unknown as Rgb

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** Mixes with black, step by step, until the contrast with each ground is there. */
const readableOn = (color: string, toward: Rgb, grounds: (moved: string) => readonly string[]): string => {
  for (let share = 0; share < 1; share += STEP) {
    const moved = write(mix(parse(color), toward, share))
    if (grounds(moved).every((ground) => contrast(moved, ground) >= READABLE)) return moved
  }
  return write(toward)
}

/** The same colour, step by step lighter: it keeps its hue, where one mixed with white looks like chalk. */
const lightOn = (color: string, grounds: (moved: string) => readonly string[]): string => {
  const rgb = parse(color)
  const [most, least] = [Math.max(...rgb) / 255, Math.min(...rgb) / 255]
  const lightness = (most + least) / 2
  const saturation = most === least ? 0 : (most - least) / (1 - Math.abs(2 * lightness - 1))
  for (let light = lightness; light < 1; light += STEP / 2) {
    const moved = write(hsl(hueOf(rgb), Math.min(saturation, 0.85), light))
    if (grounds(moved).every((ground) => contrast(moved, ground) >= READABLE)) return moved
  }
  return '#ffffff'
}

/** The grounds of dark pages, as light as those of the style sheet and of the institute's hue in place of green. */
const darkGrounds = (color: string): Readonly<Record<string, string>> => {
  const rgb = parse(color)
  const tint = Math.max(...rgb) === Math.min(...rgb) ? 0 : 0.11
  const ground = (lightness: number) => write(hsl(hueOf(rgb), tint, lightness))
  return {
    '--page': ground(0.08),
    '--surface': ground(0.118),
    '--sunken': ground(0.092),
    '--hover': ground(0.145),
    '--line': ground(0.185),
  }
}

/** The ground of what is chosen, which has a little of the accent itself. */
const washOf = (accent: string, isDark: boolean, surface = '#ffffff'): string =>
  write(mix(parse(surface), parse(accent), isDark ? 0.16 : 0.1))

/** The variables of style/tokens.css that follow from the institute's colour. */
export const accentOf = (color: string, isDark: boolean): Readonly<Record<string, string>> => {
  const grounds = isDark ? darkGrounds(color) : {}
  const wash = (accent: string) => washOf(accent, isDark, grounds['--surface'])
  // The darkest ground of light pages on which the accent is written, and the lightest of dark ones.
  const ground = grounds['--line'] ?? '#eae9e3'
  const accent = isDark
    ? lightOn(color, (moved) => [ground, wash(moved)])
    : readableOn(color, BLACK, (moved) => [ground, wash(moved)])
  const strong = write(mix(parse(accent), isDark ? WHITE : BLACK, 0.25))
  // White words and softer ones lie on the rail.
  const rail = readableOn(write(mix(parse(color), BLACK, isDark ? 0.6 : 0.3)), BLACK, () => ['#b9c9c5'])
  return {
    '--accent': accent,
    '--accent-strong': strong,
    '--on-accent': isDark ? '#0b1614' : '#ffffff',
    ...grounds,
    ...(isDark && { '--focus': `3px solid ${accent}` }),
    '--wash': wash(accent),
    '--rail': rail,
    '--rail-soft': '#d5e0dd',
  }
}
