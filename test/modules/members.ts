import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {
    role: { few: 'seven of the program, some of the institute’s own' },
    membership: { few: 'the staff and, of those who were invited, the families' },
    role_assignment: { few: 'one or two of a member' },
    invitation: { few: 'those that wait for an answer' },
  },
}
