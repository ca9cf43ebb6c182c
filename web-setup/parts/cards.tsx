import { useId } from 'react'

interface CardsProps<Id extends string> {
  id?: string
  label: string
  options: readonly { id: Id; label: string; about?: string; isDisabled?: boolean; lang?: string }[]
  value: Id
  onChange: (id: Id) => void
}

/** One of a few, each of which needs room for what it is. */
export const Cards = <Id extends string>({ id, label, options, value, onChange }: CardsProps<Id>) => {
  const name = useId()
  return (
    <fieldset className="field cards" {...(id && { id })}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.id} className="card-choice" {...(option.lang && { lang: option.lang })}>
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={option.id === value}
            disabled={option.isDisabled === true}
            onChange={() => onChange(option.id)}
          />
          <span className="grow">
            <bdi>{option.label}</bdi>
            {option.about !== undefined && <small className="about">{option.about}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
