import type { RecordNames } from '#kernel/contract/module.ts'
import { fullName } from './person.ts'

/** The names of people, for files of lists that have their ids alone. */
export const namesOfPeople: readonly RecordNames[] = [
  {
    fields: ['studentId'],
    permission: 'students.read',
    read: async (db, ids) => {
      const rows = db.selectFrom('student').select(['id', 'first_name', 'last_name']).where('id', 'in', ids)
      return (await rows.execute()).map((row) => ({ id: row.id, name: fullName(row) }))
    },
  },
  {
    fields: ['guardianId', 'payerGuardianId'],
    permission: 'guardians.read',
    read: async (db, ids) => {
      const rows = db.selectFrom('guardian').select(['id', 'first_name', 'last_name']).where('id', 'in', ids)
      return (await rows.execute()).map((row) => ({ id: row.id, name: fullName(row) }))
    },
  },
  {
    fields: ['teacherStaffId'],
    permission: 'staff.read',
    read: async (db, ids) => {
      const rows = db.selectFrom('staff').select(['id', 'first_name', 'last_name']).where('id', 'in', ids)
      return (await rows.execute()).map((row) => ({ id: row.id, name: fullName(row) }))
    },
  },
]
