import { useMemo, type ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { amountOf, limitName } from '../../records/plan/limits.ts'
import type { Format } from '../../words/format.ts'
import { useFormat, useWords } from '../../words/language.tsx'
import { isOwner } from '../../shell/is-owner.ts'
import { useMe } from '../../shell/me.tsx'
import { useStill } from '../../shell/user-idle.ts'
import type { Words } from '../../words/words.ts'

interface Need {
  id: string
  meaning: 'bad' | 'warn' | 'info'
  text: string
  action?: ReactNode
}

const invoicesNeed = (
  id: string,
  invoices: Schemas['InvoicesToLookAt'] | null,
  say: (count: number, balance: string) => string,
  { words, format, to }: Pick<Reader, 'words' | 'format'> & { to: string },
): Need[] => {
  if (!invoices || invoices.count === 0) return []
  const action = (
    <ButtonLink look="quiet" to={to}>
      {words.today.look}
    </ButtonLink>
  )
  return [{ id, meaning: 'warn', text: say(invoices.count, format.money(invoices.balance)), action }]
}

const chequesNeed = (
  which: 'due' | 'coming' | 'bounced',
  cheques: Schemas['ChequesToLookAt'] | null,
  { words: { cheques: words, today }, format }: Pick<Reader, 'words' | 'format'>,
): Need[] => {
  if (!cheques || cheques.count === 0) return []
  const say = { due: words.due, coming: words.coming, bounced: words.bouncedOnes }[which]
  const action = (
    <ButtonLink look="quiet" to={which === 'coming' ? '/cheques?status=held&due=week' : `/cheques?status=${which}`}>
      {today.look}
    </ButtonLink>
  )
  const text = say(cheques.count, format.money(cheques.amount))
  return [{ id: `cheques ${which}`, meaning: which === 'bounced' ? 'bad' : 'info', text, action }]
}

const backupNeed = (
  backup: Schemas['Attention']['backup'],
  { words: { today: words }, format, mayBackUp }: Reader,
): Need[] => {
  if (!backup) return []
  const action = mayBackUp && (
    <ButtonLink look="quiet" to="/settings/backups">
      {words.look}
    </ButtonLink>
  )
  const needs: Need[] = []
  const { state, lastGoodAt, offServer } = backup
  if (state !== 'ok') {
    const text = lastGoodAt === null ? words.backupNone : words.backupOld(format.moment(lastGoodAt))
    needs.push({ id: 'backup', meaning: state === 'wrong' ? 'bad' : 'warn', text, action })
  }
  if (offServer === 'failed') needs.push({ id: 'elsewhere', meaning: 'warn', text: words.backupElsewhere, action })
  return needs
}

const licenseNeed = (license: Schemas['Attention']['license'], { today: words }: Words, format: Format): Need[] => {
  const action = (
    <a className="button quiet" href="/license">
      {words.look}
    </a>
  )
  if (!license || license.state !== 'active') return []
  if (license.reason !== null) return [{ id: 'license', meaning: 'warn', text: words.licenseEnded, action }]
  const { graceEndsAt, lastHeartbeatAt } = license
  if (graceEndsAt === null || graceEndsAt > new Date().toISOString()) return []
  const since = format.date(format.dateOf(lastHeartbeatAt ?? graceEndsAt))
  return [{ id: 'license', meaning: 'warn', text: words.licenseSilent(since), action }]
}

const limitNeed = (
  { limit, most, used, state }: Schemas['PlanLimitUse'],
  { words, format }: Pick<Reader, 'words' | 'format'>,
): Need => {
  const say = state === 'full' ? words.plan.fullNeed : words.plan.nearNeed
  const amount = (count: number | null) => amountOf(format, limit, count ?? 0)
  return {
    id: `limit ${limit}`,
    meaning: state === 'full' ? 'bad' : 'warn',
    text: say(limitName(words, limit), amount(used), amount(most)),
    action: (
      <ButtonLink look="quiet" to="/settings/plan">
        {words.today.look}
      </ButtonLink>
    ),
  }
}

const planEndNeed = (end: Schemas['PlanEnd'] | null, { words, format }: Pick<Reader, 'words' | 'format'>): Need[] => {
  if (end === null) return []
  const day = (moment: string) => format.longDate(format.dateOf(moment))
  const { endsAt, isOver, locksAt } = end
  const ends = (isOver ? words.plan.endedNeed : words.plan.endsNeed)(day(endsAt))
  return [
    {
      id: 'plan end',
      meaning: isOver ? 'bad' : 'warn',
      text: isOver && locksAt !== null ? `${ends} ${words.plan.locksNeed(day(locksAt))}` : ends,
      action: (
        <ButtonLink look="quiet" to="/settings/plan">
          {words.today.look}
        </ButtonLink>
      ),
    },
  ]
}

interface NeedsProps {
  attention: Schemas['Attention']
  /** Classes of today that are over and not marked. */
  forgottenToday: number
}

interface Reader {
  words: Words
  format: Format
  mayMark: boolean
  /** Whether the list of all messages is the reader’s to look at. */
  maySend: boolean
  /** Whether the page of the backups is open to the reader. */
  mayBackUp: boolean
}

const needsOf = ({ attention, forgottenToday }: NeedsProps, reader: Reader): Need[] => {
  const { words: all, format, mayMark, maySend } = reader
  const { today: words } = all
  const {
    unmarkedSessions,
    newLeads,
    freePlaces,
    failedMessages,
    callsToMake,
    invoicesOverdue,
    invoicesDueToday,
    backup,
    license,
    planLimits,
  } = attention
  const today = format.today()
  const toUnmarked = (
    <ButtonLink look="quiet" to="/today/unmarked">
      {mayMark ? words.markThem : words.look}
    </ButtonLink>
  )
  const toCalls = (
    <ButtonLink look="quiet" to="/messages/calls">
      {words.look}
    </ButtonLink>
  )
  const toFailed = (
    <ButtonLink look="quiet" to="/messages?status=failed">
      {words.look}
    </ButtonLink>
  )
  const toLeads = (
    <ButtonLink look="quiet" to="/leads">
      {words.look}
    </ButtonLink>
  )
  const some = (
    id: string,
    meaning: Need['meaning'],
    count: number | null,
    say: (n: number) => string,
    action?: ReactNode,
  ) => (count === null || count === 0 ? [] : [{ id, meaning, text: say(count), action }])
  return [
    ...some('today', 'bad', forgottenToday, words.unmarkedToday, toUnmarked),
    ...some('before', 'bad', unmarkedSessions?.count ?? 0, words.unmarkedBefore, toUnmarked),
    ...backupNeed(backup, reader),
    ...planEndNeed(attention.planEnd, reader),
    ...(planLimits ?? []).map((limit) => limitNeed(limit, reader)),
    ...invoicesNeed('overdue', invoicesOverdue, words.invoicesOverdue, {
      words: all,
      format,
      to: '/invoices?status=overdue&sort=due',
    }),
    ...invoicesNeed('due', invoicesDueToday, words.invoicesDue, {
      words: all,
      format,
      to: `/invoices?from=${today}&to=${today}`,
    }),
    ...chequesNeed('bounced', attention.chequesBounced, { words: all, format }),
    ...chequesNeed('due', attention.chequesDue, { words: all, format }),
    ...chequesNeed('coming', attention.chequesComing, { words: all, format }),
    ...some('messages', 'warn', failedMessages, words.failedMessages, maySend && toFailed),
    ...some('calls', 'info', callsToMake, all.calls.toMake, toCalls),
    ...(freePlaces ?? []).map(({ groupId, groupName, waiting }) => ({
      id: `place ${groupId}`,
      meaning: 'info' as const,
      text: all.waiting.free(groupName, waiting),
      action: (
        <ButtonLink look="quiet" to={`/groups/${groupId}`}>
          {words.look}
        </ButtonLink>
      ),
    })),
    ...some(
      'proposals',
      'info',
      attention.proposedChanges,
      all.proposals.need,
      <ButtonLink look="quiet" to="/proposals">
        {words.look}
      </ButtonLink>,
    ),
    ...some('leads', 'info', newLeads, words.newLeads, toLeads),
    ...licenseNeed(license, all, format),
  ]
}

/** Each thing that waits for somebody, as a sentence with what can be done about it. */
export const Needs = ({ attention, forgottenToday }: NeedsProps) => {
  const words = useWords()
  const format = useFormat()
  const me = useMe()
  const reader = {
    words,
    format,
    mayMark: me.can('attendance.mark'),
    maySend: me.can('notifications.send'),
    mayBackUp: isOwner(me),
  }
  const fresh = useMemo(() => ({ attention, forgottenToday }), [attention, forgottenToday])
  const shown = useStill(fresh, (seen) =>
    needsOf(seen, reader)
      .map(({ id }) => id)
      .join(),
  )
  const needs = needsOf(shown, reader)
  if (needs.length === 0) {
    return (
      <p className="card calm">
        <Icon name="tick" />
        {words.today.calm}
      </p>
    )
  }
  return (
    <ul className="card">
      {needs.map(({ id, meaning, text, action }) => (
        <li key={id}>
          <div className="row need">
            <span className={`need-dot ${meaning}`} />
            <span className="grow">{text}</span>
            {action}
          </div>
        </li>
      ))}
    </ul>
  )
}
