import { change, read } from '#kernel/contract/endpoint.ts'
import { VersionConflict } from '#kernel/values/errors.ts'
import { Ok } from '#kernel/values/schema.ts'
import {
  changeLesson,
  createLesson,
  deleteLesson,
  LessonInUse,
  orderLessons,
  publishLesson,
  removeVideo,
  setVideo,
  TooManyLessons,
  unpublishLesson,
} from './lessons.ts'
import { OrderChanged } from './order.ts'
import { readCurriculum, readLesson, readSummary } from './read.ts'
import {
  Curriculum,
  CurriculumSummary,
  Lesson,
  LessonChanges,
  Lessons,
  MAX_LESSONS,
  MAX_SECTIONS,
  NewLesson,
  NewOrder,
  NewSection,
  Section,
  SectionChanges,
  Sections,
  VideoLink,
} from './schemas.ts'
import {
  changeSection,
  createSection,
  deleteSection,
  orderSections,
  SectionInUse,
  TooManySections,
} from './sections.ts'
import { VideoProviderUnsupported, VideoUrlInvalid } from './video.ts'

const flag = 'courses_video'

const reading = { access: 'curriculum.read', flag } as const
/** Courses belong to no branch, so a role for one branch can read curricula and not write them. */
const writing = { access: 'curriculum.write', wholeTenant: true, flag } as const

const ORDER =
  'ids are all of them, each once, in the new order: an id that is unknown, named twice or left out is 422, and the message says which. With seen, an order that is not that any more is 409: somebody else added, removed or sorted some meanwhile. '

const OF_TEACHERS = 'A teacher reads the courses of the groups that they teach or substitute; others are 404.'

export const sectionEndpoints = [
  read({
    ...reading,
    id: 'curriculum.read',
    path: '/courses/{courseId}/curriculum',
    summary: 'The sections of a course with their lessons',
    description: `In one answer, in their order, unpublished lessons included. ${OF_TEACHERS}`,
    reply: Curriculum,
    handle: (context) => readCurriculum(context, context.params.courseId),
  }),
  read({
    ...reading,
    id: 'curriculum.summary',
    path: '/courses/{courseId}/curriculum/summary',
    summary: 'How many sections and lessons a course has',
    description: `videoLessonCount counts the lessons of kind video, published or not. ${OF_TEACHERS}`,
    reply: CurriculumSummary,
    handle: (context) => readSummary(context, context.params.courseId),
  }),
  change({
    ...writing,
    id: 'sections.create',
    method: 'POST',
    path: '/courses/{courseId}/sections',
    summary: 'Add a section to a course',
    description: `After the others. sortOrder counts from 0 without gaps. Courses of either delivery mode have sections. A course has at most ${MAX_SECTIONS} (409).`,
    body: NewSection,
    status: 201,
    reply: Section,
    fails: [TooManySections],
    handle: ({ tx, params, body }) => createSection(tx, params.courseId, body),
  }),
  change({
    ...writing,
    id: 'sections.order',
    method: 'PUT',
    path: '/courses/{courseId}/sections/order',
    summary: 'Sort the sections of a course',
    description: `${ORDER}Answers the sections in their new order; the version of each that moved goes up.`,
    body: NewOrder,
    reply: Sections,
    fails: [OrderChanged],
    handle: ({ tx, params, body }) => orderSections(tx, params.courseId, body),
  }),
  change({
    ...writing,
    id: 'sections.update',
    method: 'PATCH',
    path: '/sections/{id}',
    summary: 'Rename a section',
    body: SectionChanges,
    reply: Section,
    fails: [VersionConflict],
    handle: ({ tx, params, body }) => changeSection(tx, params.id, body),
  }),
  change({
    ...writing,
    id: 'sections.delete',
    method: 'DELETE',
    path: '/sections/{id}',
    summary: 'Delete a section that has no lessons',
    description: 'With lessons it is 409: move or delete them first. The sections after it move up.',
    reply: Ok,
    fails: [SectionInUse],
    handle: ({ tx, params }) => deleteSection(tx, params.id),
  }),
]

