import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { FindPerson } from '../../parts/find-person.tsx'
import { usePhoneText } from '../../parts/phone.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { readGuardians } from '../../records/guardian/reads.ts'
import { LinkForm } from '../../records/guardian/link-form.tsx'

type Guardian = Pick<Schemas['Guardian'], 'id' | 'firstName' | 'lastName'>

interface LinkGuardianProps {
  student: { id: string; name: string }
  /** Who is linked already. */
  linkedIds: readonly string[]
  isOpen: boolean
  onClose: () => void
}

/** Finds a guardian by name or phone, or adds one, and links them to the student. */
export const LinkGuardian = (props: LinkGuardianProps) => {
  const { family } = useWords()
  return (
    <Sheet title={family.linkTitle(props.student.name)} isOpen={props.isOpen} onClose={props.onClose}>
      <Steps {...props} />
    </Sheet>
  )
}

const Steps = ({ student, linkedIds, onClose }: LinkGuardianProps) => {
  const { people, family, shell } = useWords()
  const phoneText = usePhoneText()
  const [q, setQ] = useState('')
  const [isNew, setNew] = useState(false)
  const [chosen, setChosen] = useState<Guardian>()
  if (chosen) {
    const guardian = { id: chosen.id, name: `${chosen.firstName} ${chosen.lastName}` }
    return <LinkForm {...{ student, guardian }} isFirst={linkedIds.length === 0} onDone={onClose} onCancel={onClose} />
  }
  if (isNew) return <NewGuardian typed={q} onAdded={setChosen} onCancel={() => setNew(false)} />
  return (
    <>
      <FindPerson
        label={family.find}
        people={people.guardian}
        none={family.noneFound}
        path="/guardians"
        read={readGuardians}
        shown={({ firstName, lastName, phone }) => ({ name: `${firstName} ${lastName}`, about: phoneText(phone) })}
        takenIds={linkedIds}
        taken={family.already}
        onChoose={setChosen}
        onSearch={setQ}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        <Button icon="plus" onPress={() => setNew(true)}>
          {family.newGuardian}
        </Button>
      </div>
    </>
  )
}

interface NewGuardianProps {
  /** What was looked for: a phone number, or a name. */
  typed: string
  onAdded: (guardian: Guardian) => void
  onCancel: () => void
}

const NewGuardian = ({ typed, onAdded, onCancel }: NewGuardianProps) => {
  const { people, family } = useWords()
  const { institute } = useMe()
  const isPhone = /\d{3}/.test(plainDigits(typed))
  const [firstName = '', ...others] = isPhone ? [] : typed.split(/\s+/)
  const add = useChange('guardian', (body: Schemas['NewGuardian'], header) =>
    answer(api.POST('/guardians', { params: { header }, body })),
  )
  const form = useForm({
    start: { phone: isPhone ? typed : '', firstName, lastName: others.join(' ') },
    bounds: BOUNDS.NewGuardian,
    send: async ({ phone, ...names }) =>
      onAdded(await add.mutateAsync({ ...names, phone: plainDigits(phone), preferredLocale: institute.defaultLocale })),
  })
  return (
    <Form form={form} verb={family.add} onCancel={onCancel}>
      <Field label={people.phone} type="tel" isLtr {...form.field('phone')} autoFocus />
      <Field label={people.firstName} {...form.field('firstName')} />
      <Field label={people.lastName} {...form.field('lastName')} />
    </Form>
  )
}
