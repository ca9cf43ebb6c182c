import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useSettled } from '../../parts/settled.ts'
import { useWords } from '../../words/language.tsx'
import { FIND_FIELD } from '../../shell/shortcuts.ts'
import { plainDigits } from '../../../shared/typed.ts'
import { SHORTEST, useFind } from './reads.ts'
import { lookedAt, type Result } from '../../records/search/recent.ts'
import { addressOf, LIST, optionId, Results } from './results.tsx'

/** Shorter than the time between two letters, so that the server is not asked for each of a fast typist. */
const PAUSE_MILLIS = 50

/** One field that finds whatever the institute has by a name, in any script, or a number. */
export const Screen = () => {
  const { find } = useWords()
  const [params, setParams] = useSearchParams()
  const [, go] = useLocation()
  const [typed, setTyped] = useState(() => params.get('q') ?? '')
  const [chosen, setChosen] = useState(0)
  /** Enter was pressed before the results were there. */
  const isOpening = useRef(false)
  const [recent] = useState(lookedAt)
  const wanted = plainDigits(typed.trim().replaceAll(/\s+/g, ' '))
  const q = useSettled(wanted, PAUSE_MILLIS)
  const { results, hasMore, isSettled, error, retry } = useFind(q)
  const isShort = wanted.length < SHORTEST
  const shown = isShort ? recent : results
  const isCurrent = isShort || (isSettled && q === wanted)

  const kept = params.get('q') ?? ''
  useEffect(() => {
    if (q !== kept) setParams(q === '' ? {} : { q }, { replace: true })
  }, [q, kept, setParams])

  const open = (result: Result) => go(addressOf(result))
  const openLatest = useRef(open)
  useEffect(() => {
    openLatest.current = open
  })
  const first = shown[0]
  useEffect(() => {
    if (!isOpening.current || !isCurrent) return
    isOpening.current = false
    if (first) openLatest.current(first)
  }, [isCurrent, first])

  const type = (text: string) => {
    setTyped(text)
    setChosen(0)
    isOpening.current = false
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const last = shown.length - 1
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, last))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else if (event.key === 'Escape' && typed !== '') type('')
    else if (event.key === 'Enter') {
      const result = shown[chosen]
      if (isCurrent && result) open(result)
      else isOpening.current = !isCurrent
    } else return
    event.preventDefault()
  }
  useEffect(() => {
    document.querySelector(`#${optionId(chosen)}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const isEmpty = !isShort && isCurrent && results.length === 0

  return (
    <Page title={find.title} hasOwnFocus>
      <div className="finder">
        <div className="search-field big">
          <Icon name="find" />
          <input
            id={FIND_FIELD}
            className="input"
            type="text"
            role="combobox"
            // One comes here to type.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={100}
            aria-label={find.label}
            placeholder={find.label}
            aria-expanded={shown.length > 0}
            aria-controls={LIST}
            aria-autocomplete="list"
            aria-activedescendant={shown.length > 0 ? optionId(chosen) : undefined}
            value={typed}
            onChange={(event) => type(event.target.value)}
            onKeyDown={press}
          />
        </div>
        <p className="unseen" role="status">
          {isEmpty ? find.none(wanted) : isCurrent && !isShort ? find.count(results.length) : ''}
        </p>
        {error !== null && !isShort && <ProblemNotice problem={error} onRetry={retry} />}
        {isShort && recent.length === 0 && <p className="hint">{find.hint}</p>}
        {isShort && recent.length > 0 && (
          <>
            <h2 className="row-head">{find.recent}</h2>
            <Results results={recent} label={find.recent} chosen={chosen} />
          </>
        )}
        {!isShort && results.length > 0 && <Results results={results} label={find.results} chosen={chosen} isGrouped />}
        {!isShort && hasMore && results.length > 0 && <p className="hint">{find.more}</p>}
        {isEmpty && error === null && (
          <Empty>
            <p>{find.none(wanted)}</p>
            <p>{find.noneHint}</p>
          </Empty>
        )}
      </div>
    </Page>
  )
}
