import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: { tenant_domain: { few: 'a hundred of an institute at the most' } },
  kept: ({ first, nth, at }) => {
    const said = { tenant_id: first('student')['tenant_id'], created_at: at, updated_at: at }
    return {
      tenant_domain: [
        {
          ...said,
          id: nth(35),
          domain: 'xn--4gbrim.example.org',
          kind: 'custom',
          verification_token: 'token',
          verified_at: at,
          is_primary: true,
        },
      ],
    }
  },
}
