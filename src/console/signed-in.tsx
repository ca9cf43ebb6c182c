import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from './api/queries.ts'
import { useSession, useSessionOwner } from './api/session.ts'
import { Waiting } from './parts/loaded.tsx'
import { Sheet } from './parts/sheet.tsx'
import { SignInForm } from './shell/sign-in/page.tsx'
import { WhichInstitute } from './shell/sign-in/which-institute.tsx'
import { Frame } from './shell/frame.tsx'
import { applyColor } from './shell/house-color.ts'
import { useWords, ZoneProvider } from './words/language.tsx'
import { Locked } from './locked.tsx'
import { later } from './shell/later.tsx'
import { isOwner } from './shell/is-owner.ts'
import { useOwnLanguage } from './shell/own-language.ts'
import { usePushHere } from './shell/push.ts'
import { MeProvider, useMe, useWho } from './shell/me.tsx'
import { PlatformFrame } from './shell/platform-frame.tsx'
import { RecoveryLeft } from './shell/recovery-left.tsx'
import { PlatformRoutes, Routes } from './routes.tsx'
import { browserZone } from './words/browser-zone.ts'
import { useIsDark } from './shell/theme.ts'
import { Unreachable } from './shell/unreachable.tsx'

const SecondFactorNeeded = later(() => import('./screens/account/needed.tsx'))

const Address = later(() => import('./screens/settings/address-notice.tsx'), { isAside: true })

const Payments = later(() => import('./screens/payment/notices.tsx'), { isAside: true })

const Registrations = later(() => import('./screens/register/notices.tsx'), { isAside: true })

/** What screens have to say on every page. */
const NoticesOfScreens = () => {
  const me = useMe()
  return (
    <>
      {isOwner(me) && <Address />}
      {me.can('payments.record') && <Payments />}
      {me.can('students.write') && <Registrations />}
    </>
  )
}

const SignedIn = () => {
  const { institute } = useMe()
  usePushHere()
  useOwnLanguage()
  const isDark = useIsDark()
  useEffect(() => applyColor(institute.color, isDark), [institute.color, isDark])
  return (
    <ZoneProvider zone={institute.timezone}>
      <Frame notices={<NoticesOfScreens />}>
        <Routes />
      </Frame>
      <SignInAgain />
      <RecoveryLeft />
    </ZoneProvider>
  )
}

/** What whoever manages the platform sees. Its times are those of their browser. */
const Platform = () => {
  useOwnLanguage()
  const isDark = useIsDark()
  useEffect(() => applyColor(null, isDark), [isDark])
  return (
    <ZoneProvider zone={browserZone()}>
      <PlatformFrame>
        <PlatformRoutes />
      </PlatformFrame>
      <SignInAgain />
      <RecoveryLeft />
    </ZoneProvider>
  )
}

/** A session that has ended in the middle of work asks for the password over the page, which stays as it is. */
const SignInAgain = () => {
  const { signIn } = useWords()
  const { user } = useWho()
  const isEnded = useSession() === 'ended'
  return (
    <Sheet title={signIn.again} isOpen={isEnded} isFirm onClose={() => {}}>
      <p className="soft">{signIn.againText}</p>
      <SignInForm email={user.email} onDone={() => void queryClient.refetchQueries({ type: 'active' })} />
    </Sheet>
  )
}

/** What somebody who is signed in sees. It is loaded after the page where one signs in. */
export const Screen = () => (
  <QueryClientProvider client={queryClient}>
    <MeProvider
      // Whoever begins to work in somebody's name sees nothing of what they saw before.
      key={useSessionOwner()}
      waiting={<Waiting />}
      needsMore={(isImpersonated) => <SecondFactorNeeded isImpersonated={isImpersonated} />}
      choose={(memberships, isPlatformAdmin) => (
        <WhichInstitute memberships={memberships} isPlatformAdmin={isPlatformAdmin} />
      )}
      platform={<Platform />}
      locked={(institute, me) => <Locked institute={institute} me={me} />}
      failed={(error, retry) => <Unreachable problem={error} retry={retry} />}
    >
      <SignedIn />
    </MeProvider>
  </QueryClientProvider>
)
