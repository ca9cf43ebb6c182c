import { Copyable } from '../../parts/copyable.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'

/** What the wizard says where there is an institute already. */
export const Screen = () => {
  const words = useOwnWords('wizard')
  return (
    <Step id="already" title={words.already.title} lead={words.already.text}>
      <p>
        <a className="button primary" href="/">
          {words.open}
        </a>
      </p>
      <p className="section">{words.already.next}</p>
      <Copyable id="already-api" text={`${location.origin}/api/v1`} label={words.copy.api} />
      <p className="section">
        <a className="button quiet" href="/docs">
          {words.openDocs}
        </a>
      </p>
    </Step>
  )
}
