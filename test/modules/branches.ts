import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: { branch: { few: 'a handful' } },
  records: { branchId: ({ branchId }) => branchId },
}
