import { text, type FillWords } from '#kit/fill-sql.ts'

/** Columns for the rows of a cloud, each SQL over `n`. */

/** The n-th institute, which nobody has set up further. */
export const instituteColumns = ({ nthId, flag }: FillWords, at: string): Record<string, string> => ({
  id: nthId('tenant', 'n'),
  slug: `'institute-' || n`,
  name: `'Institute ' || n`,
  status: text('active'),
  default_locale: text('he'),
  timezone: text('Asia/Jerusalem'),
  currency: text('ILS'),
  deployment_mode: text('cloud'),
  auto_lock_override: text('inherit'),
  feature_overrides: text('{}'),
  settings: text('{}'),
  currency_fixed: flag(true),
  created_at: at,
  updated_at: at,
})

/** The n-th account, `member-n@example.org`, with a password of this hash. */
export const accountColumns = ({ nthId, flag }: FillWords, at: string, hash: string): Record<string, string> => ({
  id: nthId('user', 'n'),
  email: `'member-' || n || '@example.org'`,
  email_key: `'member-' || n || '@example.org'`,
  full_name: text('Noor Haddad'),
  locale: text('en'),
  status: text('active'),
  email_verified: flag(true),
  password_hash: text(hash),
  is_platform_admin: flag(false),
  created_at: at,
  updated_at: at,
})
