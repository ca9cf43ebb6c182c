import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import type { RecordSource } from '../../parts/record-choice.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { NewDiscount } from './new.tsx'
import { useDiscountsOf, type DiscountScope, type Holder } from './reads.ts'
import { DiscountRow } from './row.tsx'

interface DiscountsProps {
  holder: Holder
  name: string
  /** What a discount may be for. */
  scopes: RecordSource<DiscountScope>
}

/** The discounts of a student, or of a guardian, that hold or will. */
export const Discounts = ({ holder, name, scopes }: DiscountsProps) => {
  const { discounts: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const [isAdding, setAdding] = useState(false)
  const reading = useDiscountsOf(holder)
  const today = format.today()
  return (
    <Section
      title={words.title}
      actions={
        can('invoices.write') &&
        !institute.isReadOnly && (
          <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <div className="card">
        <Loaded query={reading}>
          {(all) => {
            const standing = all.filter(({ validTo }) => validTo === null || validTo >= today)
            if (standing.length === 0) return <Empty>{words.none}</Empty>
            return (
              <ul aria-label={words.title}>
                {standing.map((discount) => (
                  <li key={discount.id}>
                    <DiscountRow discount={discount} />
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
      </div>
      {isAdding && <NewDiscount holder={holder} name={name} scopes={scopes} onClose={() => setAdding(false)} />}
    </Section>
  )
}
