import { Check } from '../../parts/choose.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useDraft, type Draft } from './draft.ts'
import { sumOf, type FirstLine } from './first-invoice.ts'

/** What will be charged, before it is. Whoever makes no invoices reads what the group costs. */
export const InvoicePart = ({ draft }: { draft: Draft }) => {
  const { register: words } = useWords()
  const format = useFormat()
  const { can } = useMe()
  const { typed, saved } = useDraft(draft)
  const { group, lines } = typed
  if (!group || saved.invoice) return null
  const { currency } = group
  const mayCharge = can('invoices.write')
  const set = (id: string, changes: Partial<FirstLine>) =>
    draft.type({ lines: lines.map((line) => (line.id === id ? { ...line, ...changes } : line)) })
  const total = format.money({ amountMinor: sumOf(lines), currency })
  return (
    <Section title={mayCharge ? words.invoice : words.costs}>
      <div className="card padded">
        {lines.length === 0 ? (
          <p className="soft">{words.noFees}</p>
        ) : (
          <>
            {lines.map((line) =>
              mayCharge ? (
                <div key={line.id} className="first-line">
                  <Check isChecked={line.isIncluded} onChange={(isIncluded) => set(line.id, { isIncluded })}>
                    <bdi>{line.description}</bdi>
                  </Check>
                  <MoneyField
                    label={line.description}
                    isLabelUnseen
                    value={line.amountMinor}
                    onChange={(amountMinor) => set(line.id, { amountMinor })}
                    currency={currency}
                  />
                </div>
              ) : (
                <div key={line.id} className="between">
                  <bdi>{line.description}</bdi>
                  <bdi>{format.money({ amountMinor: line.amountMinor ?? 0, currency })}</bdi>
                </div>
              ),
            )}
            <div className="between first-total">
              <strong>{words.total}</strong>
              <strong>
                <bdi>{total}</bdi>
              </strong>
            </div>
            <p className="hint">{mayCharge ? words.invoiceText : words.costsText}</p>
          </>
        )}
      </div>
    </Section>
  )
}
