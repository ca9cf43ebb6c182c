import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('branches', () => {
  test('GET /branches is a plain array without pages, for any caller of the institute', async () => {
    const nobody = await institute.member({ role: 'student' })
    const { status, body } = await nobody.get('/branches')
    expect(status).toBe(200)
    expect(body).toMatchObject([{ id: institute.branchId, tenantId: institute.tenant.id, isDefault: true, code: null }])
  })

  test('POST answers 201 with the branch; empty strings mean no code and no phone', async () => {
    const { status, body } = await institute.owner.post('/branches', {
      name: '  North ',
      code: '',
      phone: '',
      address: { city: 'Haifa', country: 'il' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      tenantId: institute.tenant.id,
      name: 'North',
      code: null,
      address: { city: 'Haifa', country: 'IL' },
      phone: null,
      isDefault: false,
      isActive: true,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
  })

  test('a phone is stored in E.164; an invalid one is 422 at its field', async () => {
    const { body } = await institute.owner.post('/branches', { name: 'Phoned', phone: '04-123 4567' })
    expect(body.phone).toBe('+97241234567')
    const refused = await institute.owner.post('/branches', { name: 'Wrong', phone: 'call me' })
    expect(refused.status).toBe(422)
    expect(refused.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: ['phone'] }] } })
  })

  test('a name is unique within the institute: 409', async () => {
    await institute.owner.post('/branches', { name: 'Twice' })
    const again = await institute.owner.post('/branches', { name: 'Twice' })
    expect(again.status).toBe(409)
    expect(again.body.error.code).toBe('CONFLICT')
    const other = await institute.owner.post('/branches', { name: 'Other' })
    expect((await institute.owner.patch(`/branches/${other.body.id}`, { name: 'Twice' })).status).toBe(409)
    const elsewhere = await makeInstitute(app)
    expect((await elsewhere.owner.post('/branches', { name: 'Twice' })).status).toBe(201)
  })

  test('isDefault: true clears the previous default', async () => {
    const fresh = await makeInstitute(app)
    const { body: next } = await fresh.owner.post('/branches', { name: 'Next' })
    expect((await fresh.owner.patch(`/branches/${next.id}`, { isDefault: true })).body.isDefault).toBe(true)
    const { body: all } = await fresh.owner.get('/branches')
    expect(all.filter((branch: { isDefault: boolean }) => branch.isDefault)).toMatchObject([{ id: next.id }])
    expect((await fresh.owner.patch(`/branches/${next.id}`, { isDefault: false })).status).toBe(409)
  })

  test('DELETE is 409 for the default branch and for one with role assignments, else Ok', async () => {
    expect((await institute.owner.delete(`/branches/${institute.branchId}`)).status).toBe(409)
    const { body: branch } = await institute.owner.post('/branches', { name: 'Staffed' })
    await institute.member({ role: 'front_desk', branchId: branch.id })
    expect((await institute.owner.delete(`/branches/${branch.id}`)).status).toBe(409)
    const { body: empty } = await institute.owner.post('/branches', { name: 'Empty' })
    const gone = await institute.owner.delete(`/branches/${empty.id}`)
    expect(gone).toMatchObject({ status: 200, body: { ok: true } })
    expect((await institute.owner.delete(`/branches/${empty.id}`)).status).toBe(404)
  })

  test('a manager of one branch changes only that branch, and cannot add one', async () => {
    const { body: branch } = await institute.owner.post('/branches', { name: 'Managed' })
    const manager = await institute.member({ role: 'branch_manager', branchId: branch.id })
    expect((await manager.patch(`/branches/${branch.id}`, { code: 'M' })).status).toBe(200)
    expect((await manager.patch(`/branches/${institute.branchId}`, { code: 'X' })).status).toBe(404)
    expect((await manager.post('/branches', { name: 'New' })).body.error.code).toBe('FORBIDDEN')
  })
})
