import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { list, Ok } from '#kernel/values/schema.ts'
import { readRecord } from '#runtime/records/records.ts'
import { CategoryNode, CourseCategory, CourseCategoryChanges, NewCourseCategory } from './schemas.ts'
import {
  categoryRecord,
  CategoryInUse,
  CategorySlugTaken,
  categoryTree,
  changeCategory,
  createCategory,
  deleteCategory,
  TooManyCategories,
} from './service.ts'

export const courseCategoryEndpoints = [
  read({
    id: 'course-categories.tree',
    path: '/course-categories',
    summary: 'The tree of course categories',
    description:
      'In one answer, inactive ones included; siblings stand by sortOrder, then by name. Where an institute of an earlier version has categories below the 16th level, they stand on the 16th: their parentId tells where they belong.',
    access: 'courses.read',
    reply: list(CategoryNode),
    handle: ({ db }) => categoryTree(db),
  }),
  change({
    id: 'course-categories.create',
    method: 'POST',
    path: '/course-categories',
    summary: 'Add a course category',
    description:
      'Categories nest at most 16 deep (422), and an institute has at most 1,000 (409). A slug has letters of any script, digits, dots, underscores and hyphens; it is kept as given, and unique in the institute without regard to case.',
    access: 'courses.write',
    wholeTenant: true,
    body: NewCourseCategory,
    status: 201,
    reply: CourseCategory,
    fails: [CategorySlugTaken, TooManyCategories, NotFound],
    handle: ({ tx, body }) => createCategory(tx, body),
  }),
  read({
    id: 'course-categories.read',
    path: '/course-categories/{id}',
    summary: 'Read a course category',
    access: 'courses.read',
    reply: CourseCategory,
    handle: ({ db, params }) => readRecord(db, categoryRecord, params.id),
  }),
  change({
    id: 'course-categories.update',
    method: 'PATCH',
    path: '/course-categories/{id}',
    summary: 'Change or move a course category',
    description:
      '`parentId: null` makes it a root. A parent at or below the category itself is 422, and so is one under which the category, or what is below it, would be nested more than 16 deep.',
    access: 'courses.write',
    wholeTenant: true,
    body: CourseCategoryChanges,
    reply: CourseCategory,
    fails: [CategorySlugTaken],
    handle: ({ tx, params, body }) => changeCategory(tx, params.id, body),
  }),
  change({
    id: 'course-categories.delete',
    method: 'DELETE',
    path: '/course-categories/{id}',
    summary: 'Delete a course category that nothing is filed under',
    access: 'courses.write',
    wholeTenant: true,
    reply: Ok,
    fails: [CategoryInUse],
    handle: ({ tx, params }) => deleteCategory(tx, params.id),
  }),
]
