import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Initials } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { plainDigits } from '../../../shared/typed.ts'
import { readGuardians } from '../../records/guardian/reads.ts'
import { LinkForm } from '../../records/guardian/link-form.tsx'

const SHORTEST = 2

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
  const { family, shell } = useWords()
  const [q, setQ] = useState('')
  const [isNew, setNew] = useState(false)
  const [chosen, setChosen] = useState<Guardian>()
  const search = useCallback((typed: string) => setQ(typed), [])
  if (chosen) {
    const guardian = { id: chosen.id, name: `${chosen.firstName} ${chosen.lastName}` }
    return <LinkForm {...{ student, guardian }} isFirst={linkedIds.length === 0} onDone={onClose} onCancel={onClose} />
  }
  if (isNew) return <NewGuardian typed={q} onAdded={setChosen} onCancel={() => setNew(false)} />
  return (
    <>
      <SearchField label={family.find} value={q} onChange={search} autoFocus />
      {q.length >= SHORTEST && <Found q={q} linkedIds={linkedIds} onChoose={setChosen} />}
      <div className="actions">
        <Button onPress={onClose}>{shell.cancel}</Button>
        <Button icon="plus" onPress={() => setNew(true)}>
          {family.newGuardian}
        </Button>
      </div>
    </>
  )
}

interface FoundProps {
  q: string
  linkedIds: readonly string[]
  onChoose: (guardian: Guardian) => void
}

const Found = ({ q, linkedIds, onChoose }: FoundProps) => {
  const { people, family } = useWords()
  const found = usePages(['/guardians', 'to link', q], (cursor, signal) =>
    readGuardians({ q, limit: 10, cursor }, signal),
  )
  return (
    <div className="choices">
      <Rows pages={found} label={people.guardian} keyOf={({ id }) => id} empty={family.noneFound}>
        {(guardian) => {
          const name = `${guardian.firstName} ${guardian.lastName}`
          const isLinked = linkedIds.includes(guardian.id)
          return (
            <AriaButton className="row plain" isDisabled={isLinked} onPress={() => onChoose(guardian)}>
              <Initials name={name} />
              <span className="grow">
                <bdi className="name">{name}</bdi>
                <span className="about ltr-text">{guardian.phone}</span>
              </span>
              {isLinked && <span className="soft">{family.already}</span>}
            </AriaButton>
          )
        }}
      </Rows>
    </div>
  )
}

interface NewGuardianProps {
  /** What was looked for: a phone number, or a name. */
  typed: string
  onAdded: (guardian: Guardian) => void
  onCancel: () => void
}

const NewGuardian = ({ typed, onAdded, onCancel }: NewGuardianProps) => {
  const { people, family, edit, register, shell } = useWords()
  const { institute } = useMe()
  const isPhone = /\d{3}/.test(plainDigits(typed))
  const names = isPhone ? [] : typed.split(/\s+/)
  const [firstName, setFirstName] = useState(names[0] ?? '')
  const [lastName, setLastName] = useState(names.slice(1).join(' '))
  const [phone, setPhone] = useState(isPhone ? typed : '')
  const [isTried, setTried] = useState(false)
  const add = useChange('guardian', (body: Schemas['NewGuardian'], header) =>
    answer(api.POST('/guardians', { params: { header }, body })),
  )
  const wrong = (value: string, field: string, told: string) => {
    if (isTried && value.trim() === '') return edit.missing
    return add.error?.issues.some(({ path }) => path[0] === field) ? told : undefined
  }
  const submit = async () => {
    setTried(true)
    if (add.isPending || [firstName, lastName, phone].some((value) => value.trim() === '')) return
    const body = { firstName, lastName, phone: plainDigits(phone), preferredLocale: institute.defaultLocale }
    const added = await add.mutateAsync(body).catch(() => undefined)
    if (added) onAdded(added)
  }
  return (
    <Form onSubmit={() => void submit()}>
      {add.error && <ProblemNotice problem={add.error} />}
      <Field
        label={people.phone}
        value={phone}
        onChange={setPhone}
        error={wrong(phone, 'phone', register.faults.noPhone)}
        type="tel"
        isLtr
        autoFocus
      />
      <Field
        label={people.firstName}
        value={firstName}
        onChange={setFirstName}
        error={wrong(firstName, 'firstName', register.notTaken)}
        maxLength={100}
      />
      <Field
        label={people.lastName}
        value={lastName}
        onChange={setLastName}
        error={wrong(lastName, 'lastName', register.notTaken)}
        maxLength={100}
      />
      <div className="actions">
        <Button onPress={onCancel}>{shell.cancel}</Button>
        <Button type="submit" look="primary" isBusy={add.isPending}>
          {family.add}
        </Button>
      </div>
    </Form>
  )
}
