import { Fragment, useRef } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Field, Form, LongField } from '../../parts/field.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { Files } from '../../records/file/section.tsx'
import type { Session } from '../../records/session/reads.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useLesson } from './use-lesson.ts'

/** By which the page goes to what is written on the lesson, past a long list of names. */
export const LESSON = 'lesson'

interface LessonProps {
  session: Session
  /** The lesson of this group after it; undefined: none is planned soon. */
  next: Session | undefined
}

/** What this lesson is about, what students are to do at home, and what staff note. */
export const Lesson = ({ session, next }: LessonProps) => {
  const { lesson: words, files } = useWords()
  const { can, institute } = useMe()
  const mayWrite = can('groups.write', 'attendance.mark') && !institute.isReadOnly
  return (
    <div id={LESSON} className="lesson-notes">
      <Section title={words.title}>
        {mayWrite ? <Writing key={session.id} session={session} next={next} /> : <Reading session={session} />}
      </Section>
      <Files of="session" id={session.id} isOwn={mayWrite} hint={files.lessonHint} />
    </div>
  )
}

const Reading = ({ session: { topic, homework, notes } }: { session: Session }) => {
  const { lesson: words } = useWords()
  const format = useFormat()
  if (topic === null && homework === null && notes === null) return <Empty>{words.none}</Empty>
  const rows = [
    [words.topic, topic],
    [words.homework, homework?.text ?? null],
    [words.dueOn, homework?.dueOn ? format.date(homework.dueOn) : null],
    [words.note, notes],
  ] as const
  return (
    <Facts>
      {rows.flatMap(([label, value]) =>
        value === null ? (
          []
        ) : (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi className="fixed typed">{value}</bdi>
            </dd>
          </Fragment>
        ),
      )}
    </Facts>
  )
}

const Writing = ({ session, next }: LessonProps) => {
  const { lesson: words, attendance } = useWords()
  const format = useFormat()
  const lesson = useLesson(session)
  const form = useRef<HTMLFormElement>(null)
  const { written, problem, set, meanwhile } = lesson
  const isDueRefused = problem?.concerns('homework') ?? false
  const nextDay = next && format.dateOf(next.scheduledStart)
  const save = () => {
    // What was refused stays in the fields, and is said above them.
    lesson.save().then(
      (isSaved) => isSaved && toast(words.saved),
      () => {},
    )
  }
  const told = (field: 'topic' | 'homework' | 'notes', hint: string) => {
    const other = meanwhile(field)
    return other === undefined ? hint : other === '' ? words.cleared : words.meanwhile(other)
  }
  if (!lesson.isReady) return null
  return (
    // The keys are those of the fields within it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="card form"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.ctrlKey) form.current?.requestSubmit()
      }}
    >
      <Form ref={form} onSubmit={save} label={words.title}>
        {problem && !isDueRefused && <ProblemNotice problem={problem} onRetry={save} />}
        <Field
          label={words.topic}
          hint={told('topic', words.topicHint)}
          {...(BOUNDS.SessionChanges.topic.maxLength && { maxLength: BOUNDS.SessionChanges.topic.maxLength })}
          value={written.topic}
          onChange={(topic) => set({ topic })}
        />
        <LongField
          label={words.homework}
          hint={told('homework', '')}
          {...(BOUNDS.NewHomework.text.maxLength && { maxLength: BOUNDS.NewHomework.text.maxLength })}
          value={written.homework}
          onChange={(homework) => set({ homework })}
        />
        {written.homework.trim() !== '' && (
          <>
            <DateField
              label={words.dueOn}
              isOptional
              value={written.dueOn}
              onChange={(dueOn) => set({ dueOn })}
              {...(isDueRefused && { error: words.dueBefore })}
            />
            {nextDay !== undefined && nextDay !== written.dueOn && (
              <Button look="quiet" icon="clock" onPress={() => set({ dueOn: nextDay })}>
                {words.dueNext(format.longDate(nextDay))}
              </Button>
            )}
          </>
        )}
        <LongField
          label={words.note}
          hint={told('notes', words.noteHint)}
          {...(BOUNDS.SessionChanges.notes.maxLength && { maxLength: BOUNDS.SessionChanges.notes.maxLength })}
          value={written.notes}
          onChange={(notes) => set({ notes })}
        />
        <div className="actions">
          <Button type="submit" isBusy={lesson.isBusy} isDisabled={!lesson.isChanged}>
            {words.save}
          </Button>
          <span className="small" role="status">
            {lesson.isChanged && !lesson.isBusy && attendance.unsaved}
          </span>
        </div>
      </Form>
    </div>
  )
}
