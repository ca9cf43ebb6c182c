import { useRef, type KeyboardEvent } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import type { Schemas } from '../../api/client.ts'
import { isAnswered } from '../../api/intents/intent.ts'
import { randomName } from '../../api/random.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { bodyOf, emptyLine, faultsOf, isTooMuch, pricedLine, sumsOf, type TypedLine } from './draft.ts'
import { LineFields } from './line-fields.tsx'
import { Sums } from './lines.tsx'
import { useFees } from '../../records/fee/reads.ts'
import { usePrices } from '../../records/price/reads.ts'

/** What is sent. */
export interface Written {
  lines: Schemas['NewInvoiceLine'][]
  /** null: the usual number of days. */
  dueDate: string | null
  notes: string
}

interface Typed {
  lines: TypedLine[]
  /** null: the usual number of days. */
  dueDate: string | null
  notes: string
}

interface InvoiceFormProps {
  studentId: string
  first: Typed
  /** @throws Problem where it was not saved */
  save: (written: Written, isIssued: boolean) => Promise<void>
}

/** The button that saves without issuing. */
const DRAFT = 'draft'

/**
 * What lines are made from, in the institute's currency: first what the student is to pay this month, with the discounts
 * that the server takes off, then the other fees.
 */
const useProposals = (studentId: string) => {
  const { discounts: words } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const { data: fees = [] } = useFees()
  const { data } = usePrices({ studentId }, format.today().slice(0, 7))
  const due = (data?.prices ?? []).flatMap((price) => {
    const { state, charge, feeScheduleId: id } = price
    if (state !== 'due' || charge?.total.currency !== institute.currency) return []
    const label = words.fromPrices(charge.description, format.money(charge.total))
    return [{ id, label, lineOf: (key: string) => pricedLine(key, price, charge) }]
  })
  const others = fees
    .filter(({ id, amount }) => amount.currency === institute.currency && !due.some((one) => one.id === id))
    .map(({ id, name, amount }) => ({
      id,
      label: `${name} · ${format.money(amount)}`,
      lineOf: (key: string): TypedLine => ({
        ...emptyLine(key),
        description: name,
        unitMinor: amount.amountMinor,
        feeScheduleId: id,
      }),
    }))
  return [...due, ...others]
}

/** The lines of an invoice, when it is due, and what it comes to while one types. */
export const InvoiceForm = ({ studentId, first, save }: InvoiceFormProps) => {
  const { invoices: words } = useWords()
  const { institute } = useMe()
  const proposals = useProposals(studentId)
  const sent = useRef<Parameters<typeof save>>(undefined)
  const form = useForm<Typed>({
    start: first,
    bounds: BOUNDS.NewInvoice,
    rules: ({ lines: typed }) => ({
      lines: (typed.some((line) => faultsOf(line).length > 0) || isTooMuch(typed)) && words.check,
    }),
    refused: { lines: words.check },
    send: async (typed, action) => {
      const written = { ...typed, lines: typed.lines.map(bodyOf), notes: typed.notes.trim() }
      sent.current = isOpen && sent.current ? sent.current : [written, action !== DRAFT]
      await save(...sent.current)
    },
  })
  const { lines } = form.typed
  // Nobody knows whether it was saved: the same is asked again, and nothing else.
  const isOpen = form.problem !== undefined && !isAnswered(form.problem)
  const sums = sumsOf(lines)
  const money = (amountMinor: number) => ({ amountMinor, currency: institute.currency })
  const { onChange: setLines, error } = form.field('lines')
  const add = (line: TypedLine) => {
    // The first one, while it is empty, is what somebody wants to fill.
    const isEmpty = lines.length === 1 && lines[0]?.description === '' && lines[0].unitMinor === null
    setLines(isEmpty && line.description !== '' ? [line] : [...lines, line])
  }
  const last = lines.at(-1)
  const canAddLine = lines.length < BOUNDS.NewInvoice.lines.maxItems
  // Whoever writes line after line presses Enter after each: that issues nothing.
  const leadOn = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return
    event.preventDefault()
    const isLast = target === [...currentTarget.querySelectorAll('.line-fields input')].at(-1)
    if (isLast && canAddLine && last && faultsOf(last).length === 0) return add(emptyLine(randomName()))
    const fields = [...currentTarget.querySelectorAll<HTMLElement>('input, textarea')]
    fields[fields.indexOf(target) + 1]?.focus()
  }
  return (
    <Form form={isOpen ? { ...form, problem: undefined } : form} label={words.add} footer={null}>
      {isOpen && (
        <Notice meaning="warn" isAlert>
          {words.uncertain}
        </Notice>
      )}
      {/* The keys are those of the fields within it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="two" onKeyDown={leadOn}>
        <div>
          <fieldset role="none" className="plain" disabled={isOpen}>
            <div className="card">
              {lines.map((line, index) => (
                <LineFields
                  key={line.key}
                  line={line}
                  number={index + 1}
                  autoFocus={index === lines.length - 1 && line.description === ''}
                  isTried={form.isTried}
                  onChange={(changed) => setLines(lines.map((one) => (one.key === line.key ? changed : one)))}
                  onRemove={lines.length > 1 ? () => setLines(lines.filter(({ key }) => key !== line.key)) : undefined}
                />
              ))}
            </div>
            {canAddLine && (
              <div className="actions more-lines">
                <Button icon="plus" onPress={() => add(emptyLine(randomName()))}>
                  {words.addLine}
                </Button>
                {proposals.length > 0 && (
                  <Menu
                    label={words.fromFee}
                    className="button"
                    text={words.fromFee}
                    entries={proposals.map(({ id, label, lineOf }) => ({
                      id,
                      label,
                      onSelect: () => add(lineOf(randomName())),
                    }))}
                  />
                )}
              </div>
            )}
          </fieldset>
        </div>
        <div className="card padded">
          <fieldset role="none" className="plain" disabled={isOpen}>
            <DateField label={words.dueDate} isOptional hint={words.dueHint} {...form.field('dueDate')} />
            <LongField label={words.notes} isOptional {...form.field('notes')} />
          </fieldset>
          <Sums
            sums={{
              subtotal: money(sums.subtotal),
              discount: money(sums.discount),
              tax: money(sums.tax),
              total: money(sums.total),
            }}
          />
          {isTooMuch(lines) && <Notice meaning="bad">{words.tooMuch}</Notice>}
          {error !== undefined && (
            <Notice meaning="bad" isAlert>
              {error}
            </Notice>
          )}
          <div className="stack">
            <Button type="submit" look="primary" isWide isBusy={form.isBusy}>
              {words.saveAndIssue}
            </Button>
            <Button type="submit" value={DRAFT} isWide isDisabled={form.isBusy}>
              {words.saveDraft}
            </Button>
          </div>
        </div>
      </div>
    </Form>
  )
}
