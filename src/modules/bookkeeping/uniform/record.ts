import { SumTooLarge } from '#kernel/values/sums.ts'
import { inHebrewLetters } from './hebrew.ts'
import { LAYOUTS, type FieldKind, type RecordCode, type Values } from './layouts.ts'

/** An amount without a point, after its sign. @throws SumTooLarge */
const signed = (amountMinor: number, width: number): string => {
  const digits = String(Math.abs(amountMinor)).padStart(width - 1, '0')
  if (digits.length >= width) throw SumTooLarge()
  return (amountMinor < 0 ? '-' : '+') + digits
}

const FILLED: Record<FieldKind, (value: string | number, width: number) => string> = {
  text: (value, width) => inHebrewLetters(String(value)).slice(0, width).padEnd(width, ' '),
  digits: (value, width) => String(value).padStart(width, '0'),
  amount: (value, width) => signed(Number(value), width),
  quantity: (value, width) => signed(Number(value) * 10_000, width),
}

const empty = (kind: FieldKind, width: number): string => (kind === 'digits' ? '0' : ' ').repeat(width)

/**
 * A record with the end of its line, in the letters that the files know.
 * @throws SumTooLarge for an amount that does not fit in its field, RangeError for another value that does not
 */
export const recordLine = <Code extends RecordCode>(layout: Code, values: Values<Code>): string => {
  const given = values as Readonly<Record<string, string | number | undefined>>
  let line = ''
  for (const [name, kind, width] of LAYOUTS[layout]) {
    const value = name === null ? undefined : given[name]
    const filled = value === undefined ? empty(kind, width) : FILLED[kind](value, width)
    if (filled.length !== width) throw new RangeError(`${layout}.${name} has no room for ${value}`)
    line += filled
  }
  return `${line}\r\n`
}
