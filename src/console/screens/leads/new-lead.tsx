import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useLanguage } from '../../words/language.tsx'
import { plainDigits } from '../../../shared/typed.ts'

const EMPTY = { firstName: '', lastName: '', phone: '', courseInterest: '' }

/** Somebody is at the desk or on the telephone: who, how to reach them, what they want. */
export const NewLead = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { locale, words: all } = useLanguage()
  const { leads: words, register } = all
  const [typed, setTyped] = useState(EMPTY)
  const [isTried, setTried] = useState(false)
  const save = useChange('lead', (body: Schemas['NewLead'], header) =>
    answer(api.POST('/leads', { body, params: { header } })),
  )
  const set = (name: keyof typeof EMPTY) => (value: string) => setTyped({ ...typed, [name]: value })
  const missing = (value: string) => (isTried && value.trim() === '' ? words.missing : undefined)
  const issue = (name: string, told: string = register.notTaken) =>
    save.error?.issues.some(({ path }) => path[0] === name) ? told : undefined
  const submit = async () => {
    setTried(true)
    const { firstName, lastName, courseInterest } = typed
    const phone = plainDigits(typed.phone)
    if (save.isPending || [firstName, lastName, phone].some((value) => value.trim() === '')) return
    try {
      await save.mutateAsync({
        firstName,
        lastName,
        phone,
        locale,
        ...(courseInterest.trim() !== '' && { courseInterest }),
      })
    } catch {
      // The form says so, and keeps what was typed.
      return
    }
    toast(words.saved(`${firstName} ${lastName}`))
    setTyped(EMPTY)
    setTried(false)
    onClose()
  }
  return (
    <Sheet title={words.add} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        {save.error && <ProblemNotice problem={save.error} />}
        <Field
          label={words.firstName}
          value={typed.firstName}
          onChange={set('firstName')}
          error={missing(typed.firstName) ?? issue('firstName')}
          maxLength={100}
          autoFocus
        />
        <Field
          label={words.lastName}
          value={typed.lastName}
          onChange={set('lastName')}
          error={missing(typed.lastName) ?? issue('lastName')}
          maxLength={100}
        />
        <Field
          label={words.phone}
          type="tel"
          isLtr
          value={typed.phone}
          onChange={set('phone')}
          error={missing(typed.phone) ?? issue('phone', register.faults.noPhone)}
        />
        <Field
          label={words.courseInterest}
          isOptional
          value={typed.courseInterest}
          onChange={set('courseInterest')}
          error={issue('courseInterest')}
          maxLength={200}
        />
        <div className="actions">
          <Button onPress={onClose}>{all.shell.cancel}</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {words.save}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
