import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { besideApi } from '../../../src/console/api/send.ts'
import { signOut } from '../../../src/console/api/session.ts'
import { Button } from '../../../src/console/parts/button.tsx'
import { Waiting } from '../../../src/console/parts/loaded.tsx'
import { ProblemNotice } from '../../../src/console/parts/problem-notice.tsx'
import { useFirstLanguage } from '../../../src/console/words/language.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { Step } from '../../parts/step.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { completeWizardWords, type PageWords } from '../../words/index.ts'
import type { Created } from './form.tsx'
import { ForPrograms } from './for-programs.tsx'
import { OtherDevices } from './other-devices.tsx'
import { readDraft, writeDraft } from './typed.ts'

/** What the owner should do next, and the state of each. */
interface NextSteps {
  dataDir: string
  database: 'sqlite' | 'postgres'
  backups: string
  nightly: boolean
  signInUrl: string | null
  mail: { server: string | null; sender: string | null }
  /** How many others are invited or here. */
  invited: number
  commands: { backup: string; restore: string; mailSetup: string; mailTest: string }
}

interface DoneProps {
  created: Created | { baseUrl: string }
}

/** The last page: what to do next. */
export const Screen = ({ created }: DoneProps) => {
  const { words, locale, speak } = useFirstLanguage()
  const hasAllWords = (words as PageWords).wizardSteps !== undefined
  useEffect(() => {
    if (hasAllWords) return
    completeWizardWords()
    speak(locale)
  }, [hasAllWords, speak, locale])
  return hasAllWords ? <Done created={created} /> : <Waiting />
}

const Done = ({ created }: DoneProps) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { open } = useOwnWords('wizard')
  /** null: the server does not say. */
  const [facts, setFacts] = useState<NextSteps | null>()
  const look = useCallback(() => {
    besideApi<NextSteps>('/setup/next-steps', { isUser: true }).then(setFacts, () => setFacts(null))
  }, [])
  useEffect(look, [look])
  return (
    <Step
      id="done"
      title={words.title}
      lead={'name' in created ? words.lead(created.name, created.email) : words.leadPlain}
    >
      <p>
        <a id="open-institute" className="button primary" href="/">
          {open}
        </a>
      </p>
      {facts === undefined ? <Waiting /> : <Next facts={facts} />}
      <ForPrograms baseUrl={created.baseUrl} />
      <Leave />
    </Step>
  )
}

/** @param props.facts null: it says what to do without paths and states */
const Next = ({ facts }: { facts: NextSteps | null }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { copy } = useOwnWords('wizard')
  return (
    <div id="next" data-known={facts ? 'yes' : 'no'}>
      <h2 className="next-title">{words.next}</h2>
      {facts && <MailCard facts={facts} />}
      <BackupCard facts={facts} />
      <OtherDevices />
      {facts !== null && facts.signInUrl !== null && <StaffCard invited={facts.invited} signInUrl={facts.signInUrl} />}
      {facts && (
        <section className="card padded" aria-labelledby="done-data">
          <h3 id="done-data">{words.data}</h3>
          <p>{words.dataText}</p>
          <Copyable id="data-dir" text={facts.dataDir} label={copy.folder} />
        </section>
      )}
    </div>
  )
}

interface CardProps {
  id: string
  title: string
  /** How it stands. */
  state?: string
  isDone: boolean
  children: ReactNode
}

const Card = ({ id, title, state, isDone, children }: CardProps) => (
  <section className="card padded" id={id} data-state={isDone ? 'done' : 'open'}>
    <h3>{title}</h3>
    {state !== undefined && (
      <p className="state">
        <Told>{state}</Told>
      </p>
    )}
    {children}
  </section>
)

const MailCard = ({ facts: { mail, commands } }: { facts: NextSteps }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { copy } = useOwnWords('wizard')
  const { server, sender } = mail
  return (
    <Card
      id="next-mail"
      title={words.mail}
      state={server === null ? words.mailNone : words.mailServer(server, sender ?? '')}
      isDone={server !== null}
    >
      <p>
        <Told>{server === null ? words.mailHow : words.mailTry}</Told>
      </p>
      <Copyable
        id="mail-command"
        text={server === null ? commands.mailSetup : commands.mailTest}
        label={copy.command}
      />
    </Card>
  )
}

const BackupCard = ({ facts }: { facts: NextSteps | null }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { copy } = useOwnWords('wizard')
  const isPostgres = facts?.database === 'postgres'
  const isNightly = facts?.nightly ?? true
  const how = facts === null ? words.backupSomewhere : isNightly ? words.backupPlace : words.backupOff
  return (
    <Card
      id="next-backup"
      title={words.backup}
      {...(facts && { state: isNightly ? words.backupNightly : words.backupYours })}
      isDone={facts !== null && isNightly}
    >
      <p>
        <Told>{isPostgres ? words.backupPostgres : how}</Told>
      </p>
      {facts && !isPostgres && <Copyable id="backup-folder" text={facts.backups} label={copy.folder} />}
      {!isPostgres && <p>{words.backupKeep}</p>}
      {/* The program's own backup command is not for Postgres. */}
      {facts && !isPostgres && (
        <details id="backup-by-hand" aria-label={words.backupByHand}>
          <summary>{words.backupByHand}</summary>
          <p>{words.backupNow}</p>
          <Copyable id="backup-command" text={facts.commands.backup} label={copy.command} />
          <p>
            <Told>{words.backupRestore}</Told>
          </p>
          <Copyable id="restore-command" text={facts.commands.restore} label={copy.command} />
          {facts.commands.backup.startsWith('institute ') && (
            <p className="small">
              <Told>{words.backupSudo}</Told>
            </p>
          )}
        </details>
      )}
    </Card>
  )
}

const StaffCard = ({ invited, signInUrl }: { invited: number; signInUrl: string }) => {
  const { done: words } = useOwnWords('wizardSteps')
  const { signIn } = useOwnWords('wizard')
  return (
    <Card
      id="next-staff"
      title={words.staff}
      state={invited > 0 ? words.staffSome(invited) : words.staffNone}
      isDone={invited > 0}
    >
      <p>{words.staffHow}</p>
      <p>
        <a id="open-app" className="button" href={signInUrl}>
          {signIn}
        </a>
      </p>
    </Card>
  )
}

/** Ends the session of this page, which begins anew then. */
const Leave = () => {
  const { shell } = useFirstLanguage().words
  const [problem, setProblem] = useState<unknown>()
  const leave = () => {
    const before = readDraft()
    // What is kept is for going back to this page, which nobody may then.
    writeDraft({ isSignedOut: true })
    signOut().catch((error: unknown) => {
      writeDraft(before)
      setProblem(error)
    })
  }
  return (
    <div className="section">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Button onPress={leave}>{shell.signOut}</Button>
    </div>
  )
}
