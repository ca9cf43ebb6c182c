import * as v from 'valibot'
import {
  currency,
  date,
  day,
  emptyable,
  expectedVersion,
  id,
  integer,
  orNull,
  pageQuery,
  prose,
  searched,
  text,
  ts,
  uuid,
} from '#kernel/schema.ts'
import { ENROLLMENT_STATUSES, GROUP_STATUSES } from './tables.ts'

const status = v.picklist(GROUP_STATUSES)
const enrollmentStatus = v.picklist(ENROLLMENT_STATUSES)
const amount = integer(0, 1_000_000_000_000)

export const Group = v.object({
  id,
  courseId: id,
  courseName: v.string(),
  branchId: id,
  name: v.string(),
  teacherStaffId: orNull(id),
  room: orNull(v.string()),
  capacity: orNull(v.number()),
  feeMinor: orNull(v.number()),
  currency,
  status,
  startsOn: orNull(day),
  endsOn: orNull(day),
  enrolledCount: v.number(),
  version: v.number(),
  createdAt: ts,
  updatedAt: ts,
})
export type Group = v.InferOutput<typeof Group>

const writable = v.object({
  courseId: uuid,
  branchId: uuid,
  name: text(150),
  teacherStaffId: v.nullable(uuid),
  room: v.nullable(emptyable(100)),
  capacity: v.nullable(integer(1, 100_000)),
  feeMinor: v.nullable(amount),
  currency,
  startsOn: v.nullable(date),
  endsOn: v.nullable(date),
  status,
})

export const NewGroup = v.object({
  ...v.partial(writable).entries,
  courseId: uuid,
  branchId: uuid,
  name: text(150),
})
export const GroupChanges = v.object({ ...v.partial(writable).entries, version: expectedVersion })
export const GroupQuery = pageQuery({
  courseId: v.optional(uuid),
  branchId: v.optional(uuid),
  teacherStaffId: v.optional(uuid),
  status: v.optional(status),
  q: v.optional(searched(200)),
})

export const Enrollment = v.object({
  id,
  studentId: id,
  groupId: id,
  status: enrollmentStatus,
  priceMinor: v.number(),
  currency,
  enrolledAt: ts,
  droppedAt: orNull(ts),
})
export type Enrollment = v.InferOutput<typeof Enrollment>

export const GroupEnrollment = v.object({
  id,
  studentId: id,
  studentNumber: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  status: enrollmentStatus,
  priceMinor: v.number(),
  currency,
  enrolledAt: ts,
  droppedAt: orNull(ts),
})

export const NewEnrollment = v.object({
  studentId: uuid,
  groupId: uuid,
  priceMinor: v.optional(amount),
  currency: v.optional(currency),
})
export const EnrollmentQuery = pageQuery({
  studentId: v.optional(uuid),
  groupId: v.optional(uuid),
  status: v.optional(enrollmentStatus),
})
export const GroupEnrollmentQuery = pageQuery({ status: v.optional(enrollmentStatus) })
export const Drop = v.object({ reason: v.optional(prose(500)) })
