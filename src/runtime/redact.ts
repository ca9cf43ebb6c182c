import { BoundedCache } from '#kernel/bounded-cache.ts'

const SECRET_NAME = /(password|secret|token|hash|credentials?|sealed|apikey)$/i
/**
 * An API key or the signing secret of a webhook. They are recognised by their value, because the member `key` of a role
 * or a template is not secret.
 */
const SECRET_VALUE = /^(?:ims_[sp]k_[^_]+_|whsec_)/

/** Caches the result by name: an audit entry may contain hundreds of records with the same members. */
const secrecyByName = new BoundedCache<string, 'secret' | 'open'>(1000)

/** Whether the name of a column or of a member of an object denotes a secret. */
export const isSecretName = (name: string): boolean =>
  secrecyByName.get(name, () => (SECRET_NAME.test(name) ? 'secret' : 'open')) === 'secret'

const isSecret = (name: string, value: unknown): boolean =>
  isSecretName(name) || (typeof value === 'string' && SECRET_VALUE.test(value))

/** Returns the value without its secrets: at any depth, by name and by value. */
export const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== undefined && !isSecret(name, inner))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  )
}

/**
 * Removes secrets before a value goes into the audit log: at any depth, by name and by value. An empty result becomes
 * null.
 */
export const forAudit = (value: unknown): unknown => {
  const clean = withoutSecrets(value ?? null)
  return clean !== null && typeof clean === 'object' && Object.keys(clean).length === 0 ? null : clean
}
