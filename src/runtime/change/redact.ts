import { BoundedCache } from '#kernel/basics/bounded-cache.ts'

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
  (secrecyByName.find(name) ?? secrecyByName.set(name, SECRET_NAME.test(name) ? 'secret' : 'open')) === 'secret'

const isSecret = (name: string, value: unknown): boolean =>
  isSecretName(name) || (typeof value === 'string' && SECRET_VALUE.test(value))

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'

/** Whether nothing is removed from the value. */
const isOpen = (value: unknown): boolean => {
  if (isPlain(value)) return true
  if (Array.isArray(value)) return value.every(isOpen)
  for (const name of Object.keys(value as object)) {
    const inner = (value as Record<string, unknown>)[name]
    if (inner === undefined || isSecret(name, inner) || !isOpen(inner)) return false
  }
  return true
}

const cleaned = (value: unknown): unknown => {
  if (isPlain(value)) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([name, inner]) => inner !== undefined && !isSecret(name, inner))
      .map(([name, inner]) => [name, cleaned(inner)]),
  )
}

/**
 * Returns the value without its secrets: at any depth, by name and by value. Hardly any has one, so a value is copied only
 * if it does.
 */
export const withoutSecrets = (value: unknown): unknown => (isOpen(value) ? value : cleaned(value))

/**
 * Removes secrets before a value goes into the audit log: at any depth, by name and by value. An empty result becomes
 * null.
 */
export const forAudit = (value: unknown): unknown => {
  const clean = withoutSecrets(value ?? null)
  return clean !== null && typeof clean === 'object' && Object.keys(clean).length === 0 ? null : clean
}
