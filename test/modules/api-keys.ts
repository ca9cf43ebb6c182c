import type { Owed } from '#kit/owed.ts'

export const owed: Owed = { tables: { api_key: { few: 'a handful' }, api_key_origin: { few: 'a handful' } } }
