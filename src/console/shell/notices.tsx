import { useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { reachability } from '../api/send.ts'
import { currentVisit, leaveVisit } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { useSendingMarks, useUnsent } from '../api/intents/marks.ts'
import { Notice } from '../parts/notice.tsx'
import { useFormat, useWords } from '../words/language.tsx'
import { useMe } from './me.tsx'
import { isAt, Refused } from './refused.tsx'

/** Attendance that is not sent, and what the server did not take of it. */
const Unsent = ({ isReachable }: { isReachable: boolean }) => {
  const { shell } = useWords()
  const [address] = useLocation()
  useSendingMarks()
  const unsent = useUnsent()
  const refused = unsent.filter(({ refusal }) => refusal)
  const sessions = new Set(refused.map(({ sessionId }) => sessionId))
  const waiting = new Set(unsent.map(({ sessionId }) => sessionId).filter((id) => !sessions.has(id)))
  return (
    <>
      {waiting.size > 0 && (
        <Notice meaning="warn" icon="clock">
          <span className="grow">
            {shell.unsent(waiting.size)}
            {!isReachable && <> {shell.waitsAt(location.origin)}</>}
          </span>
        </Notice>
      )}
      {refused.map((one) => (
        <Refused key={one.id} refused={one} isElsewhere={!isAt(address, one)} />
      ))}
    </>
  )
}

/** A subscription that has ended, and to whoever can do something about it one that is about to. */
const Subscription = () => {
  const { shell } = useWords()
  const { institute, can } = useMe()
  const format = useFormat()
  if (institute.isReadOnly) {
    return (
      <Notice meaning="warn">
        <span className="grow">{shell.readOnly}</span>
      </Notice>
    )
  }
  if (!can('settings.manage')) return null
  const { writesEndAt, trialEndsAt, today } = institute
  const end = writesEndAt ?? trialEndsAt
  if (end === null) return null
  const date = format.dateOf(end)
  const day = format.longDate(date)
  const isTrial = writesEndAt === null
  const text = isTrial ? (date < today ? shell.trialEnded(day) : shell.trialEnds(day)) : shell.writesEnd(day)
  return (
    <Notice meaning={isTrial && date >= today ? 'info' : 'warn'}>
      <span className="grow">{text}</span>
    </Notice>
  )
}

/** The server has another name in its network than the one at which this browser opened it. */
const Moved = () => {
  const { shell } = useWords()
  const { institute } = useMe()
  const format = useFormat()
  const [address] = useLocation()
  if (institute.movesTo === null) return null
  const { name, until } = institute.movesTo
  const there = new URL(address, location.origin)
  there.hostname = name
  return (
    <Notice meaning="info" icon="globe">
      <span className="grow">{shell.movesTo(name, format.longDate(until))}</span>
      <a className="button quiet" href={there.href}>
        {shell.openThere}
      </a>
    </Notice>
  )
}

/** Who really works here: it is easily forgotten, and everything is written down under both names. */
const Impersonated = () => {
  const { shell, platform } = useWords()
  const { isImpersonated, user } = useMe()
  const format = useFormat()
  if (!isImpersonated) return null
  const visit = currentVisit()
  return (
    <Notice meaning="warn" icon="user">
      <span className="grow">
        {shell.impersonated(user.fullName)}
        {visit && ` ${platform.visitUntil(format.time(visit.endsAt))}`}
      </span>
      {visit && <Button onPress={() => void leaveVisit()}>{platform.endVisit}</Button>}
    </Notice>
  )
}

/**
 * What concerns every page: no connection, what is not sent, another name of the server, the subscription, in whose name one works.
 * @param children what screens have to say on every page
 */
export const Notices = ({ children }: { children: ReactNode }) => {
  const { shell } = useWords()
  const isReachable = useSyncExternalStore(reachability.subscribe, reachability.get)
  return (
    <div className="notices">
      {!isReachable && (
        <Notice meaning="warn" icon="offline">
          <span className="grow">{shell.offline}</span>
        </Notice>
      )}
      <Unsent isReachable={isReachable} />
      <Moved />
      {children}
      <Subscription />
      <Impersonated />
    </div>
  )
}
