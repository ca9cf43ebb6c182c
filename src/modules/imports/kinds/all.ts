import type { ImportKind } from '../tables.ts'
import { balances } from './balances.ts'
import { enrollments } from './enrollments.ts'
import type { Kind } from './kind.ts'
import { staff } from './staff.ts'
import { students } from './students.ts'

export const KINDS: Readonly<Record<ImportKind, Kind>> = { students, staff, enrollments, balances }
