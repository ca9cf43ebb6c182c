import { isValidPhoneNumber, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { countryOfZone, normalisePhone } from '#kernel/values/phone.ts'
import { writtenPhone } from '#shared/phone.ts'
import { isSamePhone } from '#shared/twin-phones.ts'

const JERUSALEM = 'Asia/Jerusalem'
const HEBRON = 'Asia/Hebron'

test.each([
  ['+972501112233', JERUSALEM, '050-111-2233'],
  ['+97221234567', JERUSALEM, '02-123-4567'],
  ['+972772123456', JERUSALEM, '077-212-3456'],
  ['+970599123456', HEBRON, '0599-123-456'],
  ['+970599123456', JERUSALEM, '0599-123-456'],
  ['+972599123456', HEBRON, '0599-123-456'],
  ['+97022345678', HEBRON, '02-234-5678'],
  ['+972501112233', HEBRON, '+972 50-111-2233'],
  ['+97022345678', JERUSALEM, '+970 2-234-5678'],
  ['+962790123456', 'Asia/Amman', '079-012-3456'],
  ['+201001234567', 'Africa/Cairo', '010-0123-4567'],
  ['+962790123456', JERUSALEM, '+962 79-012-3456'],
  ['+4915112345678', JERUSALEM, '+4915112345678'],
  ['+972501112233', 'Europe/Berlin', '+972 50-111-2233'],
  ['+9721800123456', JERUSALEM, '+9721800123456'],
  ['+97250111', JERUSALEM, '+97250111'],
])('%s at an institute in %s is %s', (e164, zone, written) => {
  expect(writtenPhone(e164, zone)).toBe(written)
})

const ZONES: readonly [zone: string, country: CountryCode, code: string][] = [
  [JERUSALEM, 'IL', '972'],
  [HEBRON, 'PS', '970'],
  ['Asia/Gaza', 'PS', '970'],
  ['Asia/Amman', 'JO', '962'],
  ['Africa/Cairo', 'EG', '20'],
]

/** Every pair of first digits with some digits after it, of every length that countries have. */
const numbersOf = function* (code: string): Generator<string> {
  for (let first = 10; first < 100; first += 1) {
    for (const rest of ['012345', '234567', '0123456', '2345678', '9876543', '01234567', '23456789']) {
      yield `+${code}${first}${rest}`
    }
  }
}

test.each(ZONES)(
  'what is shown in %s has the digits that libphonenumber has, and is the same when it is typed',
  (zone, country, code) => {
    expect(countryOfZone(zone)).toBe(country)
    let grouped = 0
    for (const e164 of numbersOf(code)) {
      if (!isValidPhoneNumber(e164)) continue
      const written = writtenPhone(e164, zone)
      const national = parsePhoneNumberFromString(e164)?.formatNational().replaceAll(/\D/g, '')
      if (written.startsWith('0')) {
        grouped += 1
        expect(written.replaceAll('-', '')).toBe(national)
      }
      const typed = normalisePhone(written, country) ?? ''
      expect(isSamePhone(typed, e164), `${e164} → ${written} → ${typed}`).toBe(true)
    }
    expect(grouped).toBeGreaterThan(5)
  },
)
