import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { answer, api } from '../api/client.ts'
import { useGet } from '../api/queries.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Toasts } from '../parts/toast.tsx'
import { Brand } from './brand.tsx'
import { useAccountEntries, useBranchEntries } from './frame-menus.tsx'
import { useWords } from '../words/language.tsx'
import { useMe } from './me.tsx'
import { mayOpen, placesOf } from './navigation.ts'
import { Notices } from './notices.tsx'
import { PlaceProvider } from '../parts/place.tsx'
import { AccountMenu, RailPlaces, TabPlaces } from './places.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { useShortcuts } from './shortcuts.ts'

const UNREAD_MILLIS = 60_000

const Bell = () => {
  const { shell } = useWords()
  const { data } = useGet(
    ['/me/notifications', 'unread-count'],
    (signal) => answer(api.GET('/me/notifications/unread-count', { signal })),
    { everyMillis: UNREAD_MILLIS },
  )
  const unread = data?.unread ?? 0
  return (
    <Link href="/inbox" className="icon-button">
      <Icon name="bell" />
      {unread > 0 && (
        <span className="count" aria-hidden="true">
          <bdi dir="ltr">{unread > 99 ? '99+' : unread}</bdi>
        </span>
      )}
      <span className="unseen">{unread === 0 ? shell.nav.inbox : `${shell.nav.inbox}: ${shell.unread(unread)}`}</span>
    </Link>
  )
}

const Rail = ({ listKeys }: { listKeys: () => void }) => {
  const words = useWords()
  const me = useMe()
  const branches = useBranchEntries()
  const account = useAccountEntries(listKeys)
  const branch = me.branches.find(({ id }) => id === me.branchId)?.name
  return (
    <nav className="rail" aria-label={words.shell.nav.label}>
      <Brand name={me.institute.name} logoUrl={me.institute.logoUrl} />
      {branches.length > 0 && (
        <Menu
          label={words.shell.branch}
          className="rail-menu"
          entries={branches}
          text={
            <>
              <span className="unseen">{words.shell.branch}: </span>
              <span className="grow">{branch ?? words.shell.allBranches}</span>
              <Icon name="down" />
            </>
          }
        />
      )}
      <RailPlaces places={placesOf(words, me)} />
      <AccountMenu entries={account} />
    </nav>
  )
}

const Head = () => {
  const { shell } = useWords()
  const me = useMe()
  const { institute } = me
  const [address] = useLocation()
  const mayFind = mayOpen('/find', me)
  return (
    <header className="head">
      <Link href="/today" className="place">
        <Brand name={institute.name} logoUrl={institute.logoUrl} />
      </Link>
      {mayFind && address !== '/find' && (
        <Link href="/find" className="find" aria-keyshortcuts="/">
          <Icon name="find" />
          <span>{shell.findHint}</span>
          <kbd aria-hidden="true">/</kbd>
        </Link>
      )}
      <span className="spacer" />
      {mayFind && (
        <Link href="/find" className="icon-button find-icon" aria-label={shell.nav.find}>
          <Icon name="find" />
        </Link>
      )}
      <Bell />
    </header>
  )
}

const Tabs = () => {
  const words = useWords()
  const places = placesOf(words, useMe())
  const branches = useBranchEntries()
  const account = useAccountEntries()
  return <TabPlaces places={places} entries={[...branches, ...account]} />
}

interface FrameProps {
  /** What screens have to say on every page. */
  notices: ReactNode
  children: ReactNode
}

/** What surrounds every page of somebody who is signed in. */
export const Frame = ({ notices, children }: FrameProps) => {
  const { shell } = useWords()
  const { institute } = useMe()
  const keys = useShortcuts()
  return (
    <PlaceProvider house={institute.name}>
      <div className="frame">
        <a className="skip" href="#page">
          {shell.skip}
        </a>
        <Rail listKeys={keys.list} />
        <Head />
        <main id="page" tabIndex={-1}>
          <Notices>{notices}</Notices>
          {children}
        </main>
        <Tabs />
      </div>
      {keys.isListed && <ShortcutList onClose={keys.unlist} />}
      <Toasts />
    </PlaceProvider>
  )
}
