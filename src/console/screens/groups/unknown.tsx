import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/choose.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Candidate, LookedUp } from './look-up.ts'
import { turned, type NewPerson } from './pasted.ts'

interface UnknownProps {
  group: Schemas['Group']
  lines: readonly LookedUp[]
  onMade: (made: readonly { line: string; student: Candidate }[]) => void
}

interface Named {
  line: string
  person: NewPerson
}

const bodyOf = (named: readonly Named[], branchId: string, dryRun: boolean) => ({
  guardian: null,
  students: named.map(({ person }) => ({ ...person, branchId, groups: [] })),
  invoice: 'none' as const,
  isPrimary: true,
  isPayer: true,
  dryRun,
})

/** Lines that fit nobody: a new school pastes its first students here. All of them are made together, or none. */
export const Unknown = ({ group, lines, onMade }: UnknownProps) => {
  const { groups: words } = useWords()
  const { can } = useMe()
  const [isTurned, setTurned] = useState(false)
  const named = lines.flatMap(({ line, person }) =>
    person === undefined ? [] : [{ line, person: isTurned ? turned(person) : person }],
  )
  const look = useChange('registration', (wanted: readonly Named[], header) =>
    answer(api.POST('/registrations', { params: { header }, body: bodyOf(wanted, group.branchId, true) })),
  )
  const add = useChange('registration', (wanted: readonly Named[], header) =>
    answer(api.POST('/registrations', { params: { header }, body: bodyOf(wanted, group.branchId, false) })),
  )
  // Of what is shown now, and not of what was there before.
  const isShown = look.data !== undefined && JSON.stringify(look.variables) === JSON.stringify(named)
  const refusal = isShown ? look.data.refusal : null
  const make = () =>
    add.mutate(named, {
      onSuccess: ({ students }) =>
        onMade(
          students.flatMap(({ student }, at) => {
            const line = named[at]?.line
            if (student === null || line === undefined) return []
            return [{ line, student: { id: student.id, name: student.fullName, number: student.studentNumber } }]
          }),
        ),
    })
  return (
    <>
      {(look.error ?? add.error) && <ProblemNotice problem={look.error ?? add.error} />}
      <Notice meaning="warn">
        <div className="grow">
          <b>{words.unknown(lines.length)}</b>
          <ul>
            {lines
              .filter(({ person }) => person === undefined)
              .map(({ line }) => (
                <li key={line}>
                  <bdi>{line}</bdi>
                </li>
              ))}
          </ul>
          {named.length > 0 && can('students.write') && (
            <>
              <People named={named} rehearsal={isShown ? look.data : undefined} />
              <Check isChecked={isTurned} onChange={setTurned}>
                {words.turned}
              </Check>
              {isShown && refusal === null ? (
                <Button icon="plus" isBusy={add.isPending} onPress={make}>
                  {words.registerNew(named.length)}
                </Button>
              ) : (
                <Button isBusy={look.isPending} onPress={() => look.mutate(named)}>
                  {words.tryNew(named.length)}
                </Button>
              )}
            </>
          )}
        </div>
      </Notice>
    </>
  )
}

/** Who would be made, as they would stand, with what is wrong and who is known already. */
const People = ({ named, rehearsal }: { named: readonly Named[]; rehearsal: Schemas['Registration'] | undefined }) => {
  const { people, groups: words } = useWords()
  const refused = rehearsal?.refusal?.path[0] === 'students' ? Number(rehearsal.refusal.path[1]) : undefined
  return (
    <ul aria-label={words.wouldBeMade}>
      {named.map(({ line, person }, at) => {
        const known = rehearsal?.students[at]?.knownStudents ?? []
        return (
          <li key={line}>
            <dl className="stands">
              <div>
                <dt>{people.firstName}</dt>
                <dd>
                  <bdi>{person.firstName}</bdi>
                </dd>
              </div>
              <div>
                <dt>{people.lastName}</dt>
                <dd>
                  <bdi>{person.lastName}</bdi>
                </dd>
              </div>
              {person.nationalId !== null && (
                <div>
                  <dt>{people.nationalId}</dt>
                  <dd>
                    <bdi>{person.nationalId}</bdi>
                  </dd>
                </div>
              )}
              {person.phone !== null && (
                <div>
                  <dt>{people.phone}</dt>
                  <dd>
                    <bdi>{person.phone}</bdi>
                  </dd>
                </div>
              )}
            </dl>
            {at === refused && <b>{words.wrongLine}</b>}
            {known.length > 0 && <span>{words.knownLine(known.map(({ fullName }) => fullName).join(', '))}</span>}
          </li>
        )
      })}
    </ul>
  )
}
