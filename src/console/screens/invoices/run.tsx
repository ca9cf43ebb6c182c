import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { isAnswered, NO_INTENT } from '../../api/intents/intent.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Check, Choice } from '../../parts/choose.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Format } from '../../words/format.ts'
import type { Words } from '../../words/words.ts'
import { useBulk } from './use-bulk.ts'
import { Refusals } from './bulk.tsx'
import { FeeMenu } from './fee-menu.tsx'
import { FeeSheet } from './fee-sheet.tsx'
import { keyOf, MayBeBilled, type Skipped } from './may-be-billed.tsx'
import { SkippedOnes } from './skipped.tsx'
import { VoidRun } from './void-run.tsx'
import { useFees } from '../../records/fee/reads.ts'
import { monthsAround } from '../../records/price/months.ts'

type Run = Schemas['BillingRun']

/** So many rows are shown at once; the sums are those of all. */
const SHOWN = 200
/** Of each currency, in its order of appearance. */
const sumsOf = (invoices: Run['invoices'], format: Format): string => {
  const sums = new Map<string, number>()
  for (const { total } of invoices) sums.set(total.currency, (sums.get(total.currency) ?? 0) + total.amountMinor)
  return format.list([...sums].map(([currency, amountMinor]) => format.money({ amountMinor, currency })))
}

