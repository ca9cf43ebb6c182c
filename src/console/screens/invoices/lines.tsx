import type { Schemas } from '../../api/client.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Invoice } from '../../records/invoice/reads.ts'
import { isOpen } from '../../records/invoice/status.tsx'

/** What is charged for, and what it comes to. */
export const Lines = ({ invoice }: { invoice: Invoice }) => {
  const { invoices: words } = useWords()
  return (
    <Section title={words.lines}>
      <div className="card">
        <ul aria-label={words.lines}>
          {invoice.lines.map((line) => (
            <li key={line.id}>
              <Line line={line} />
            </li>
          ))}
        </ul>
        <Sums
          sums={invoice}
          {...(isOpen(invoice) && invoice.paid.amountMinor > 0 && { paid: invoice.paid, balance: invoice.balance })}
          {...(invoice.credited.amountMinor > 0 && {
            credited: invoice.credited,
            paid: invoice.paid,
            balance: invoice.balance,
          })}
        />
      </div>
      {invoice.footer !== null && (
        <p className="soft written footer" dir="auto">
          {invoice.footer}
        </p>
      )}
    </Section>
  )
}

const Line = ({ line }: { line: Schemas['InvoiceLine'] }) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const { description, quantity, unitAmount, discount, taxRatePercent, total } = line
  return (
    <div className="row">
      <span className="grow">
        <bdi className="name">{description}</bdi>
        <span className="about">
          <Dotted>
            {quantity !== 1 && words.times(format.number(quantity), format.money(unitAmount))}
            {discount.amountMinor > 0 && words.less(format.money(discount))}
            {taxRatePercent > 0 && words.taxed(format.percent(taxRatePercent / 100))}
          </Dotted>
        </span>
      </span>
      <bdi className="amount">{format.money(total)}</bdi>
    </div>
  )
}

interface SumsProps {
  sums: Pick<Invoice, 'subtotal' | 'discount' | 'tax' | 'total'>
  credited?: Schemas['Money']
  paid?: Schemas['Money']
  balance?: Schemas['Money']
}

/** From the lines to what is to be paid. What changes nothing is left out. */
export const Sums = ({ sums: { subtotal, discount, tax, total }, credited, paid, balance }: SumsProps) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const minus = (sum: Schemas['Money']) => format.money({ ...sum, amountMinor: -sum.amountMinor })
  const rows = [
    ...(discount.amountMinor > 0 || tax.amountMinor > 0 ? [[words.subtotal, format.money(subtotal)] as const] : []),
    ...(discount.amountMinor > 0 ? [[words.discount, minus(discount)] as const] : []),
    ...(tax.amountMinor > 0 ? [[words.tax, format.money(tax)] as const] : []),
    [words.total, format.money(total), true] as const,
    ...(credited ? [[words.credited, minus(credited)] as const] : []),
    ...(paid && paid.amountMinor > 0 ? [[words.paid, minus(paid)] as const] : []),
    ...(balance ? [[words.balance, format.money(balance), true] as const] : []),
  ]
  return (
    <dl className="sums">
      {rows.map(([label, sum, isStrong]) => (
        <div key={label} className={isStrong ? 'strong' : undefined}>
          <dt>{label}</dt>
          <dd>
            <bdi>{sum}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
