import { useEffect } from 'react'
import type { Problem } from '../api/problem.ts'
import { Page } from '../parts/page.tsx'
import { ProblemNotice } from '../parts/problem-notice.tsx'
import { Alone } from './alone.tsx'
import { useFirstWords } from './language.tsx'

const AGAIN_MILLIS = 3000

/** Nothing can be shown yet: it is asked for again until it can. */
export const Unreachable = ({ problem, retry }: { problem: Problem; retry: () => void }) => {
  const { signIn } = useFirstWords()
  useEffect(() => {
    const timer = setInterval(retry, AGAIN_MILLIS)
    return () => clearInterval(timer)
  }, [retry])
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
