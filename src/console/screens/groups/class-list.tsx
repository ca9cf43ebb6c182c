import { useState, type ReactNode } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { NO_INTENT } from '../../api/intents/intent.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { Person } from './class-list-person.tsx'

type Line = Schemas['ClassListLine']
type Taken = Omit<Schemas['ClassListChoice'], 'line'>

/** What a word processor puts between lines, and the server does not take. */
const UNSEEN = /[^\P{Cc}\t\n]/gu

/** What stands beside the candidates of a line. */
const NEW = 'new'
const NOBODY = 'nobody'

interface ClassListProps {
  group: Schemas['Group']
  /** As it was pasted. */
  text: string
  onBack: () => void
  onDone: () => void
}

/** What the server reads in a list that was pasted; once every line is clear, all of it is made by one request. */
export const ClassList = ({ group, text, onBack, onDone }: ClassListProps) => {
  const everything = useWords()
  const { groups: words, waiting, week } = everything
  const [taken, setTaken] = useState<ReadonlyMap<number, Taken>>(new Map())
  const [lastNameFirst, setLastNameFirst] = useState(false)
  const path = { id: group.id }
  const body = {
    text: text.replaceAll(UNSEEN, ''),
    lastNameFirst,
    choices: [...taken].map(([line, one]) => ({ line, ...one })),
  }
  const look = useGet(
    ['/groups', group.id, 'class-list', body],
    (signal) =>
      answer(
        api.POST('/groups/{id}/class-list', {
          params: { path, header: NO_INTENT },
          body: { ...body, dryRun: true },
          signal,
        }),
      ),
    { keepsFormer: true, keptMillis: 1 },
  )
  const make = useChange('registration', (asked: typeof body, header) =>
    answer(api.POST('/groups/{id}/class-list', { params: { path, header }, body: asked })),
  )
  const wait = useChange('waiting', (studentId: string, header) =>
    answer(api.POST('/groups/{id}/waiting', { params: { path, header }, body: { studentId } })),
  )
  const take = (line: number, one: Taken) => setTaken((before) => new Map(before).set(line, one))
  const lines = look.data?.lines ?? []
  const withoutPlace = lines.filter(({ reason, student }) => reason === 'group_full' && student !== null)
  const putAll = async () => {
    try {
      for (const { line, student } of withoutPlace) {
        if (student === null) continue
        // oxlint-disable-next-line no-await-in-loop -- they wait in the order of the list
        await wait.mutateAsync(student.id)
        toast(waiting.added(student.fullName, group.name))
        take(line, { take: NOBODY })
      }
      if (withoutPlace.length === lines.length) onDone()
    } catch (error) {
      toast(explain(everything, error))
    }
  }
  const isShown = look.data !== undefined && !look.isPlaceholderData
  const count = look.data?.enrolled ?? 0
  return (
    <>
      {make.error && <ProblemNotice problem={make.error} />}
      <Loaded query={look}>
        {(outcome) => (
          <Outcome outcome={outcome} take={take}>
            {withoutPlace.length > 0 && (
              <Button isBusy={wait.isPending} onPress={() => void putAll()}>
                {waiting.fullPut(withoutPlace.length)}
              </Button>
            )}
          </Outcome>
        )}
      </Loaded>
      {(lastNameFirst || lines.some(({ outcome }) => outcome === 'registered')) && (
        <Check isChecked={lastNameFirst} onChange={setLastNameFirst}>
          {words.turned}
        </Check>
      )}
      <div className="actions">
        <Button onPress={onBack}>{week.back}</Button>
        <Button
          look="primary"
          isBusy={make.isPending}
          isDisabled={!isShown || !look.data?.isReady || count === 0}
          onPress={() =>
            make.mutate(body, {
              onSuccess: ({ enrolled }) => {
                toast(words.enrolledMany(enrolled, group.name))
                onDone()
              },
              onError: () => void look.refetch(),
            })
          }
        >
          {count === 0 ? words.enrolMany : words.enrolVerb(count)}
        </Button>
      </div>
    </>
  )
}

