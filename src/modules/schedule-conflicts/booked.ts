import { setImmediate as nextTurn } from 'node:timers/promises'
import { readBounded } from '#db/queries/long-reads.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { fold } from '#shared/text.ts'
import { inBatches } from '#runtime/change/batches.ts'
import type { PlannedSession } from './planned.ts'

/** What the sessions of a group occupy. */
interface Group {
  teacherStaffId: string | null
  /** Branch and room as one key, which is equal for the same room; null without a room. */
  room: string | null
}

/** How many groups one statement compares by their students. */
const GROUPS_AT_ONCE = 20

const NOWHERE: Group = { teacherStaffId: null, room: null }
const NONE: ReadonlySet<string> = new Set()

/** The ids of the sessions' groups that are not yet in `known`. */
const groupsOf = (sessions: readonly PlannedSession[], known: ReadonlyMap<string, unknown>): string[] =>
  [...new Set(sessions.map(({ groupId }) => groupId))].filter((id) => !known.has(id))

/**
 * Knows which teacher, room and students each session's group occupies. Call the learn… methods before asking; they
 * read each group once.
 */
export class Booked {
  readonly #db: ScopedDb
  /** Finds the students that groups share, whether or not the caller reaches them. */
  readonly #whole: ScopedDb
  readonly #groups = new Map<string, Group>()
  /**
   * For each group, the groups that share an active student with it; a group with active students shares them with
   * itself.
   */
  readonly #sharing = new Map<string, Set<string>>()

  constructor({ db, whole }: { db: ScopedDb; whole: ScopedDb }) {
    this.#db = db
    this.#whole = whole
  }

  /** Reads the teachers and rooms of these sessions' groups. */
  async learnPlaces(sessions: readonly PlannedSession[]): Promise<void> {
    await inBatches(groupsOf(sessions, this.#groups), async (ids) => {
      const groups = await this.#db
        .selectFrom('group')
        .select(['id', 'branch_id', 'room', 'teacher_staff_id'])
        .where('id', 'in', ids)
        .execute()
      for (const { id, branch_id: branchId, room, teacher_staff_id: teacherStaffId } of groups) {
        const name = fold(room ?? '')
        this.#groups.set(id, { teacherStaffId, room: name === '' ? null : `${branchId} ${name}` })
      }
      await nextTurn()
    })
  }

  /** Reads which other groups share students with the groups of these sessions. */
  async learnStudents(sessions: readonly PlannedSession[]): Promise<void> {
    const unknown = groupsOf(sessions, this.#sharing)
    for (let done = 0; done < unknown.length; done += GROUPS_AT_ONCE) {
      const ids = unknown.slice(done, done + GROUPS_AT_ONCE)
      for (const id of ids) this.#sharing.set(id, new Set())
      const shared = this.#whole
        .selectFrom('enrollment as own')
        .innerJoin('enrollment as other', 'other.student_id', 'own.student_id')
        .select(['own.group_id as groupId', 'other.group_id as otherId'])
        .distinct()
        .where('own.group_id', 'in', ids)
        .where('own.status', '=', 'active')
        .where('other.status', '=', 'active')
      for (const { groupId, otherId } of await readBounded(shared, 'own.id')) this.#sharing.get(groupId)?.add(otherId)
      await nextTurn()
    }
  }

  /**
   * Whether the caller reaches the session's group. False too when the group was deleted since the session was read.
   */
  reaches({ groupId }: PlannedSession): boolean {
    return this.#groups.has(groupId)
  }

  #of({ groupId }: PlannedSession): Group {
    return this.#groups.get(groupId) ?? NOWHERE
  }

  teacherOf(session: PlannedSession): string | null {
    return session.isHeld ? session.teacherStaffId : (session.teacherStaffId ?? this.#of(session).teacherStaffId)
  }

  roomOf(session: PlannedSession): string | null {
    return this.#of(session).room
  }

  groupsWithStudentsOf({ groupId }: PlannedSession): ReadonlySet<string> {
    return this.#sharing.get(groupId) ?? NONE
  }
}
