import { useHistoryState } from 'wouter/use-browser-location'
import { useSearchParams } from 'wouter'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../words/language.tsx'

/** The page of a long list stands in its address: it can be sent and reloaded, and back leads to the one before. */
export const usePageOfList = () => {
  const [params, setParams] = useSearchParams()
  const isTurned = useHistoryState<{ isTurned?: boolean } | null>()?.isTurned === true
  const cursor = params.get('after') ?? undefined
  const number = Number.parseInt(params.get('page') ?? '', 10)
  const page = cursor !== undefined && number > 1 ? number : 1
  const turn = (after: string) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former)
        next.set('after', after)
        next.set('page', String(page + 1))
        return next
      },
      { state: { isTurned: true } },
    )
  const toFirst = () =>
    setParams((former) => {
      const next = new URLSearchParams(former)
      next.delete('after')
      next.delete('page')
      return next
    })
  return { cursor, page, turn, back: isTurned ? () => history.back() : toFirst, isTurned }
}

interface PagerProps {
  pages: ReturnType<typeof usePageOfList>
  nextCursor: string | null
  isReading: boolean
}

/** Turns the pages of a long list. Only one is held at a time. */
export const Pager = ({ pages, nextCursor, isReading }: PagerProps) => {
  const { invoices: words } = useWords()
  const { cursor, page, turn, back, isTurned } = pages
  if (cursor === undefined && nextCursor === null) return null
  return (
    <nav className="pager" aria-label={words.pages}>
      <Button icon="back" isDisabled={cursor === undefined} onPress={back}>
        {isTurned || cursor === undefined ? words.previous : words.firstPage}
      </Button>
      <span className="soft" aria-current="page">
        {words.page(page)}
      </span>
      <Button
        isDisabled={nextCursor === null}
        isBusy={isReading}
        onPress={() => nextCursor !== null && turn(nextCursor)}
      >
        {words.next}
      </Button>
    </nav>
  )
}
