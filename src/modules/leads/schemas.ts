import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  emptyable,
  emptyableEmail,
  emptyableProse,
  id,
  locale,
  name,
  orNull,
  pageQuery,
  prose,
  searched,
  text,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { DELIVERY_MODES } from '#modules/courses/index.ts'
import { LEAD_SOURCES, LEAD_STATUSES } from './tables.ts'

const words = {
  studentId: 'The student that they have become or are kept as; null: none yet.',
  guardianId:
    'The guardian whose phone was named; null: nobody yet. One of another name is linked at the conversion, and not before.',
  guardianNameDiffers:
    'Whether somebody of another name had the guardian’s phone when they registered: whoever converts the lead looks at both.',
  courseInterest: 'What they wish to learn, in their own words; null: nothing is said.',
  message: 'What they wrote; null: nothing.',
  assignedToUserId: 'The account of the member who looks after it; null: nobody does.',
  captchaToken: 'What the captcha gave the page; null: none.',
  deliveryMode: 'How it is learned.',
  language: 'The language it is taught in; null: nothing is said.',
  categoryName: 'The name of the category under which it is filed.',
  locale: 'The language in which they are written to; null: the institute’s.',
  source: 'Through which door they came.',
}

export const Lead = named(
  'Lead',
  v.object({
    id,
    source: v.picklist(LEAD_SOURCES),
    status: v.picklist(LEAD_STATUSES),
    firstName: v.string(),
    lastName: v.string(),
    phone: orNull(v.string()),
    email: orNull(v.string()),
    guardian: orNull(
      named(
        'LeadGuardian',
        v.object({ firstName: v.string(), lastName: v.string(), phone: v.string(), email: orNull(v.string()) }),
      ),
    ),
    studentId: orNull(id),
    guardianId: orNull(id),
    guardianNameDiffers: v.boolean(),
    courseId: orNull(id),
    groupId: orNull(id),
    courseInterest: orNull(v.string()),
    message: orNull(v.string()),
    locale,
    assignedToUserId: orNull(id),
    note: orNull(v.string()),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Lead = v.InferOutput<typeof Lead>

const Guardian = named(
  'NewLeadGuardian',
  v.object({
    firstName: name(100),
    lastName: name(100),
    phone: text(50),
    email: v.optional(v.nullable(emptyableEmail)),
  }),
  words,
)

const person = {
  firstName: name(100),
  lastName: name(100),
  email: v.optional(v.nullable(emptyableEmail)),
}

const wish = {
  courseId: v.optional(v.nullable(uuid)),
  groupId: v.optional(v.nullable(uuid)),
  courseInterest: v.optional(v.nullable(text(200))),
  message: v.optional(v.nullable(prose(2000))),
  locale: v.optional(v.nullable(locale)),
}

export const Registration = named(
  'PublicRegistration',
  v.object({
    ...person,
    phone: v.optional(v.nullable(emptyable(50))),
    guardian: Guardian,
    ...wish,
    // It is not stored, and its length is up to the provider.
    captchaToken: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(10_000)))),
  }),
  words,
)
export type Registration = v.InferOutput<typeof Registration>

export const Registered = named('RegisteredLead', v.object({ leadId: id, studentId: id }), words)
export type Registered = v.InferOutput<typeof Registered>

/** Who takes care of the lead, and their note. */
const care = {
  assignedToUserId: v.optional(v.nullable(uuid)),
  note: v.optional(v.nullable(emptyableProse(5000))),
}

export const NewLead = named(
  'NewLead',
  v.object({
    ...person,
    phone: text(50),
    guardian: v.optional(v.nullable(Guardian)),
    source: v.optional(v.picklist(LEAD_SOURCES)),
    ...wish,
    ...care,
  }),
  words,
)
export type NewLead = v.InferOutput<typeof NewLead>

export const LeadChanges = named(
  'LeadChanges',
  v.object({
    status: v.optional(v.picklist(LEAD_STATUSES)),
    ...care,
  }),
  words,
)
export type LeadChanges = v.InferOutput<typeof LeadChanges>

export const LeadQuery = explained(
  pageQuery({
    q: v.optional(searched(200)),
    status: v.optional(v.picklist(LEAD_STATUSES)),
    courseId: v.optional(uuid),
    assignedToUserId: v.optional(uuid),
  }),
  words,
)

export const PublicCourse = named(
  'PublicCourse',
  v.object({
    id,
    name: v.string(),
    description: orNull(v.string()),
    language: orNull(v.string()),
    deliveryMode: v.picklist(DELIVERY_MODES),
    categoryName: v.string(),
  }),
  { ...words, name: 'The name of the course.' },
)
