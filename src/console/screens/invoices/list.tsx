import { useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'wouter'
import { Check } from '../../parts/choose.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import type { Listed } from '../../records/invoice/reads.ts'
import { InvoiceStatus, isOpen } from '../../records/invoice/status.tsx'

/** Who is chosen, over all pages that were seen. */
export type Chosen = ReadonlyMap<string, Listed>

/** As many as one request takes. */
export const MOST_CHOSEN = 500

interface ListProps {
  rows: readonly Listed[]
  /** undefined: nothing can be done with them. */
  choose?: { chosen: Chosen; onChange: (chosen: Chosen) => void }
  isReading: boolean
}

/** Invoices, one a line. Arrows go from one to the next, Space chooses, Enter opens. */
export const InvoiceList = ({ rows, choose, isReading }: ListProps) => {
  const { invoices: words, payment } = useWords()
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const active = Math.min(at, rows.length - 1)
  const focus = (index: number) => {
    const row = Math.max(0, Math.min(index, rows.length - 1))
    setAt(row)
    list.current?.querySelectorAll<HTMLElement>('a.invoice')[row]?.focus()
  }
  const toggle = (invoice: Listed) => {
    if (!choose) return
    const next = new Map(choose.chosen)
    if (!next.delete(invoice.id) && next.size < MOST_CHOSEN) next.set(invoice.id, invoice)
    choose.onChange(next)
  }
  const press = (event: KeyboardEvent) => {
    if (!(event.target as HTMLElement).matches('a.invoice')) return
    const row = rows[active]
    if (event.key === 'ArrowDown') focus(active + 1)
    else if (event.key === 'ArrowUp') focus(active - 1)
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(rows.length - 1)
    else if (event.key === ' ' && row) toggle(row)
    else return
    event.preventDefault()
  }
  const chosenHere = choose ? rows.filter(({ id }) => choose.chosen.has(id)).length : 0
  const chooseAll = (isChosen: boolean) => {
    if (!choose) return
    const next = new Map(choose.chosen)
    for (const row of rows) {
      if (!isChosen) next.delete(row.id)
      else if (next.size < MOST_CHOSEN) next.set(row.id, row)
    }
    choose.onChange(next)
  }
  return (
    <div className="card">
      <div className={choose ? 'invoices-head choosable' : 'invoices-head'}>
        {choose && (
          <Check isChecked={chosenHere === rows.length} isPartly={chosenHere > 0} onChange={chooseAll}>
            {words.all}
          </Check>
        )}
        <div className="invoice" aria-hidden="true">
          <span>{words.student}</span>
          <span>{words.number}</span>
          <span>{words.dueDate}</span>
          <span>{words.status}</span>
          {/* Of an open invoice what is left of it; of any other, all of it. */}
          <span className="amount">{payment.amount}</span>
        </div>
      </div>
      {/* The keys are those of the links in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={list} aria-label={words.title} aria-busy={isReading} onKeyDown={press}>
        {rows.map((row, index) => (
          <li key={row.id} className={choose?.chosen.has(row.id) ? 'invoice-line chosen' : 'invoice-line'}>
            {choose && (
              <Check
                isChecked={choose.chosen.has(row.id)}
                onChange={() => toggle(row)}
                isOutOfTabs
                aria-label={words.choose(row.number, row.studentName)}
              />
            )}
            <Row row={row} isActive={index === active} onFocus={() => setAt(index)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const Row = ({ row, isActive, onFocus }: { row: Listed; isActive: boolean; onFocus: () => void }) => {
  const { people } = useWords()
  const format = useFormat()
  const { branches, branchId } = useMe()
  const isPart = isOpen(row) && row.balance.amountMinor !== row.total.amountMinor
  const branch =
    branches.length > 1 && branchId === null ? branches.find(({ id }) => id === row.branchId)?.name : undefined
  return (
    <Link href={`/invoices/${row.id}`} className="invoice" tabIndex={isActive ? 0 : -1} onFocus={onFocus}>
      <span className="who">
        <bdi className="name">{row.studentName}</bdi>
        {branch !== undefined && <bdi className="branch">{branch}</bdi>}
      </span>
      <span className="number ltr-text">{row.number}</span>
      <span className="due">
        <span className="unseen">{people.due('')}</span>
        <bdi>{format.date(row.dueDate)}</bdi>
      </span>
      <InvoiceStatus status={row.status} />
      <span className="amount">
        <bdi>{format.money(isOpen(row) ? row.balance : row.total)}</bdi>
        {isPart && <span className="small">{people.ofTotal(format.money(row.total))}</span>}
      </span>
    </Link>
  )
}
