import type { Schemas } from '../../api/client.ts'
import { Field } from '../../parts/field.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

interface Props {
  held: Schemas['ChequesInTill']
  /** How many papers were counted, as it was typed. */
  counted: string
  onChange: (typed: string) => void
}

/** The cheques of later days that lie in the till: papers, which are in none of the sums. */
export const HeldCheques = ({ held: { count, total }, counted, onChange }: Props) => {
  const { till: words } = useWords()
  const format = useFormat()
  return (
    <li className="count-line held">
      <div className="count-what">
        <span className="name">{words.heldCheques(count, format.money(total))}</span>
        <span className="about">{words.heldBeside}</span>
      </div>
      <Field
        label={words.papersCounted}
        inputMode="numeric"
        isLtr
        isOptional
        value={counted}
        onChange={(typed) => onChange(typed.replace(/[^0-9]/g, '').slice(0, 4))}
      />
    </li>
  )
}
