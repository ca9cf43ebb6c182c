import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: { installed_license: { few: 'one' } },
  kept: ({ first, nth, at }) => ({
    installed_license: [
      {
        tenant_id: first('student')['tenant_id'],
        install_id: nth(92),
        install_secret: 'sealed',
        activation: 1,
        activated_at: at,
        license: { jti: nth(93), licenseId: nth(94) },
        applied: {},
        max_observed_at: at,
        counter: 7,
        acknowledge: [],
      },
    ],
  }),
}
