import { useCallback, useMemo } from 'react'
import type { FieldWords } from './field.tsx'
import { SearchChoice } from './search-choice.tsx'
import { useFormat } from '../words/language.tsx'
import { cityOf, matching, zonesIn } from '../words/zones.ts'

interface ZoneChoiceProps extends FieldWords {
  /** The zone that holds. */
  value: string | null
  onChange: (zone: string) => void
  autoFocus: boolean
}

/** As many as one looks through: whoever types a letter more sees others. */
const MOST_SHOWN = 50

/** A time zone, found by the name of a city in any language; its neighbours stand first. */
export const ZoneChoice = ({ value, onChange, ...field }: ZoneChoiceProps) => {
  const { locale } = useFormat()
  const zones = useMemo(() => zonesIn(locale, value ?? undefined), [locale, value])
  const find = useCallback(
    async (text: string) =>
      matching(zones, text)
        .slice(0, MOST_SHOWN)
        .map(({ id, label, detail }) => ({ id, label, about: detail })),
    [zones],
  )
  return (
    <SearchChoice
      {...field}
      find={find}
      onChoose={({ id }) => onChange(id)}
      {...(value !== null && { placeholder: cityOf(value, locale) })}
    />
  )
}
