import { answer, api, type Schemas } from '../client.ts'
import { afterChange, queryClient } from '../queries.ts'
import { randomName } from '../random.ts'
import { takeFormerMarks } from './former-marks.ts'
import type { IntentHeader } from './intent.ts'
import { senderOf } from './sender.ts'
import { drafts, type Kept, type Saved } from './store.ts'

/**
 * Attendance, in order for each session. The version of the roster makes sure that nobody else's marks are overwritten
 * unseen.
 */

export interface Mark {
  studentId: string
  status: Schemas['AttendanceStatus']
  minutesLate: number
  note: string | null
  /** Nobody chose it: whoever is not marked is present. */
  isProposed?: boolean
}

/** The session that marks belong to, as far as a notice names it. */
export interface MarkedSession {
  sessionId: string
  groupName: string
  scheduledStart: string
}

/** Marks that somebody has not saved yet. */
export interface Draft {
  /** Of the roster from which they were taken. */
  version: number
  marks: readonly Mark[]
}

/** Marks that somebody has saved and the server does not have yet, as far as this browser knows. */
export interface KeptMarks extends Kept, MarkedSession, Draft {}

const draftName = (sessionId: string): string => `marks ${sessionId}`

export const readDraft = async (sessionId: string): Promise<Draft | undefined> => {
  await bringFormer().catch(() => {})
  return drafts.of<Draft>(draftName(sessionId))
}

/** Without marks there is no draft. */
export const keepDraft = (sessionId: string, { version, marks: chosen }: Draft): Promise<void> =>
  drafts.keep(draftName(sessionId), chosen.length > 0 ? { version, marks: chosen } : undefined)

/** What became of marks: `kept` here until the server can be reached, or `refused` by it. */
export type Outcome = 'sent' | 'kept' | 'refused'

/** Under which the roster of a session is kept, with its attendance. */
export const rosterKey = (sessionId: string) => ['/sessions', sessionId, 'attendance'] as const

/** What somebody else marked meanwhile, as it stands now. */
interface Conflict {
  current: number
  entries: readonly Schemas['RosterEntry'][]
}

/** undefined: it was refused for another reason. */
export const conflictOf = ({ marks, refusal }: Pick<KeptMarks, 'marks' | 'refusal'>): Conflict | undefined => {
  if (refusal?.code !== 'VERSION_CONFLICT') return undefined
  const { current, entries } = refusal.details as unknown as Conflict
  const ours = new Set(marks.map(({ studentId }) => studentId))
  // Whom we did not mark we do not overwrite.
  return { current, entries: entries.filter(({ studentId }) => ours.has(studentId)) }
}

/**
 * Versions that our own marks led to: old → new. Marks chosen meanwhile are based on the new one: the server took ours, so
 * nobody else has marked anything in between.
 */
const ownVersions = new Map<string, number>()

const newestFrom = (sessionId: string, version: number): number => {
  const next = ownVersions.get(`${sessionId} ${version}`)
  return next === undefined || next === version ? version : newestFrom(sessionId, next)
}

type Sendable = Pick<KeptMarks, 'sessionId' | 'version' | 'marks'>

const put = async ({ sessionId, version, marks }: Sendable, header: IntentHeader): Promise<Schemas['Roster']> => {
  const entries = marks.map(({ studentId, status, minutesLate, note }) => ({ studentId, status, minutesLate, note }))
  const params = { path: { id: sessionId }, header }
  const roster = await answer(api.PUT('/sessions/{id}/attendance', { params, body: { version, entries } }))
  ownVersions.set(`${sessionId} ${version}`, roster.version)
  return roster
}

let bringing: Promise<void> | undefined

/** A page may want a draft before anything is sent. */
const bringFormer = (): Promise<void> => {
  bringing ??= takeFormerMarks({
    marks: (found) => {
      const former = found as Saved<KeptMarks>
      return marks.save((all) => ({ kept: former, forget: all.filter(({ key }) => key === former.key) }))
    },
    draft: async (sessionId, former) =>
      (await drafts.of(draftName(sessionId))) ?? keepDraft(sessionId, former as Draft),
  })
  return bringing
}

const marks = senderOf<KeptMarks, Schemas['Roster']>({
  kind: 'marks',
  change: 'attendance',
  lineOf: ({ sessionId }) => sessionId,
  prepare: ({ sessionId, version }) => ({ version: newestFrom(sessionId, version) }),
  send: put,
  mend: (kept, refusal) => {
    const conflict = conflictOf({ ...kept, refusal })
    return conflict?.entries.length === 0 ? { version: conflict.current, key: randomName() } : undefined
  },
  onReply: (roster) => queryClient.setQueryData(rosterKey(roster.sessionId), roster),
  keepsRefused: true,
  bringFormer,
})

/** Marks of one session that build on what was saved of it before. */
export const merged = (former: readonly Mark[], latter: readonly Mark[]): Mark[] => [
  ...new Map([...former, ...latter].map((mark) => [mark.studentId, mark])).values(),
]

interface Saving extends Draft {
  /** Called once the marks are safe. */
  onKept?: () => void
}

/**
 * Keeps marks in this browser and sends them.
 * @param saving.version of the roster that whoever marks has seen
 * @throws Problem where the browser keeps nothing and the server did not take them
 */
export const saveMarks = async (session: MarkedSession, saving: Saving): Promise<Outcome> => {
  const { sessionId } = session
  const content = { ...session, version: newestFrom(sessionId, saving.version), marks: saving.marks }
  const fresh = { ...content, savedAt: new Date().toISOString(), key: randomName(), isTried: false }
  let id: number
  try {
    id = await marks.save((all) => {
      const before = all.filter((one) => one.sessionId === sessionId)
      // What was refused has been seen, and decided anew.
      if (before.some(({ refusal }) => refusal)) return { kept: fresh, forget: before }
      const last = before.at(-1)
      // What may have left is sent again as it was, and this after it; what never left is sent together with this.
      if (!last || last.isTried) return { kept: fresh }
      return { kept: { ...fresh, id: last.id, version: last.version, marks: merged(last.marks, saving.marks) } }
    })
  } catch {
    await put(content, { 'Idempotency-Key': fresh.key })
    saving.onKept?.()
    await afterChange('attendance')
    return 'sent'
  }
  saving.onKept?.()
  await marks.sendLine(sessionId)
  const kept = marks.kept().find((one) => one.id === id)
  if (!kept) return 'sent'
  return kept.refusal ? 'refused' : 'kept'
}

/** Gives the marks of a session up, which the server refused. */
export const discardMarks = async (sessionId: string): Promise<void> => {
  const given = marks.kept().filter((one) => one.sessionId === sessionId)
  await marks.drop(given.map(({ id }) => id))
  await queryClient.invalidateQueries({ queryKey: ['/sessions', sessionId] })
}

/** What of the signed-in person's attendance the server does not have, or did not take. */
export const { useKept: useUnsent, useSending: useSendingMarks } = marks
