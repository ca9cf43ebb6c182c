/** Takes a person out of JSON that others wrote: entries of the audit log, events, payloads, stored replies. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Fields whose words say nothing of a person: codes, numbers of papers, days of business. Everything else is emptied. */
const HARMLESS = new Set([
  'status',
  'previousStatus',
  'kind',
  'type',
  'channel',
  'source',
  'locale',
  'preferredLocale',
  'relationship',
  'method',
  'currency',
  'number',
  'studentNumber',
  'issueDate',
  'dueDate',
  'dueOn',
  'occurredOn',
  'scheduledStart',
  'month',
  'action',
  'entityType',
])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (value: Record<string, unknown>, how: (one: unknown, field: string) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([field, one]) => [field, how(one, field)]))

/** Without any words but those that are harmless. */
export const emptied = (value: unknown, field = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => emptied(one, field))
  if (isObject(value)) return mapped(value, emptied)
  if (typeof value !== 'string') return value
  return HARMLESS.has(field) || UUID.test(value) || INSTANT.test(value) ? value : null
}

/** Empties each object that names one of these ids, and leaves what tells of others as it is. */
export const scrubbed = (value: unknown, ids: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => scrubbed(one, ids))
  if (!isObject(value)) return value
  const isOfThem = Object.values(value).some((one) => typeof one === 'string' && ids.has(one))
  return isOfThem ? emptied(value) : mapped(value, (one) => scrubbed(one, ids))
}
