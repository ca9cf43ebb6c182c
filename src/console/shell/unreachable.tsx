import { useEffect } from 'react'
import { Problem } from '../api/problem.ts'
import { Page } from '../parts/page.tsx'
import { ProblemNotice } from '../parts/problem-notice.tsx'
import { Alone } from './alone.tsx'
import { useFirstWords } from '../words/language.tsx'

const AGAIN_MILLIS = 3000

interface UnreachableProps {
  /** Anything but a Problem is a fault of the page. */
  problem: unknown
  retry: () => void
}

/** Nothing can be shown yet: it is asked for again until it can. */
export const Unreachable = ({ problem, retry }: UnreachableProps) => {
  const { signIn, faults } = useFirstWords()
  const isFault = !(problem instanceof Problem)
  useEffect(() => {
    if (isFault) return undefined
    const timer = setInterval(retry, AGAIN_MILLIS)
    return () => clearInterval(timer)
  }, [isFault, retry])
  if (isFault) {
    return (
      <Alone>
        <Page title={faults.brokenTitle}>
          <ProblemNotice problem={problem} onRetry={() => location.reload()} />
        </Page>
      </Alone>
    )
  }
  return (
    <Alone>
      <Page title={signIn.unreachable}>
        {problem.isUnreachable ? (
          <p className="soft">{signIn.unreachableText}</p>
        ) : (
          <ProblemNotice problem={problem} onRetry={retry} />
        )}
      </Page>
    </Alone>
  )
}
