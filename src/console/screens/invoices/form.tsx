import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { isAnswered } from '../../api/intents/intent.ts'
import type { Problem } from '../../api/problem.ts'
import { randomName } from '../../api/random.ts'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { Form, LongField } from '../../parts/field.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { bodyOf, emptyLine, faultsOf, isTooMuch, MOST_LINES, sumsOf, type TypedLine } from './draft.ts'
import { LineFields } from './line-fields.tsx'
import { Sums } from './lines.tsx'
import { useFees } from '../../records/fee/reads.ts'

/** What is sent. */
export interface Written {
  lines: Schemas['NewInvoiceLine'][]
  /** null: the usual number of days. */
  dueDate: string | null
  notes: string
}

interface InvoiceFormProps {
  first: { lines: TypedLine[]; dueDate: string | null; notes: string }
  submit: (written: Written, isIssued: boolean) => Promise<void>
  isBusy: boolean
  problem: Problem | null
}

const MOST_NOTES = 2000
/** The button that saves without issuing. */
const DRAFT = 'draft'

/** The fees in the institute's currency, from which lines are made. */
const useOwnFees = () => {
  const { institute } = useMe()
  const { data } = useFees()
  return data?.filter(({ amount }) => amount.currency === institute.currency) ?? []
}

/** The lines of an invoice, when it is due, and what it comes to while one types. */
export const InvoiceForm = ({ first, submit, isBusy, problem }: InvoiceFormProps) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const { institute } = useMe()
  const [lines, setLines] = useState(first.lines)
  const [dueDate, setDueDate] = useState(first.dueDate)
  const [notes, setNotes] = useState(first.notes)
  const [isTried, setTried] = useState(false)
  const fees = useOwnFees()
  const sums = sumsOf(lines)
  const money = (amountMinor: number) => ({ amountMinor, currency: institute.currency })
  const isRight = lines.every((line) => faultsOf(line).length === 0) && !isTooMuch(lines)
  // Nobody knows whether it was saved: the same is asked again, and nothing else.
  const isOpen = problem !== null && !isAnswered(problem)
  const [sent, setSent] = useState<Parameters<typeof submit>>()
  const send = (isIssued: boolean) => {
    setTried(true)
    if (isBusy || (!isRight && !isOpen)) return
    const typed: typeof sent = [{ lines: lines.map(bodyOf), dueDate, notes: notes.trim() }, isIssued]
    const asked = isOpen && sent ? sent : typed
    setSent(asked)
    void submit(...asked)
  }
  const add = (line: TypedLine) => {
    // The first one, while it is empty, is what somebody wants to fill.
    const isEmpty = lines.length === 1 && lines[0]?.description === '' && lines[0].unitMinor === null
    setLines(isEmpty && line.description !== '' ? [line] : [...lines, line])
  }
  return (
    <Form onSubmit={(action) => send(action !== DRAFT)} label={words.add}>
      {isOpen && (
        <Notice meaning="warn" isAlert>
          {words.uncertain}
        </Notice>
      )}
      {problem !== null && !isOpen && <ProblemNotice problem={problem} />}
      <div className="two">
        <div>
          <fieldset role="none" className="plain" disabled={isOpen}>
            <div className="card">
              {lines.map((line, index) => (
                <LineFields
                  key={line.key}
                  line={line}
                  number={index + 1}
                  autoFocus={index === lines.length - 1 && line.description === ''}
                  isTried={isTried}
                  onChange={(changed) => setLines(lines.map((one) => (one.key === line.key ? changed : one)))}
                  onRemove={lines.length > 1 ? () => setLines(lines.filter(({ key }) => key !== line.key)) : undefined}
                />
              ))}
            </div>
            {lines.length < MOST_LINES && (
              <div className="actions more-lines">
                <Button icon="plus" onPress={() => add(emptyLine(randomName()))}>
                  {words.addLine}
                </Button>
                {fees.length > 0 && (
                  <Menu
                    label={words.fromFee}
                    className="button"
                    text={words.fromFee}
                    entries={fees.map(({ id, name, amount }) => ({
                      id,
                      label: `${name} · ${format.money(amount)}`,
                      onSelect: () =>
                        add({
                          ...emptyLine(randomName()),
                          description: name,
                          unitMinor: amount.amountMinor,
                          feeScheduleId: id,
                        }),
                    }))}
                  />
                )}
              </div>
            )}
          </fieldset>
        </div>
        <div className="card padded">
          <fieldset role="none" className="plain" disabled={isOpen}>
            <DateField label={words.dueDate} isOptional hint={words.dueHint} value={dueDate} onChange={setDueDate} />
            <LongField label={words.notes} isOptional value={notes} onChange={setNotes} maxLength={MOST_NOTES} />
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
          {isTried && !isRight && (
            <Notice meaning="bad" isAlert>
              {words.check}
            </Notice>
          )}
          <div className="stack">
            <Button type="submit" look="primary" isWide isBusy={isBusy}>
              {words.saveAndIssue}
            </Button>
            <Button type="submit" value={DRAFT} isWide isDisabled={isBusy}>
              {words.saveDraft}
            </Button>
          </div>
        </div>
      </div>
    </Form>
  )
}
