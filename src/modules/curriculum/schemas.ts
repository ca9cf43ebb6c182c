import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  emptyableProse,
  expectedVersion,
  id,
  integer,
  list,
  orNull,
  pageQuery,
  prose,
  text,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { LESSON_KINDS } from './tables.ts'
import { VIDEO_PROVIDERS } from './video.ts'

const words = {
  title: 'One line.',
  courseId: 'The course.',
  courseName: 'What the course is called.',
  sectionId: 'The section of its course in which the lesson stands.',
  studentId: 'The student.',
  sortOrder: 'Its place among the others, counted from 0 without gaps.',
  body: 'The text of the lesson; null: none.',
  kind: 'What the lesson is foremost: a video to watch or a text to read.',
  durationSec: 'How long the lesson takes, in seconds; null: not said.',
  isPreview: 'Whether students may open it before their course is paid.',
  publishedAt: 'Since when students see it; null: they do not.',
  video: 'The video; null: none.',
  sections: 'The sections, in their order.',
  lessons: 'The lessons, in their order.',
  sectionCount: 'How many sections the course has.',
  publishedLessonCount: 'How many of the lessons are published.',
  videoLessonCount: 'How many of the lessons are of kind video, published or not.',
  ids: 'All ids, each once, in the new order.',
  seen: 'The ids in the order that the caller saw; left out: whatever stands is replaced.',
  grantedAt: 'When the student was given the course last.',
  endedAt: 'When the course was completed or dropped; null: it goes on.',
  priceMinor: 'The price as it was when the course was given, in the smallest unit of the currency; null: none.',
  currency: 'ISO 4217; null: there is no price.',
  grantedByUserId: 'The account of whoever gave the course; null: not known.',
  courseEnrollmentId: 'The student’s access to the course.',
  completedCount: 'How many of the published lessons the student completed.',
  lastCompletedAt: 'When the student completed one of them last; null: none yet.',
  isOpen: 'Whether the student may learn it now; body and video of others are null.',
  completedAt: 'When the student completed the lesson; null: not yet.',
  completedLessonIds: 'The published lessons that the student completed.',
}

/** The words of what is counted for one student. */
const ofStudent = { ...words, lessonCount: 'How many lessons of the course are published.' }

