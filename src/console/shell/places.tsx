import { Link, useLocation } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { Initials } from '../parts/person.tsx'
import { useWords } from '../words/language.tsx'
import { isHere, type RailItem } from './navigation.ts'
import { useWho } from './me.tsx'

/** The places in the rail of a desk. */
export const RailPlaces = ({ places }: { places: readonly RailItem[] }) => {
  const [address] = useLocation()
  return places.map(({ to, icon, label }) => (
    <Link key={to} href={to} className="item" aria-current={isHere(address, to) ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </Link>
  ))
}

/** At the end of the rail: who is signed in, and what is their own. */
export const AccountMenu = ({ entries }: { entries: readonly MenuEntry[] }) => {
  const { shell } = useWords()
  const { user } = useWho()
  return (
    <div className="end">
      <Menu
        label={shell.nav.account}
        className="rail-menu"
        entries={entries}
        text={
          <>
            <Initials name={user.fullName} />
            <span className="unseen">{shell.nav.account}: </span>
            <bdi className="grow">{user.fullName}</bdi>
            <Icon name="down" />
          </>
        }
      />
    </div>
  )
}

/** The places that a phone shows below; the others are in its menu. */
const TABS = 3

/** The places of a phone. @param entries what its menu has beside the other places */
export const TabPlaces = ({ places, entries }: { places: readonly RailItem[]; entries: readonly MenuEntry[] }) => {
  const { shell } = useWords()
  const [address, go] = useLocation()
  const others: MenuEntry[] = places
    .slice(TABS)
    .map(({ to, icon, label }) => ({ id: to, icon, label, onSelect: () => go(to) }))
  return (
    <nav className="tabs" aria-label={shell.nav.label}>
      {places.slice(0, TABS).map(({ to, icon, label }) => (
        <Link key={to} href={to} className="tab" aria-current={isHere(address, to) ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
      <Menu
        label={shell.nav.menu}
        className="tab"
        entries={[...others, ...entries]}
        text={
          <>
            <Icon name="menu" />
            {shell.nav.menu}
          </>
        }
      />
    </nav>
  )
}
