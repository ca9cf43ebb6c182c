import { useState } from 'react'
import { signOut } from '../../src/console/api/session.ts'
import { Button } from '../../src/console/parts/button.tsx'
import { ProblemNotice } from '../../src/console/parts/problem-notice.tsx'

interface SignOutProps {
  look?: 'primary' | 'quiet' | 'plain'
  children: string
}

/** Signs out; the page begins anew then. */
export const SignOut = ({ look = 'plain', children }: SignOutProps) => {
  const [problem, setProblem] = useState<unknown>()
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Button look={look} onPress={() => void signOut().catch(setProblem)}>
        {children}
      </Button>
    </>
  )
}
