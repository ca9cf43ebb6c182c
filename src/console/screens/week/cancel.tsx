import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Form, LongField } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'

/** Cancels a lesson, with the reason that everybody reads. */
export const CancelForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words } = useWords()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const change = useSessionChange(session.id)
  const submit = async () => {
    setTried(true)
    if (change.isPending || reason.trim() === '') return
    const isDone = await change.mutateAsync({ status: 'cancelled', reason: reason.trim() }).then(
      () => true,
      () => false,
    )
    if (!isDone) return
    toast(words.wasCancelled(session.groupName))
    onDone()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {change.error && <ProblemNotice problem={change.error} />}
      <LongField
        label={words.reason}
        hint={words.reasonHint}
        value={reason}
        onChange={setReason}
        maxLength={500}
        error={isTried && reason.trim() === '' ? words.missingReason : undefined}
        autoFocus
      />
      <Notice meaning="info" icon="bell">
        <span className="grow">
          {session.rosterCount === 0 ? words.tellsTeacher : words.tells(session.rosterCount)} {words.cancelLasts}
        </span>
      </Notice>
      <div className="actions">
        <Button onPress={onBack}>{words.back}</Button>
        <Button type="submit" look="danger" isBusy={change.isPending}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  )
}
