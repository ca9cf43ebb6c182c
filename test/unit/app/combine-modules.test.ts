import * as v from 'valibot'
import { expect, test } from 'vitest'
import { combineModules } from '#app/combine-modules.ts'
import { passed } from '#kernel/contract/check.ts'
import { openRead } from '#kernel/contract/endpoint.ts'
import { declareJob, noPayload } from '#kernel/contract/job.ts'
import { jobKind, type Module } from '#kernel/contract/module.ts'

const read = (id: string, path: `/${string}`) =>
  openRead({ id, path, summary: id, access: 'anyone', reply: v.object({}), handle: async () => ({}) })
const sweep = jobKind(declareJob('fees.sweep', noPayload), { handle: async () => {} })
const probe = { name: 'bank', probe: async () => {} }
const check = { about: 'bank', look: async () => passed('there') }

const fees: Module = {
  name: 'fees',
  tables: { fee: { kind: 'tenant' } },
  endpoints: [read('fees.list', '/fees'), read('fees.read', '/fees/{id}'), read('fees.page', '//fees/{file*}')],
  jobs: [sweep],
  cronJobs: [{ cron: '0 * * * *', job: declareJob('fees.sweep', noPayload) }],
  events: ['payment.recorded'],
  probes: [probe],
  checks: [check],
}

test.each<[string, Omit<Module, 'name'>]>([
  ['the table fee', { tables: { fee: { kind: 'system' } } }],
  ['the endpoint fees.list', { endpoints: [read('fees.list', '/other')] }],
  ['the address GET /fees/{}', { endpoints: [read('other', '/fees/{feeId}')] }],
  ['the job fees.sweep', { jobs: [sweep] }],
  ['the event payment.recorded', { events: ['payment.recorded'] }],
  ['the address GET //fees/{}', { endpoints: [read('other', '//fees/{name}')] }],
  ['the probe bank', { probes: [probe] }],
  ['the check bank', { checks: [check] }],
])('%s of two modules is refused in one line that names both', (thing, brought) => {
  expect(() => combineModules([fees, { name: 'charges', ...brought }])).toThrow(
    new Error(`The modules fees and charges both bring ${thing}.`),
  )
})

test('what one module brings twice, and two modules of one name, are refused', () => {
  expect(() => combineModules([{ name: 'fees', jobs: [sweep, sweep] }])).toThrow(
    new Error('The module fees brings the job fees.sweep twice.'),
  )
  expect(() => combineModules([fees, { name: 'fees' }])).toThrow(new Error('There are two modules of the name fees.'))
})

test('a cron job that nothing runs is refused', () => {
  expect(() => combineModules([{ ...fees, jobs: [] }])).toThrow(
    new Error('The module fees has a cron job of fees.sweep, which is in no module’s list of jobs.'),
  )
})

test('what different modules bring is put together', () => {
  const { rules, kinds, endpoints } = combineModules([
    fees,
    { name: 'charges', tables: { charge: { kind: 'system' } } },
  ])
  expect(rules).toEqual({ fee: { kind: 'tenant' }, charge: { kind: 'system' } })
  expect(kinds.get('fees.sweep')).toBe(sweep)
  expect(endpoints.map(({ id }) => id)).toEqual(['fees.list', 'fees.read', 'fees.page'])
})
