import { fold } from '../../shared/text.ts'
import { FALLBACK_LOCALE, LOCALES, type Locale } from '../../shared/locale.ts'
import { Format } from './format.ts'
import { browserZone } from './browser-zone.ts'
import { zoneCities } from './zone-cities.ts'

/** A time zone, as one looks for it. */
export interface Zone {
  id: string
  label: string
  /** Its names in the page's language, one of which the field shows once it is chosen. */
  names: readonly string[]
  detail: string
  /** Its names in every language. */
  calledToo: readonly string[]
  /** Other text that finds it. */
  search: string
  /** Of equally good matches the one with the smallest comes first. */
  distance: number
}

/** Every time zone that the browser knows, its own first. */
const zoneNames = (): string[] => [...new Set([browserZone(), ...Intl.supportedValuesOf('timeZone'), 'UTC'])]

const NEIGHBOUR_MINUTES = 60

/** What partOf found: the lists of three languages ask the browser more than a thousand times. */
const asked = new Map<string, string>()

const partOf = (
  now: Date,
  zone: string,
  locale: string,
  timeZoneName: 'shortOffset' | 'shortGeneric' | 'long',
): string => {
  const key = `${zone} ${locale} ${timeZoneName}`
  const known = asked.get(key)
  if (known !== undefined) return known
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(now)
  const found = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  asked.set(key, found)
  return found
}

const lastPartOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** The names of the zone's cities, or, for a zone without an entry, of its city or country as the browser knows it. */
const placesOf = (now: Date, zone: string, locale: Locale): string[] => {
  const cities = zoneCities[zone]?.[locale]
  if (cities) return cities.split(/\s*[,،]\s*/)
  const lastPart = lastPartOf(zone)
  // The names of zones are English.
  if (locale === FALLBACK_LOCALE) return [lastPart]
  const generic = partOf(now, zone, locale, 'shortGeneric')
  return [/^(?:توقيت|שעון) (.+)$/.exec(generic)?.[1] ?? lastPart]
}

/** The zone's offset from UTC in minutes. */
const minutesOf = (now: Date, zone: string): number => {
  const [, sign, hours = '0', minutes = '0'] =
    /GMT([+-])(\d+)(?::(\d+))?/.exec(partOf(now, zone, 'en', 'shortOffset')) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** How likely the person means a zone: 0 their own, 1 a neighbour of it, 2 another one with an entry, 3 any other. */
const distanceOf = (now: Date, zone: string, own: string): number => {
  if (zone === own) return 0
  if (!zoneCities[zone]) return 3
  const isSameContinent = zone.split('/')[0] === own.split('/')[0]
  return isSameContinent && Math.abs(minutesOf(now, zone) - minutesOf(now, own)) <= NEIGHBOUR_MINUTES ? 1 : 2
}

/**
 * The time zones, the person's own and its neighbours first. A search finds them by city or country in any of the three
 * languages, zone name, offset, and the name of the zone's time in the page's language.
 * @param own where the person is
 */
export const zonesIn = (locale: Locale, own = browserZone()): Zone[] => {
  const now = new Date()
  const format = new Format(locale, own)
  const names = zoneNames()
  const known = Object.keys(zoneCities).filter((zone) => names.includes(zone))
  const zones = [...known, ...names.filter((zone) => !zoneCities[zone])].map((zone) => {
    const shown = placesOf(now, zone, locale)
    const offset = partOf(now, zone, 'en', 'shortOffset')
    return {
      id: zone,
      label: format.commas(shown),
      names: shown,
      detail: `${zone} · ${offset}`,
      calledToo: [...LOCALES.flatMap((each) => placesOf(now, zone, each)), lastPartOf(zone), zone],
      search: [offset, partOf(now, zone, locale, 'long')].join(' '),
      distance: distanceOf(now, zone, own),
    }
  })
  return zones.toSorted((one, other) => one.distance - other.distance)
}

/** The best known city of a zone, in a language. */
export const cityOf = (zone: string, locale: Locale): string => placesOf(new Date(), zone, locale)[0] ?? zone

/** A text as the institute's search compares it, with blanks for what stands between the parts of a zone's name. */
const searchable = (text: string): string => fold(text.replaceAll(/[_/,،·]+/g, ' '))

/**
 * The zones that contain every word of the query: first those with exactly this name, then those with a name that begins
 * with it; within each, the smallest distance first.
 */
export const matching = <Z extends Zone>(zones: readonly Z[], query: string): Z[] => {
  const whole = searchable(query).trim()
  const words = whole.split(/\s+/)
  const rankOf = ({ calledToo, search }: Z): number | undefined => {
    const names = calledToo.map((name) => searchable(name).trim())
    const text = `${names.join(' ')} ${searchable(search)}`
    if (!words.every((word) => text.includes(word))) return undefined
    if (names.includes(whole)) return 0
    return names.some((name) => name.startsWith(whole)) ? 1 : 2
  }
  return zones
    .flatMap((zone) => {
      const rank = rankOf(zone)
      return rank === undefined ? [] : [{ zone, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank || one.zone.distance - other.zone.distance)
    .map(({ zone }) => zone)
}

/** The zone that a text names, or the only one that matches it. */
export const zoneMeant = (zones: readonly Zone[], typed: string): Zone | undefined => {
  const named = zones.find(({ calledToo }) => calledToo.some((name) => searchable(name) === searchable(typed)))
  if (named) return named
  const [first, ...others] = matching(zones, typed)
  return others.length === 0 ? first : undefined
}

/** The name to show for a zone that was chosen: the one that begins with what was typed, else its first. */
export const nameMeant = ({ names, id }: Zone, typed: string): string => {
  const whole = searchable(typed).trim()
  return (whole !== '' && names.find((name) => searchable(name).startsWith(whole))) || (names[0] ?? id)
}
