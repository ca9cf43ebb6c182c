import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Section } from '../../parts/page.tsx'
import { Initials, Phone } from '../../parts/person.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Who else is a guardian of the children, with phones that call. */
export const Others = ({ summary: { children, otherGuardians } }: { summary: Schemas['FamilySummary'] }) => {
  const { family } = useWords()
  const format = useFormat()
  if (otherGuardians.length === 0) return null
  return (
    <Section title={family.otherGuardians}>
      <ul className="card">
        {otherGuardians.map(({ guardianId, firstName, lastName, phone, studentIds }) => {
          const name = `${firstName} ${lastName}`
          const theirs = children.filter(({ studentId }) => studentIds.includes(studentId))
          return (
            <li key={guardianId}>
              <div className="row">
                <Initials name={name} />
                <span className="grow">
                  <Link href={`/guardians/${guardianId}`} className="name link">
                    <bdi>{name}</bdi>
                  </Link>
                  <span className="about">
                    {family.guardiansOf(format.list(theirs.map(({ fullName }) => fullName)))}
                  </span>
                  <Phone number={phone} />
                </span>
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
