import { useCallback, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { usePages, type ApiPage } from '../api/queries.ts'
import { Initials } from './person.tsx'
import { Rows } from './rows.tsx'
import { SearchField } from './search-field.tsx'

const SHORTEST = 2
const PAGE = 10

interface FindPersonProps<P> {
  /** What to type. */
  label: string
  hint?: string
  /** Whom the list shows. */
  people: string
  /** What is said where nobody is found. */
  none: string
  /** Under which what was found is kept: begins with the path of the API. */
  path: string
  read: (query: { q: string; limit: number; cursor: string | undefined }, signal: AbortSignal) => Promise<ApiPage<P>>
  /** @returns the name, and what tells people of one name apart */
  shown: (person: P) => { name: string; about: string }
  /** Those who cannot be chosen any more. */
  takenIds: readonly string[]
  /** Why they cannot; without it they are left out. */
  taken?: string
  isBusy?: boolean
  onChoose: (person: P) => void
  /** @param q what is looked for */
  onSearch?: (q: string) => void
}

/** Finds somebody as one types, to choose one. */
export const FindPerson = <P extends { id: string }>(props: FindPersonProps<P>) => {
  const { label, hint, people, none, path, read, shown, takenIds, taken, isBusy = false, onChoose, onSearch } = props
  const [q, setQ] = useState('')
  const search = useCallback(
    (typed: string) => {
      setQ(typed)
      onSearch?.(typed)
    },
    [onSearch],
  )
  const found = usePages([path, 'to choose', q], (cursor, signal) => read({ q, limit: PAGE, cursor }, signal), {
    isOff: q.length < SHORTEST,
  })
  const isTaken = ({ id }: P): boolean => takenIds.includes(id)
  const pages = taken === undefined ? { ...found, rows: found.rows?.filter((person) => !isTaken(person)) } : found
  return (
    <>
      <SearchField label={label} value={q} onChange={search} autoFocus />
      {hint !== undefined && <p className="hint spaced">{hint}</p>}
      {q.length >= SHORTEST && (
        <div className="choices">
          <Rows pages={pages} label={people} keyOf={({ id }) => id} empty={none}>
            {(person) => {
              const { name, about } = shown(person)
              return (
                <AriaButton
                  className="row plain"
                  isDisabled={isTaken(person) || isBusy}
                  onPress={() => onChoose(person)}
                >
                  <Initials name={name} />
                  <span className="grow">
                    <bdi className="name">{name}</bdi>
                    <span className="about ltr-text">{about}</span>
                  </span>
                  {isTaken(person) && <span className="soft">{taken}</span>}
                </AriaButton>
              )
            }}
          </Rows>
        </div>
      )}
    </>
  )
}
