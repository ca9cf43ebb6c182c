import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { Caller } from './caller.ts'
import type { Day } from './day.ts'
import { refusalOf, type Find, type Row } from './findings.ts'
import { until, type Program } from './program.ts'

const MAIL_MILLIS = 30_000
const EMAIL = 'learner@example.org'
const PASSWORD = 'a lamp under the stairs'

export interface VideoCourse {
  courseId: string
  lessonIds: string[]
  grantId: string
  student: Row
}

/** A course of two published lessons, given to the first student. */
export const newVideoCourse = async (caller: Caller, day: Day): Promise<VideoCourse> => {
  const post = (key: string, to: string, body?: unknown): Promise<Row> => caller.send('POST', to, body, `video-${key}`)
  const [category] = await caller.get('/course-categories')
  const about = { categoryId: category.id, name: 'القراءة', deliveryMode: 'self_paced' }
  const { id: courseId } = await post('course', '/courses', about)
  const section = await post('section', `/courses/${courseId}/sections`, { title: 'Letters' })
  const lessonIds: string[] = []
  for (const [index, title] of ['The alphabet', 'First words'].entries()) {
    const { id } = await post(`lesson-${index}`, `/sections/${section.id}/lessons`, { title, kind: 'video' })
    const video = { url: 'https://youtu.be/dQw4w9WgXcQ' }
    await caller.send('PUT', `/lessons/${id}/video`, video, `video-link-${index}`)
    await post(`publish-${index}`, `/lessons/${id}/publish`)
    lessonIds.push(id)
  }
  const [student] = day.students
  const grant = await post('grant', `/courses/${courseId}/enrollments`, { studentId: student.id })
  return { courseId, lessonIds, grantId: grant.id, student }
}

/** The token of the invitation, from the mail that the program keeps while it has no mail server. */
const mailedToken = async (dataDir: string): Promise<string> => {
  const folder = path.join(dataDir, 'mail-outbox')
  const mails = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
  for (const name of mails) {
    const { text = '', to = [] } = await PostalMime.parse(readFileSync(path.join(folder, name)))
    const [, token] = /\/invitation\?token=(\S+)/.exec(text) ?? []
    if (token !== undefined && to.some(({ address }) => address === EMAIL)) return token
  }
  return ''
}

/** Invites the student, who accepts and signs in. @returns the invitation, and the student as a caller */
export const signInStudent = async (
  program: Program,
  { owner, video }: { owner: Caller; video: VideoCourse },
): Promise<{ invitationId: string; learner: Caller }> => {
  const invited = await owner.send('POST', `/students/${video.student.id}/invite`, { email: EMAIL }, 'invite-learner')
  let token = ''
  await until(async () => (token = await mailedToken(program.dataDir)) !== '', MAIL_MILLIS)
  const outside = new Caller(program)
  const fullName = `${video.student.firstName} ${video.student.lastName}`
  await outside.send('POST', '/invitations/accept', { token, password: PASSWORD, fullName })
  const sign = { email: EMAIL, password: PASSWORD, client: 'mobile' }
  const { accessToken } = await outside.send('POST', '/auth/login', sign)
  return { invitationId: invited.id, learner: new Caller(program, accessToken) }
}

/** Checks that the lessons are closed while the course is not paid. */
export const checkUnpaid = async (learner: Caller, video: VideoCourse, find: Find): Promise<void> => {
  const { status } = await learner.get(`/me/courses/${video.courseId}`)
  const refusal = await refusalOf(learner.send('POST', `/me/lessons/${video.lessonIds[0]}/complete`))
  find('a course that is not paid is closed', status === 'pending' && / 409 /.test(refusal), `it is ${status}`)
}

/** The student reports every lesson twice at once, which completes the course once. */
export const completeCourse = async (learner: Caller, { courseId, lessonIds }: VideoCourse, find: Find) => {
  for (const id of lessonIds) {
    await Promise.all([1, 2].map(() => learner.send('POST', `/me/lessons/${id}/complete`)))
  }
  const { status, completedCount, lessonCount } = await learner.get(`/me/courses/${courseId}`)
  find(
    'the student completed the paid course',
    status === 'completed' && completedCount === lessonIds.length && lessonCount === lessonIds.length,
    `${completedCount} of ${lessonCount} lessons`,
  )
}
