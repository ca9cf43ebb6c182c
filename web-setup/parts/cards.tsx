import { useId } from 'react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { FieldLabel } from '../../src/console/parts/field.tsx'

interface CardsProps<Id extends string> {
  id?: string
  label: string
  options: readonly { id: Id; label: string; about?: string; isDisabled?: boolean; lang?: string }[]
  value: Id
  onChange: (id: Id) => void
}

/** One of a few, each of which needs room for what it is. */
export const Cards = <Id extends string>({ id, label, options, value, onChange }: CardsProps<Id>) => {
  const prefix = useId()
  return (
    <RadioGroup className="field cards" value={value} onChange={(chosen) => onChange(chosen as Id)} {...(id && { id })}>
      <FieldLabel label={label} />
      {options.map((option) => (
        <Radio
          key={option.id}
          id={`${prefix}-${option.id}`}
          className="card-choice"
          value={option.id}
          isDisabled={option.isDisabled === true}
        >
          <span className="grow">
            <bdi {...(option.lang && { lang: option.lang })}>{option.label}</bdi>
            {option.about !== undefined && <span className="about">{option.about}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  )
}
