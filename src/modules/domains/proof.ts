import * as v from 'valibot'
import { failure, Issue } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import type { TxtAnswer } from '#ports/dns/port.ts'
import { txtNameOf } from './name.ts'

/** What a page shows of the values that were found, for comparison. */
const MOST_FOUND = 5
const LONGEST_FOUND = 255

export const DomainUnproven = failure(
  'VALIDATION_ERROR',
  'domain_unproven',
  'The DNS does not say that the domain is the institute’s.',
  {
    details: {
      schema: explained(
        v.object({
          reason: v.picklist(['dns_no_name', 'dns_no_record', 'dns_other_value', 'dns_server_failed', 'dns_no_answer']),
          found: v.array(v.string()),
          issues: v.array(Issue),
        }),
        {
          reason:
            'dns_no_name: there is no _institute-verify.<domain>; dns_no_record: it has no TXT record; dns_other_value: those that it has hold something else; dns_server_failed: the name servers of the domain failed; dns_no_answer: none answered in time.',
          found: `The values of its TXT records, ${MOST_FOUND} at most, and the first ${LONGEST_FOUND} characters of each.`,
          issues: 'The same in English.',
        },
      ),
      example: {
        reason: 'dns_no_name',
        found: [],
        issues: [{ path: ['domain'], message: 'There is no _institute-verify.school.example.org in the DNS.' }],
      },
    },
  },
)
type Case = NonNullable<Parameters<typeof DomainUnproven>[0]>['reason']

const whyOf = (answer: TxtAnswer): Case => ('problem' in answer ? `dns_${answer.problem}` : 'dns_other_value')

const SENTENCES: Readonly<Record<Case, (name: string, records: number) => string>> = {
  dns_no_name: (name) =>
    `There is no ${name} in the DNS. Add a TXT record of this name that holds the verificationToken; it may take hours until a new record is seen.`,
  dns_no_record: (name) =>
    `${name} has no TXT record in the DNS. Add one that holds the verificationToken; it may take hours until a new record is seen.`,
  dns_other_value: (name, records) =>
    records === 1
      ? `The TXT record of ${name} is not the verificationToken.`
      : `None of the ${records} TXT records of ${name} is the verificationToken.`,
  dns_server_failed: (name) => `The name servers failed when they were asked for ${name}. Check them, then try again.`,
  dns_no_answer: (name) => `No name server answered in time when asked for ${name}. Try again later.`,
}

/** Checks what the DNS says of a domain. @throws DomainUnproven, with what to do about it */
export const checkProof = (
  { domain, verification_token: token }: { domain: string; verification_token: string },
  answer: TxtAnswer,
): void => {
  const values = 'values' in answer ? answer.values : []
  if (values.some((value) => value.trim() === token)) return
  const reason = whyOf(answer)
  const message = SENTENCES[reason](txtNameOf(domain), values.length)
  throw DomainUnproven({
    reason,
    found: values.slice(0, MOST_FOUND).map((value) => value.slice(0, LONGEST_FOUND)),
    issues: [{ path: ['domain'], message }],
  })
}
