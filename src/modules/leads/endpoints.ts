import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { GuardianPhoneTaken, Student, StudentNumbersUsedUp } from '#modules/people/index.ts'
import { readRecord } from '#runtime/records/records.ts'
import { AlreadyConverted, convertLead } from './convert.ts'
import { leadRecord } from './record.ts'
import { Lead, LeadChanges, LeadQuery, NewLead } from './schemas.ts'
import { changeLead, createLead, listLeads, StatusByConversion } from './service.ts'

export const leadEndpoints = [
  read({
    id: 'leads.list',
    path: '/leads',
    summary: 'List leads',
    description:
      'Newest first. `q` searches name, phone and email of the person and of the guardian, by the same rules as the list of students. Filters narrow together. A lead follows its student: a caller whose permission reaches some branches sees those of their students, and leads without a student from the branch in which they were recorded.',
    access: 'leads.read',
    tool: {
      name: 'leads_find',
      title: 'Find leads',
      description:
        'Lists leads (people who asked about a course and are no students yet), newest first, ten at a time. Narrow it with q, status, courseId or assignedToUserId.',
    },
    query: LeadQuery,
    reply: pageOf(Lead),
    handle: listLeads,
  }),
  change({
    id: 'leads.create',
    method: 'POST',
    path: '/leads',
    summary: 'Record an enquiry',
    description:
      'Nobody becomes a student by it: that is done by the conversion. `assignedToUserId` is a member of the institute (404). `source` is `manual` when it is left out, `api` for an API key. A course and a group may be any of the institute; the group’s course is taken where none is given. The lead is reached from, and its student comes to, the branch of the group; without one, the branch to which the caller’s permission is limited; without one, the default branch. Deleting the student deletes the lead, and a guardian, a course or a group that a lead names is not deleted.',
    access: 'leads.write',
    body: NewLead,
    status: 201,
    reply: Lead,
    fails: [NotFound],
    handle: ({ tx, caller, body }) => createLead(tx, caller, body),
  }),
  read({
    id: 'leads.read',
    path: '/leads/{id}',
    summary: 'Read a lead',
    description:
      '`guardian` is what was told with the enquiry, `guardianId` the guardian who has that phone: their record may say otherwise.',
    access: 'leads.read',
    reply: Lead,
    handle: ({ db, params }) => readRecord(db, leadRecord, params.id),
  }),
  change({
    id: 'leads.update',
    method: 'PATCH',
    path: '/leads/{id}',
    summary: 'Say how a lead stands, whose it is, and what was spoken',
    description:
      'A field that is left out stays; null clears `assignedToUserId` and `note`. The user is a member of the institute (404). `converted` is neither given nor taken here (409): a lead is converted by POST /leads/{id}/convert, or when its student becomes active in another way. The student of a lead that is lost stays as they are.',
    access: 'leads.write',
    body: LeadChanges,
    reply: Lead,
    fails: [StatusByConversion],
    handle: ({ tx, params, body }) => changeLead(tx, params.id, body),
  }),
  change({
    id: 'leads.convert',
    method: 'POST',
    path: '/leads/{id}/convert',
    summary: 'Make an active student of a lead',
    description:
      'A lead that has a student moves that student to active, from whatever status; one without becomes a student first, and whoever has the guardian’s phone is linked as primary contact and payer: a guardian who is there already stays as they are, and is 409 where the caller does not reach them. A lost lead can be converted; a converted one is 409. The student counts against the plan’s maxStudents, who registered on the website from here on.',
    access: 'leads.write',
    tool: {
      name: 'lead_convert',
      title: 'Make a student of a lead',
      description: 'Makes an active student of one lead, with the guardian who was given. It cannot be taken back.',
      params: { id: 'leadId' },
      done: 'The lead is an active student now.',
    },
    reply: Student,
    fails: [AlreadyConverted, GuardianPhoneTaken, QuotaExceeded, StudentNumbersUsedUp],
    handle: ({ tx, params }) => convertLead(tx, params.id),
  }),
]
