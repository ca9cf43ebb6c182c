import { ProblemNotice } from '../../src/console/parts/problem-notice.tsx'
import { SignInForm } from '../../src/console/shell/sign-in/page.tsx'
import { Step } from './step.tsx'
import { ToldForm } from './told-form.tsx'

interface SigningInProps {
  title: string
  lead: string
  /** Why nothing can be shown; undefined: nobody is signed in. */
  problem: unknown
  /** Looks again, as whoever is signed in then. */
  look: () => void
}

/** Where one signs in, on a page that goes on by itself then. */
export const SigningIn = ({ title, lead, problem, look }: SigningInProps) => (
  <Step id="sign-in" title={title} lead={lead}>
    {problem !== undefined && <ProblemNotice problem={problem} onRetry={look} />}
    <SignInForm as={ToldForm} onDone={look} />
  </Step>
)
