import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(app.url + path, { headers: { accept: 'text/html,application/xhtml+xml', ...headers } })
  return { status: reply.status, body: await reply.text() }
}

test('an address of a file whose time is over is called a link that has ended', async () => {
  const answer = await ask(`/files/${newId()}/${newId()}?expires=1&signature=none`)
  expect(answer.status).toBe(403)
  expect(answer.body).toContain('<h1>This link does not work any more</h1>')
})

test('an address for programs alone is not called a link that has ended', async () => {
  const answer = await ask('/metrics', { authorization: 'Bearer nobody' })
  expect(answer.status).toBe(401)
  expect(answer.body).toContain('<h1>You may not see this page</h1>')
})