export const Section = named(
  'CurriculumSection',
  v.object({
    id,
    courseId: id,
    title: v.string(),
    sortOrder: count,
    version: v.number(),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Section = v.InferOutput<typeof Section>

export const Video = named(
  'LessonVideo',
  v.object({
    provider: v.picklist(VIDEO_PROVIDERS),
    videoId: v.string(),
    url: v.string(),
    embedUrl: v.string(),
  }),
  {
    provider: 'Where the video is.',
    videoId: 'The provider’s id of the video.',
    url: 'The page of the video.',
    embedUrl: 'The player, for a frame in another page.',
  },
)

export const Lesson = named(
  'Lesson',
  v.object({
    id,
    courseId: id,
    sectionId: id,
    title: v.string(),
    description: orNull(v.string()),
    kind: v.picklist(LESSON_KINDS),
    body: orNull(v.string()),
    durationSec: orNull(count),
    sortOrder: count,
    isPreview: v.boolean(),
    publishedAt: orNull(ts),
    video: orNull(Video),
    version: v.number(),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Lesson = v.InferOutput<typeof Lesson>

export const Curriculum = named(
  'Curriculum',
  v.object({
    courseId: id,
    courseName: v.string(),
    sections: list(named('SectionWithLessons', v.object({ ...Section.entries, lessons: list(Lesson) }), words)),
  }),
  words,
)
export type Curriculum = v.InferOutput<typeof Curriculum>

export const CurriculumSummary = named(
  'CurriculumSummary',
  v.object({
    courseId: id,
    sectionCount: count,
    lessonCount: count,
    publishedLessonCount: count,
    videoLessonCount: count,
  }),
  { ...words, lessonCount: 'How many lessons the course has.' },
)
export type CurriculumSummary = v.InferOutput<typeof CurriculumSummary>

const heading = title(200)

export const NewSection = named('NewSection', v.object({ title: heading }), words)
export const SectionChanges = named(
  'SectionChanges',
  v.object({ title: v.optional(heading), version: expectedVersion }),
  words,
)
export type SectionChanges = v.InferOutput<typeof SectionChanges>

const lessonFields = v.partial(
  v.object({
    title: heading,
    description: v.nullable(emptyableProse(2000)),
    kind: v.picklist(LESSON_KINDS),
    body: v.nullable(emptyableProse(10_000)),
    durationSec: v.nullable(integer(0, 86_400)),
    isPreview: v.boolean(),
  }),
)

export const NewLesson = named('NewLesson', v.object({ ...lessonFields.entries, title: heading }), words)
export type NewLesson = v.InferOutput<typeof NewLesson>

export const LessonChanges = named(
  'LessonChanges',
  v.object({
    ...lessonFields.entries,
    sectionId: v.optional(uuid),
    version: expectedVersion,
  }),
  {
    ...words,
    sectionId: 'Moves the lesson to the end of this section of its course.',
  },
)
export type LessonChanges = v.InferOutput<typeof LessonChanges>

export const MAX_SECTIONS = 100
/** The most lessons of a course. They are read all at once, so their number is limited. */
export const MAX_LESSONS = 300

const allIds = v.pipe(v.array(uuid), v.maxLength(MAX_LESSONS, `Must have at most ${MAX_LESSONS} ids.`))

export const NewOrder = named('NewOrder', v.object({ ids: allIds, seen: v.optional(allIds) }), words)
export type NewOrder = v.InferOutput<typeof NewOrder>

export const Sections = named('Sections', v.object({ data: list(Section) }), { data: 'The sections, in their order.' })
export const Lessons = named('Lessons', v.object({ data: list(Lesson) }), { data: 'The lessons, in their order.' })

export const VideoLink = named('VideoLink', v.object({ url: text(2000) }), {
  url: 'The link to the video, as it was copied.',
})

const status = v.picklist(['pending', 'active', 'completed', 'dropped'])

export const CourseEnrollment = named(
  'CourseEnrollment',
  v.object({
    id,
    courseId: id,
    studentId: id,
    status,
    grantedAt: ts,
    endedAt: orNull(ts),
    priceMinor: orNull(count),
    currency: orNull(currency),
    grantedByUserId: orNull(id),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type CourseEnrollment = v.InferOutput<typeof CourseEnrollment>

const person = { studentNumber: v.string(), firstName: v.string(), lastName: v.string() }

export const ListedCourseEnrollment = named(
  'ListedCourseEnrollment',
  v.object({ ...CourseEnrollment.entries, ...person }),
  words,
)
export type ListedCourseEnrollment = v.InferOutput<typeof ListedCourseEnrollment>

export const CourseEnrollmentQuery = pageQuery({ status: v.optional(status) })
export type CourseEnrollmentQuery = v.InferOutput<typeof CourseEnrollmentQuery>

const price = { priceMinor: v.optional(integer(0, 1_000_000_000_000)), currency: v.optional(currency) }

const newWords = {
  ...words,
  priceMinor: 'The price, in the smallest unit of the currency. Default: the fee of the course.',
  currency: 'Default: that of the course.',
}

export const NewCourseEnrollment = named('NewCourseEnrollment', v.object({ studentId: uuid, ...price }), newWords)
export type NewCourseEnrollment = v.InferOutput<typeof NewCourseEnrollment>

export const NewGroupGrants = named('NewGroupGrants', v.object({ courseId: uuid, ...price }), newWords)
export type NewGroupGrants = v.InferOutput<typeof NewGroupGrants>

export const GroupGrants = named(
  'GroupGrants',
  v.object({ granted: list(CourseEnrollment), had: list(id), unreached: count }),
  {
    granted: 'What was given now.',
    had: 'The students who have the course already: theirs stays as it is.',
    unreached: 'How many of the group belong to a branch that the caller does not reach: they were left out.',
  },
)
export type GroupGrants = v.InferOutput<typeof GroupGrants>

export const DropQuery = explained(v.object({ reason: v.optional(prose(500)) }), { reason: 'Why, for the event.' })

/** How far a student is; lessons that are not published do not count. */
const progress = { lessonCount: count, completedCount: count, lastCompletedAt: orNull(ts) }

export const CourseProgress = named(
  'CourseProgress',
  v.object({
    courseEnrollmentId: id,
    studentId: id,
    ...person,
    status,
    grantedAt: ts,
    ...progress,
    completedLessonIds: list(id),
  }),
  ofStudent,
)

export const OwnCourse = named(
  'OwnCourse',
  v.object({
    courseEnrollmentId: id,
    courseId: id,
    name: v.string(),
    description: orNull(v.string()),
    status,
    grantedAt: ts,
    endedAt: orNull(ts),
    ...progress,
  }),
  ofStudent,
)
export type OwnCourse = v.InferOutput<typeof OwnCourse>

export const OwnCourseDetail = named(
  'OwnCourseDetail',
  v.object({
    ...OwnCourse.entries,
    sections: list(
      named(
        'OwnSection',
        v.object({
          ...Section.entries,
          lessons: list(
            named('OwnLesson', v.object({ ...Lesson.entries, isOpen: v.boolean(), completedAt: orNull(ts) }), words),
          ),
        }),
        words,
      ),
    ),
  }),
  ofStudent,
)
export type OwnCourseDetail = v.InferOutput<typeof OwnCourseDetail>

export const CompletedLesson = named(
  'CompletedLesson',
  v.object({
    lessonId: id,
    courseId: id,
    completedAt: ts,
    status,
    ...progress,
  }),
  {
    ...ofStudent,
    lessonId: 'The lesson.',
    completedAt: 'When the student completed the lesson.',
    status: 'How the student’s access to the course stands.',
  },
)
export type CompletedLesson = v.InferOutput<typeof CompletedLesson>
