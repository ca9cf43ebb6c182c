import type { Schemas } from '../../api/client.ts'
import type { Option } from '../../parts/choose.tsx'
import type { Channel } from '../../records/message/reads.ts'

export const WHOMS = ['groups', 'branch', 'debtors', 'absent', 'people'] as const
export type Whom = (typeof WHOMS)[number]

export const TOS = ['guardians', 'students', 'both'] as const

export type Asked = Schemas['NewNotification']
export type Outcome = Schemas['QueuedNotifications']

/** Somebody who is named. */
export interface Named extends Option<string> {
  kind: 'student' | 'guardian'
}

export interface Draft {
  whom: Whom
  groups: readonly Option<string>[]
  branchId: string | null
  isOverdue: boolean
  day: 'today' | 'yesterday'
  people: readonly Named[]
  to: (typeof TOS)[number]
  templateKey: string
  data: Readonly<Record<string, string>>
  channels: readonly Channel[]
}

/** The message that is not made of a text that was written before. */
export const FREE = 'message'
/** What it has. */
export const FREE_DATA = ['title', 'message'] as const

const isSaid = (data: Draft['data'], names: readonly string[]): boolean =>
  names.every((name) => (data[name] ?? '').trim() !== '')

/** Whom the draft means; undefined: nobody was chosen yet. */
const meantBy = (
  draft: Draft,
  dates: Record<Draft['day'], string>,
): Pick<Asked, 'audience' | 'recipients'> | undefined => {
  const { whom, to, branchId } = draft
  const groupIds = draft.groups.map(({ id }) => id)
  const narrowed = { groupIds, ...(branchId !== null && { branchId }) }
  switch (whom) {
    case 'groups':
      return groupIds.length === 0 ? undefined : { audience: { kind: 'group', groupIds, to } }
    case 'branch':
      return branchId === null ? undefined : { audience: { kind: 'branch', branchId, to } }
    case 'debtors':
      return { audience: { kind: 'debtors', isOverdue: draft.isOverdue, ...narrowed } }
    case 'absent':
      return { audience: { kind: 'absent', date: dates[draft.day], to, ...narrowed } }
    default: {
      const idsOf = (kind: Named['kind']) => draft.people.filter((one) => one.kind === kind).map(({ id }) => id)
      const recipients = { studentIds: idsOf('student'), guardianIds: idsOf('guardian') }
      return draft.people.length === 0 ? undefined : { recipients }
    }
  }
}

/** What is sent; undefined: something is missing still. @param names what the text asks for */
export const bodyOf = (
  draft: Draft,
  names: readonly string[],
  dates: Record<Draft['day'], string>,
): Asked | undefined => {
  const meant = meantBy(draft, dates)
  if (!meant || draft.channels.length === 0 || !isSaid(draft.data, names)) return undefined
  const data = Object.fromEntries(names.map((name) => [name, (draft.data[name] ?? '').trim()]))
  return { templateKey: draft.templateKey, channels: [...draft.channels], data, ...meant }
}
