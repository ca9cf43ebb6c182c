import { useState } from 'react'
import { Link } from 'wouter'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { Back } from '../../parts/back.tsx'
import { Bring, broughtIn, RemoveBrought } from './bring.tsx'
import { PasswordForm } from '../../parts/password-form.tsx'
import { FromBucket } from './bucket.tsx'
import { useBackups } from './reads.ts'
import { BackupSheet, RestoreNotice } from './restore.tsx'

type Backups = Schemas['Backups']
type Kept = Backups['kept'][number]

/** The copies of everything: those that there are, when the next one is made, and one more at once. */
export const Screen = () => {
  const { backups: words, settings } = useWords()
  const backups = useBackups()
  const make = useChange('backup', (_, header) => answer(api.POST('/server/backups', { params: { header } })))
  const isMaking = make.isPending || backups.data?.isMaking === true
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          backups.data?.canMake && (
            <Button look="primary" isBusy={isMaking} onPress={() => make.mutate(undefined)}>
              {isMaking ? words.making : words.make}
            </Button>
          )
        }
      >
        <div className="narrow">
          {make.error && <ProblemNotice problem={make.error} />}
          <Loaded query={backups}>{(data) => <All backups={data} />}</Loaded>
        </div>
      </Page>
    </>
  )
}

const All = ({ backups }: { backups: Backups }) => {
  const { backups: words, restores } = useWords()
  const format = useFormat()
  const [opened, setOpened] = useState<{ backup: Kept; wants: Wanted }>()
  const close = () => setOpened(undefined)
  const { canMake, nextNightlyAt, failedAt, state, offServer, bucket } = backups
  const brought = broughtIn(backups)
  const kept = backups.kept.filter((backup) => backup !== brought)
  if (!canMake) return <p className="card padded">{words.elsewhere}</p>
  return (
    <>
      <div className="notices">
        <RestoreNotice />
        {failedAt !== null && (
          <Notice meaning="bad">
            <span className="grow">{words.failed(format.moment(failedAt))}</span>
          </Notice>
        )}
        {state !== 'ok' && kept.length > 0 && (
          <Notice meaning={state === 'wrong' ? 'bad' : 'warn'}>
            <span className="grow">{words.late}</span>
          </Notice>
        )}
        {offServer === 'failed' && (
          <Notice meaning="warn">
            <span className="grow">{words.notElsewhere}</span>
          </Notice>
        )}
      </div>
      <p className="spaced">
        {nextNightlyAt === null ? words.noNightly : words.next(format.moment(nextNightlyAt))}{' '}
        {offServer === 'ok' && words.alsoElsewhere}
      </p>
      <Section title={words.kept}>
        <div className="card">
          {kept.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            <ul aria-label={words.kept}>
              {kept.map((backup) => (
                <li key={backup.name}>
                  <Row backup={backup} onOpen={(wants) => setOpened({ backup, wants })} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <p className="small below spaced">{words.keepElsewhere}</p>
      </Section>
      <Bring
        onBrought={(backup) => setOpened({ backup, wants: 'contents' })}
        bucket={
          bucket && (
            <FromBucket
              bucket={bucket}
              onFetched={() => brought && setOpened({ backup: brought, wants: 'contents' })}
            />
          )
        }
      >
        {brought && (
          <div className="card">
            <Row backup={brought} onOpen={(wants) => setOpened({ backup: brought, wants })} />
          </div>
        )}
      </Bring>
      <p className="below">
        <Link className="button" href="/settings/backups/move">
          {restores.move.link}
        </Link>
      </p>
      {opened?.wants === 'file' && <Download backup={opened.backup} onClose={close} />}
      {opened?.wants === 'remove' && <RemoveBrought onClose={close} />}
      {(opened?.wants === 'contents' || opened?.wants === 'restore') && (
        <BackupSheet
          backup={opened.backup}
          isAsked={opened.wants === 'restore'}
          onAsk={() => setOpened({ backup: opened.backup, wants: 'restore' })}
          onClose={close}
        />
      )}
    </>
  )
}

const MEGABYTE = 1024 * 1024

/** Its file, what it holds, that it takes the place of what is here, or that it goes. */
type Wanted = 'file' | 'contents' | 'restore' | 'remove'

const Row = ({ backup, onOpen }: { backup: Kept; onOpen: (wants: Wanted) => void }) => {
  const { backups: words, restores } = useWords()
  const format = useFormat()
  const isBrought = backup.kind === 'brought'
  const when = isBrought && !backup.isWhole ? restores.bring.file : format.moment(backup.createdAt)
  return (
    <div className="row">
      <span className="grow">
        <span className="name">{when}</span>
        <span className="about">
          <Dotted>
            {words.kinds[backup.kind]}
            {words.megabytes(format.number(Math.ceil(backup.sizeBytes / MEGABYTE)))}
            {backup.students !== null && words.students(backup.students)}
          </Dotted>
        </span>
      </span>
      {backup.isEncrypted ? (
        <Badge>{restores.bring.encrypted}</Badge>
      ) : (
        !backup.isWhole && <Badge meaning="bad">{words.damaged}</Badge>
      )}
      <span className="actions">
        {(isBrought || backup.isWhole) && (
          <Button look="quiet" aria-label={restores.holdsOf(when)} onPress={() => onOpen('contents')}>
            {restores.holds}
          </Button>
        )}
        {isBrought ? (
          <Button onPress={() => onOpen('remove')}>{restores.bring.remove}</Button>
        ) : (
          backup.isWhole && (
            <Button aria-label={words.downloadOf(when)} onPress={() => onOpen('file')}>
              {words.download}
            </Button>
          )
        )}
        {backup.isWhole && (
          <Button aria-label={restores.openOf(when)} onPress={() => onOpen('restore')}>
            {restores.open}
          </Button>
        )}
      </span>
    </div>
  )
}

/** Asks for the password once more: whoever has the file has everything. */
const Download = ({ backup, onClose }: { backup: Kept; onClose: () => void }) => {
  const { backups: words } = useWords()
  const format = useFormat()
  const ask = useChange('backup', (body: Schemas['BackupDownload'], header) => {
    const params = { path: { name: backup.name }, header }
    return answer(api.POST('/server/backups/{name}/download', { params, body }))
  })
  return (
    <Sheet title={words.downloadTitle(format.moment(backup.createdAt))} isOpen onClose={onClose}>
      <p className="spaced">{words.downloadText}</p>
      <PasswordForm
        bounds={BOUNDS.BackupDownload}
        verb={words.download}
        autoFocus
        send={async (typed) => {
          const { url } = await ask.mutateAsync(typed)
          onClose()
          location.assign(url)
        }}
        onCancel={onClose}
      />
    </Sheet>
  )
}
