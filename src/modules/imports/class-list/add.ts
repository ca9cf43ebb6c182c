import type { Begin } from '#kernel/contract/endpoint.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { failure, Forbidden, found, invalid } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { count, list } from '#kernel/values/schema.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { enrollMany, groupRecord, sinceNow } from '#modules/groups/index.ts'
import { lockNewStudents } from '#modules/people/index.ts'
import { findRow } from '#runtime/records/records.ts'
import * as v from 'valibot'
import { complaintOfError, reasonNamed, RowRefused } from '../complaints.ts'
import type { Slice } from '../kinds/kind.ts'
import { namesIn } from '../kinds/names.ts'
import { addStudent, standingOf } from '../kinds/students.ts'
import type { Values } from '../rows.ts'
import { linesOf, type PastedLine } from './lines.ts'
import { MOST_LINES, type ClassList, type ClassListLine, type ClassListOutcome } from './schemas.ts'
import { reached, whoIsMeant } from './who.ts'

export const ClassListNotReady = failure(
  'CONFLICT',
  'class_list_not_ready',
  'Not every line is clear, so nothing was made: ask with dryRun what is missing.',
  {
    details: {
      schema: explained(v.object({ lines: list(count) }), { lines: 'The numbers of these lines.' }),
      example: { lines: [3] },
    },
  },
)

interface Asked {
  tx: Tx
  caller: Caller
  groupId: string
  body: ClassList
  /** Does what may be refused, so that the transaction can go on without it. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** The rows of one group, as rows of an import are written. */
const sliceOf = ({ tx, caller }: Pick<Asked, 'tx' | 'caller'>, branchId: string): Slice => {
  const known = new Map<string, Promise<unknown>>()
  return {
    caller,
    knownPhone: 'refuse',
    branchId,
    as: (permission: Permission) => {
      const reach = caller.grants.reach(permission)
      if (reach === undefined) throw Forbidden({ reason: 'permission_missing', permissions: [permission] })
      return tx.within(reach)
    },
    once: <T>(what: string, read: () => Promise<T>) => {
      const before = known.get(what) ?? read()
      known.set(what, before)
      return before as Promise<T>
    },
    take: () => undefined,
    tell: () => undefined,
  }
}

/** Of a name that nothing says the order of. */
const turned = (values: Values): Values => {
  const { firstName, lastName } = namesIn(values) ?? {}
  if (firstName === undefined || lastName === undefined) return values
  const { fullName: _whole, ...others } = values
  return { ...others, firstName: lastName, lastName: firstName }
}

type Choice = ClassList['choices'][number]

/** What a line comes to, before it is enrolled. @throws RowRefused, and refusals of the modules */
const settle = async (
  { tx, caller }: Asked,
  slice: Slice,
  { values, choice }: { values: Values; choice: Choice | undefined },
): Promise<Pick<ClassListLine, 'outcome' | 'student' | 'person' | 'candidates'> & { studentId: string | null }> => {
  const nobody = { student: null, person: null, candidates: [], studentId: null }
  if (choice?.take === 'student') {
    const student = await reached(tx.db, choice.studentId as string)
    return { ...nobody, outcome: 'enrolled', student, studentId: student.id }
  }
  const mayName = caller.grants.reach('students.read')
  const names = mayName && tx.within(mayName).db
  const { student, candidates } = await whoIsMeant({ whole: tx.whole, db: tx.db, names }, values)
  if (student) return { ...nobody, outcome: 'enrolled', student, studentId: student.id }
  if (candidates.length > 0 && choice?.take !== 'new') {
    return { ...nobody, outcome: 'choose', candidates: [...candidates] }
  }
  if (!caller.grants.holds('students.write')) throw new RowRefused('unknown_student')
  const studentId = await addStudent(slice, values)
  return { ...nobody, outcome: 'registered', person: await standingOf(slice, studentId), studentId }
}

const readValues = (
  {
    values,
    complaints,
  }: { values: Values; complaints: readonly { reason: RowRefused['reason']; field: string | null }[] },
  lastNameFirst: boolean,
): Values => {
  const [first] = complaints
  if (first) throw new RowRefused(first.reason, first.field)
  return lastNameFirst ? turned(values) : values
}

const choicesBy = (lines: readonly PastedLine[], choices: readonly Choice[]): ReadonlyMap<number, Choice> => {
  const known = new Set(lines.map(({ line }) => line))
  for (const [at, { line, take, studentId }] of choices.entries()) {
    if (!known.has(line)) throw invalid(['choices', at, 'line'], 'Must be a line of the text.')
    if (take === 'student' && !studentId) throw invalid(['choices', at, 'studentId'], 'Is needed with student.')
  }
  return new Map(choices.map((choice) => [choice.line, choice]))
}

/**
 * Adds and enrolls those whom a list names. @throws NotFound for the group, VALIDATION_ERROR
 */
export const addClassList = async (asked: Asked): Promise<ClassListOutcome> => {
  const { tx, caller, groupId, body, attempt } = asked
  const group = await findRow(tx.db, groupRecord, groupId)
  const { timezone, currency } = tx.tenant
  const { lines, reader } = await linesOf(body.text, { timezone, currency, today: tx.today })
  if (lines.length === 0) throw invalid(['text'], 'Must have a line.')
  if (lines.length > MOST_LINES) throw invalid(['text'], `Must have at most ${MOST_LINES} lines.`)
  const choices = choicesBy(lines, body.choices)
  const slice = sliceOf(asked, group.branch_id)
  // Nobody is added between the look and the writing.
  if (caller.grants.holds('students.write')) await lockNewStudents(slice.as('students.write'))
  const settled: (ClassListLine & { studentId: string | null })[] = []
  const seen = new Set<string>()
  for (const { line, text, row } of lines) {
    const choice = choices.get(line)
    const shown = {
      line,
      text,
      student: null,
      person: null,
      candidates: [],
      reason: null,
      field: null,
      studentId: null,
    }
    if (choice?.take === 'nobody') {
      settled.push({ ...shown, outcome: 'left_out' })
      continue
    }
    try {
      const values = readValues(reader.read(row), body.lastNameFirst)
      const one = { ...shown, ...(await attempt(() => settle(asked, slice, { values, choice }))) }
      const isTwice = one.studentId !== null && seen.has(one.studentId)
      if (one.studentId !== null) seen.add(one.studentId)
      settled.push(isTwice ? { ...one, outcome: 'already', studentId: null } : one)
    } catch (error) {
      settled.push({ ...shown, outcome: 'refused', ...complaintOfError(error) })
    }
  }
  const studentIds = settled.flatMap(({ studentId }) => studentId ?? [])
  const { refused } = await enrollMany(tx, groupId, { studentIds, ...(await sinceNow(tx, groupId, undefined)) })
  const refusalOf = new Map(refused.map(({ studentId, reason }) => [studentId, reason]))
  const outcomes = settled.map(({ studentId, ...one }): ClassListLine => {
    const reason = studentId === null ? undefined : refusalOf.get(studentId)
    if (reason === undefined) return one
    if (reason === 'already_enrolled') return { ...one, outcome: 'already' }
    return { ...one, outcome: 'refused', reason: reason === 'not_found' ? 'out_of_reach' : reasonNamed(reason) }
  })
  const countOf = (...of: ClassListLine['outcome'][]) => outcomes.filter(({ outcome }) => of.includes(outcome)).length
  return {
    dryRun: body.dryRun,
    isReady: countOf('choose', 'refused') === 0,
    enrolled: countOf('enrolled', 'registered'),
    registered: countOf('registered'),
    lines: outcomes,
  }
}

/** Rolls a transaction back, and carries what it would have done. */
class TakenBack extends Error {
  readonly outcome: ClassListOutcome

