import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Intents } from '../../api/intents/intent.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Candidate, LookedUp } from './look-up.ts'

/** They outlast the sheet: a student whose answer was lost is not made twice. */
const intents = new Intents()

const register = async (
  { line, person }: LookedUp,
  { branchId, id }: Pick<Schemas['Group'], 'branchId' | 'id'>,
): Promise<Candidate> => {
  const body = { branchId, firstName: '', lastName: '', ...person }
  const made = await intents
    .of(`${id} ${line}`)
    .once(body, (header) => answer(api.POST('/students', { params: { header }, body })))
  return { id: made.id, name: made.fullName, number: made.studentNumber }
}

interface UnknownProps {
  group: Schemas['Group']
  lines: readonly LookedUp[]
  onMade: (line: string, student: Candidate) => void
  /** Called before the last of them leaves this list, and the button with it: the keyboard goes elsewhere. */
  onLast: () => void
}

/** Lines that fit nobody: a new school pastes its first students here. */
export const Unknown = ({ group, lines, onMade, onLast }: UnknownProps) => {
  const { groups: words } = useWords()
  const { can } = useMe()
  const [failedAt, setFailedAt] = useState('')
  const named = lines.filter(({ person }) => person !== undefined)
  const add = useChange('student', async () => {
    for (const one of named) {
      setFailedAt(one.line)
      // oxlint-disable-next-line no-await-in-loop -- their numbers follow the list
      const student = await register(one, group)
      if (one === named.at(-1)) onLast()
      onMade(one.line, student)
    }
  })
  return (
    <>
      {add.error && (
        <>
          <p>
            <bdi>{failedAt}</bdi>
          </p>
          <ProblemNotice problem={add.error} />
        </>
      )}
      <Notice meaning="warn">
        <div className="grow">
          <b>{words.unknown(lines.length)}</b>
          <ul>
            {lines.map(({ line, person }) => (
              <li key={line}>
                <bdi>{person ? `${person.firstName} ${person.lastName}` : line}</bdi>
              </li>
            ))}
          </ul>
          {named.length > 0 && can('students.write') && (
            <Button icon="plus" isBusy={add.isPending} onPress={() => add.mutate(undefined)}>
              {words.registerNew(named.length)}
            </Button>
          )}
        </div>
      </Notice>
    </>
  )
}
