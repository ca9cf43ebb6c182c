import type { Schemas } from '../../api/client.ts'
import { Check } from '../../parts/choose.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import type { TypedLine } from './typed.ts'

const proposedLines = (invoices: readonly Schemas['FirstInvoice'][]): TypedLine[] =>
  invoices.flatMap(({ lines }) =>
    lines.map(({ description, unitAmount, discount, feeScheduleId, groupId, siblingPlace }) => ({
      description,
      amountMinor: unitAmount.amountMinor,
      currency: unitAmount.currency,
      discountMinor: discount.amountMinor,
      siblingPlace,
      feeScheduleId,
      groupId,
      isIncluded: true,
    })),
  )

interface InvoicePartProps {
  draft: Draft
  /** As the server would make them; undefined: it has not said so yet. */
  invoices: readonly Schemas['FirstInvoice'][] | undefined
}

/** What will be charged, before it is. Whoever makes no invoices reads what the group costs. */
export const InvoicePart = ({ draft, invoices }: InvoicePartProps) => {
  const { register: words, invoices: invoiceWords } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { group, lines: typedLines } = useDraft(draft).typed
  if (!group) return null
  const mayCharge = can('invoices.write')
  const lines = typedLines ?? (invoices && proposedLines(invoices))
  const set = (at: number, changes: Partial<TypedLine>) =>
    draft.type({ lines: lines?.map((line, nth) => (nth === at ? { ...line, ...changes } : line)) ?? null })
  const sums = invoices?.map(({ total }) => format.money(total))
  return (
    <Section title={mayCharge ? words.invoice : words.costs}>
      <div className="card padded">
        {lines === undefined ? (
          <Waiting />
        ) : lines.length === 0 ? (
          <p className="soft">{words.noFees}</p>
        ) : (
          <>
            {lines.map((line, at) =>
              mayCharge ? (
                // oxlint-disable-next-line react/no-array-index-key -- lines have nothing else, and keep their places
                <div key={`${group.id} ${at}`} className="first-line">
                  <Check isChecked={line.isIncluded} onChange={(isIncluded) => set(at, { isIncluded })}>
                    <bdi>{line.description}</bdi>
                  </Check>
                  <MoneyField
                    label={line.description}
                    isLabelUnseen
                    value={line.amountMinor}
                    onChange={(amountMinor) => set(at, { amountMinor })}
                    currency={line.currency}
                    {...(line.discountMinor > 0 && {
                      hint: invoiceWords.less(
                        format.money({ amountMinor: line.discountMinor, currency: line.currency }),
                      ),
                    })}
                  />
                </div>
              ) : (
                // oxlint-disable-next-line react/no-array-index-key
                <div key={`${group.id} ${at}`} className="between">
                  <bdi>{line.description}</bdi>
                  <bdi>
                    {format.money({
                      amountMinor: (line.amountMinor ?? 0) - line.discountMinor,
                      currency: line.currency,
                    })}
                  </bdi>
                </div>
              ),
            )}
            <div className="between first-total">
              <strong>{words.total}</strong>
              <strong>
                <bdi>
                  {sums === undefined
                    ? '…'
                    : sums.length === 0
                      ? format.money({ amountMinor: 0, currency: group.currency })
                      : format.list(sums)}
                </bdi>
              </strong>
            </div>
            <p className="hint">{mayCharge ? words.invoiceText : words.costsText}</p>
          </>
        )}
      </div>
    </Section>
  )
}
