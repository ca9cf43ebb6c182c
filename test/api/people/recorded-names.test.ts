import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { mailedToken } from '#kit/sign-in.ts'
import { newPhone } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute

const password = 'a phrase of my own'

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const add = async (email: string): Promise<{ id: string }> => {
  const person = { firstName: 'Samira', lastName: 'Khoury', phone: newPhone(), email }
  return (await institute.owner.post('/guardians', person)).body
}

test('who is invited from a record need not type the name that stands there, and may type another', async () => {
  const [mother, father] = ['mother@example.org', 'father@example.org']
  const facts = async (email: string) => {
    await app.drain()
    const token = mailedToken(app, email, 'invitation')
    const { body } = await app.send('GET', '//links/invitation', { headers: { 'x-link-token': token } })
    return { token, shown: [body.fullName, body.needs] }
  }
  for (const email of [mother, father]) {
    const { id } = await add(email)
    await institute.owner.post(`/guardians/${id}/invite`)
  }
  const ofMother = await facts(mother)
  const shown = ['Samira Khoury', { fullName: false, password: true }]
  expect(ofMother.shown).toEqual(shown)
  expect((await app.post('/invitations/accept', { token: ofMother.token, password })).status).toBe(200)
  expect((await app.post('/auth/login', { email: mother, password })).body.user.fullName).toBe('Samira Khoury')
  const ofFather = await facts(father)
  expect(ofFather.shown).toEqual(shown)
  await app.post('/invitations/accept', { token: ofFather.token, password, fullName: 'Sami Khoury' })
  expect((await app.post('/auth/login', { email: father, password })).body.user.fullName).toBe('Sami Khoury')
})
