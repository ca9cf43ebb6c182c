import { zoneCities } from './zone-cities.js'

/** @typedef {import('./combobox.js').Choice} Choice */

const FALLBACK = 'Asia/Jerusalem'
const SHEKEL_ZONES = ['Asia/Jerusalem', 'Asia/Tel_Aviv', 'Asia/Gaza', 'Asia/Hebron']
/** Zones outside Europe/ where the euro is used. */
const EURO_ZONES = [
  ...['Asia/Nicosia', 'Asia/Famagusta', 'Atlantic/Azores', 'Atlantic/Canary', 'Atlantic/Madeira', 'Africa/Ceuta'],
  ...['America/Cayenne', 'America/Guadeloupe', 'America/Martinique', 'Indian/Reunion', 'Indian/Mayotte'],
]

export function browserZone() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || FALLBACK
}

/** Every time zone that the browser knows, its own first. */
export function zoneNames() {
  return [...new Set([browserZone(), ...Intl.supportedValuesOf('timeZone'), 'UTC'])]
}

/**
 * The currency in which an institute of this zone most likely bills, of the three that the system supports.
 * @param {string} zone
 * @returns {'ILS' | 'USD' | 'EUR'}
 */
export function currencyFor(zone) {
  if (SHEKEL_ZONES.includes(zone)) return 'ILS'
  return zone.startsWith('Europe/') || EURO_ZONES.includes(zone) ? 'EUR' : 'USD'
}

const LANGUAGES = /** @type {const} */ (['en', 'ar', 'he'])
const NEIGHBOUR_MINUTES = 60

/**
 * The names of the zone's cities, or, for a zone without an entry, of its city or country as the browser knows it.
 * @param {Date} now
 * @param {string} zone
 * @param {import('./text.js').Language} language
 */
function placesOf(now, zone, language) {
  const cities = zoneCities[zone]?.[language]
  if (cities) return cities.split(/\s*[,،]\s*/)
  const lastPart = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
  if (language === 'en') return [lastPart]
  const generic = partOf(now, zone, language, 'shortGeneric')
  const place = /^(?:توقيت|שעון) (.+)$/.exec(generic)?.[1]
  return [place ?? lastPart]
}

/**
 * How likely the person means a zone: 0 their own, 1 a neighbour of it, 2 another one with an entry, 3 any other.
 * @param {Date} now
 * @param {string} zone
 * @param {string} own
 */
function distanceOf(now, zone, own) {
  if (zone === own) return 0
  if (!zoneCities[zone]) return 3
  const isSameContinent = zone.split('/')[0] === own.split('/')[0]
  return isSameContinent && Math.abs(minutesOf(now, zone) - minutesOf(now, own)) <= NEIGHBOUR_MINUTES ? 1 : 2
}

/**
 * The zone's offset from UTC in minutes.
 * @param {Date} now
 * @param {string} zone
 */
function minutesOf(now, zone) {
  const [, sign, hours = '0', minutes = '0'] =
    /GMT([+-])(\d+)(?::(\d+))?/.exec(partOf(now, zone, 'en', 'shortOffset')) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/**
 * The time zones as choices, the person's own and its neighbours first. A search finds them by city or country in any of
 * the three languages, zone name, offset, and the name of the zone's time in the page's language.
 * @param {import('./text.js').Language} language
 * @param {string} [own] where the person is
 * @returns {Choice[]}
 */
export function zoneChoices(language, own = browserZone()) {
  const now = new Date()
  const known = Object.keys(zoneCities)
  const names = zoneNames()
  const ordered = [...known.filter((zone) => names.includes(zone)), ...names.filter((zone) => !zoneCities[zone])]
  const choices = ordered.map((zone) => {
    const shown = placesOf(now, zone, language)
    const offset = partOf(now, zone, 'en', 'shortOffset')
    const lastPart = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
    return {
      value: zone,
      label: shown.join(language === 'ar' ? '، ' : ', '),
      names: shown,
      detail: `${zone} · ${offset}`,
      calledToo: [...LANGUAGES.flatMap((each) => placesOf(now, zone, each)), lastPart, zone],
      search: [offset, partOf(now, zone, language, 'long')].join(' '),
      distance: distanceOf(now, zone, own),
    }
  })
  return choices.sort((one, other) => one.distance - other.distance)
}

/**
 * The best known city of a zone, in a language.
 * @param {string} zone
 * @param {import('./text.js').Language} language
 */
export function cityOf(zone, language) {
  return placesOf(new Date(), zone, language)[0] ?? zone
}

/**
 * The time of day in a zone.
 * @param {string} zone
 * @param {string} locale
 */
export function timeIn(zone, locale) {
  return new Intl.DateTimeFormat(locale, { timeZone: zone, hour: '2-digit', minute: '2-digit', hour12: false }).format()
}

/** What partOf found: the lists of three languages ask the browser more than a thousand times. @type {Map<string, string>} */
const asked = new Map()

/**
 * @param {Date} now
 * @param {string} zone
 * @param {string} locale
 * @param {'shortOffset' | 'shortGeneric' | 'long'} timeZoneName
 */
function partOf(now, zone, locale, timeZoneName) {
  const key = `${zone} ${locale} ${timeZoneName}`
  const known = asked.get(key)
  if (known !== undefined) return known
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(now)
  const found = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  asked.set(key, found)
  return found
}
