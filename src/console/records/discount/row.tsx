import { useState, type ReactNode } from 'react'
import { answer, api } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Menu } from '../../parts/menu.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Discount } from './reads.ts'
import { EditDiscount } from './edit.tsx'

/** How much it is: 10% or ₪50.00. */
const Worth = ({ discount: { percent, amount } }: { discount: Discount }) => {
  const format = useFormat()
  if (amount !== null) return <bdi className="amount">{format.money(amount)}</bdi>
  return <bdi className="amount">{format.percent((percent ?? 0) / 100)}</bdi>
}

interface RowProps {
  discount: Discount
  /** Whose it is, where that does not go without saying. */
  holder?: ReactNode
}

/** A discount: what it is called, how much of what, and until when. */
export const DiscountRow = ({ discount, holder }: RowProps) => {
  const { discounts: words } = useWords()
  const format = useFormat()
  const { can, institute } = useMe()
  const { label, courseName, groupName, validFrom, validTo, amount } = discount
  const isAhead = validFrom > format.today()
  return (
    <div className="row">
      <span className="grow">
        {holder ?? <bdi className="name">{label}</bdi>}
        <span className="about">
          <Dotted>
            {holder !== undefined && <bdi>{label}</bdi>}
            <bdi>{courseName ?? groupName ?? words.everything}</bdi>
            {amount !== null && words.eachFee}
            {isAhead ? words.beginsOn(format.date(validFrom)) : words.since(format.date(validFrom))}
            {validTo !== null && words.until(format.date(validTo))}
          </Dotted>
        </span>
      </span>
      <Worth discount={discount} />
      {can('invoices.write') && !institute.isReadOnly && <DiscountMenu discount={discount} />}
    </div>
  )
}

const DiscountMenu = ({ discount }: { discount: Discount }) => {
  const all = useWords()
  const { discounts: words } = all
  const format = useFormat()
  const [isEditing, setEditing] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const { id, label, validFrom, validTo } = discount
  const today = format.today()
  const end = useChange('discount', (last: string) =>
    answer(api.PATCH('/discounts/{id}', { params: { path: { id } }, body: { validTo: last } })),
  )
  const remove = useChange('discount', () => answer(api.DELETE('/discounts/{id}', { params: { path: { id } } })))
  const mayEnd = validFrom <= today && (validTo === null || validTo > today)
  return (
    <>
      <Menu
        label={words.more(label)}
        entries={[
          { id: 'edit', label: words.edit, onSelect: () => setEditing(true) },
          ...(mayEnd
            ? [
                {
                  id: 'end',
                  label: words.end,
                  onSelect: () =>
                    end.mutate(today, {
                      onSuccess: () => toast(words.changed(label)),
                      onError: (error) => toast(explain(all, error)),
                    }),
                },
              ]
            : []),
          { id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked(true) },
        ]}
      />
      {isEditing && <EditDiscount discount={discount} onClose={() => setEditing(false)} />}
      <Confirm
        title={words.removeAsk(label)}
        verb={words.remove}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(words.removed(label))
        }}
      >
        <p>{words.removeText}</p>
      </Confirm>
    </>
  )
}
