import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { emailOf } from '#kit/sign-in.ts'
import { disableUser, enableUser } from '#modules/identity/index.ts'
import { commandAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

interface Member {
  membershipId: string
  email: string
  status: string
  roles: { roleId: string }[]
}

const members = async (of: TestInstitute): Promise<Member[]> => (await of.owner.get('/members?limit=100')).body.data
const memberOf = async (membershipId: string): Promise<Member | undefined> =>
  (await members(institute)).find((member) => member.membershipId === membershipId)

/** What the operator of the server does with a command. */
const change = <T>(work: (tx: SystemTx) => Promise<T>): Promise<T> =>
  runInTransaction(app.app.runtime, commandAuditContext('test'), (unit) => work(unit.system()))

describe('a member whose account the operator of the server disabled', () => {
  test('is shown as disabled in every institute, and activated by nobody there: 409', async () => {
    const { membershipId, userId } = await institute.member({ role: 'front_desk' })
    const email = emailOf(userId)
    const other = await makeInstitute(app)
    await other.owner.post('/members', { email, roleId: other.roles.teacher })
    await change((tx) => disableUser(tx, email))
    expect(await memberOf(membershipId)).toMatchObject({ status: 'disabled', fullName: 'Test User' })
    expect((await members(other)).find((member) => member.email === email)).toMatchObject({ status: 'disabled' })
    const path = `/members/${membershipId}`
    expect(await institute.owner.patch(path, { status: 'active' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
    await change((tx) => enableUser(tx, email))
    expect(await memberOf(membershipId)).toMatchObject({ status: 'active' })
    expect((await members(other)).find((member) => member.email === email)).toMatchObject({ status: 'invited' })
  })

  test('stays disabled in an institute that disabled them too, once the account is enabled', async () => {
    const { membershipId, userId } = await institute.member({ role: 'front_desk' })
    await change((tx) => disableUser(tx, emailOf(userId)))
    expect(await institute.owner.patch(`/members/${membershipId}`, { status: 'disabled' })).toMatchObject({
      status: 200,
      body: { status: 'disabled' },
    })
    await change((tx) => enableUser(tx, emailOf(userId)))
    expect(await memberOf(membershipId)).toMatchObject({ status: 'disabled' })
    expect((await institute.owner.patch(`/members/${membershipId}`, { status: 'active' })).body.status).toBe('active')
  })
})

describe('the last active owner, on the command line', () => {
  /** @returns the words of a refusal */
  const disable = ({ userId }: { userId: string }, options?: { force: boolean }) =>
    change((tx) => disableUser(tx, emailOf(userId), options)).catch((error: unknown) => (error as Error).message)

  test('is disabled when told twice only; who is an owner elsewhere, invited or disabled does not count', async () => {
    const fresh = await makeInstitute(app)
    const owner = { userId: fresh.ownerUserId }
    const second = await fresh.member({ role: 'owner' })
    await fresh.owner.patch(`/members/${second.membershipId}`, { status: 'disabled' })
    await fresh.owner.post('/members', { email: emailOf(newId()), roleId: fresh.roles.owner })
    await makeInstitute(app)
    expect(await disable(owner)).toContain(`is the last active owner of ${fresh.tenant.name} (${fresh.tenant.slug})`)
    await fresh.owner.patch(`/members/${second.membershipId}`, { status: 'active' })
    expect(await disable(second)).toBe(true)
    expect(await disable(owner)).toContain('is the last active owner')
    expect(await disable(owner, { force: true })).toBe(true)
  })

  test.each([1, 2, 3])('is left when all are disabled at once, there and in the institute (%i)', async () => {
    const fresh = await makeInstitute(app)
    const third = await fresh.member({ role: 'owner' })
    const owners = [{ userId: fresh.ownerUserId }, await fresh.member({ role: 'owner' }), third]
    const admin = await fresh.member({ role: 'admin' })
    await Promise.all([...owners.map((owner) => disable(owner)), admin.delete(`/members/${third.membershipId}`)])
    const left = (await members({ ...fresh, owner: admin })).filter(
      ({ status, roles }) => status === 'active' && roles.some(({ roleId }) => roleId === fresh.roles.owner),
    )
    expect(left).toHaveLength(1)
  })
})
