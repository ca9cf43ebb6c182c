import type { Owed } from '#kit/owed.ts'

export const owed: Owed = { tables: { tenant_counter: { few: 'one for each kind of number' } } }
