import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { Address, date, day, emptyable, emptyableEmail, identityNumber, name, orNull } from '#kernel/values/schema.ts'

/** What families see of a record that is kept of them, and may propose to change. Notes, tags and the like are the staff’s. */
export const FIELDS = ['firstName', 'lastName', 'birthDate', 'phone', 'email', 'nationalId', 'address'] as const
export type Field = (typeof FIELDS)[number]

const words = {
  phone: 'In international form; one that is sent may be national. null: none.',
  email: 'The address to which the institute writes; null: none.',
  birthDate: 'Not in the future; null: not known. Of guardians none is kept.',
}

export const PersonDetails = named(
  'PersonDetails',
  v.object({
    firstName: v.string(),
    lastName: v.string(),
    birthDate: orNull(day),
    phone: orNull(v.string()),
    email: orNull(v.string()),
    nationalId: orNull(v.string()),
    address: orNull(Address),
  }),
  words,
)
export type PersonDetails = v.InferOutput<typeof PersonDetails>

export const ProposedDetails = named(
  'ProposedDetails',
  v.object({
    firstName: v.optional(name(100)),
    lastName: v.optional(name(100)),
    birthDate: v.optional(v.nullable(date)),
    phone: v.optional(v.nullable(emptyable(50))),
    email: v.optional(v.nullable(emptyableEmail)),
    nationalId: v.optional(v.nullable(identityNumber)),
    address: v.optional(v.nullable(Address)),
  }),
  words,
)

/** Some of the fields. */
export type Proposed = { [Name in keyof PersonDetails]?: PersonDetails[Name] | undefined }

interface PersonRow {
  first_name: string
  last_name: string
  /** Guardians have none. */
  birth_date?: string | null
  phone: string | null
  email: string | null
  national_id: string | null
  address: Address | null
}

export const detailsOf = (row: PersonRow): PersonDetails => ({
  firstName: row.first_name,
  lastName: row.last_name,
  birthDate: row.birth_date ?? null,
  phone: row.phone,
  email: row.email,
  nationalId: row.national_id,
  address: row.address,
})

export const fieldsOf = (proposed: Proposed): Field[] => FIELDS.filter((field) => proposed[field] !== undefined)

/** @param fields some of those that `details` has */
export const pick = (details: Proposed, fields: readonly Field[]): Proposed =>
  Object.fromEntries(fields.map((field) => [field, details[field]]))

/** The fields in which the two differ. */
export const differing = (one: Proposed, other: Proposed): Field[] =>
  fieldsOf(one).filter((field) => !isDeepStrictEqual(one[field], other[field]))

/** Names what somebody saw who decides: another one once the proposal, or what it is about, has changed. */
export const seenTag = (version: number, stands: Proposed): string =>
  createHash('sha256')
    .update(JSON.stringify([version, stands]))
    .digest('base64url')
