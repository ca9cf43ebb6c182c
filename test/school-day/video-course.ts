import { Caller } from './caller.ts'
import type { Day } from './day.ts'
import type { Deployment } from './deployment.ts'
import { refusalOf, type Find, type Row } from './findings.ts'
import { mailedToken } from './mailed-token.ts'

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

/** Invites the student, who accepts and signs in. @returns the invitation, and the student as a caller */
export const signInStudent = async (
  deployment: Deployment,
  { owner, video }: { owner: Caller; video: VideoCourse },
): Promise<{ invitationId: string; learner: Caller }> => {
  const invited = await owner.send('POST', `/students/${video.student.id}/invite`, { email: EMAIL }, 'invite-learner')
  const token = await mailedToken(deployment, EMAIL, 'invitation')
  const outside = new Caller(deployment)
  const fullName = `${video.student.firstName} ${video.student.lastName}`
  await outside.send('POST', '/invitations/accept', { token, password: PASSWORD, fullName })
  const sign = { email: EMAIL, password: PASSWORD, client: 'mobile' }
  const { accessToken } = await outside.send('POST', '/auth/login', sign)
  return { invitationId: invited.id, learner: new Caller(deployment, accessToken) }
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
