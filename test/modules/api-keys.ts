import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: { api_key: { few: 'a handful' }, api_key_origin: { few: 'a handful' } },
  kept: ({ first }) => {
    const { id, tenant_id } = first('api_key')
    return { api_key_origin: [{ tenant_id, api_key_id: id, origin: 'https://school.example' }] }
  },
}
