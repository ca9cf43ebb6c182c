import { idAt } from '#kit/fill-sql.ts'
import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  filters: {
    'me.schedule': { from: '2020-01-10', to: '2020-01-12' },
    'me.attendance': { from: '2020-01-10', to: '2020-01-12', studentId: idAt('student', 77) },
  },
}
