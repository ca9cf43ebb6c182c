import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Initials } from '../../parts/person.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useStudentPages } from '../../records/student/reads.ts'
import { LinkForm } from '../../records/guardian/link-form.tsx'

const SHORTEST = 2

interface LinkChildProps {
  guardian: { id: string; name: string }
  /** The children who are linked already. */
  studentIds: readonly string[]
  isOpen: boolean
  onClose: () => void
}

/** Links a student to the guardian, or goes on to register one. */
export const LinkChild = (props: LinkChildProps) => {
  const { family } = useWords()
  return (
    <Sheet title={family.childTitle(props.guardian.name)} isOpen={props.isOpen} onClose={props.onClose}>
      <Steps {...props} />
    </Sheet>
  )
}

const Steps = ({ guardian, studentIds, onClose }: LinkChildProps) => {
  const { people, family, register, shell } = useWords()
  const { can } = useMe()
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<Schemas['Student']>()
  const search = useCallback((typed: string) => setQ(typed), [])
  const found = useStudentPages({ q, limit: 10 }, { isOff: q.length < SHORTEST })
  if (chosen) {
    const student = { id: chosen.id, name: chosen.fullName }
    return <LinkForm {...{ student, guardian }} onDone={onClose} onCancel={onClose} />
  }
  return (
    <>
      <SearchField label={people.search} value={q} onChange={search} autoFocus />
      {q.length >= SHORTEST && (
        <div className="choices">
          <Rows pages={found} label={people.title} keyOf={({ id }) => id} empty={people.noneFound}>
            {(student) => {
              const isLinked = studentIds.includes(student.id)
              return (
                <AriaButton className="row plain" isDisabled={isLinked} onPress={() => setChosen(student)}>
                  <Initials name={student.fullName} />
                  <span className="grow">
                    <bdi className="name">{student.fullName}</bdi>
                    <span className="about ltr-text">{student.studentNumber}</span>
                  </span>
                  {isLinked && <span className="soft">{family.already}</span>}
                </AriaButton>
              )
            }}
          </Rows>
        </div>
      )}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        {can('students.write') && (
          <ButtonLink to={`/register?guardian=${guardian.id}`} icon="plus">
            {register.title}
          </ButtonLink>
        )}
      </div>
    </>
  )
}
