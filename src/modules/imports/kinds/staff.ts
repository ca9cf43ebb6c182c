import * as v from 'valibot'
import { compiledInTenant } from '#db/queries/compiled.ts'
import { ApiError } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { phoneKey, twinPhone } from '#shared/twin-phones.ts'
import { changeStaff, createStaff, lockNewStaff, NewStaff, StaffChanges, staffRecord } from '#modules/people/index.ts'
import { changesOf, findRow, isEmpty } from '#runtime/records/records.ts'
import { RowRefused } from '../complaints.ts'
import type { Values } from '../rows.ts'
import { branchName, branchNamed, usualBranch } from './branches.ts'
import { oneByOne, type Kind, type Slice } from './kind.ts'
import { foldedName, namesIn, taken, wholeName } from './names.ts'

const people = (whole: ScopedDb) => whole.selectFrom('staff').select(['id', 'first_name', 'last_name'])
const byEmail = compiledInTenant((whole, { email }: { email: string }) => people(whole).where('email', '=', email))
const byPhone = compiledInTenant((whole, { phone, twin }: { phone: string; twin: string }) =>
  people(whole).where('phone', 'in', [phone, twin]),
)

/**
 * Somebody who is there already, by email, else by phone, each with the name.
 * @throws RowRefused when the row does not say enough, or means several
 */
const findStaff = async (whole: ScopedDb, values: Values): Promise<string | undefined> => {
  const { email, phone } = values as Record<string, string | undefined>
  if (email === undefined && phone === undefined) throw new RowRefused('identity_missing')
  const name = foldedName(namesIn(values))
  for (const found of [
    email === undefined ? [] : await byEmail(whole, { email }),
    phone === undefined ? [] : await byPhone(whole, { phone, twin: twinPhone(phone) }),
  ]) {
    const named = found.filter(({ first_name: firstName, last_name: lastName }) => {
      return foldedName({ firstName, lastName }) === name
    })
    if (named.length > 1) throw new RowRefused('ambiguous', 'phone')
    if (named[0]) return named[0].id
  }
  return undefined
}

/** @throws RowRefused for somebody whom the caller does not reach */
const reachedStaff = (db: ScopedDb, id: string) =>
  findRow(db, staffRecord, id).catch((error: unknown) => {
    throw error instanceof ApiError ? new RowRefused('out_of_reach') : error
  })

const givenFields = async (slice: Slice, values: Values) => {
  const branchId = await branchNamed(slice, 'staff.write', values)
  const given = ['email', 'phone', 'title', 'isActive'].filter((name) => values[name] !== undefined)
  return {
    ...wholeName(namesIn(values)),
    ...Object.fromEntries(given.map((name) => [name, values[name]])),
    ...(branchId !== undefined && { branchId }),
  }
}

export const staff: Kind = {
  needs: () => [{ permission: 'staff.write', field: null }],
  required: [
    ['firstName', 'fullName'],
    ['email', 'phone'],
  ],
  keys: (values) => {
    const name = foldedName(namesIn(values))
    const { email, phone } = values as Record<string, string | undefined>
    return [email, phone].flatMap((one) => (one === undefined ? [] : [`${phoneKey(one)} ${name}`]))
  },
  begin: (slice) => lockNewStaff(slice.as('staff.write')),
  apply: oneByOne(async (slice, values) => {
    const tx = slice.as('staff.write')
    const id = await findStaff(tx.whole, values)
    const body = await givenFields(slice, values)
    if (id === undefined) {
      const branchId = await usualBranch(slice, 'staff.write')
      await createStaff(tx, slice.caller, taken(v.safeParse(NewStaff, { branchId, ...body })))
      return 'created'
    }
    const row = await reachedStaff(tx.db, id)
    const changes = taken(v.safeParse(StaffChanges, body))
    if (isEmpty(changesOf(row, changes))) return 'unchanged'
    await changeStaff(tx, slice.caller, { ...changes, id })
    return 'updated'
  }),
  stands: async (slice, values) => {
    const { whole, db } = slice.as('staff.write')
    const id = await findStaff(whole, values)
    if (id === undefined) return {}
    const row = await reachedStaff(db, id)
    return {
      firstName: row.first_name,
      lastName: row.last_name,
      phone: row.phone,
      email: row.email,
      title: row.title,
      branch: await branchName(slice, 'staff.write', row.branch_id),
      isActive: row.is_active,
    }
  },
}
