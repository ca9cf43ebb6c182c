import type { Owed } from '#kit/owed.ts'

export const owed: Owed = { tables: { installed_license: { few: 'one' } } }
