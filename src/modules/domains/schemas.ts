import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { id, orNull, ts } from '#kernel/values/schema.ts'
import { LONGEST_NAME, normalDomain } from './name.ts'

const kind = v.picklist(['subdomain', 'custom'])

const words = {
  domain:
    'The name as the DNS has it: in ASCII (IDNA), in lower case. One that is sent may be in any script, and may end with a dot.',
  kind: 'subdomain: below the vendor’s own domain. custom: the institute’s own.',
  verificationToken: 'What the TXT record `_institute-verify.<domain>` holds while a custom domain is verified.',
  verifiedAt: 'When it was shown to be the institute’s; null: not yet.',
  isPrimary: 'Whether links in the institute’s mails begin with it. One verified domain at most is.',
}

export const TenantDomain = named(
  'TenantDomain',
  v.object({
    id,
    tenantId: id,
    domain: v.string(),
    kind,
    verificationToken: v.string(),
    verifiedAt: orNull(ts),
    isPrimary: v.boolean(),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type TenantDomain = v.InferOutput<typeof TenantDomain>

const domainName = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(LONGEST_NAME + 1, `Must have at most ${LONGEST_NAME} characters.`),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const domain = normalDomain(dataset.value)
    if (domain !== undefined) return domain
    addIssue({
      message: `Must be a domain name of two parts or more, such as school.example.org: no IP address, port, path, underscore or wildcard, and no more than ${LONGEST_NAME} characters in the DNS.`,
    })
    return NEVER
  }),
)

export const NewDomain = named('NewTenantDomain', v.object({ domain: domainName, kind }), words)
export type NewDomain = v.InferOutput<typeof NewDomain>