/** The fees of a month: first what would be billed, then the drafts, then all of them issued. */
export const Screen = () => {
  const { invoices: words, fees: feeWords } = useWords()
  const format = useFormat()
  const { branchId, branches, can, canEverywhere } = useMe()
  // Fees are the institute's, also where runs are made for a branch.
  const setsFees = canEverywhere('invoices.write')
  const [open, setOpen] = useState<Schemas['FeeSchedule'] | 'new'>()
  const [month, setMonth] = useState(() => format.today().slice(0, 7))
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(new Set())
  const [anyway, setAnyway] = useState<ReadonlyMap<string, Skipped>>(new Map())
  const reading = useFees()
  const fees = reading.data?.filter(({ chargedBy }) => chargedBy === 'run')
  const others = reading.data?.filter(({ chargedBy }) => chargedBy !== 'run') ?? []
  const chosen = fees?.filter(({ id }) => !excludedIds.has(id)).map(({ id }) => id) ?? []
  const body = {
    month,
    ...(excludedIds.size > 0 && { feeScheduleIds: chosen }),
    ...(branchId !== null && { branchId }),
    ...(anyway.size > 0 && {
      billAnyway: [...anyway.values()].map(({ studentId, feeScheduleId }) => ({ studentId, feeScheduleId })),
    }),
  }
  const isNothing = fees !== undefined && chosen.length === 0
  const preview = useGet(
    ['/billing/runs', body],
    (signal) =>
      answer(api.POST('/billing/runs', { params: { header: NO_INTENT }, body: { ...body, dryRun: true }, signal })),
    { isOff: fees === undefined || isNothing, keepsFormer: true, keptMillis: 1 },
  )
  const [made, setMade] = useState<Run>()
  const run = useChange('invoice', (asked: typeof body, header) =>
    answer(api.POST('/billing/runs', { params: { header }, body: asked })),
  )
  const uncharged = new Map(preview.data?.uncharged.map(({ feeScheduleId, reason }) => [feeScheduleId, reason]))
  const isUncertain = run.error !== null && !isAnswered(run.error)
  const branch = branches.find(({ id }) => id === branchId)?.name
  if (made) return <Made run={made} onAgain={() => setMade(undefined)} />
  return (
    <Page
      title={words.monthRun}
      about={branch === undefined ? undefined : <bdi>{branch}</bdi>}
      actions={
        <>
          <ButtonLink to="/invoices/runs">{words.runs}</ButtonLink>
          <Button
            look="primary"
            isBusy={run.isPending}
            isDisabled={isNothing || !preview.data || preview.isFetching || preview.data.created === 0}
            onPress={() => run.mutate(body, { onSuccess: setMade })}
          >
            {words.makeDrafts(preview.data?.created ?? 0)}
          </Button>
        </>
      }
    >
      {isUncertain ? (
        <Notice meaning="warn" isAlert>
          {words.runUncertain}
        </Notice>
      ) : (
        run.error && <ProblemNotice problem={run.error} />
      )}
      <fieldset role="none" className="plain" disabled={run.isPending || isUncertain}>
        <div className="filters">
          <Choice
            label={words.month}
            value={month}
            onChange={(id) => {
              setMonth(id)
              setAnyway(new Map())
            }}
            options={monthsAround(format.today()).map((id) => ({
              id,
              label: format.month(id),
            }))}
          />
        </div>
        {fees && fees.length > 0 && (
          <Section title={words.fees}>
            <ul className="card">
              {fees.map((fee) => {
                const { id, name, amount, price } = fee
                const why = uncharged.get(id)
                return (
                  <li key={id}>
                    <div className="row">
                      <Check
                        isChecked={!excludedIds.has(id)}
                        onChange={(isChosen) => {
                          const next = new Set(excludedIds)
                          if (isChosen) next.delete(id)
                          else next.add(id)
                          setExcludedIds(next)
                        }}
                      >
                        <bdi className="name">{name}</bdi>
                        {why && <span className="about">{words.uncharged[why]}</span>}
                      </Check>
                      <bdi className="amount">
                        {price === 'enrollment' ? feeWords.prices.enrollment : format.money(amount)}
                      </bdi>
                      {setsFees && <FeeMenu fee={fee} onEdit={() => setOpen(fee)} />}
                    </div>
                  </li>
                )
              })}
            </ul>
          </Section>
        )}
      </fieldset>
      {others.length > 0 && (
        <Section title={words.otherFees}>
          <ul className="card">
            {others.map((fee) => (
              <li key={fee.id}>
                <div className="row">
                  <span className="grow">
                    <bdi className="name">{fee.name}</bdi>
                    <span className="about">{feeWords.chargedBy[fee.chargedBy]}</span>
                  </span>
                  <bdi className="amount">{format.money(fee.amount)}</bdi>
                  {setsFees && <FeeMenu fee={fee} onEdit={() => setOpen(fee)} />}
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {fees?.length === 0 && <Notice meaning="info">{words.noFees}</Notice>}
      {fees && setsFees && can('courses.read') && (
        <p className="below spaced">
          <Button icon="plus" look={fees.length === 0 ? 'primary' : 'quiet'} onPress={() => setOpen('new')}>
            {feeWords.newFee}
          </Button>
        </p>
      )}
      {open && <FeeSheet fee={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
      {reading.error && <ProblemNotice problem={reading.error} onRetry={() => void reading.refetch()} />}
      {preview.error ? (
        <ProblemNotice problem={preview.error} onRetry={() => void preview.refetch()} />
      ) : preview.data ? (
        !isNothing && (
          <>
            <MayBeBilled
              skipped={preview.data.skipped}
              anyway={new Map([...anyway].filter(([, { feeScheduleId }]) => !excludedIds.has(feeScheduleId)))}
              feeOf={(id) => fees?.find((fee) => fee.id === id)?.name ?? ''}
              onChange={(one, isBilled) => {
                const next = new Map(anyway)
                if (isBilled) next.set(keyOf(one), one)
                else next.delete(keyOf(one))
                setAnyway(next)
              }}
            />
            <Preview run={preview.data} isReading={preview.isFetching} />
          </>
        )
      ) : (
        !isNothing && <Waiting />
      )}
    </Page>
  )
}

/** Why there is nobody to bill: everybody is billed, nobody is there, or each has a reason of their own. */
const whyNothing = ({ skipped }: Run, words: Words['invoices']) => {
  if (skipped.length === 0) return words.nobodyToBill
  return skipped.every(({ reason }) => reason === 'already_billed') ? words.allBilled : words.noneToBill
}

const Preview = ({ run, isReading }: { run: Run; isReading: boolean }) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const { invoices } = run
  // Whoever may be billed already stands above, to be decided upon.
  const skipped = run.skipped.filter(({ reason }) => reason !== 'may_be_billed')
  return (
    <>
      <Section title={words.wouldBe}>
        {invoices.length > 0 && <p className="lead">{words.runSum(invoices.length, sumsOf(invoices, format))}</p>}
        <div className="card rows-table brief">
          {invoices.length === 0 ? (
            <Empty>{whyNothing(run, words)(format.month(run.month))}</Empty>
          ) : (
            <table className="table" aria-busy={isReading}>
              <thead>
                <tr>
                  <th scope="col">{words.student}</th>
                  <th scope="col">{words.dueDate}</th>
                  <th scope="col" className="sum">
                    {words.total}
                  </th>
                </tr>
              </thead>
              <tbody>
                {invoices.slice(0, SHOWN).map((invoice) => (
                  <tr key={`${invoice.studentId} ${invoice.total.currency}`}>
                    <th scope="row">
                      <bdi>{invoice.studentName}</bdi>
                    </th>
                    <td>
                      <span className="over" aria-hidden="true">
                        {words.dueDate}
                      </span>
                      <bdi>{format.date(invoice.dueDate)}</bdi>
                    </td>
                    <td className="sum">
                      <span className="over" aria-hidden="true">
                        {words.total}
                      </span>
                      <bdi>{format.money(invoice.total)}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
        {invoices.length > SHOWN && <p className="soft">{words.andMore(invoices.length - SHOWN)}</p>}
      </Section>
      <SkippedOnes skipped={skipped} />
    </>
  )
}

/** The drafts are there: to be looked at, issued at once, or made void. */
const Made = ({ run, onAgain }: { run: Run; onAgain: () => void }) => {
  const { invoices: words } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const [voided, setVoided] = useState<number>()
  const isOpen = voided === undefined
  const bulk = useBulk('issue')
  const ids = run.invoices.flatMap(({ id }) => (id === null ? [] : [id]))
  const sum = sumsOf(run.invoices, format)
  const issued = bulk.outcome && words.didIssue(bulk.outcome.done.length)
  const title = voided === undefined ? (issued ?? words.made(run.created)) : words.runVoided(voided)
  return (
    <Page
      title={title}
      about={sum}
      actions={
        <>
          {bulk.outcome ? (
            <ButtonLink to="/invoices?status=issued">{words.title}</ButtonLink>
          ) : (
            <ButtonLink to="/invoices?status=draft">{words.seeDrafts}</ButtonLink>
          )}
          {!bulk.outcome && isOpen && run.id !== null && ids.length > 0 && (
            <VoidRun runId={run.id} count={ids.length} onVoided={setVoided} />
          )}
          {!bulk.outcome && isOpen && ids.length > 0 && (
            <Button look="primary" onPress={() => setAsked(true)}>
              {words.issueMany(ids.length)}
            </Button>
          )}
        </>
      }
    >
      {voided !== undefined ? (
        <p className="below spaced">
          <Button onPress={onAgain}>{words.runAgain(format.month(run.month))}</Button>
        </p>
      ) : bulk.outcome ? (
        <Refusals
          outcome={bulk.outcome}
          numberOf={(id) => run.invoices.find((invoice) => invoice.id === id)?.number ?? ''}
        />
      ) : (
        <p className="lead soft">{words.madeText(format.month(run.month))}</p>
      )}
      <SkippedOnes skipped={run.skipped} uncharged={run.uncharged} />
      <Confirm
        title={words.issueTitle(ids.length, sum)}
        verb={words.issueMany(ids.length)}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => bulk.send(ids)}
      >
        <p className="soft">{institute.sendsMail ? words.issueText : words.issueUntold}</p>
      </Confirm>
    </Page>
  )
}
