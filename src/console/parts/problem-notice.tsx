import { Problem } from '../api/problem.ts'
import { useFirstWords, type KnownWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** What happened, in the reader's language. What has no words of its own has the server's, in English. */
export const explain = ({ faults, refusals }: KnownWords, error: unknown): string => {
  // The server did what it was asked for: the page itself has a fault.
  if (!(error instanceof Problem)) return faults.broken
  if (error.isUnreachable) return faults.unreachable
  if (error.isForeign) {
    const told = faults.inFront[error.status as keyof typeof faults.inFront]
    if (told !== undefined) return told
    if (error.isPage) return faults.otherPage(error.status)
  }
  // The server may be newer than the page, and know more of them.
  const reasons: Partial<Record<string, string>> = refusals?.reasons ?? {}
  const codes: Partial<Record<string, string>> = refusals?.codes ?? {}
  const told = (error.reason && reasons[error.reason]) ?? codes[error.code]
  if (told !== undefined) return told
  if (error.issues.length > 0) return faults.invalid
  if (error.status === 404) return faults.notFound
  if (error.status === 429) return faults.tooOften
  if (error.status === 503) return faults.busy
  if (error.status >= 500 || error.message === '') return faults.failed
  return error.message
}

/** The request's id, by which whoever runs the server finds it in the log; undefined: it would help nobody. */
export const referenceOf = (error: unknown): string | undefined =>
  error instanceof Problem && error.status >= 500 ? error.requestId : undefined

interface ProblemNoticeProps {
  problem: unknown
  onRetry?: () => void
}

/** Says what went wrong, beside what it concerns. */
export const ProblemNotice = ({ problem, onRetry }: ProblemNoticeProps) => {
  const words = useFirstWords()
  const reference = referenceOf(problem)
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        {explain(words, problem)}
        {reference !== undefined && (
          <>
            {' '}
            <span className="small">{words.faults.reference(reference)}</span>
          </>
        )}
      </span>
      {onRetry && (
        <Button look="quiet" onPress={onRetry}>
          {words.shell.retry}
        </Button>
      )}
    </Notice>
  )
}
