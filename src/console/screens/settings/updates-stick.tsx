import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { answer, api } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { sendFile } from '../../api/send-file.ts'
import { accessToken } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { useFormat, useWords } from '../../words/language.tsx'

/** Brings a new version here where there is no internet. */
export const FromStick = ({ isOff }: { isOff: boolean }) => {
  const { updates: words } = useWords()
  const { stick } = words
  const format = useFormat()
  const client = useQueryClient()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<unknown>()

  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setProblem(undefined)
    setShare(0)
    try {
      // It also renews a session that has ended, before the first byte is on its way.
      await answer(api.GET('/server/updates'))
      await sendFile(file, {
        address: '/api/v1/server/updates/file',
        headers: { Authorization: `Bearer ${accessToken()}`, 'Content-Type': 'application/octet-stream' },
        onSent: setShare,
      })
    } catch (error) {
      setProblem(error)
    }
    setShare(undefined)
    await client.invalidateQueries({ queryKey: ['/server/updates'] })
  }

  const percent = new Intl.NumberFormat(format.locale, { style: 'percent' })
  return (
    <Section title={stick.title}>
      <div className="card padded">
        <p className="spaced">{stick.about}</p>
        {problem !== undefined && <Trouble problem={problem} />}
        {share === undefined ? (
          <FileTrigger onSelect={(files) => void send(files?.[0])}>
            <Button isDisabled={isOff}>{stick.choose}</Button>
          </FileTrigger>
        ) : (
          <p className="actions" role="status">
            <span className="spinner" />
            {share < 1 ? stick.sending(percent.format(share)) : stick.checking}
          </p>
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
        {detail !== '' && (
          <span className="report">
            {server.details}{' '}
            <bdi className="ltr" lang="en">
              {detail}
            </bdi>
          </span>
        )}
      </span>
    </Notice>
  )
}
