import { getTimezone } from 'countries-and-timezones'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { invalid } from './errors.ts'

/** Zones such as CET and PST8PDT: clocks of many countries, which the library links to those of one. */
const NO_COUNTRY = /^(?:[CEMW]ET|[EHM]ST|[A-Z]{3}\d[A-Z]{3})$/

/** The country of a time zone; undefined for UTC and for territories without phone numbers of their own. */
export function countryOfZone(timezone: string): CountryCode | undefined {
  if (NO_COUNTRY.test(timezone)) return undefined
  // A zone that several countries share is named after a place in the first of them.
  const country = getTimezone(timezone)?.countries[0]
  return country !== undefined && isSupportedCountry(country) ? country : undefined
}

/**
 * Returns a phone number in E.164, or undefined when the text cannot be one. A number without a country code belongs to
 * `country`; without `country`, only the international form is accepted. Digits may be ASCII, Arabic-Indic or
 * full-width. Normalising the result again does not change it.
 *
 * The check covers length and country code, not the prefixes in use: countries add prefixes every year, and a server
 * that is not updated must accept them. A number with an extension is refused: E.164 cannot express it, and all people
 * behind one switchboard would get the same number.
 */
export function normalisePhone(input: string, country: CountryCode | undefined): string | undefined {
  const e164 = possibleNumber(input, country)
  // A number such as +972 000 000 000 loses a zero each time it is parsed, so it is not a real number.
  return e164 !== undefined && possibleNumber(e164, country) === e164 ? e164 : undefined
}

function possibleNumber(input: string, country: CountryCode | undefined): string | undefined {
  // Contact lists and messengers put invisible direction marks around numbers, which copy and paste keeps.
  const written = input.replace(/\p{Cf}/gu, '')
  const number = parsePhoneNumberFromString(written, {
    extract: false,
    ...(country === undefined ? {} : { defaultCountry: country }),
  })
  return number?.isPossible() && number.ext === undefined ? number.number : undefined
}

/** The texts by which search finds a stored number: E.164, and the digits that are dialled within the country. */
export function searchedPhone(e164: string): string {
  const national = parsePhoneNumberFromString(e164)?.formatNational().replace(/\D/g, '')
  return national === undefined ? e164 : `${e164} ${national}`
}

/**
 * Converts a phone number to the stored form, E.164. A national number belongs to the country of the institute's time
 * zone. null and undefined stay as they are.
 * @param path the position of the number in the input
 * @throws VALIDATION_ERROR when it cannot be a phone number
 */
export function storedPhone<T extends string | null | undefined>(
  input: T,
  timezone: string,
  path: string[],
): T extends string ? string : T
export function storedPhone(input: string | null | undefined, timezone: string, path: string[]) {
  if (input === undefined || input === null) return input
  const phone = normalisePhone(input, countryOfZone(timezone))
  if (phone === undefined) throw invalid(path, 'Must be a phone number, such as +972501234567.')
  return phone
}

/**
 * Returns the body with its phone number in the stored form.
 * @throws VALIDATION_ERROR at `phone` when it cannot be a phone number
 */
export const withStoredPhone = <Body extends { phone?: string | null | undefined }>(
  { tenant }: { tenant: { timezone: string } },
  body: Body,
): Body => ({ ...body, phone: storedPhone(body.phone, tenant.timezone, ['phone']) })
