import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { reachability } from '../api/send.ts'
import { currentVisit, leaveLook, leaveVisit, lookEndsAt } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { useSendingMarks, useUnsent } from '../api/intents/marks.ts'
import { Notice } from '../parts/notice.tsx'
import { useFormat, useWords } from '../words/language.tsx'
import { useMe } from './me.tsx'
import { useNow } from './now.ts'
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
  const { isImpersonated, preview, user } = useMe()
  const format = useFormat()
  if (!isImpersonated || preview !== null) return null
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

const MINUTE_MILLIS = 60_000

/** What a role would find that its holder has by themselves, as whoever looks as that role has no such records. */
const useOwnOfRole = (roleKey: string | null | undefined): string | undefined => {
  const { looking } = useWords()
  if (roleKey === 'teacher') return looking.ofTeacher
  if (roleKey === 'guardian') return looking.ofGuardian
  return roleKey === 'student' ? looking.ofStudent : undefined
}

/** As which role one looks: it is easily taken for one's own work. */
const Looking = () => {
  const { looking, shell } = useWords()
  const { preview, branches } = useMe()
  const now = useNow()
  const own = useOwnOfRole(preview?.roleKey)
  const endsAt = lookEndsAt()
  const isOver = endsAt !== undefined && now >= endsAt
  useEffect(() => {
    if (isOver) void leaveLook()
  }, [isOver])
  if (preview === null || endsAt === undefined) return null
  const { roleKey, roleName, branchId } = preview
  const role = shell.roles[roleKey ?? ''] ?? roleName
  const branch = branches.find(({ id }) => id === branchId)?.name
  return (
    <Notice meaning="info" icon="user">
      <span className="grow">
        {looking.as(role, branch)} {/* It changes each minute, which nobody is to be told again and again. */}
        <span aria-live="off">{looking.left(Math.max(1, Math.round((endsAt - now) / MINUTE_MILLIS)))}</span>
        {own !== undefined && ` ${own}`}
      </span>
      <Button look="primary" onPress={() => void leaveLook(`/settings/roles/${preview.roleId}`)}>
        {looking.end}
      </Button>
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
      <Looking />
    </div>
  )
}
