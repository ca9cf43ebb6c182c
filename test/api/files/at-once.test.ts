import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import { announced, png, stored, upload, uploaded } from '#kit/files.ts'
import { grant } from '#kit/grant.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'

/** What several callers do with files at once. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const avatar = { kind: 'avatar', originalName: 'me.png' }

test('an upload is completed by one of several callers', async () => {
  const completion = await upload(app, school.owner, png('raced'))
  const replies = await Promise.all(Array.from({ length: 5 }, () => school.owner.post('/files/complete', completion)))
  const made = replies.filter(({ status }) => status === 201)
  expect(made).toHaveLength(1)
  for (const refused of replies.filter(({ status }) => status !== 201)) {
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { fileId: made[0]?.body.id } } },
    })
  }
})

test('a picture that is set and deleted at the same time is either in use and there, or neither', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = (await uploaded(app, school.owner, avatar)).body
    const [named, deleted] = await Promise.all([
      school.owner.patch('/me', { avatarFileId: id }),
      school.owner.delete(`/files/${id}`),
    ])
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([named.status, deleted.status])
    expect((await school.owner.get(`/files/${id}`)).status).toBe(named.status)
  }
})

test('a file that several replace holds the bytes of one, and only those are in the storage', async () => {
  const { id } = (await uploaded(app, school.owner)).body
  const completions = []
  for (const letter of ['a', 'b', 'c']) completions.push(await upload(app, school.owner, png(letter)))
  const replies = await Promise.all(
    completions.map((completion) => school.owner.post('/files/complete', { ...completion, fileId: id })),
  )
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
  await app.drain()
  const names = replies.map(({ body }) => new URL(body.downloadUrl).pathname.split('/').at(-1) as string)
  const { body } = await school.owner.get(`/files/${id}`)
  expect(completions.map(({ sha256 }) => sha256)).toContain(body.sha256)
  const kept = new URL(body.downloadUrl).pathname.split('/').at(-1)
  const all = await stored(app)
  expect(names.filter((name) => all.some((key) => key.endsWith(name)))).toEqual([kept])
})

test('fifty uploads never exceed the storage limit of a plan', async () => {
  const body = announced(Buffer.alloc(1024))
  const small = await makeInstitute(app)
  await grant(app, small, { quotas: { maxStorageBytes: 10 * 1024 } })
  const replies = await Promise.all(Array.from({ length: 50 }, () => small.owner.post('/files/upload-url', body)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(40)
  for (const reply of refused) {
    expect(reply).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'QUOTA_EXCEEDED',
          details: { limit: 10 * 1024, current: 10 * 1024, key: 'maxStorageBytes' },
        },
      },
    })
  }
  // Uploads whose address expired unused free their room once no bytes can arrive.
  app.clock.advance(29 * 60)
  expect((await small.owner.post('/files/upload-url', body)).status).toBe(403)
  app.clock.advance(60)
  expect((await small.owner.post('/files/upload-url', body)).status).toBe(200)
})
