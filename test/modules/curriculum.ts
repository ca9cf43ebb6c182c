import type { Owed } from '#kit/owed.ts'
import { inTurn, text } from '#kit/fill-sql.ts'
import { newLesson, newSection } from '../api/examples/curriculum.ts'

export const owed: Owed = {
  tables: {
    section: { few: 'a hundred of a course at the most, in one answer' },
    lesson: { few: 'three hundred of a course at the most, in one answer' },
    course_enrollment: async ({ nthId, uuid, user, at, record }) => ({
      course_id: uuid(text(await record('courseId'))),
      student_id: nthId('student', 'n'),
      status: inTurn(['active', 'completed', 'dropped']),
      granted_at: at,
      ended_at: `case when n % 3 > 0 then ${at} end`,
      granted_by_user_id: user,
      updated_at: at,
    }),
    lesson_completion: async ({ nthId, uuid, at, record }) => ({
      course_enrollment_id: nthId('course_enrollment', 'n'),
      lesson_id: uuid(text(await record('lessonId'))),
      completed_at: at,
    }),
  },
  records: {
    sectionId: async (world, record) => newSection(world, await record('courseId')),
    lessonId: async (world, record) => newLesson(world, await record('sectionId')),
  },
  filters: { 'course-enrollments.list': { status: 'completed' } },
  kept: ({ first, nth, at }) => {
    const { tenant_id, student_id } = first('enrollment')
    const { id: course_id } = first('course')
    const own = { tenant_id, created_at: at, updated_at: at }
    const video = { video_provider: 'vimeo', video_key: '76979871', video_hash: '8272103f6e' }
    const lesson = { title: 'الماضي', kind: 'video', is_preview: false, published_at: at, ...video }
    return {
      section: [{ ...own, id: nth(27), course_id, title: 'פעלים', sort_order: 0 }],
      lesson: [{ ...own, ...lesson, id: nth(28), course_id, section_id: nth(27), sort_order: 0 }],
      course_enrollment: [
        { ...own, id: nth(29), course_id, student_id, status: 'completed', granted_at: at, ended_at: at },
      ],
      lesson_completion: [{ tenant_id, course_enrollment_id: nth(29), lesson_id: nth(28), completed_at: at }],
    }
  },
}
