import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Merged, orMerged } from '#modules/people/index.ts'
import type { PersonKind } from '#app/person-file/kept.ts'
import { erasePerson } from './erase.ts'
import { planErasure } from './plan.ts'
import { Erased, Erasure, ErasureRefused } from './schemas.ts'

const DONE =
  'A word and a number take the place of the name. Contact, identity number, dates, notes, tags, files, messages, enquiries, reports and what was noted beside attendance, results and enrollments go; attendance, results and enrollments themselves stay without a name, for the figures. Invoices, payments, receipts, credit notes and refunds stay as they are, and papers keep the names with which they were handed out, because tax law asks for them. An account that nobody else uses is emptied and signed out everywhere; another one is taken off the record. What the audit log and stored events say of the person is emptied within the next minutes, as the bytes of files are removed. It cannot be undone; a backup from before still has the person. The record answers `erasedAt` and takes no change any more (409 `person_erased`).'

const EVENTS: Readonly<Record<PersonKind, string>> = {
  student:
    ' Sends student.updated, in which the former values are null, and student.status_changed for a lead, who becomes withdrawn.',
  guardian: ' Guardians have no events: other programs see `erasedAt`.',
}

const endpointsOf = (kind: PersonKind): readonly Endpoint[] => [
  read({
    id: `${kind}s.erasure`,
    path: `/${kind}s/{id}/erasure` as const,
    summary: `Ask what erasing a ${kind} would do`,
    description:
      'What goes, what stays without a name, which papers keep it, and what stands in the way. Nothing is changed. For the owner.',
    access: 'owner',
    reply: Erasure,
    fails: [NotFound, Merged],
    handle: (asked) => orMerged(asked, ({ whole, params }) => planErasure(whole, kind, params.id)),
  }),
  change({
    id: `${kind}s.erase`,
    method: 'POST',
    path: `/${kind}s/{id}/erase` as const,
    summary: `Erase a ${kind}`,
    description: `For the owner, for a person who asks for it. 409 \`erasure_refused\` with details.against while something stands in the way, which GET /${kind}s/{id}/erasure tells before. ${DONE}${EVENTS[kind]} A second time answers the first, and does nothing.`,
    access: 'owner',
    reply: Erased,
    fails: [NotFound, Merged, ErasureRefused],
    handle: (asked) => orMerged(asked, ({ tx, params }) => erasePerson(tx, kind, params.id)),
  }),
]

export const erasureEndpoints: readonly Endpoint[] = [...endpointsOf('student'), ...endpointsOf('guardian')]
