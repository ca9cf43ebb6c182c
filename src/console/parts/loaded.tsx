import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFirstWords } from '../words/language.tsx'
import { ProblemNotice } from './problem-notice.tsx'

export const Waiting = () => {
  const { shell } = useFirstWords()
  return (
    <div className="waiting" role="status">
      <span className="spinner" />
      <span className="unseen">{shell.loading}</span>
    </div>
  )
}

interface LoadedProps<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** What a query brings: its data, the space for it while it loads, or what went wrong with a way to try again. */
export const Loaded = <T,>({ query, children }: LoadedProps<T>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ProblemNotice problem={query.error} onRetry={() => void query.refetch()} />
  return <Waiting />
}