interface OutcomeProps {
  outcome: Schemas['ClassListOutcome']
  take: (line: number, one: Taken) => void
  /** What can be done about lines that are refused. */
  children: ReactNode
}

/** What is missing first, then who would be registered, and who is here already. */
const Outcome = ({ outcome: { lines }, take, children }: OutcomeProps) => {
  const { groups: words } = useWords()
  const having = (...outcomes: Line['outcome'][]) => lines.filter(({ outcome }) => outcomes.includes(outcome))
  const unclear = having('choose', 'refused')
  const refused = having('refused')
  const registered = having('registered')
  const others = having('enrolled', 'already', 'left_out')
  return (
    <>
      {unclear.length > 0 && (
        <Notice meaning="warn">
          <span className="grow">{words.unclear(unclear.length)}</span>
          {children}
        </Notice>
      )}
      {having('choose').map((line) => (
        <Unsure key={line.line} line={line} take={(one) => take(line.line, one)} />
      ))}
      {refused.length > 0 && (
        <ul className="card" aria-label={words.unclear(refused.length)}>
          {refused.map((line) => (
            <li key={line.line}>
              <Refused line={line} take={take} />
            </li>
          ))}
        </ul>
      )}
      {registered.length > 0 && (
        <section aria-label={words.wouldBeMade}>
          <h3>{words.wouldBeMade}</h3>
          <ul className="card" aria-label={words.wouldBeMade}>
            {registered.map((line) => (
              <li key={line.line}>
                <div className="row">
                  <span className="grow">{line.person && <Person person={line.person} />}</span>
                  <LeaveOut line={line} take={take} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section aria-label={words.hereAlready}>
          <h3>{words.hereAlready}</h3>
          <ul className="card" aria-label={words.hereAlready}>
            {others.map((line) => (
              <li key={line.line}>
                <div className="row">
                  <span className="grow">
                    <bdi className="name">{line.student?.fullName ?? line.text}</bdi>
                    {line.outcome === 'enrolled' && (
                      <span className="about ltr-text">{line.student?.studentNumber}</span>
                    )}
                    {line.outcome !== 'enrolled' && (
                      <span className="about">{words.lineStates[line.outcome as 'already' | 'left_out']}</span>
                    )}
                  </span>
                  {line.outcome === 'enrolled' && <LeaveOut line={line} take={take} />}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const LeaveOut = ({ line: { line, text }, take }: { line: Line; take: OutcomeProps['take'] }) => {
  const { groups: words } = useWords()
  return (
    <Button look="quiet" aria-label={words.takeOff(text)} onPress={() => take(line, { take: NOBODY })}>
      {words.leaveOut}
    </Button>
  )
}

/** A line that may mean one of several, or somebody new. */
const Unsure = ({ line: { text, candidates }, take }: { line: Line; take: (one: Taken) => void }) => {
  const { groups: words } = useWords()
  return (
    <Choice
      label={words.which(text)}
      placeholder={words.choose}
      options={[
        ...candidates.map(({ id, fullName, studentNumber }) => ({ id, label: fullName, about: studentNumber })),
        { id: NEW, label: words.somebodyNew },
        { id: NOBODY, label: words.leaveOut },
      ]}
      value={null}
      onChange={(id) => take(id === NEW || id === NOBODY ? { take: id } : { take: 'student', studentId: id })}
    />
  )
}

const Refused = ({ line, take }: { line: Line; take: OutcomeProps['take'] }) => {
  const { imports } = useWords()
  const { text, reason, field, student, person } = line
  const fields: Readonly<Record<string, string>> = imports.labels.fields
  const name = student?.fullName ?? (person ? `${person.firstName} ${person.lastName}` : text)
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{name}</bdi>
        <span className="about">
          <Dotted>
            {fields[field ?? '']}
            {reason && imports.reasons[reason]}
          </Dotted>
        </span>
      </span>
      <LeaveOut line={line} take={take} />
    </div>
  )
}
