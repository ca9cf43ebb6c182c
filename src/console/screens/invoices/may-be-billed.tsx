import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { Check } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

export type Skipped = Schemas['BillingRun']['skipped'][number]

/** So many are shown at once: whoever is not shown is not billed again. */
const SHOWN = 200

export const keyOf = ({ studentId, feeScheduleId }: Pick<Skipped, 'studentId' | 'feeScheduleId'>): string =>
  `${studentId} ${feeScheduleId}`

interface MayBeBilledProps {
  skipped: readonly Skipped[]
  /** Those that are billed all the same. */
  anyway: ReadonlyMap<string, Skipped>
  feeOf: (id: string) => string
  onChange: (one: Skipped, isBilled: boolean) => void
}

/** Who may be billed for the month already, each with the line that looks like it: a person decides. */
export const MayBeBilled = ({ skipped, anyway, feeOf, onChange }: MayBeBilledProps) => {
  const { invoices: words } = useWords()
  const format = useFormat()
  const asked = skipped.filter(({ reason, mayBe }) => reason === 'may_be_billed' && mayBe !== null)
  // Whom somebody chose is skipped no more, and stays in the place where they were chosen.
  const all = new Map([...asked.map((one) => [keyOf(one), one] as const), ...anyway])
  if (all.size === 0) return null
  const placeOf = (one: Skipped): string => `${one.studentName} ${keyOf(one)}`
  const sorted = [...all.values()].toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
  return (
    <Section title={words.mayBeBilled}>
      <p className="lead soft">{words.mayBeBilledText}</p>
      <ul className="card" aria-label={words.mayBeBilled}>
        {sorted.slice(0, SHOWN).map((one) => (
          <li key={keyOf(one)}>
            <div className="row may-be">
              <Check isChecked={anyway.has(keyOf(one))} onChange={(isBilled) => onChange(one, isBilled)}>
                <span className="name">
                  <Dotted>
                    <bdi>{one.studentName}</bdi>
                    <bdi>{feeOf(one.feeScheduleId)}</bdi>
                  </Dotted>
                </span>
                {one.mayBe && (
                  <span className="about">
                    <Dotted>
                      <bdi>{one.mayBe.description}</bdi>
                      <bdi>{format.money(one.mayBe.amount)}</bdi>
                    </Dotted>
                  </span>
                )}
              </Check>
              {one.mayBe && (
                <Link href={`/invoices/${one.mayBe.invoiceId}`} className="link">
                  <span className="ltr">{one.mayBe.invoiceNumber}</span>
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      {sorted.length > SHOWN && <p className="soft">{words.andMore(sorted.length - SHOWN)}</p>}
    </Section>
  )
}
