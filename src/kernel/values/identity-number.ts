import { plainDigits } from '#shared/typed.ts'
import { countryOfZone } from './phone.ts'

/** What people write between the digits. */
const BETWEEN = /[\s./\u2010-\u2015\u2212\u05BE-]/g

const DIGITS = 9
/** Numbers as short as this have lost zeros in front. Shorter ones are of another kind. */
const FEWEST = 5

/** Whether the last digit is the one that the others lead to, as in the numbers of Israel and Palestine. */
const isChecked = (nine: string): boolean => {
  const sum = Array.from(nine, (digit, at) => {
    const times = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return times > 9 ? times - 9 : times
  }).reduce((all, one) => all + one, 0)
  return sum % 10 === 0
}

/**
 * An identity number as it is kept and compared: Western digits without what stands between them, and where the institute
 * is in Israel or Palestine nine of them, with the zeros in front that a spreadsheet takes away. What has letters stays as
 * it was typed.
 */
export const storedIdentity = (typed: string, timezone: string): string => {
  const plain = plainDigits(typed).trim()
  const bare = plain.replaceAll(BETWEEN, '')
  if (!/^\d+$/.test(bare)) return plain
  const country = countryOfZone(timezone)
  if ((country !== 'IL' && country !== 'PS') || bare.length < FEWEST || bare.length > DIGITS) return bare
  const nine = bare.padStart(DIGITS, '0')
  return isChecked(nine) ? nine : bare
}

/** Returns the body with its identity number in the stored form. */
export const withStoredIdentity = <Body extends { nationalId?: string | null | undefined }>(
  { tenant }: { tenant: { timezone: string } },
  body: Body,
): Body => (body.nationalId ? { ...body, nationalId: storedIdentity(body.nationalId, tenant.timezone) } : body)
