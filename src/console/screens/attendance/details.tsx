import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api } from '../../api/client.ts'
import { rosterKey, type Mark } from '../../api/intents/marks.ts'
import { queryClient, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Field, Form, LongField } from '../../parts/field.tsx'
import { numberOf } from '../../parts/form.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import type { Line } from './lines.ts'
import { MEANINGS, STATUSES } from './row.tsx'

/** What the API takes in a mark. */
const MARK = BOUNDS.AttendanceMark

/** Whole minutes, in Western or Arabic digits; undefined: they are not. */
const minutesOf = (typed: string): number | undefined => {
  const minutes = numberOf(typed) ?? 0
  return minutes <= MARK.minutesLate.max ? minutes : undefined
}

interface DetailsProps {
  sessionId: string
  line: Line
  onMark: (mark: Mark) => void
  /** The minutes to propose for somebody who comes now. */
  lateNow: () => number
  onClose: () => void
}

/** All that can be marked of one student. What is typed counts at once. */
const Fields = ({ sessionId, line: { studentId, mark, stands }, onMark, lateNow, onClose }: DetailsProps) => {
  const { attendance: words, shell } = useWords()
  const clear = useChange('attendance', async () => {
    const params = { path: { id: sessionId, studentId } }
    const cleared = await answer(api.DELETE('/sessions/{id}/attendance/{studentId}', { params }))
    queryClient.setQueryData(rosterKey(sessionId), cleared)
    toast(words.clearedOne)
    onClose()
  })
  const [typed, setTyped] = useState(mark.minutesLate > 0 ? String(mark.minutesLate) : '')
  const [typedNote, setTypedNote] = useState(mark.note ?? '')
  const isWrong = minutesOf(typed) === undefined
  const change = (changes: Partial<Mark>) => {
    const { status, minutesLate, note } = { ...mark, ...changes }
    onMark({ studentId, status, minutesLate: status === 'late' ? minutesLate : 0, note })
  }
  return (
    <Form onSubmit={onClose}>
      <div className="field">
        <Segments
          label={words.status}
          isLabelUnseen
          isWide
          options={STATUSES.map((id) => ({ id, label: words.statuses[id], meaning: MEANINGS[id] }))}
          value={mark.status}
          onChange={(status) => {
            const minutesLate = status === 'late' && mark.minutesLate === 0 ? lateNow() : mark.minutesLate
            setTyped(minutesLate > 0 && status === 'late' ? String(minutesLate) : '')
            change({ status, minutesLate })
          }}
        />
      </div>
      {mark.status === 'late' && (
        <Field
          label={words.minutes}
          isOptional
          inputMode="numeric"
          isLtr
          value={typed}
          onChange={(text) => {
            setTyped(text)
            const minutesLate = minutesOf(text)
            if (minutesLate !== undefined) change({ minutesLate })
          }}
          error={isWrong ? words.minutesWrong : undefined}
        />
      )}
      <LongField
        label={words.note}
        hint={words.noteHint}
        maxLength={MARK.note.maxLength}
        value={typedNote}
        onChange={(text) => {
          setTypedNote(text)
          if (text.trim().length <= MARK.note.maxLength) change({ note: text === '' ? null : text })
        }}
      />
      {clear.error && <ProblemNotice problem={clear.error} />}
      <div className="actions">
        {stands && (
          <Button look="quiet" isBusy={clear.isPending} onPress={() => clear.mutate(undefined)}>
            {words.clearOne}
          </Button>
        )}
        <Button type="submit" look="primary" isDisabled={isWrong}>
          {shell.close}
        </Button>
      </div>
    </Form>
  )
}

export const Details = (props: DetailsProps) => (
  <Sheet title={props.line.name} isOpen onClose={props.onClose}>
    <Fields {...props} />
  </Sheet>
)
