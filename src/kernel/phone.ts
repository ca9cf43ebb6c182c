import { invalid } from './errors.ts'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { ZONES_OF_COUNTRY } from './zone-country.ts'

const countries = new Map<string, CountryCode>()
for (const [country, zones] of Object.entries(ZONES_OF_COUNTRY)) {
  if (!isSupportedCountry(country)) continue
  for (const zone of zones.trim().split(/\s+/)) countries.set(zone, country)
}

/** The country in which a time zone lies; none for UTC and its like, and where nobody has a national number. */
export function countryOfZone(timezone: string): CountryCode | undefined {
  return countries.get(timezone)
}

/**
 * A phone number in E.164, or undefined for what cannot be one. A number without its country's code is taken as one of
 * `country`; without a country only the international form is understood. Digits may be ASCII, Arabic-Indic or
 * full-width. Normalising the result gives the same result.
 *
 * "Can be" is a question of length and country code, not of prefixes in use: countries open new ones every year, and a
 * server that is never updated must not refuse its students' new numbers. An extension is refused, because E.164 has no
 * place for it and everyone behind one switchboard would become the same person.
 */
export function normalisePhone(input: string, country: CountryCode | undefined): string | undefined {
  const e164 = possibleNumber(input, country)
  // A number such as +972 000 000 000 loses a zero each time it is read: nobody can be called under it.
  return e164 !== undefined && possibleNumber(e164, country) === e164 ? e164 : undefined
}

function possibleNumber(input: string, country: CountryCode | undefined): string | undefined {
  // Contact lists and messengers wrap numbers in direction marks, which travel along when a number is pasted.
  const written = input.replace(/\p{Cf}/gu, '')
  const number = parsePhoneNumberFromString(written, {
    extract: false,
    ...(country === undefined ? {} : { defaultCountry: country }),
  })
  return number?.isPossible() && number.ext === undefined ? number.number : undefined
}

/** What a stored number is found by: itself, and the digits that are dialled inside its country. */
export function searchedPhone(e164: string): string {
  const national = parsePhoneNumberFromString(e164)?.formatNational().replace(/\D/g, '')
  return national === undefined ? e164 : `${e164} ${national}`
}

/**
 * A phone as the institute stores it: E.164, a national number taking the country of its timezone.
 * Nothing given stays nothing given.
 * @param path where in the input the number stands
 * @throws VALIDATION_ERROR for what cannot be a phone number
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
 * The same body with its phone as it is stored.
 * @throws VALIDATION_ERROR at `phone` for what cannot be a phone number
 */
export const withStoredPhone = <Body extends { phone?: string | null | undefined }>(
  { tenant }: { tenant: { timezone: string } },
  body: Body,
): Body => ({ ...body, phone: storedPhone(body.phone, tenant.timezone, ['phone']) })
