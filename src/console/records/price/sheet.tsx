import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { monthsAround } from './months.ts'
import { usePrices, type Price, type Priced } from './reads.ts'

type Money = Schemas['Money']

interface PriceSheetProps {
  of: Priced
  /** The student. */
  name: string
  onClose: () => void
}

/** What a student pays for a month, and why: the price, the part of it, what is taken off, what is left. */
export const PriceSheet = ({ of, name, onClose }: PriceSheetProps) => {
  const { discounts: words, shell } = useWords()
  const format = useFormat()
  const [month, setMonth] = useState(() => format.today().slice(0, 7))
  const prices = usePrices(of, month)
  return (
    <Sheet title={words.priceOf(name)} isOpen onClose={onClose}>
      <Choice
        label={words.month}
        value={month}
        onChange={setMonth}
        options={monthsAround(format.today()).map((id) => ({ id, label: format.month(id) }))}
        autoFocus
      />
      <Loaded query={prices}>
        {({ prices: all }) =>
          all.length === 0 ? (
            <div className="card">
              <Empty>{words.noPrices}</Empty>
            </div>
          ) : (
            <div className="stack">
              {all.map((price) => (
                <OnePrice key={price.feeScheduleId} price={price} />
              ))}
              {all.length > 1 && <Total prices={all} />}
            </div>
          )
        }
      </Loaded>
      <div className="actions">
        <Button onPress={onClose}>{shell.close}</Button>
      </div>
    </Sheet>
  )
}

const OnePrice = ({ price }: { price: Price }) => {
  const { invoices } = useWords()
  const { feeName, groupName, courseName, state, charge } = price
  return (
    <div className="card">
      <div className="row">
        <span className="grow">
          <bdi className="name">{feeName}</bdi>
          <span className="about">
            <Dotted>
              <bdi>{groupName ?? courseName}</bdi>
            </Dotted>
          </span>
        </span>
        {state !== 'due' && (
          <Badge {...(state === 'already_billed' && { meaning: 'good' })}>{invoices.skipReasons[state]}</Badge>
        )}
      </div>
      {charge && <Steps charge={charge} />}
    </div>
  )
}

/** From the price to what is to be paid. What changes nothing is left out. */
const Steps = ({ charge }: { charge: NonNullable<Price['charge']> }) => {
  const { discounts: words, fees } = useWords()
  const format = useFormat()
  const { priceOf, full, part, charged, discounts, total, siblingPlace } = charge
  const minus = (money: Money) => format.money({ ...money, amountMinor: -money.amountMinor })
  const labelOf = ({ label, percent }: (typeof discounts)[number]) => {
    const called = label ?? words.siblingsOff(siblingPlace ?? 1)
    return percent === null || called.includes('%') ? called : `${called} · ${format.percent(percent / 100)}`
  }
  const rows = [
    [priceOf === 'enrollment' ? words.agreed : words.schedule, format.money(full)] as const,
    ...(part ? [[words.part(fees.partOf[part.of](part.count, part.all)), format.money(charged)] as const] : []),
    ...discounts.map((one) => [labelOf(one), minus(one.off)] as const),
    [words.toPay, format.money(total), true] as const,
  ]
  return (
    <dl className="sums">
      {rows.map(([label, sum, isStrong], at) => (
        // Two discounts may be called the same.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${label} ${at}`} className={isStrong ? 'strong' : undefined}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <bdi>{sum}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Of each currency. */
const Total = ({ prices }: { prices: readonly Price[] }) => {
  const { discounts: words } = useWords()
  const format = useFormat()
  const sums = new Map<string, number>()
  for (const { charge } of prices) {
    if (charge) sums.set(charge.total.currency, (sums.get(charge.total.currency) ?? 0) + charge.total.amountMinor)
  }
  const said = [...sums].map(([currency, amountMinor]) => format.money({ amountMinor, currency }))
  return (
    <dl className="sums">
      <div className="strong">
        <dt>{words.monthTotal}</dt>
        <dd>
          <bdi>{format.list(said)}</bdi>
        </dd>
      </div>
    </dl>
  )
}
