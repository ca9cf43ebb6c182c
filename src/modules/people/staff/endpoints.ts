import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound, VersionConflict } from '#kernel/values/errors.ts'
import { QuotaExceeded } from '#kernel/who/quota.ts'
import { Ok, pageOf } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { accountFails, STAFF_ACCOUNT_RULE } from '../account.ts'
import { NewStaff, Staff, StaffChanges, StaffQuery } from './schemas.ts'
import { changeStaff, createStaff, deleteStaff, listStaff, staffRecord, StaffInUse } from './service.ts'

export const staffEndpoints = [
  read({
    id: 'staff.list',
    path: '/staff',
    summary: 'List staff',
    description: 'Newest first. `q` searches name, phone and email by the same rules as the list of students.',
    access: 'staff.read',
    query: StaffQuery,
    reply: pageOf(Staff),
    handle: listStaff,
  }),
  change({
    id: 'staff.create',
    method: 'POST',
    path: '/staff',
    summary: 'Add somebody to the staff',
    description: `${STAFF_ACCOUNT_RULE} An account stands behind one staff record at most (409). It hands out no role: roles belong to the membership. Active staff count against the plan’s maxStaff.`,
    access: 'staff.write',
    body: NewStaff,
    status: 201,
    reply: Staff,
    fails: [NotFound, QuotaExceeded, ...accountFails],
    handle: ({ tx, caller, body }) => createStaff(tx, caller, body),
  }),
  read({
    id: 'staff.read',
    path: '/staff/{id}',
    summary: 'Read a staff record',
    access: 'staff.read',
    reply: Staff,
    handle: ({ db, params }) => readRecord(db, staffRecord, params.id),
  }),
  change({
    id: 'staff.update',
    method: 'PATCH',
    path: '/staff/{id}',
    summary: 'Change a staff record',
    description: `A field that is left out stays; null clears userId, email, phone and title. ${STAFF_ACCOUNT_RULE} When nothing really changes, the version stays. Who becomes active again counts against the plan’s maxStaff.`,
    access: 'staff.write',
    body: StaffChanges,
    reply: Staff,
    fails: [VersionConflict, QuotaExceeded, ...accountFails],
    handle: ({ tx, caller, params, body }) => changeStaff(tx, caller, { ...body, id: params.id }),
  }),
  change({
    id: 'staff.delete',
    method: 'DELETE',
    path: '/staff/{id}',
    summary: 'Delete a staff record that was added by mistake',
    description: '409 once groups, sessions or other records name this person.',
    access: 'staff.write',
    reply: Ok,
    fails: [StaffInUse],
    handle: ({ tx, params }) => deleteStaff(tx, params.id),
  }),
]
