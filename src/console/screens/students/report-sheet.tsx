import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Form, LongField } from '../../parts/field.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface ReportSheetProps {
  student: Schemas['StudentDetail']
  isOpen: boolean
  onClose: () => void
}

/** Writes a draft over all groups of the student: the server computes attendance and results of the period. */
export const ReportSheet = ({ student, isOpen, onClose }: ReportSheetProps) => {
  const { reports: words } = useWords()
  return (
    <Sheet title={words.writeTitle(student.fullName)} isOpen={isOpen} onClose={onClose}>
      <ReportForm studentId={student.id} onClose={onClose} />
    </Sheet>
  )
}

const ReportForm = ({ studentId, onClose }: { studentId: string; onClose: () => void }) => {
  const { reports: words, shell } = useWords()
  const today = useFormat().today()
  const [periodStart, setStart] = useState<string | null>(`${today.slice(0, 8)}01`)
  const [periodEnd, setEnd] = useState<string | null>(today)
  const [comment, setComment] = useState('')
  const [isTried, setTried] = useState(false)
  const write = useChange('report', (body: Schemas['NewProgressReport'], header) =>
    answer(api.POST('/progress-reports', { params: { header }, body })),
  )
  const isBackwards = periodStart !== null && periodEnd !== null && periodEnd < periodStart
  const missing = (date: string | null) => (isTried && date === null ? words.missing : undefined)
  const submit = async () => {
    setTried(true)
    if (periodStart === null || periodEnd === null || isBackwards || write.isPending) return
    const text = comment.trim()
    const isDone = await write
      .mutateAsync({ studentId, periodStart, periodEnd, comment: text === '' ? null : text })
      .then(
        () => true,
        () => false,
      )
    if (!isDone) return
    toast(words.written)
    onClose()
  }
  return (
    <Form onSubmit={() => void submit()}>
      {write.error && <ProblemNotice problem={write.error} />}
      <DateField label={words.from} value={periodStart} onChange={setStart} error={missing(periodStart)} />
      <DateField
        label={words.to}
        value={periodEnd}
        onChange={setEnd}
        error={isTried && isBackwards ? words.backwards : missing(periodEnd)}
      />
      <LongField
        label={words.comment}
        hint={words.commentHint}
        isOptional
        value={comment}
        onChange={setComment}
        maxLength={5000}
      />
      <div className="actions">
        <Button onPress={onClose}>{shell.leaveIt}</Button>
        <Button type="submit" look="primary" isBusy={write.isPending}>
          {words.save}
        </Button>
      </div>
    </Form>
  )
}
