import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** Who waits for a place in a full group. */
export const waiting = {
  title: 'Waiting list',
  nobody: 'Nobody waits for a place.',
  add: 'Put somebody on it',
  addTitle: (group: string) => `Who waits for a place in ${isolate(group)}?`,
  note: 'Note',
  waits: 'waits already',
  added: (name: string, group: string) => `${isolate(name)} waits for a place in ${isolate(group)}.`,
  since: (day: string) => `since ${isolate(day)}`,
  offer: 'Offer a place',
  offerAsk: (name: string, group: string) => `Offer ${isolate(name)} a place in ${isolate(group)}?`,
  offerFollows: 'The family is told until when the place is kept. Nobody else gets it before.',
  offered: (name: string) => `A place is offered to ${isolate(name)}.`,
  offeredUntil: (day: string) => `offered until ${isolate(day)}`,
  lapsed: 'did not answer',
  accept: 'Enrol',
  accepted: (name: string, group: string) => `${isolate(name)} is in ${isolate(group)} now.`,
  decline: 'They do not want it',
  up: 'Move up',
  down: 'Move down',
  leave: 'Take off the list',
  fullPut: (count: number) =>
    many(count, { one: 'Put on the waiting list', other: `Put ${count} on the waiting list` }),
  free: (group: string, count: number) =>
    many(count, {
      one: `A place is free in ${isolate(group)}, and 1 student waits for it`,
      other: `A place is free in ${isolate(group)}, and ${count} students wait for it`,
    }),
}
