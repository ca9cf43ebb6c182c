const SECRET = /(password|secret|token|hash|credential|sealed|apikey)$/i
// `key` alone is the full API key; keyPrefix, roleKey and the like say nothing secret.
const isSecret = (name: string): boolean => name === 'key' || SECRET.test(name)

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== undefined && !isSecret(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  )
}

/** What may stand in the audit log: null for nothing, and no member that is named as a secret, at any depth. */
export const forAudit = (value: unknown): unknown => {
  const clean = withoutSecrets(value ?? null)
  return clean !== null && typeof clean === 'object' && Object.keys(clean).length === 0 ? null : clean
}
