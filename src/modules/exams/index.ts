import type { Module } from '#kernel/module.ts'
import { examEndpoints } from './endpoints.ts'
import { examTables } from './tables.ts'

export { Exam } from './schemas.ts'

export const examsModule: Module = {
  name: 'exams',
  events: ['exam.published'],
  tables: examTables,
  endpoints: examEndpoints,
}
