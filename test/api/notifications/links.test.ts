import { expect, test } from 'vitest'
import { newFamily, newParent } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newExam } from '../examples/exams.ts'
import { enquiry } from '../examples/leads.ts'

/** The links of mails lead to the thing that they tell of. */

const at = useMailApp()

/** The addresses in the mail to somebody, without what they begin with. */
const linksTo = (address: string): string[] => {
  const mail = at.mails.find(({ to }) => JSON.stringify(to).includes(address))
  expect(mail, address).toBeDefined()
  return [...(mail?.text ?? '').matchAll(/https?:\/\/[^/\s]+(\/open\?\S+)/g)].map(([, path]) => path as string)
}

test('results lead to that exam, for who can sign in; nobody else gets a link', async () => {
  await at.fresh()
  const { groupId, studentId } = await newFamily(at.institute)
  const member = await at.institute.member({ role: 'guardian' })
  const { email } = (await member.get('/me')).body
  await newParent(at.institute, studentId, { userId: member.userId })
  await newParent(at.institute, studentId, { email: 'sami@example.org' })
  const examId = await newExam(at.institute, groupId)
  await at.institute.owner.post(`/exams/${examId}/publish`)
  await at.app.drain()
  expect(linksTo(email)).toEqual([`/open?about=exam.published&examId=${examId}&groupId=${groupId}`])
  expect(linksTo('sami@example.org')).toEqual([])
})

test('a lead leads to its page', async () => {
  await at.fresh()
  const { email } = (await at.institute.owner.get('/me')).body
  const { body } = await at.institute.owner.post('/leads', enquiry())
  await at.app.drain()
  expect(linksTo(email)).toEqual([`/open?about=lead.created&leadId=${body.id}`])
})
