import { expect, test } from 'vitest'
import { joinNotifyJobs } from '#modules/notifications/events/notify.ts'

const tellOf = (type: string, ...ids: number[]) => ({
  tenantId: 'tenant',
  type,
  events: ids.map((id) => ({ id: String(id), data: {} })),
  after: null,
})

test('events of one type in one institute are told together', () => {
  expect(joinNotifyJobs(tellOf('lead.created', 1, 2), tellOf('lead.created', 3))).toEqual(
    tellOf('lead.created', 1, 2, 3),
  )
})

test.each([
  ['types', tellOf('payment.recorded', 2)],
  ['institutes', { ...tellOf('lead.created', 2), tenantId: 'another' }],
])('events of different %s are told apart', (_, other) => {
  expect(joinNotifyJobs(tellOf('lead.created', 1), other)).toBeUndefined()
})

test('at most 50 events are told together', () => {
  const many = Array.from({ length: 49 }, (_, n) => n)
  expect(joinNotifyJobs(tellOf('lead.created', ...many), tellOf('lead.created', 49))?.events).toHaveLength(50)
  expect(joinNotifyJobs(tellOf('lead.created', ...many), tellOf('lead.created', 49, 50))).toBeUndefined()
})

test.each(['session.cancelled', 'exam.published'])('%s, which a whole group hears of, is told by itself', (type) => {
  expect(joinNotifyJobs(tellOf(type, 1), tellOf(type, 2))).toBeUndefined()
})
