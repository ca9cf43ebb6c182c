import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { putFile } from '../../api/put-file.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { readBackups } from './reads.ts'

type Kept = Schemas['KeptBackup']

/** The backup that was brought here from elsewhere, if there is one. */
export const broughtIn = ({ kept }: Schemas['Backups']): Kept | undefined => kept.find(({ kind }) => kind === 'brought')

interface BringProps {
  /** Hears which one has just come. */
  onBrought: (backup: Kept) => void
  /** The other way by which one comes here. */
  bucket: React.ReactNode
  /** The one that is here. */
  children: React.ReactNode
}

/** Takes a backup from elsewhere, and nothing is changed by it. */
export const Bring = ({ onBrought, bucket, children }: BringProps) => {
  const {
    restores: { bring: words },
  } = useWords()
  const format = useFormat()
  const [share, setShare] = useState<number>()
  const [mostBytes, setMostBytes] = useState<number>()
  const bring = useChange('backup', async (file: File) => {
    const { mostBytes: most } = await readBackups()
    if (file.size > most) return setMostBytes(most)
    setShare(0)
    await putFile('/server/backups/brought', file, setShare).finally(() => setShare(undefined))
    const brought = broughtIn(await readBackups())
    if (brought) onBrought(brought)
  })
  const choose = (file: File | undefined) => {
    setMostBytes(undefined)
    if (file) bring.mutate(file)
  }
  return (
    <Section title={words.title}>
      <p className="spaced">{words.text}</p>
      {mostBytes !== undefined && (
        <Notice meaning="bad" isAlert>
          <span className="grow">{words.tooLarge(format.number(Math.floor(mostBytes / MEGABYTE)))}</span>
        </Notice>
      )}
      {bring.error && <Trouble problem={bring.error} />}
      {children}
      <div className="actions below spaced">
        {bring.isPending ? (
          <span className="actions" role="status">
            <span className="spinner" />
            {words.sending(format.percent(Math.round((share ?? 0) * 100) / 100))}
          </span>
        ) : (
          <FileTrigger onSelect={(files) => choose(files?.[0])}>
            <Button>{words.choose}</Button>
          </FileTrigger>
        )}
      </div>
      {bucket}
    </Section>
  )
}

const MEGABYTE = 1024 * 1024

/** A file that broke off on its way is told as such: the browser does not say more. */
const Trouble = ({ problem }: { problem: unknown }) => {
  const {
    restores: { bring: words },
  } = useWords()
  if (!(problem instanceof Problem) || problem.status !== 0) return <ProblemNotice problem={problem} />
  return (
    <Notice meaning="bad" isAlert>
      <span className="grow">{words.broken}</span>
    </Notice>
  )
}

/** Asks for the key of one that is encrypted. The key goes to the server once, and is kept nowhere. */
export const KeyForm = ({ name }: { name: string }) => {
  const {
    restores: { bring: words },
  } = useWords()
  const open = useChange('backup', (body: Schemas['BackupKey'], header) =>
    answer(api.POST('/server/backups/{name}/open', { params: { path: { name }, header }, body })),
  )
  const form = useForm({
    start: { key: '' },
    bounds: BOUNDS.BackupKey,
    missing: words.keyMissing,
    send: (typed) => open.mutateAsync(typed),
  })
  return (
    <Form form={form} verb={words.keyVerb}>
      <Field label={words.key} hint={words.keyHint} isLtr {...form.field('key')} />
    </Form>
  )
}

/** Asks before the one that was brought here is removed. */
export const RemoveBrought = ({ onClose }: { onClose: () => void }) => {
  const {
    restores: { bring: words },
  } = useWords()
  const remove = useChange('backup', () => answer(api.DELETE('/server/backups/brought')))
  return (
    <Confirm
      title={words.removeTitle}
      verb={words.remove}
      isDangerous
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      <p>{words.removeText}</p>
    </Confirm>
  )
}
