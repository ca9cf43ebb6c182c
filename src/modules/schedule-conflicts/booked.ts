import { readBounded } from '#db/aside.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { fold } from '#kernel/text.ts'
import type { PlannedSession } from './planned.ts'

/** What the sessions of a group take up. */
interface Group {
  teacherStaffId: string | null
  /** Branch and room, the same for all that name the same room; null without one. */
  room: string | null
  /** The groups with which it shares an active student: itself too, where it has one. */
  withItsStudents: Set<string>
}

/** So many groups' students are compared in one statement. */
const GROUPS_AT_ONCE = 50

const NOWHERE: Group = { teacherStaffId: null, room: null, withItsStudents: new Set() }

/** Who and what is booked by sessions. Groups are read once, as far as they are asked for. */
export class Booked {
  /** Of the whole institute: what is told is of sessions within reach alone. */
  readonly #whole: ScopedDb
  readonly #groups = new Map<string, Group>()

  constructor(whole: ScopedDb) {
    this.#whole = whole
  }

  /** Reads what the groups of these sessions book, before it is asked for. */
  async learn(sessions: readonly PlannedSession[]): Promise<void> {
    const unknown = [...new Set(sessions.map(({ groupId }) => groupId))].filter((id) => !this.#groups.has(id))
    for (let done = 0; done < unknown.length; done += GROUPS_AT_ONCE) {
      await this.#read(unknown.slice(done, done + GROUPS_AT_ONCE))
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    const groups = await this.#whole
      .selectFrom('group')
      .select(['id', 'branch_id', 'room', 'teacher_staff_id'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, branch_id: branchId, room, teacher_staff_id: teacherStaffId } of groups) {
      const name = fold(room ?? '')
      this.#groups.set(id, {
        teacherStaffId,
        room: name === '' ? null : `${branchId} ${name}`,
        withItsStudents: new Set(),
      })
    }
    const shared = this.#whole
      .selectFrom('enrollment as own')
      .innerJoin('enrollment as other', 'other.student_id', 'own.student_id')
      .select(['own.group_id as groupId', 'other.group_id as otherId'])
      .distinct()
      .where('own.group_id', 'in', ids)
      .where('own.status', '=', 'active')
      .where('other.status', '=', 'active')
    for (const { groupId, otherId } of await readBounded(shared, 'own.id')) {
      this.#groups.get(groupId)?.withItsStudents.add(otherId)
    }
  }

  #of({ groupId }: PlannedSession): Group {
    // A group that was deleted since its session was read.
    return this.#groups.get(groupId) ?? NOWHERE
  }

  teacherOf(session: PlannedSession): string | null {
    return session.isHeld ? session.teacherStaffId : (session.teacherStaffId ?? this.#of(session).teacherStaffId)
  }

  roomOf(session: PlannedSession): string | null {
    return this.#of(session).room
  }

  groupsWithStudentsOf(session: PlannedSession): ReadonlySet<string> {
    return this.#of(session).withItsStudents
  }
}
