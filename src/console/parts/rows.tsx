import type { Key, ReactNode } from 'react'
import type { Pages } from '../api/queries.ts'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Waiting } from './loaded.tsx'
import { Empty } from './notice.tsx'
import { ProblemNotice } from './problem-notice.tsx'

interface RowsProps<T> {
  pages: Omit<Pages<T>, 'first'>
  /** What the list is of. */
  label: string
  /** Where there is nothing: what that means, and what to do next. */
  empty: ReactNode
  keyOf: (row: T) => Key
  /** What stands over the columns of a table. */
  head?: ReactNode
  children: (row: T) => ReactNode
}

/** A list that is read page by page. What goes wrong with the next page leaves those before it. */
export const Rows = <T,>({ pages, label, empty, keyOf, head, children }: RowsProps<T>) => {
  const { shell } = useWords()
  const { rows, error } = pages
  const problem = error !== null && error !== undefined && <ProblemNotice problem={error} onRetry={pages.retry} />
  if (rows === undefined) return problem || <Waiting />
  return (
    <>
      {problem}
      {rows.length === 0 ? (
        <div className="card">
          <Empty>{empty}</Empty>
        </div>
      ) : (
        <div className="card">
          {head}
          <ul aria-label={label}>
            {rows.map((row) => (
              <li key={keyOf(row)}>{children(row)}</li>
            ))}
          </ul>
        </div>
      )}
      {pages.hasMore && (
        <div className="more">
          <Button isBusy={pages.isReadingMore} onPress={pages.readMore}>
            {shell.showMore}
          </Button>
        </div>
      )}
    </>
  )
}
