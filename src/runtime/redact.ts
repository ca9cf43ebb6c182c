import { BoundedCache } from '#kernel/bounded-cache.ts'

const SECRET_NAME = /(password|secret|token|hash|credential|sealed|apikey)$/i
/** A full API key or a webhook's signing secret. By its value: the member `key` of a role or a template is no secret. */
const SECRET_VALUE = /^(?:ims_[sp]k_[^_]+_|whsec_)/

/** An entry can hold hundreds of records with the same members. */
const secrecyByName = new BoundedCache<string, 'secret' | 'open'>(1000)

const isSecret = (name: string, value: unknown): boolean =>
  secrecyByName.get(name, () => (SECRET_NAME.test(name) ? 'secret' : 'open')) === 'secret' ||
  (typeof value === 'string' && SECRET_VALUE.test(value))

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== undefined && !isSecret(name, inner))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  )
}

/** What may stand in the audit log: null for nothing, and no member that is a secret by name or value, at any depth. */
export const forAudit = (value: unknown): unknown => {
  const clean = withoutSecrets(value ?? null)
  return clean !== null && typeof clean === 'object' && Object.keys(clean).length === 0 ? null : clean
}
