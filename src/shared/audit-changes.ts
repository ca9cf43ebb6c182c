import type { Written } from './written.ts'
import type { Entry } from './audit-acts.ts'
import type { AuditWords } from './audit-words.ts'

type Recorded = Readonly<Record<string, unknown>>

/** What tells a record from others, in the order in which it is looked for. */
const NAMES = ['fullName', 'name', 'title', 'number', 'label', 'domain', 'url', 'email'] as const

/** What the record is called, as far as the entry says it; ''. */
export const nameIn = ({ before, after }: Entry): string => {
  const record: Recorded = { ...before, ...after }
  const { firstName, lastName } = record
  if (typeof firstName === 'string' && typeof lastName === 'string') return `${firstName} ${lastName}`
  const found = NAMES.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '')
  return (found as string | undefined) ?? ''
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

export interface Said {
  words: AuditWords
  format: Written
  /** What records are called that an id may name: branches, groups. */
  names: ReadonlyMap<string, string>
  /** Of amounts whose record does not say it. */
  currency: string
}

const isHeldRole = (value: unknown): value is { roleName: string; roleKey: string | null; branchId: string | null } =>
  typeof value === 'object' && value !== null && 'roleName' in value && 'roleKey' in value

const isMoney = (value: unknown): value is { amountMinor: number; currency: string } =>
  typeof value === 'object' && value !== null && 'amountMinor' in value && 'currency' in value

/** A value as people write it; undefined: it would say nothing to them. */
const written = (field: string, value: unknown, record: Recorded, said: Said): string | undefined => {
  const { words, format, names } = said
  if (value === null || value === undefined || value === '') return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') {
    if (!field.endsWith('Minor')) return format.number(value)
    const currency = typeof record['currency'] === 'string' ? record['currency'] : said.currency
    return format.money({ amountMinor: value, currency })
  }
  if (isMoney(value)) return format.money(value)
  if (isHeldRole(value)) {
    const role = words.roles[value.roleKey ?? ''] ?? value.roleName
    const branch = names.get(value.branchId ?? '')
    return branch === undefined ? role : words.roleIn(role, branch)
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing
    const items = value.map((one) => written(field, one, record, said))
    return items.every((one) => one !== undefined) ? format.commas(items) : undefined
  }
  if (typeof value !== 'string') return undefined
  if (field === 'permissions') return words.permissions[value as keyof typeof words.permissions] ?? value
  if (field === 'events') return words.events[value as keyof typeof words.events] ?? value
  if (UUID.test(value)) return names.get(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return format.date(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return format.moment(value)
  if (/phone$/i.test(field)) return format.phones(value)
  if (/^[a-z_]+$/.test(value)) return words.values[value] ?? value
  return value.length > LONGEST ? `${value.slice(0, LONGEST).trimEnd()}…` : value
}

/** Whoever wants to read a long text opens its record. */
const LONGEST = 160

/** What the server keeps for itself, or what the entry says already: since when, and by whom, an institute is locked. */
const UNTOLD = /^(?:id|version|createdAt|updatedAt|tenantId|lockedAt|lockedByPlatformAdminId)$/

/** What a field is called; undefined: nobody asks for it. */
const labelOf = (field: string, { words }: Said): string | undefined => {
  const features: Partial<Record<string, string>> = words.featureTitles
  return words.fields[field] ?? features[field]
}

/** The fields of which the entry tells something: those that changed, or all of a record that was added or deleted. */
const fieldsIn = ({ before, after }: Entry): string[] =>
  Object.keys(after ?? before ?? {}).filter(
    (field) =>
      !UNTOLD.test(field) &&
      (before === null || after === null || JSON.stringify(before[field]) !== JSON.stringify(after[field])),
  )

/** What changed in the record, a sentence each, from what to what. */
export const changesIn = (entry: Entry, said: Said): string[] => {
  const { before, after } = entry
  if (before === null || after === null) return []
  const { words } = said
  const changed = fieldsIn(entry)
  const told = changed.flatMap((field) => {
    const label = labelOf(field, said)
    if (label === undefined) return []
    const values = [written(field, before[field], before, said), written(field, after[field], after, said)] as const
    return values[0] === undefined || values[1] === undefined || values[0] === values[1]
      ? [words.changed(label)]
      : [words.became(label, values[0], values[1])]
  })
  const hasOthers = changed.some((field) => labelOf(field, said) === undefined)
  return hasOthers ? [...told, words.others] : told
}

/** The same as it was before, or is since: `label: value` each. */
export const detailsIn = (entry: Entry, when: 'before' | 'after', said: Said): string[] => {
  const record = entry[when]
  if (record === null) return []
  return fieldsIn(entry).flatMap((field) => {
    const label = labelOf(field, said)
    const value = label === undefined ? undefined : written(field, record[field], record, said)
    return label === undefined || value === undefined ? [] : [said.words.detail(label, value)]
  })
}
