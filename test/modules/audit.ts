import { idAt } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  records: { entityId: (_, record) => record('groupId'), actorUserId: (_, record) => record('userId') },
  filters: {
    'audit.list': {
      action: 'students.delete',
      entityType: 'invoice',
      entityId: idAt('student', 77),
      actorUserId: idAt('user', 1),
      from: '2020-01-10T00:00:00Z',
      to: '2020-01-12T00:00:00Z',
    },
  },
}
