import { twinPhone } from './twin-phones.ts'

/**
 * Phone numbers as people of the institute's country write them. They are kept in E.164, and what is shown, typed in again
 * at the institute, is the same phone.
 */

interface Dialling {
  /** The code of the country. */
  code: string
  zones: readonly string[]
  /** How its numbers are grouped, without the code and the zero: the first that fits. */
  groups: readonly RegExp[]
}

/** Israel and Palestine have one way to write numbers: 050-111-2233, 02-123-4567; Palestinian mobile phones 0599-123-456. */
const SHARED = [/^(5[69]\d)(\d{3})(\d{3})$/, /^([57]\d)(\d{3})(\d{4})$/, /^([23489])(\d{3})(\d{4})$/] as const

const DIALLING: readonly Dialling[] = [
  { code: '972', zones: ['Asia/Jerusalem', 'Asia/Tel_Aviv', 'Israel'], groups: SHARED },
  { code: '970', zones: ['Asia/Hebron', 'Asia/Gaza'], groups: SHARED },
  { code: '962', zones: ['Asia/Amman'], groups: [/^(7\d)(\d{3})(\d{4})$/, /^([2356])(\d{3})(\d{4})$/] },
  {
    code: '20',
    zones: ['Africa/Cairo', 'Egypt'],
    groups: [/^(1\d)(\d{4})(\d{4})$/, /^([23])(\d{4})(\d{4})$/, /^(\d{2})(\d{3})(\d{4})$/],
  },
]

const groupedBy = ({ code, groups }: Dialling, e164: string): string | undefined => {
  if (!e164.startsWith(`+${code}`)) return undefined
  const number = e164.slice(code.length + 1)
  for (const pattern of groups) {
    const parts = pattern.exec(number)
    if (parts) return parts.slice(1).join('-')
  }
  return undefined
}

/** Palestinian mobile phones are dialled alike under both codes. */
const isDialledAlike = (e164: string, zone: string): boolean =>
  twinPhone(e164) !== e164 && DIALLING.some(({ zones, groups }) => groups === SHARED && zones.includes(zone))

/**
 * A number as people at an institute write it: 050-111-2233 for one of its own country, +962 79-012-3456 for one of a
 * neighbour; any other number stays as it is kept.
 */
export const writtenPhone = (e164: string, zone: string): string => {
  for (const country of DIALLING) {
    const grouped = groupedBy(country, e164)
    if (grouped === undefined) continue
    const isOwn = country.zones.includes(zone) || isDialledAlike(e164, zone)
    return isOwn ? `0${grouped}` : `+${country.code} ${grouped}`
  }
  return e164
}
