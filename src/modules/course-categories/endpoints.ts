import { change, read } from '#kernel/endpoint.ts'
import { NotFound } from '#kernel/errors.ts'
import { list, Ok, ok } from '#kernel/schema.ts'
import { CategoryNode, CourseCategory, CourseCategoryChanges, NewCourseCategory } from './schemas.ts'
import {
  CategoryInUse,
  CategorySlugTaken,
  categoryTree,
  changeCategory,
  createCategory,
  deleteCategory,
  readCategory,
} from './service.ts'

export const courseCategoryEndpoints = [
  read({
    id: 'course-categories.tree',
    path: '/course-categories',
    summary: 'The tree of course categories',
    description: 'In one answer, inactive ones included; siblings stand by sortOrder, then by name.',
    access: 'courses.read',
    reply: list(CategoryNode),
    handle: ({ db }) => categoryTree(db),
  }),
  change({
    id: 'course-categories.create',
    method: 'POST',
    path: '/course-categories',
    summary: 'Add a course category',
    description: 'A slug is unique in the institute; it may have letters of any script, digits and single hyphens.',
    access: 'courses.write',
    wholeTenant: true,
    body: NewCourseCategory,
    status: 201,
    reply: CourseCategory,
    fails: [CategorySlugTaken, NotFound],
    handle: ({ tx, body }) => createCategory(tx, body),
  }),
  read({
    id: 'course-categories.read',
    path: '/course-categories/{id}',
    summary: 'Read a course category',
    access: 'courses.read',
    reply: CourseCategory,
    handle: ({ db, params }) => readCategory(db, params.id),
  }),
  change({
    id: 'course-categories.update',
    method: 'PATCH',
    path: '/course-categories/{id}',
    summary: 'Change or move a course category',
    description: '`parentId: null` makes it a root. A parent at or below the category itself is 422.',
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
    handle: async ({ tx, params }) => {
      await deleteCategory(tx, params.id)
      return ok
    },
  }),
]
