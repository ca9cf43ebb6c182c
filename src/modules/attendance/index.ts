import type { Module } from '#kernel/module.ts'
import { attendanceEndpoints } from './endpoints.ts'
import { attendanceTables } from './tables.ts'

export const attendanceModule: Module = { name: 'attendance', tables: attendanceTables, endpoints: attendanceEndpoints }
