import { BOUNDS } from '../../api/bounds.ts'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useSessionChange, type LessonFormProps } from './change.ts'

/** Cancels a lesson, with the reason that everybody reads. */
export const CancelForm = ({ session, onBack, onDone }: LessonFormProps) => {
  const { week: words } = useWords()
  const change = useSessionChange(session.id)
  const form = useForm({
    start: { reason: '' },
    bounds: BOUNDS.SessionChanges,
    missing: words.missingReason,
    send: async ({ reason }) => {
      await change.mutateAsync({ status: 'cancelled', reason: reason.trim() })
      toast(words.wasCancelled(session.groupName))
      onDone()
    },
  })
  return (
    <Form form={form} verb={words.cancel} look="danger" onCancel={onBack} cancelVerb={words.back}>
      <LongField label={words.reason} hint={words.reasonHint} {...form.field('reason')} autoFocus />
      <Notice meaning="info" icon="bell">
        <span className="grow">
          {session.rosterCount === 0 ? words.tellsTeacher : words.tells(session.rosterCount)} {words.cancelLasts}
        </span>
      </Notice>
    </Form>
  )
}
