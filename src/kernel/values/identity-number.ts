import { IDENTITY_DIGITS, isCheckedIdentity } from '#shared/identity-number.ts'
import { plainDigits } from '#shared/typed.ts'
import { countryOfZone } from './phone.ts'

/** What people write between the digits. */
const BETWEEN = /[\s./\u2010-\u2015\u2212\u05BE-]/g

/** Numbers as short as this have lost zeros in front. Shorter ones are of another kind. */
const FEWEST = 5

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
  if ((country !== 'IL' && country !== 'PS') || bare.length < FEWEST || bare.length > IDENTITY_DIGITS) return bare
  const nine = bare.padStart(IDENTITY_DIGITS, '0')
  return isCheckedIdentity(nine) ? nine : bare
}

/** Returns the body with its identity number in the stored form. */
export const withStoredIdentity = <Body extends { nationalId?: string | null | undefined }>(
  { tenant }: { tenant: { timezone: string } },
  body: Body,
): Body => (body.nationalId ? { ...body, nationalId: storedIdentity(body.nationalId, tenant.timezone) } : body)
