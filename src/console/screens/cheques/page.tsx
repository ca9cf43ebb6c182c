import { useCallback, useState } from 'react'
import { addDays } from '../../../shared/dates.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Download } from '../../parts/download.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { PaperButton, usePaper } from '../../parts/paper-button.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { STATUSES, useCheques, useDeposits, type Cheque, type Status } from './reads.ts'
import { ChequeLine, type Act } from './row.tsx'
import { BounceSheet, DepositSheet, GiveBackSheet, ReplaceSheet } from './sheets.tsx'

const isStatus = (text: string | undefined): text is Status => STATUSES.includes(text as Status)

/** With today, seven days. */
const A_WEEK = 6

const NOBODY: ReadonlySet<string> = new Set()

/** In the order of the list, which is that of their days. */
const byMonth = (cheques: readonly Cheque[]): ReadonlyMap<string, Cheque[]> => {
  const months = new Map<string, Cheque[]>()
  for (const cheque of cheques) {
    const month = cheque.dueOn.slice(0, 'YYYY-MM'.length)
    months.set(month, [...(months.get(month) ?? []), cheque])
  }
  return months
}

/** Cheques by month: what is held, what goes to the bank now, and what became of the others. */
export const Screen = () => {
  const { cheques: words, shell } = useWords()
  const format = useFormat()
  const { can, branchId } = useMe()
  const mayRecord = can('payments.record')
  const { filters, set, clear } = useFilters(['q', 'status', 'due', 'guardian'])
  const status = isStatus(filters.status) ? filters.status : undefined
  const isWeek = filters.due === 'week'
  const today = format.today()
  const narrow = {
    q: filters.q,
    status,
    branchId: branchId ?? undefined,
    guardianId: filters.guardian,
    ...(isWeek && { dueFrom: today, dueTo: addDays(today, A_WEEK) }),
  }
  const cheques = useCheques(narrow)
  const search = useCallback((typed: string) => set('q', typed), [set])
  const [chosenIds, setChosen] = useState(NOBODY)
  const [act, setAct] = useState<{ act: Act; cheque: Cheque }>()
  const [isDepositing, setDepositing] = useState(false)
  const paper = usePaper()
  const { rows } = cheques
  const due = (rows ?? []).filter(({ status: now }) => now === 'due')
  const chosen = due.filter(({ id }) => chosenIds.has(id))
  const areAllChosen = chosen.length === due.length
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosenIds)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const close = () => setAct(undefined)
  const months = byMonth(rows ?? [])
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          <Download path="/cheques" query={narrow} />
          {mayRecord && due.length > 1 && (
            <Button onPress={() => setChosen(areAllChosen ? NOBODY : new Set(due.map(({ id }) => id)))}>
              {areAllChosen ? words.chooseNone : words.chooseAll}
            </Button>
          )}
          {mayRecord && (
            <ButtonLink to="/pay" look={chosen.length > 0 ? 'plain' : 'primary'}>
              {words.takeThem}
            </ButtonLink>
          )}
          {chosen.length > 0 && (
            <Button look="primary" onPress={() => setDepositing(true)}>
              {words.deposit(chosen.length)}
            </Button>
          )}
        </>
      }
    >
      <div className="filters">
        <SearchField label={words.search} value={filters.q ?? ''} onChange={search} />
        <Choice
          label={words.status}
          isLabelUnseen
          options={[
            { id: 'any', label: words.anyStatus },
            ...STATUSES.map((id) => ({ id, label: words.statuses[id] })),
          ]}
          value={status ?? 'any'}
          onChange={(id) => set('status', id === 'any' ? '' : id)}
        />
        <Choice
          label={words.dueDay}
          isLabelUnseen
          options={[
            { id: 'any', label: words.anyDay },
            { id: 'week', label: words.thisWeek },
          ]}
          value={isWeek ? 'week' : 'any'}
          onChange={(id) => set('due', id === 'any' ? '' : id)}
        />
      </div>
      {cheques.error !== null && cheques.error !== undefined && (
        <ProblemNotice problem={cheques.error} onRetry={cheques.retry} />
      )}
      {rows === undefined && !cheques.error && <Waiting />}
      {rows?.length === 0 && (
        <div className="card">
          <Empty>
            {Object.keys(filters).length === 0 ? (
              <p>{words.none}</p>
            ) : (
              <>
                <p>{words.noneFound}</p>
                <Button onPress={clear}>{words.clear}</Button>
              </>
            )}
          </Empty>
        </div>
      )}
      {[...months].map(([month, own]) => (
        <Section key={month} title={format.month(month)}>
          <ul className="card" aria-label={format.month(month)}>
            {own.map((cheque) => (
              <li key={cheque.id}>
                <ChequeLine
                  cheque={cheque}
                  choose={
                    mayRecord && cheque.status === 'due'
                      ? { isChosen: chosenIds.has(cheque.id), onChange: (isChosen) => choose(cheque.id, isChosen) }
                      : undefined
                  }
                  onAct={(what) => setAct({ act: what, cheque })}
                />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {cheques.hasMore && (
        <div className="more">
          <Button isBusy={cheques.isReadingMore} onPress={cheques.readMore}>
            {shell.showMore}
          </Button>
        </div>
      )}
      <Deposits />
      {act?.act === 'bounce' && <BounceSheet cheque={act.cheque} onClose={close} />}
      {act?.act === 'giveBack' && <GiveBackSheet cheque={act.cheque} onClose={close} />}
      {act?.act === 'replace' && <ReplaceSheet cheque={act.cheque} onClose={close} />}
      {isDepositing && chosen.length > 0 && (
        <DepositSheet
          cheques={chosen}
          onClose={() => setDepositing(false)}
          onDone={({ id, number }) => {
            setDepositing(false)
            setChosen(NOBODY)
            toast(words.deposited(number))
            void paper.give(`/cheque-deposits/${id}/pdf`)
          }}
        />
      )}
    </Page>
  )
}

/** The lists that were made, to be printed again. */
const Deposits = () => {
  const { cheques: words } = useWords()
  const format = useFormat()
  const { rows = [] } = useDeposits()
  if (rows.length === 0) return null
  return (
    <Section title={words.deposits}>
      <ul className="card" aria-label={words.deposits}>
        {rows.map(({ id, number, depositedOn, bankAccount, amount, cheques }) => (
          <li key={id} className="row">
            <span className="grow">
              <span className="name ltr-text">{number}</span>
              <span className="about">
                <Dotted>
                  <span>{words.depositOf(format.date(depositedOn), bankAccount)}</span>
                  <span>{words.sum(cheques.length, format.money(amount))}</span>
                </Dotted>
              </span>
            </span>
            <PaperButton path={`/cheque-deposits/${id}/pdf`}>{words.printList}</PaperButton>
          </li>
        ))}
      </ul>
    </Section>
  )
}
