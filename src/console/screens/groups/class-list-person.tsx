import type { Schemas } from '../../api/client.ts'
import { usePhoneText } from '../../parts/phone.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** A guardian is named with the phone as it is kept. */
const KEPT_PHONE = /\+\d+$/

/** How somebody new would stand. */
export const Person = ({ person }: { person: Schemas['ClassListPerson'] }) => {
  const { people } = useWords()
  const format = useFormat()
  const phoneText = usePhoneText()
  const written = (named: string) => named.replace(KEPT_PHONE, phoneText)
  const { firstName, lastName, nationalId, phone, birthDate, guardians } = person
  const facts = [
    [people.firstName, firstName],
    [people.lastName, lastName],
    [people.nationalId, nationalId],
    [people.phone, phone && phoneText(phone)],
    [people.birthDate, birthDate && format.date(birthDate)],
    [people.guardian, guardians.length > 0 && format.list(guardians.map(written))],
  ] as const
  return (
    <dl className="stands">
      {facts.map(
        ([label, said]) =>
          said && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{said}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
