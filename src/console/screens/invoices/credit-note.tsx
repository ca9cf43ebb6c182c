import { credited } from '../../../shared/credited.ts'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Segments } from '../../parts/choose.tsx'
import { LongField } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Invoice } from '../../records/invoice/reads.ts'

interface CreditNoteProps {
  invoice: Invoice
  /** Of whoever pays the invoice. */
  payerName: string
  onClose: () => void
}

/** How much of each line is taken back, in the order of the lines; null: nothing. */
type OfLines = readonly (number | null)[]

const sumOf = (lines: OfLines): number => lines.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

const startOf = ({ lines }: Invoice) => ({
  how: 'amount' as 'amount' | 'lines',
  amountMinor: null as number | null,
  lines: lines.map((): number | null => null) as OfLines,
  reason: '',
})

/** Takes back a part of an invoice, and says before what follows from it. */
export const CreditNoteSheet = ({ invoice, payerName, onClose }: CreditNoteProps) => {
  const { accounts: words, shell } = useWords()
  const format = useFormat()
  const { id, number, total, balance } = invoice
  const leftMinor = total.amountMinor - invoice.credited.amountMinor
  const { currency } = balance
  const money = (amountMinor: number) => format.money({ amountMinor, currency })
  const save = useChange('credit', (body: Schemas['NewCreditNote'], header) =>
    answer(api.POST('/invoices/{id}/credit-notes', { params: { path: { id }, header }, body })),
  )
  const form = useForm({
    start: () => startOf(invoice),
    bounds: { reason: BOUNDS.NewCreditNote.reason },
    missing: { reason: shell.reasonMissing },
    refused: { amountMinor: words.noteMost(money(leftMinor)) },
    rules: ({ how, amountMinor, lines }) => ({
      amountMinor: how === 'amount' && !(Number(amountMinor) > 0) && words.noteAmountMissing,
      lines: how === 'lines' && sumOf(lines) <= 0 && words.lineMissing,
    }),
    send: async ({ how, amountMinor, lines, reason }) => {
      const ofLines = invoice.lines.flatMap(({ description }, at) => {
        const amount = lines[at] ?? 0
        return amount > 0 ? [{ description, amountMinor: amount }] : []
      })
      const note = await save.mutateAsync({
        ...(how === 'amount' ? { amountMinor: amountMinor ?? 0 } : { lines: ofLines }),
        reason: reason.trim(),
      })
      toast(words.noteMade(note.number))
      onClose()
    },
  })
  const { how, amountMinor, lines } = form.typed
  const sum = how === 'amount' ? (amountMinor ?? 0) : sumOf(lines)
  const { settledMinor, toCreditMinor } = credited(sum, balance.amountMinor)
  const { error } = form.field('lines')
  return (
    <Sheet title={words.noteTitle(number)} isOpen onClose={onClose}>
      <Form form={form} verb={words.noteVerb} onCancel={onClose}>
        {invoice.lines.length > 1 && (
          <Segments
            label={words.how}
            isWide
            options={(['amount', 'lines'] as const).map((one) => ({ id: one, label: words.hows[one] }))}
            {...form.field('how')}
          />
        )}
        {how === 'amount' ? (
          <MoneyField label={words.noteAmount} currency={currency} isLarge autoFocus {...form.field('amountMinor')} />
        ) : (
          invoice.lines.map((line, at) => (
            <MoneyField
              key={line.id}
              label={line.description}
              isOptional
              currency={currency}
              value={lines[at] ?? null}
              onChange={(amount) => form.set({ lines: lines.with(at, amount) })}
              {...(error !== undefined && at === 0 && { error })}
            />
          ))
        )}
        <LongField label={words.noteReason} {...form.field('reason')} />
        {sum > 0 && sum <= leftMinor && (
          <Notice meaning="info">
            <span className="grow">
              {settledMinor > 0 && <span className="report">{words.lowers(money(settledMinor))}</span>}
              {toCreditMinor > 0 && <span className="report">{words.becomes(money(toCreditMinor), payerName)}</span>}
            </span>
          </Notice>
        )}
      </Form>
    </Sheet>
  )
}
