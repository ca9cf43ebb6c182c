const SHEKEL_ZONES = ['Asia/Jerusalem', 'Asia/Tel_Aviv', 'Asia/Gaza', 'Asia/Hebron']
/** Zones outside Europe/ where the euro is used. */
const EURO_ZONES = [
  'Asia/Nicosia',
  'Asia/Famagusta',
  'Atlantic/Azores',
  'Atlantic/Canary',
  'Atlantic/Madeira',
  'Africa/Ceuta',
  'America/Cayenne',
  'America/Guadeloupe',
  'America/Martinique',
  'Indian/Reunion',
  'Indian/Mayotte',
]

/** The currency in which an institute of this zone most likely bills, of the three that the system supports. */
export const currencyFor = (zone: string): 'ILS' | 'USD' | 'EUR' => {
  if (SHEKEL_ZONES.includes(zone)) return 'ILS'
  return zone.startsWith('Europe/') || EURO_ZONES.includes(zone) ? 'EUR' : 'USD'
}
