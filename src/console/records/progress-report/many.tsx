import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import { useReportRights } from './rights.ts'

type Outcome = Schemas['SentProgressReports'] | Schemas['SubmittedProgressReports']

/** As many as one request may name. */
export const MOST_SENT = 100

interface SendManyProps {
  /** Of reports that can be sent, or handed in. */
  ids: readonly string[]
  nameOf: (id: string) => string
  /** Whether it is about the one report of a page. */
  isOne?: boolean
  onDone?: () => void
}

/** Sends several reports, or hands them in where they are read over first; and says which were refused, and why. */
export const SendMany = ({ ids: all, nameOf, isOne = false, onDone }: SendManyProps) => {
  const { reports: words } = useWords()
  const { maySend } = useReportRights()
  const [isAsked, setAsked] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const ids = all.slice(0, MOST_SENT)
  const send = useChange('report', (body: { ids: string[]; onPaper?: true }, header) =>
    answer(api.POST('/progress-reports/send', { params: { header }, body })),
  )
  const submit = useChange('report', (body: { ids: string[] }, header) =>
    answer(api.POST('/progress-reports/submit', { params: { header }, body })),
  )
  const close = () => {
    setOutcome(undefined)
    onDone?.()
  }
  const name = nameOf(ids[0] ?? '')
  const says = maySend
    ? {
        verb: isOne ? words.send : words.sendMany(ids.length),
        title: isOne ? words.sendTitle(name) : words.sendManyTitle(ids.length),
        done: (count: number) => (isOne ? words.sent : words.sentMany(count)),
      }
    : {
        verb: isOne ? words.submit : words.submitMany(ids.length),
        title: isOne ? words.submitTitle(name) : words.submitManyTitle(ids.length),
        done: words.submittedMany,
      }
  return (
    <>
      {ids.length > 0 && (
        <Button look="primary" onPress={() => setAsked(true)}>
          {says.verb}
        </Button>
      )}
      <Confirm
        title={says.title}
        verb={says.verb}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          const became: Outcome = await (maySend ? send : submit).mutateAsync({ ids: [...ids] })
          const count = became.done.length
          if (count > 0) toast(says.done(count))
          if (became.refused.length > 0) setOutcome(became)
          else onDone?.()
        }}
      >
        <p className="soft">{maySend ? words.sendText : words.submitText}</p>
      </Confirm>
      <NotAll
        outcome={isAsked ? undefined : outcome}
        nameOf={nameOf}
        onPaper={async (unreached) => {
          const { done } = await send.mutateAsync({ ids: unreached, onPaper: true })
          if (done.length > 0) toast(says.done(done.length))
        }}
        onClose={close}
      />
    </>
  )
}

interface NotAllProps {
  outcome: Outcome | undefined
  nameOf: (id: string) => string
  /** Sends those whom no message reaches: somebody hands them over. */
  onPaper: (ids: string[]) => Promise<void>
  onClose: () => void
}

const NotAll = ({ outcome, nameOf, onPaper, onClose }: NotAllProps) => {
  const { reports: words, refusals, faults, shell } = useWords()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const unreached = (outcome?.refused ?? []).filter(({ reason }) => reason === 'nobody_reached').map(({ id }) => id)
  const reasons: Partial<Record<string, string>> = { ...refusals.reasons, not_found: faults.notFound }
  return (
    <Sheet
      title={outcome?.done.length === 0 ? words.noneOfThem : words.notAll}
      isOpen={outcome !== undefined}
      onClose={onClose}
    >
      <p>{words.refused(outcome?.refused.length ?? 0)}</p>
      <ul className="card refused">
        {outcome?.refused.map(({ id, reason }) => (
          <li key={id} className="row">
            <span className="grow">
              <bdi className="name">{nameOf(id)}</bdi>
              <span className="about">{reasons[reason] ?? faults.failed}</span>
            </span>
          </li>
        ))}
      </ul>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {unreached.length > 0 && <p className="soft">{words.onPaperText}</p>}
      <div className="actions">
        {unreached.length > 0 && (
          <Button
            isBusy={isBusy}
            onPress={() => {
              setBusy(true)
              setProblem(undefined)
              void onPaper(unreached)
                .then(onClose, setProblem)
                .finally(() => setBusy(false))
            }}
          >
            {words.onPaper(unreached.length)}
          </Button>
        )}
        <Button look="primary" onPress={onClose}>
          {shell.close}
        </Button>
      </div>
    </Sheet>
  )
}