export const lessonEndpoints = [
  change({
    ...writing,
    id: 'lessons.create',
    method: 'POST',
    path: '/sections/{id}/lessons',
    summary: 'Add a lesson to a section',
    description: `After the others, not published. kind is video unless given, isPreview false. isPreview: students whose access is not paid yet may open it. A course has at most ${MAX_LESSONS} lessons (409).`,
    body: NewLesson,
    status: 201,
    reply: Lesson,
    fails: [TooManyLessons],
    handle: ({ tx, params, body }) => createLesson(tx, params.id, body),
  }),
  change({
    ...writing,
    id: 'lessons.order',
    method: 'PUT',
    path: '/sections/{id}/lessons/order',
    summary: 'Sort the lessons of a section',
    description: `${ORDER}Answers the lessons in their new order; the version of each that moved goes up.`,
    body: NewOrder,
    reply: Lessons,
    fails: [OrderChanged],
    handle: ({ tx, params, body }) => orderLessons(tx, params.id, body),
  }),
  read({
    ...reading,
    id: 'lessons.read',
    path: '/lessons/{id}',
    summary: 'Read a lesson',
    description: OF_TEACHERS,
    reply: Lesson,
    handle: (context) => readLesson(context, context.params.id),
  }),
  change({
    ...writing,
    id: 'lessons.update',
    method: 'PATCH',
    path: '/lessons/{id}',
    summary: 'Change a lesson, or move it to another section',
    description:
      'sectionId moves it to the end of another section of its course; a section of another course is 422. Also while it is published.',
    body: LessonChanges,
    reply: Lesson,
    fails: [VersionConflict],
    handle: ({ tx, params, body }) => changeLesson(tx, params.id, body),
  }),
  change({
    ...writing,
    id: 'lessons.delete',
    method: 'DELETE',
    path: '/lessons/{id}',
    summary: 'Delete a lesson that nobody completed',
    description:
      'Once a student completed it, or while a session names it, it is 409: unpublish it, and students do not see it any more. The lessons after it move up.',
    reply: Ok,
    fails: [LessonInUse],
    handle: ({ tx, params }) => deleteLesson(tx, params.id),
  }),
  change({
    ...writing,
    id: 'lessons.publish',
    method: 'POST',
    path: '/lessons/{id}/publish',
    summary: 'Show a lesson to students',
    description:
      'One that is published already stays as it is, without another event. Who completed the course before has still completed it.',
    reply: Lesson,
    handle: ({ tx, params }) => publishLesson(tx, params.id),
  }),
  change({
    ...writing,
    id: 'lessons.unpublish',
    method: 'POST',
    path: '/lessons/{id}/unpublish',
    summary: 'Hide a lesson from students',
    description:
      'What students completed stays, and counts again when it is published again. It completes no course by itself, also where it was the last one left: the next lesson that the student reports does, even one reported before.',
    reply: Lesson,
    handle: ({ tx, params }) => unpublishLesson(tx, params.id),
  }),
  change({
    ...writing,
    id: 'lessons.set-video',
    method: 'PUT',
    path: '/lessons/{id}/video',
    summary: 'Set the video of a lesson by its link',
    description:
      'A link to one video on YouTube or Vimeo (with the second part of an unlisted one), or on TeraBox where the institute’s setting curriculum.allowTerabox is on; https where the link names no scheme. The server makes url and embedUrl; other parts of the link, such as a playlist around the video or where to start, are dropped. Nothing is fetched: whether the video exists is not checked. A lesson of either kind may have one. ' +
      'VIDEO_URL_INVALID has details.reason malformed, unknown_host, playlist_not_supported or password_protected; VIDEO_PROVIDER_UNSUPPORTED has provider_not_enabled or terabox_not_enabled.',
    body: VideoLink,
    reply: Lesson,
    fails: [VideoUrlInvalid, VideoProviderUnsupported],
    handle: ({ tx, params, body }) => setVideo(tx, params.id, body.url),
  }),
  change({
    ...writing,
    id: 'lessons.remove-video',
    method: 'DELETE',
    path: '/lessons/{id}/video',
    summary: 'Take the video off a lesson',
    description: 'Also where there is none.',
    reply: Ok,
    handle: ({ tx, params }) => removeVideo(tx, params.id),
  }),
]
