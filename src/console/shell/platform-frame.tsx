import { useSyncExternalStore, type ReactNode } from 'react'
import { Link } from 'wouter'
import { reachability } from '../api/send.ts'
import { Notice } from '../parts/notice.tsx'
import { PlaceProvider } from '../parts/place.tsx'
import { Toasts } from '../parts/toast.tsx'
import { useWords } from '../words/language.tsx'
import { Brand } from './brand.tsx'
import { usePlatformEntries } from './frame-menus.tsx'
import { PLATFORM_HOME, platformPlaces } from './navigation.ts'
import { AccountMenu, RailPlaces, TabPlaces } from './places.tsx'

/** What surrounds every page of the vendor. */
export const PlatformFrame = ({ children }: { children: ReactNode }) => {
  const words = useWords()
  const { shell, platform } = words
  const places = platformPlaces(words)
  const entries = usePlatformEntries()
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.get)
  return (
    <PlaceProvider house={platform.title}>
      <div className="frame">
        <a className="skip" href="#page">
          {shell.skip}
        </a>
        <nav className="rail" aria-label={shell.nav.label}>
          <Brand name={platform.title} />
          <RailPlaces places={places} />
          <AccountMenu entries={entries} />
        </nav>
        <header className="head">
          <Link href={PLATFORM_HOME} className="place">
            <Brand name={platform.title} />
          </Link>
        </header>
        <main id="page" tabIndex={-1}>
          <div className="notices">
            {!isReachable && (
              <Notice meaning="warn" icon="offline">
                <span className="grow">{shell.offline}</span>
              </Notice>
            )}
          </div>
          {children}
        </main>
        <TabPlaces places={places} entries={entries} />
      </div>
      <Toasts />
    </PlaceProvider>
  )
}
