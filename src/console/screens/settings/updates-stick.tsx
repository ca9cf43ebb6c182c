import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { answer, api } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { putFile } from '../../api/put-file.ts'
import { afterChange, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Brings a new version here where there is no internet. */
export const FromStick = ({ isOff }: { isOff: boolean }) => {
  const { updates: words } = useWords()
  const { stick } = words
  const format = useFormat()
  const [share, setShare] = useState(0)
  const bring = useChange('updates', async (file: File) => {
    setShare(0)
    // It also renews a session that has ended, before the first byte is on its way.
    await answer(api.GET('/server/updates'))
    // A file that is refused has taken the place of the one before it, too.
    await putFile('/server/updates/file', file, setShare).catch(async (error: unknown) => {
      await afterChange('updates')
      throw error
    })
  })
  return (
    <Section title={stick.title}>
      <div className="card padded">
        <p className="spaced">{stick.about}</p>
        {bring.error && <Trouble problem={bring.error} />}
        {bring.isPending ? (
          <p className="actions" role="status">
            <span className="spinner" />
            {share < 1 ? stick.sending(format.percent(Math.round(share * 100) / 100)) : stick.checking}
          </p>
        ) : (
          <FileTrigger onSelect={(files) => files?.[0] && bring.mutate(files[0])}>
            <Button isDisabled={isOff}>{stick.choose}</Button>
          </FileTrigger>
        )}
      </div>
    </Section>
  )
}

const Trouble = ({ problem }: { problem: unknown }) => {
  const { updates: words, server } = useWords()
  // The browser does not say whether the file or the network came to an end.
  if (problem instanceof Problem && (problem.isUnreachable || problem.code === 'MALFORMED_REQUEST')) {
    return (
      <Notice meaning="bad" isAlert>
        <span className="grow">{words.stick.broken}</span>
      </Notice>
    )
  }
  if (!(problem instanceof Problem) || problem.reason !== 'update_not_taken') return <ProblemNotice problem={problem} />
  const { why, detail } = problem.details as { why: keyof typeof words.reasons; detail: string }
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">
        {words.stick.refused} {words.reasons[why]}
        <Detail lead={server.details} text={detail} />
      </span>
    </Notice>
  )
}
