import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { FindStudent } from '../../records/student/find.tsx'
import { LinkForm } from '../../records/guardian/link-form.tsx'

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
  const [chosen, setChosen] = useState<Schemas['Student']>()
  if (chosen) {
    const student = { id: chosen.id, name: chosen.fullName }
    return <LinkForm {...{ student, guardian }} onDone={onClose} onCancel={onClose} />
  }
  return (
    <>
      <FindStudent
        label={people.search}
        none={people.noneFound}
        takenIds={studentIds}
        taken={family.already}
        onChoose={setChosen}
      />
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
