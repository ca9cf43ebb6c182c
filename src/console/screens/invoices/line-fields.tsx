import { useState } from 'react'
import { Button, IconButton } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { MoneyField } from '../../parts/money-field.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { faultsOf, LINE, sumsOf, type LineFault, type TypedLine } from './draft.ts'

interface LineFieldsProps {
  line: TypedLine
  /** Which of how many. */
  number: number
  onChange: (line: TypedLine) => void
  /** undefined: it is the only one. */
  onRemove: (() => void) | undefined
  /** Whether what is missing is said. */
  isTried: boolean
  autoFocus: boolean
}

/** One line of an invoice that is written. */
export const LineFields = ({ line, number, onChange, onRemove, isTried, autoFocus }: LineFieldsProps) => {
  const { invoices: words, shell } = useWords()
  const format = useFormat()
  const { institute } = useMe()
  const { currency } = institute
  const [isMore, setMore] = useState(line.discountMinor !== null || line.tax !== '')
  const faults = faultsOf(line)
  // What is too long or unclear is said at once; what is missing, once somebody tried to save it.
  const said = (fault: LineFault, text: string, isMissing: boolean) =>
    faults.includes(fault) && (isTried || !isMissing) ? { error: text } : {}
  const set = (changes: Partial<TypedLine>) => onChange({ ...line, ...changes })
  const letters = line.description.trim().length
  return (
    <fieldset className="line-fields">
      <legend className="unseen">{words.line(number)}</legend>
      <div className="first">
        <Field
          label={words.description}
          value={line.description}
          onChange={(description) => set({ description })}
          autoFocus={autoFocus}
          {...said('description', words.descriptionMissing, true)}
          {...said('letters', shell.tooLong(LINE.description.maxLength, letters), false)}
        />
        <Field
          label={words.quantity}
          inputMode="numeric"
          isLtr
          value={line.quantity}
          onChange={(quantity) => set({ quantity })}
          {...said('quantity', words.quantityWrong, line.quantity.trim() === '')}
        />
        <MoneyField
          label={words.unitAmount}
          currency={currency}
          value={line.unitMinor}
          onChange={(unitMinor) => set({ unitMinor })}
          {...said('amount', words.amountWrong, line.unitMinor === null)}
        />
      </div>
      {isMore && (
        <div className="first">
          <MoneyField
            label={words.discount}
            currency={currency}
            value={line.discountMinor}
            onChange={(discountMinor) => set({ discountMinor })}
            {...said('discount', words.discountWrong, line.unitMinor === null)}
          />
          <Field
            label={words.taxRate}
            inputMode="decimal"
            isLtr
            value={line.tax}
            onChange={(tax) => set({ tax })}
            {...said('tax', words.taxWrong, false)}
          />
        </div>
      )}
      <div className="line-end">
        {!isMore && (
          <Button look="quiet" onPress={() => setMore(true)}>
            {words.discountAndTax}
          </Button>
        )}
        <span className="grow" />
        <bdi className="amount">{format.money({ amountMinor: sumsOf([line]).total, currency })}</bdi>
        {onRemove && <IconButton icon="cross" label={words.removeLine(number)} onPress={onRemove} />}
      </div>
    </fieldset>
  )
}
