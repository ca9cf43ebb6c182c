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

/**
 * The time zones as choices. A search finds them by city in any of the three languages, zone name, offset, and the name
 * of the zone's time in the page's language.
 * @param {import('./text.js').Language} language
 * @returns {Choice[]}
 */
export function zoneChoices(language) {
  const now = new Date()
  return zoneNames().map((zone) => {
    const cities = zoneCities[zone]
    const lastPart = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
    const city = cities?.[language] ?? lastPart
    const offset = partOf(now, zone, 'en', 'shortOffset')
    const words = [
      zone,
      city,
      lastPart,
      cities?.en,
      cities?.ar,
      cities?.he,
      offset,
      partOf(now, zone, language, 'long'),
    ]
    return { value: zone, label: city, detail: `${zone} · ${offset}`, search: words.filter(Boolean).join(' ') }
  })
}

/**
 * The time of day in a zone.
 * @param {string} zone
 * @param {string} locale
 */
export function timeIn(zone, locale) {
  return new Intl.DateTimeFormat(locale, { timeZone: zone, hour: '2-digit', minute: '2-digit', hour12: false }).format()
}

/**
 * @param {Date} now
 * @param {string} zone
 * @param {string} locale
 * @param {'shortOffset' | 'long'} timeZoneName
 */
function partOf(now, zone, locale, timeZoneName) {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(now)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}
