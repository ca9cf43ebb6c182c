import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import {
  Address,
  identityNumber,
  emptyableEmail,
  id,
  locale,
  name,
  orNull,
  pageQuery,
  searched,
  text,
  ts,
  uuid,
} from '#kernel/values/schema.ts'

const words = {
  phone:
    'Unique in the institute, in international form such as +972501234567; one that is sent may be national, and takes the country of the institute’s timezone. null: a second parent, whose phone is that of another guardian.',
  erasedAt: 'When the person was erased: the name is no name, and nothing is changed any more. null: they were not.',
}

export const Guardian = named(
  'Guardian',
  v.object({
    id,
    firstName: v.string(),
    lastName: v.string(),
    phone: orNull(v.string()),
    email: orNull(v.string()),
    nationalId: orNull(v.string()),
    preferredLocale: locale,
    address: orNull(Address),
    userId: orNull(id),
    erasedAt: orNull(ts),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Guardian = v.InferOutput<typeof Guardian>

const writable = v.object({
  userId: v.nullable(uuid),
  firstName: name(100),
  lastName: name(100),
  phone: text(50),
  email: v.nullable(emptyableEmail),
  nationalId: v.nullable(identityNumber),
  preferredLocale: locale,
  address: v.nullable(Address),
})

export const NewGuardian = named(
  'NewGuardian',
  v.object({
    ...v.partial(writable, ['userId', 'email', 'nationalId', 'address']).entries,
    preferredLocale: v.optional(locale, 'ar'),
  }),
  words,
)
export type NewGuardian = v.InferOutput<typeof NewGuardian>

export const GuardianChanges = named('GuardianChanges', v.partial(writable), words)
export type GuardianChanges = v.InferOutput<typeof GuardianChanges>

export const GuardianQuery = pageQuery({ q: v.optional(searched(200)) })
export type GuardianQuery = v.InferOutput<typeof GuardianQuery>
