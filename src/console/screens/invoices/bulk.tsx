import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ReasonConfirm } from '../../parts/reason-confirm.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Format } from '../../words/format.ts'
import { MOST_CHOSEN, type Chosen } from './list.tsx'
import type { Listed } from '../../records/invoice/reads.ts'
import { isOpen, mayBeVoid } from '../../records/invoice/status.tsx'
import { ListedToCall, UntoldPeople, UntoldPerson, type Untold } from '../../records/invoice/unreached.tsx'
import { useBulk, type Outcome } from './use-bulk.ts'

/** Of each currency. */
const sumOf = (invoices: readonly Listed[], format: Format): string => {
  const sums = new Map<string, number>()
  for (const { balance } of invoices)
    sums.set(balance.currency, (sums.get(balance.currency) ?? 0) + balance.amountMinor)
  return format.list([...sums].map(([currency, amountMinor]) => format.money({ amountMinor, currency })))
}

interface RefusalsProps {
  outcome: Outcome
  numberOf: (id: string) => string
}

const Why = ({ reason, untold }: { reason: string; untold: Untold | undefined }) =>
  untold ? <UntoldPerson untold={untold} /> : <span className="about">{reason}</span>

/** Which of many were refused, and why; and of whom no message reaches. */
export const Refusals = ({ outcome: { refused, unreached }, numberOf }: RefusalsProps) => {
  const { invoices: words, refusals, faults } = useWords()
  const refusedIds = new Set(refused.map(({ id }) => id))
  const untold = new Map(unreached.map((one) => [one.invoiceId, one]))
  const issuedUntold = unreached.filter(({ invoiceId }) => !refusedIds.has(invoiceId))
  const reasons: Partial<Record<string, string>> = { ...refusals.reasons, not_found: faults.notFound }
  return (
    <>
      {refused.length > 0 && (
        <>
          <p>{words.refused(refused.length)}</p>
          <ul className="card refused">
            {refused.map(({ id, reason }) => (
              <li key={id}>
                <div className="row">
                  <span className="grow">
                    <span className="name ltr-text">{numberOf(id)}</span>
                    <Why reason={reasons[reason] ?? faults.failed} untold={untold.get(id)} />
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {issuedUntold.length > 0 && (
        <>
          <p>{words.issuedUntold(issuedUntold.length)}</p>
          <ListedToCall untold={issuedUntold} />
          <UntoldPeople untold={issuedUntold} />
        </>
      )}
    </>
  )
}

/** What can be done with those that are chosen. */
export const BulkBar = ({ chosen, onClear }: { chosen: Chosen; onClear: () => void }) => {
  const { invoices: words, calls, shell } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const [asked, setAsked] = useState<'issue' | 'remind' | 'void'>()
  const issue = useBulk('issue')
  const remind = useBulk('remind')
  const makeVoid = useChange('invoice', ({ id, reason }: { id: string; reason: string }, header) =>
    answer(api.POST('/invoices/{id}/void', { params: { path: { id }, header }, body: { reason } })),
  )
  const all = [...chosen.values()]
  const drafts = all.filter(({ status }) => status === 'draft')
  const open = all.filter(isOpen)
  const [only] = all
  const mayVoid = only !== undefined && all.length === 1 && mayBeVoid(only)
  const close = () => setAsked(undefined)
  const idsOf = (invoices: readonly Listed[]) => invoices.map(({ id }) => id)
  const outcome = issue.outcome ?? remind.outcome
  // Invoices that stayed as they were, whose payers the office can call.
  const callable = (remind.outcome?.unreached ?? []).filter(({ canCall }) => canCall).map(({ invoiceId }) => invoiceId)
  const done = () => {
    issue.forget()
    remind.forget()
    onClear()
  }
  const listed = ({ done: ids, refused }: Outcome) => {
    if (ids.length > 0) toast(calls.listed(ids.length))
    if (refused.length === 0) done()
  }
  const sending = (bulk: typeof issue, invoices: readonly Listed[], say: (count: number) => string) => async () => {
    const { done: sent, refused, unreached } = await bulk.send(idsOf(invoices))
    if (sent.length > 0) toast(say(sent.length))
    if (refused.length + unreached.length === 0) done()
  }
  return (
    <section className="bar bulk" aria-label={words.chosenLabel}>
      <span className="grow">
        <span className="sum">{words.chosen(chosen.size)}</span>
        <span className="soft">{chosen.size >= MOST_CHOSEN ? words.mostChosen(MOST_CHOSEN) : sumOf(all, format)}</span>
      </span>
      <div className="actions">
        {mayVoid && <Button onPress={() => setAsked('void')}>{words.void}</Button>}
        {open.length > 0 && <Button onPress={() => setAsked('remind')}>{words.remindMany(open.length)}</Button>}
        {drafts.length > 0 && (
          <Button look="primary" onPress={() => setAsked('issue')}>
            {words.issueMany(drafts.length)}
          </Button>
        )}
        <Button look="quiet" onPress={onClear}>
          {words.unchoose}
        </Button>
      </div>
      <Confirm
        title={words.issueTitle(drafts.length, sumOf(drafts, format))}
        verb={words.issueMany(drafts.length)}
        isOpen={asked === 'issue'}
        onClose={close}
        onConfirm={sending(issue, drafts, words.didIssue)}
      >
        <p className="soft">{institute.sendsMail ? words.issueText : words.issueUntold}</p>
      </Confirm>
      <Confirm
        title={words.remindTitle(open.length, sumOf(open, format))}
        verb={words.remindMany(open.length)}
        isOpen={asked === 'remind'}
        onClose={close}
        onConfirm={sending(remind, open, words.didRemind)}
      >
        <p className="soft">{words.remindText}</p>
      </Confirm>
      {only && (
        <ReasonConfirm
          title={words.voidTitle(only.number, only.studentName, format.money(only.total))}
          verb={words.void}
          isOpen={asked === 'void'}
          onClose={close}
          onConfirm={async (reason) => {
            await makeVoid.mutateAsync({ id: only.id, reason })
            toast(words.voided(only.number))
            onClear()
          }}
        >
          <p className="soft">{words.voidText}</p>
        </ReasonConfirm>
      )}
      <Sheet
        title={words.notAll}
        isOpen={outcome !== undefined && outcome.refused.length + outcome.unreached.length > 0 && asked === undefined}
        onClose={done}
      >
        {outcome && <Refusals outcome={outcome} numberOf={(id) => chosen.get(id)?.number ?? ''} />}
        <div className="actions">
          {callable.length > 0 && (
            <Button icon="phone" onPress={() => void remind.send(callable, true).then(listed)}>
              {calls.putOn(callable.length)}
            </Button>
          )}
          <Button look="primary" onPress={done}>
            {shell.close}
          </Button>
        </div>
      </Sheet>
    </section>
  )
}
