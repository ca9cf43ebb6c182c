import type { Schemas } from '../../api/client.ts'
import { MailAddress } from '../../parts/mail-address.tsx'
import { PhoneNumber } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

export type Details = Schemas['PersonDetails']
export type DetailField = keyof Details

/** In the order in which they are read. */
export const DETAIL_FIELDS = [
  'firstName',
  'lastName',
  'birthDate',
  'phone',
  'email',
  'nationalId',
  'address',
] as const satisfies readonly DetailField[]

/** What each field is called. */
export const useFieldLabels = (): Readonly<Record<DetailField, string>> => {
  const { people, register, proposals } = useWords()
  const { firstName, lastName, birthDate, phone, email } = people
  return { firstName, lastName, birthDate, phone, email, nationalId: register.nationalId, address: proposals.address }
}

const linesOf = ({ line1, line2, city, region, postalCode }: Schemas['Address']): string[] =>
  [line1, line2, [postalCode, city].filter(Boolean).join(' '), region].filter((part): part is string => Boolean(part))

/** The value of one field. */
export const DetailValue = ({ details, field }: { details: Details; field: DetailField }) => {
  const { edit } = useWords()
  const format = useFormat()
  const value = details[field]
  if (value === null) return <span className="soft">{edit.none}</span>
  if (typeof value !== 'string') {
    return <bdi className="long">{linesOf(value).join('\n')}</bdi>
  }
  if (field === 'phone') return <PhoneNumber number={value} />
  if (field === 'email') return <MailAddress of={value} />
  if (field === 'birthDate') return <bdi>{format.date(value)}</bdi>
  return field === 'nationalId' ? <span className="ltr">{value}</span> : <bdi>{value}</bdi>
}
