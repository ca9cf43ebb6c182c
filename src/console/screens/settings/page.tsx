import { Link } from 'wouter'
import type { Schemas } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import type { Words } from '../../words/words.ts'
import { useBackups, useMail, useSettings, useSites, useUpdates } from './reads.ts'
import { readMembers } from '../../records/member/reads.ts'

interface ToDo {
  meaning: Meaning
  text: string
}

interface Item {
  id:
    | 'institute'
    | 'branches'
    | 'closures'
    | 'people'
    | 'messages'
    | 'website'
    | 'features'
    | 'plan'
    | 'keys'
    | 'webhooks'
    | 'history'
    | 'mail'
    | 'card'
    | 'backups'
    | 'updates'
    | 'server'
    | 'network'
  icon: IconName
  isOpen: boolean
  /** Where it is; undefined: among the settings. */
  to?: string
  toDo?: ToDo | false | undefined
}

/** Two are enough to know whether somebody works here beside the reader. */
const BESIDES_ME = 2

const useIsAlone = (): boolean => {
  const { can } = useMe()
  const { data } = useGet(
    ['/members', 'besides-me'],
    (signal) => readMembers({ isFamily: false, limit: BESIDES_ME }, signal),
    { isOff: !can('members.read') },
  )
  return data !== undefined && data.data.length < BESIDES_ME
}

const backupsToDo = (backups: Schemas['Backups'] | undefined, { toDo }: Words['settings']): ToDo | undefined => {
  if (!backups?.canMake) return undefined
  if (backups.kept.length === 0) return { meaning: 'warn', text: toDo.noBackup }
  return backups.state === 'ok' ? undefined : { meaning: 'warn', text: toDo.backupWrong }
}

/** What can be set up, each with what it holds, and what is still to do. */
export const Screen = () => {
  const { settings: words } = useWords()
  const me = useMe()
  const { can } = me
  const settings = useSettings(!can('settings.manage'))
  const isAlone = useIsAlone()
  const sites = useSites(!can('integration.manage'))
  // In the cloud whoever runs the server sees to these: they answer that they are not there.
  const mail = useMail(!isOwner(me))
  const backups = useBackups(!isOwner(me))
  const updates = useUpdates(!isOwner(me))
  const items: readonly Item[] = [
    {
      id: 'institute',
      icon: 'settings',
      isOpen: can('settings.manage'),
      toDo: settings.data?.branding.logoFileId === null && { meaning: 'info', text: words.toDo.noLogo },
    },
    { id: 'branches', icon: 'globe', isOpen: can('branches.manage') },
    { id: 'closures', icon: 'week', isOpen: can('groups.write'), to: '/closures' },
    {
      id: 'people',
      icon: 'people',
      isOpen: can('members.read'),
      toDo: isAlone && { meaning: 'warn', text: words.toDo.alone },
    },
    { id: 'messages', icon: 'note', isOpen: can('notifications.manage') },
    {
      id: 'website',
      icon: 'note',
      isOpen: can('integration.manage'),
      toDo:
        settings.data?.registration.enabled === false
          ? { meaning: 'info', text: words.toDo.formOff }
          : sites.data?.length === 0 && { meaning: 'info', text: words.toDo.noForm },
    },
    { id: 'features', icon: 'tick', isOpen: isOwner(me) },
    { id: 'plan', icon: 'note', isOpen: isOwner(me) },
    { id: 'keys', icon: 'keys', isOpen: can('integration.manage') },
    { id: 'webhooks', icon: 'bell', isOpen: can('integration.manage') },
    { id: 'history', icon: 'clock', isOpen: can('audit.read') },
    {
      id: 'mail',
      icon: 'mail',
      isOpen: isOwner(me) && !mail.isError,
      toDo: mail.data?.server === null && { meaning: 'warn', text: words.toDo.noMail },
    },
    { id: 'card', icon: 'money', isOpen: isOwner(me) },
    {
      id: 'backups',
      icon: 'download',
      isOpen: isOwner(me) && !backups.isError,
      toDo: backupsToDo(backups.data, words),
    },
    {
      id: 'updates',
      icon: 'up',
      isOpen: isOwner(me) && !updates.isError,
      toDo: updates.data?.offer ? { meaning: 'info', text: words.toDo.newVersion } : undefined,
    },
    { id: 'server', icon: 'chart', isOpen: isOwner(me) && !backups.isError },
    { id: 'network', icon: 'globe', isOpen: isOwner(me) && !backups.isError },
  ]
  return (
    <Page title={words.title}>
      <ul className="card" aria-label={words.title}>
        {items
          .filter(({ isOpen }) => isOpen)
          .map(({ id, icon, to = `/settings/${id}`, toDo }) => (
            <li key={id}>
              <Link href={to} className="row">
                <Icon name={icon} />
                <span className="grow">
                  <span className="chips">
                    <span className="name">{words.items[id].title}</span>
                    {toDo && <Badge meaning={toDo.meaning}>{toDo.text}</Badge>}
                  </span>
                  <span className="about">{words.items[id].text}</span>
                </span>
                <Icon name="forward" />
              </Link>
            </li>
          ))}
      </ul>
    </Page>
  )
}