  constructor(outcome: ClassListOutcome) {
    super('A try ends without a change.')
    this.name = 'TakenBack'
    this.outcome = outcome
  }
}

interface Trying {
  begin: Begin
  tenant: TenantInfo
  caller: Caller
  groupId: string
  body: ClassList
}

/** Says what becomes of every line: what is refused is taken back alone, and in the end everything. @throws as addClassList */
export const tryClassList = async ({ begin, tenant, ...asked }: Trying): Promise<ClassListOutcome> => {
  const reach = found(asked.caller.grants.reach('enrollments.write'))
  try {
    return await begin(async (system): Promise<never> => {
      const attempt = <T>(work: () => Promise<T>) => system.attempt(work)
      throw new TakenBack(await addClassList({ ...asked, tx: system.inTenant(tenant, reach), attempt }))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome
    throw error
  }
}

/** Adds and enrolls all of them, or nobody. @throws ClassListNotReady, and as addClassList */
export const makeClassList = async (asked: Omit<Asked, 'attempt'>): Promise<ClassListOutcome> => {
  const outcome = await addClassList({ ...asked, attempt: (work) => work() })
  if (outcome.isReady) return outcome
  const unclear = outcome.lines.filter(({ outcome: one }) => one === 'choose' || one === 'refused')
  throw ClassListNotReady({ lines: unclear.map(({ line }) => line) })
}
