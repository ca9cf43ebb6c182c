import type { Module } from '#kernel/module.ts'
import { feeScheduleEndpoints } from './endpoints.ts'
import { feeTables } from './tables.ts'

export const feesModule: Module = { name: 'fees', tables: feeTables, endpoints: feeScheduleEndpoints }
