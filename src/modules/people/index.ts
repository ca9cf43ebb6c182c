import type { Module } from '#kernel/module.ts'
import { guardianEndpoints } from './guardians/endpoints.ts'
import { linkEndpoints } from './links/endpoints.ts'
import { staffEndpoints } from './staff/endpoints.ts'
import { studentEndpoints } from './students/endpoints.ts'
import { peopleTables } from './tables.ts'

export const peopleModule: Module = {
  name: 'people',
  tables: peopleTables,
  endpoints: [...studentEndpoints, ...linkEndpoints, ...guardianEndpoints, ...staffEndpoints],
}
