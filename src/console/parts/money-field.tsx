import { useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { useWords } from '../words/language.tsx'
import { digitsOf, parseMoney, writeMoney } from '../../shared/typed.ts'
import { BelowField, fieldClass, FieldLabel, type FieldWords } from './field.tsx'

interface MoneyProps extends FieldWords {
  /** In the currency's smallest unit; null: nothing, or no amount, is typed. */
  value: number | null
  onChange: (minor: number | null) => void
  currency: string
  isLarge?: boolean
  autoFocus?: boolean
}

const partsOf = (currency: string) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return {
    digits: digitsOf(currency),
    symbol: format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
  }
}

/** An amount of money. Takes digits of any script and separators of either kind, and says what it understood. */
export const MoneyField = ({ value, onChange, currency, isLarge, autoFocus, ...words }: MoneyProps) => {
  const { shell } = useWords()
  const { digits, symbol } = partsOf(currency)
  // What is typed stays as it is while one types; it is written anew when one leaves the field.
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (value === null ? '' : writeMoney(value, digits))
  const isUnclear = typed !== undefined && typed.trim() !== '' && parseMoney(typed, digits) === undefined
  const error = words.error ?? (isUnclear ? shell.unknownMoney : undefined)
  return (
    <TextField
      className={fieldClass(isUnclear)}
      value={shown}
      inputMode="decimal"
      isInvalid={error !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      onChange={(text) => {
        setTyped(text)
        onChange(parseMoney(text, digits) ?? null)
      }}
      onBlur={() => {
        if (!isUnclear) setTyped(undefined)
      }}
      {...(autoFocus && { autoFocus: true })}
    >
      <FieldLabel {...words} />
      <Group className={isLarge ? 'money-input large' : 'money-input'} isInvalid={error !== undefined}>
        <Input className="input" dir="ltr" />
        <span className="currency" aria-hidden="true">
          {symbol}
        </span>
      </Group>
      <BelowField {...words} error={error} />
    </TextField>
  )
}
