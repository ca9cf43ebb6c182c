import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { SearchField } from 'react-aria-components/SearchField'
import { useGet } from '../api/queries.ts'
import { useWords } from '../words/language.tsx'
import { Choice, OptionList, type ChoiceProps, type Option } from './choose.tsx'
import { Icon } from './icon.tsx'
import { usePaused } from './paused.ts'

/** Where records come from that one may choose. */
export interface RecordSource<R> {
  /** Under which they are kept: begins with the path of the API, by which `STALE` names it. */
  key: readonly [path: string, ...rest: unknown[]]
  /** Reads the first page of those that fit; '' fits all. */
  read: (q: string, signal: AbortSignal) => Promise<{ data: R[]; nextCursor: string | null }>
  optionOf: (record: R) => Option<string>
  /** Whether the reader may not see them. */
  isOff?: boolean
}

/** The first page of those that fit what is typed. What was found before stays while the next are looked for. */
export const useRecords = <R,>({ key, read, isOff = false }: RecordSource<R>, q = '') =>
  useGet([...key, q], (signal) => read(q, signal), { isOff, keepsFormer: true })

interface RecordChoiceProps<R> extends Omit<
  ChoiceProps<string>,
  'options' | 'onChange' | 'onOpenChange' | 'shown' | 'list'
> {
  source: RecordSource<R>
  /** What is said where there are no records yet. */
  emptyHint?: string
  /** What can be chosen besides: nobody, any. */
  first?: readonly Option<string>[]
  /** What is chosen, by name, where that may not be among those that were read. */
  chosen?: Option<string> | undefined
  /** @param record undefined: one of `first` */
  onChange: (id: string, record: R | undefined) => void
}

/** One of many records. Where they are more than fit a list, they are found as one types. */
export const RecordChoice = <R,>({
  source,
  first = [],
  chosen,
  emptyHint,
  onChange,
  ...rest
}: RecordChoiceProps<R>) => {
  const { shell } = useWords()
  const [q, setQ] = useState('')
  const all = useRecords(source)
  const found = useRecords(source, usePaused(q.trim()))
  /** What was chosen here stays known by name when one looks for another. */
  const [last, setLast] = useState<Option<string>>()
  const records = found.data?.data ?? []
  const options = [...(q === '' ? first : []), ...records.map(source.optionOf)]
  const shown = [...options, last, chosen].find((option) => option?.id === rest.value)
  const isLong = all.data !== undefined && all.data.nextCursor !== null
  const choose = (id: string) => {
    setLast(options.find((option) => option.id === id))
    onChange(
      id,
      records.find((record) => source.optionOf(record).id === id),
    )
  }
  return (
    <Choice
      {...rest}
      {...(emptyHint && all.data?.data.length === 0 && { hint: emptyHint })}
      options={options}
      onChange={choose}
      shown={shown?.label}
      onOpenChange={() => setQ('')}
      list={
        isLong && (
          <Autocomplete inputValue={q} onInputChange={setQ}>
            <SearchField className="search-field" aria-label={shell.search} autoFocus maxLength={100}>
              <Icon name="find" />
              <Input className="input" placeholder={shell.search} />
            </SearchField>
            <OptionList options={options} empty={shell.nothingFound} />
          </Autocomplete>
        )
      }
    />
  )
}
