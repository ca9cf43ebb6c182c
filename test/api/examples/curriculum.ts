import type { TestApp } from '#kit/app.ts'
import type { Example, Examples, World } from '#kit/examples.ts'
import { linkAccount } from '#kit/link-account.ts'
import type { TestInstitute, TestMember } from '#kit/institute.ts'
import { create, newGroup, newPupil } from './sessions.ts'

type Place = Pick<World, 'owner' | 'branchId'>
type Fields = Record<string, unknown>

let made = 0

/** A course that students learn on their own; its fee is 200.00 ILS. */
export const newVideoCourse = async (place: Place, fields: Fields = {}): Promise<string> => {
  made += 1
  const categoryId = await create(place, '/course-categories', { name: 'Languages', slug: `curriculum-${made}` })
  const course = { categoryId, name: 'Grammar', deliveryMode: 'self_paced', defaultFeeMinor: 20_000 }
  return create(place, '/courses', { ...course, ...fields })
}

export const newSection = async (place: Place, courseId?: string, title = 'Verbs'): Promise<string> =>
  create(place, `/courses/${courseId ?? (await newVideoCourse(place))}/sections`, { title })

export const newLesson = async (place: Place, sectionId?: string, fields: Fields = {}): Promise<string> =>
  create(place, `/sections/${sectionId ?? (await newSection(place))}/lessons`, { title: 'Past tense', ...fields })

/** A course of one section with so many published lessons. */
export const newPublished = async (place: Place, count = 1) => {
  const courseId = await newVideoCourse(place)
  const sectionId = await newSection(place, courseId)
  const lessonIds: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const lessonId = await newLesson(place, sectionId, { title: `Lesson ${n}` })
    await place.owner.post(`/lessons/${lessonId}/publish`)
    lessonIds.push(lessonId)
  }
  return { courseId, sectionId, lessonIds: lessonIds as [string, ...string[]] }
}

export const newLearner = async (place: Place): Promise<string> =>
  create(place, '/students', { branchId: place.branchId, firstName: 'Lina', lastName: 'Saleh' })

/** Gives the course to the student, or to a fresh one. */
export const newGrant = async (place: Place, courseId: string, studentId?: string, fields: Fields = {}) =>
  create(place, `/courses/${courseId}/enrollments`, { studentId: studentId ?? (await newLearner(place)), ...fields })

interface Account {
  app: TestApp
  institute: TestInstitute
}

/** Gives a student the account of a member. */
export const linkStudent = async (
  { app }: TestApp,
  studentId: string,
  { userId }: { userId: string },
): Promise<void> => {
  await linkAccount({ app }, 'student', { id: studentId, userId })
}

/** A student with an account of their own. */
export const signedInLearner = async (
  { app, institute }: Account,
  branchId = institute.branchId,
): Promise<{ member: TestMember; studentId: string }> => {
  const member = await institute.member({ role: 'student' })
  const studentId = await newLearner({ owner: institute.owner, branchId })
  await linkStudent(app, studentId, member)
  return { member, studentId }
}

/** A student who has an account and a course of so many published lessons. */
export const newCourseOf = async (account: Account, count = 1) => {
  const place = { owner: account.institute.owner, branchId: account.institute.branchId }
  const { member, studentId } = await signedInLearner(account)
  const course = await newPublished(place, count)
  return { ...course, member, studentId, grantId: await newGrant(place, course.courseId, studentId) }
}

const branchless = 'what belongs to a course can be read under any branch'

const OWN = 'It tells of the caller alone, whoever that is.'

const ofCourse = async (world: World): Promise<Example> => ({ params: { courseId: await newVideoCourse(world) } })
const ofSection = async (world: World): Promise<Example> => ({ params: { id: await newSection(world) } })
const ofLesson = async (world: World): Promise<Example> => ({ params: { id: await newLesson(world) } })

export const curriculumExamples: Examples = {
  'curriculum.read': { make: ofCourse, branchless },
  'curriculum.summary': { make: ofCourse, branchless },
  'sections.create': async (world) => ({ ...(await ofCourse(world)), body: { title: 'Verbs' } }),
  'sections.order': async (world) => {
    const courseId = await newVideoCourse(world)
    const ids = [await newSection(world, courseId), await newSection(world, courseId)]
    return { params: { courseId }, body: { ids: ids.toReversed() } }
  },
  'sections.update': async (world) => ({ ...(await ofSection(world)), body: { title: 'Nouns' } }),
  'sections.delete': ofSection,
  'lessons.create': async (world) => ({
    ...(await ofSection(world)),
    body: { title: 'Past tense', kind: 'video', description: 'Of regular verbs', durationSec: 600 },
  }),
  'lessons.order': async (world) => {
    const id = await newSection(world)
    const ids = [await newLesson(world, id), await newLesson(world, id)]
    return { params: { id }, body: { ids: ids.toReversed() } }
  },
  'lessons.read': { make: ofLesson, branchless },
  'lessons.update': async (world) => ({ ...(await ofLesson(world)), body: { title: 'Future', isPreview: true } }),
  'lessons.delete': ofLesson,
  'lessons.publish': ofLesson,
  'lessons.unpublish': async (world) => ({ params: { id: (await newPublished(world)).lessonIds[0] } }),
  'lessons.set-video': async (world) => ({
    ...(await ofLesson(world)),
    body: { url: 'https://youtu.be/dQw4w9WgXcQ?t=42' },
  }),
  'lessons.remove-video': ofLesson,
  'course-enrollments.list': {
    make: async (world) => {
      const courseId = await newVideoCourse(world)
      await newGrant(world, courseId)
      return { params: { courseId } }
    },
    branchless,
  },
  'course-enrollments.create': async (world) => ({
    ...(await ofCourse(world)),
    body: { studentId: await newLearner(world), priceMinor: 15_000, currency: 'ILS' },
  }),
  'course-enrollments.create-many': async (world) => {
    const groupId = await newGroup(world)
    await newPupil(world, groupId)
    return { params: { id: groupId }, body: { courseId: await newVideoCourse(world), priceMinor: 15_000 } }
  },
  'course-enrollments.drop': async (world) => ({
    params: { id: await newGrant(world, await newVideoCourse(world)) },
    query: '?reason=Moved%20away',
  }),
  'curriculum.progress': {
    make: async (world) => {
      const { courseId } = await newPublished(world)
      await newGrant(world, courseId)
      return { params: { courseId } }
    },
    branchless,
  },
  'me.courses': { make: async () => ({}), branchless: OWN },
  'me.course': {
    make: async (world) => {
      const { courseId, member } = await newCourseOf(world)
      return { params: { courseId }, as: member }
    },
    branchless: OWN,
  },
  'me.student-course': {
    make: async (world) => {
      const { courseId, studentId, member } = await newCourseOf(world)
      return { params: { id: studentId, courseId }, as: member }
    },
    branchless: OWN,
  },
  'me.complete-lesson': {
    make: async (world) => {
      const { lessonIds, member } = await newCourseOf(world)
      return { params: { id: lessonIds[0] }, as: member }
    },
    branchless: OWN,
  },
}
