import { change } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { SumsFull } from '#modules/billing/index.ts'
import { AlreadyEnrolled, CannotEnroll, GroupFull } from '#modules/groups/index.ts'
import { AlreadyConverted } from '#modules/leads/index.ts'
import {
  GuardianPhoneTaken,
  OwnAccountLink,
  PersonErased,
  StudentNumbersUsedUp,
  StudentNumberTaken,
} from '#modules/people/index.ts'
import type { FindUnreached } from '#runtime/queue/reached.ts'
import { ask } from './asked.ts'
import { registerAndSay } from './register.ts'
import { rehearse } from './rehearse.ts'
import { NewRegistration, Registration } from './schemas.ts'

export const registrationEndpoints = (findUnreached: FindUnreached) => [
  change({
    id: 'registrations.create',
    method: 'POST',
    path: '/registrations',
    summary: 'Register a family in one request',
    description:
      'Adds the guardian and the students or takes those who are there, links them, enrolls the students in groups and makes their first invoices: all of it or nothing. Each part is made as its own endpoint makes it, with the same rules, events and refusals, and `details.path` (or the path of the issue) says which part is refused. ' +
      'It needs the permissions of the parts that it has: students.write, guardians.write with a guardian, enrollments.write with groups, invoices.write with an invoice, leads.write with `leadId`; each part is within the reach of its own permission. ' +
      'New students are active. Students who are named by id become active, unless they are paused. A guardian who is linked to a student already keeps the link, with what is said here. A new guardian whose phone somebody has is 409: name that guardian by id. ' +
      'With `leadId` the lead is converted and the first student is its person: the student whom the lead has, of whom the fields that are given are changed, or a new one, for whom the lead’s name, phone, email and branch stand where they are left out. ' +
      'A first invoice has the registration fees, and the fees of the groups or their courses: their amount, or the price that was agreed upon. A group without a fee schedule is charged at its price. What a student was invoiced for already in the month or term, or once, is left out. There is one invoice for each student and currency, and none where nothing is charged; `lines` of a student take the place of all that. An invoice that is issued and about which no message reaches who pays it says so in `unreached`. ' +
      'With `dryRun` nothing is kept, the status is 200, and nothing is needed of the people yet: the reply says who is known already, the places of the groups, what would be charged, and by what the request would be refused now. It needs the same permissions.',
    access: 'students.write',
    body: NewRegistration,
    status: 201,
    otherStatuses: [200],
    reply: Registration,
    fails: [
      NotFound,
      PersonErased,
      GuardianPhoneTaken,
      OwnAccountLink,
      QuotaExceeded,
      StudentNumberTaken,
      StudentNumbersUsedUp,
      CannotEnroll,
      AlreadyEnrolled,
      GroupFull,
      SumsFull,
      AlreadyConverted,
    ],
    hasParts: true,
    handle: async ({ tx, caller, body }) => {
      const asked = await ask({ tx, caller, body })
      return body.dryRun ? new Rehearsed(await rehearse(asked)) : registerAndSay(asked, findUnreached)
    },
  }),
]
