import type { Schemas } from '../../api/client.ts'
import { useFormat, useWords } from '../../words/language.tsx'

/** How somebody new would stand. */
export const Person = ({ person }: { person: Schemas['ClassListPerson'] }) => {
  const { people } = useWords()
  const format = useFormat()
  const { firstName, lastName, nationalId, phone, birthDate, guardians } = person
  const facts = [
    [people.firstName, firstName],
    [people.lastName, lastName],
    [people.nationalId, nationalId],
    [people.phone, phone],
    [people.birthDate, birthDate && format.date(birthDate)],
    [people.family, guardians.length > 0 && format.list(guardians)],
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
