import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useHomeScreen } from '../../shell/home-screen.ts'
import { useMe } from '../../shell/me.tsx'
import { leavePushOffer, usePushOffer } from '../../shell/push-offer.ts'
import { usePushSwitch } from '../../shell/push-switch.ts'
import { useWords } from '../../words/language.tsx'
import { HomeScreen } from './home-screen.tsx'

/** Asks a family on a phone, once, whether messages shall come there. The browser itself asks after a tap alone. */
const PushOffer = () => {
  const { own: words } = useWords()
  const { institute } = useMe()
  const { turnOn, isBusy, fault } = usePushSwitch()
  return (
    <aside className="card padded" aria-label={words.pushOffer}>
      <p>{words.pushOfferText(institute.name)}</p>
      <div className="actions below">
        <Button isBusy={isBusy} onPress={turnOn}>
          {words.pushOn}
        </Button>
        <Button
          look="quiet"
          onPress={() => {
            leavePushOffer()
            toast(words.pushLater)
          }}
        >
          {words.notNow}
        </Button>
      </div>
      {fault !== undefined && (
        <Notice meaning="warn" isAlert>
          {fault}
        </Notice>
      )}
    </aside>
  )
}

/** What a family is told once of its phone: one thing at a time, the next one when the page is opened next. */
export const Offers = () => {
  const homeScreen = useHomeScreen()
  const hasPushOffer = usePushOffer()
  const [first, setFirst] = useState<'home' | 'push'>()
  const wanted = homeScreen ? 'home' : hasPushOffer ? 'push' : undefined
  if (first === undefined && wanted !== undefined) setFirst(wanted)
  const shown = first ?? wanted
  if (shown === 'home') return <HomeScreen />
  return shown === 'push' && hasPushOffer ? <PushOffer /> : null
}
