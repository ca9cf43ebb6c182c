import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { id, orNull, pageQuery, uuid } from '#kernel/values/schema.ts'
import { RELATIONSHIPS } from '../tables.ts'

const link = {
  guardianId: id,
  relationship: v.picklist(RELATIONSHIPS),
  isPrimary: v.boolean(),
  isPayer: v.boolean(),
  seesLearning: v.boolean(),
  seesMoney: v.boolean(),
}

export const GuardianLink = named('GuardianLink', v.object(link))
export type GuardianLink = v.InferOutput<typeof GuardianLink>

export const LinkedGuardian = named(
  'LinkedGuardian',
  v.object({
    ...link,
    guardian: named(
      'GuardianContact',
      v.object({ firstName: v.string(), lastName: v.string(), phone: orNull(v.string()) }),
      { phone: 'The phone, in international form; null: that of another guardian is theirs too.' },
    ),
  }),
  {
    guardian: 'Who they are.',
  },
)
export type LinkedGuardian = v.InferOutput<typeof LinkedGuardian>

const writable = v.object({ relationship: v.picklist(RELATIONSHIPS), isPrimary: v.boolean(), isPayer: v.boolean() })

const sight = { seesLearning: v.optional(v.boolean()), seesMoney: v.optional(v.boolean()) }

export const NewGuardianLink = named('NewGuardianLink', v.object({ guardianId: uuid, ...writable.entries, ...sight }))
export type NewGuardianLink = v.InferOutput<typeof NewGuardianLink>

export const GuardianLinkChanges = named('GuardianLinkChanges', v.object({ ...v.partial(writable).entries, ...sight }))
export type GuardianLinkChanges = v.InferOutput<typeof GuardianLinkChanges>

export const LinkQuery = pageQuery({})
export type LinkQuery = v.InferOutput<typeof LinkQuery>
