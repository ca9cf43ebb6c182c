import * as v from 'valibot'
import { EVENTS, PUBLIC_EVENTS } from '#kernel/contract/events.ts'
import type { EventSubscriber } from '#kernel/contract/module.ts'
import { EVENTS as CONTRACT } from '../contract/events.ts'

/**
 * Checks every recorded event against the contract's table of events and the types of its fields. A difference fails
 * the transaction that recorded it, and so the test.
 */
export const watchEvents = (): { subscriber: EventSubscriber; violations: string[] } => {
  const violations: string[] = []
  return {
    violations,
    subscriber: async (_tx, events) => {
      for (const { type, body } of events) {
        const { data } = JSON.parse(body) as { data: object }
        const given = Object.keys(data).toSorted().join(' ')
        const wanted = CONTRACT[type]?.toSorted().join(' ')
        const parsed = v.safeParse(EVENTS[type].data, data)
        // The contract’s table has those for which webhooks are sent.
        if ((given === wanted || !PUBLIC_EVENTS.includes(type)) && parsed.success) continue
        const wrong = parsed.success ? `has the fields ${given}` : JSON.stringify(v.flatten(parsed.issues))
        violations.push(`the event ${type}: ${wrong}`)
      }
      if (violations.length > 0) throw new Error(violations.join('\n'))
    },
  }
}
