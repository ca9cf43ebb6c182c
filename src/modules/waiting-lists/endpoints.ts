import { change, read } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { ok, Ok, pageOf } from '#kernel/values/schema.ts'
import { AlreadyEnrolled, CannotEnroll, Enrollment, GroupFull } from '#modules/groups/index.ts'
import { NewWaitingEntry, WaitingEntry, WaitingOrder, WaitingQuery } from './schemas.ts'
import {
  acceptPlace,
  AlreadyOffered,
  AlreadyWaiting,
  declinePlace,
  GroupNotFull,
  joinWaiting,
  leaveWaiting,
  listWaiting,
  NoPlaceOffered,
  offerPlace,
  orderWaiting,
  OrderOutdated,
} from './service.ts'

export const waitingEndpoints = [
  read({
    id: 'waiting-lists.list',
    path: '/groups/{id}/waiting',
    summary: 'List who waits for a place in a group, the first one first',
    access: 'enrollments.read',
    query: WaitingQuery,
    reply: pageOf(WaitingEntry),
    handle: listWaiting,
  }),
  change({
    id: 'waiting-lists.join',
    method: 'POST',
    path: '/groups/{id}/waiting',
    summary: 'Put a student on the waiting list of a full group',
    description:
      'At its end. Of whom the group has a place for is 409. Who is enrolled in the group, whichever way, leaves its list.',
    access: 'enrollments.write',
    body: NewWaitingEntry,
    status: 201,
    reply: WaitingEntry,
    fails: [NotFound, CannotEnroll, AlreadyEnrolled, GroupNotFull, AlreadyWaiting],
    handle: ({ tx, params, body }) => joinWaiting(tx, params.id, body),
  }),
  change({
    id: 'waiting-lists.order',
    method: 'PUT',
    path: '/groups/{id}/waiting/order',
    summary: 'Order the waiting list of a group',
    description:
      'It names all who wait; where others wait by now, it is 409, and 404 where one of them is on no list any more. The audit entry has the order before.',
    access: 'groups.write',
    body: WaitingOrder,
    reply: Ok,
    fails: [NotFound, OrderOutdated],
    handle: async ({ tx, params, body }) => {
      await orderWaiting(tx, params.id, body.entryIds)
      return ok
    },
  }),
  change({
    id: 'waiting-lists.leave',
    method: 'DELETE',
    path: '/waiting/{id}',
    summary: 'Take a student off a waiting list',
    access: 'enrollments.write',
    reply: Ok,
    handle: ({ tx, params }) => leaveWaiting(tx, params.id),
  }),
  change({
    id: 'waiting-lists.offer',
    method: 'POST',
    path: '/waiting/{id}/offer',
    summary: 'Offer a free place to a student who waits',
    description:
      'The family is told, and the place is kept for as many days as the setting offerDays says, the last one included: until then enrolling others counts it as taken. An offer that runs out leaves the student on the list as `lapsed`, and the place is free for the next.',
    access: 'enrollments.write',
    reply: WaitingEntry,
    fails: [AlreadyOffered, CannotEnroll, GroupFull],
    handle: ({ tx, params }) => offerPlace(tx, params.id),
  }),
  change({
    id: 'waiting-lists.accept',
    method: 'POST',
    path: '/waiting/{id}/accept',
    summary: 'Enroll a student in the place that was offered',
    description: 'As POST /enrollments does it, at the fee of the group, from now on.',
    access: 'enrollments.write',
    status: 201,
    reply: Enrollment,
    fails: [NoPlaceOffered, CannotEnroll, GroupFull],
    handle: ({ tx, params }) => acceptPlace(tx, params.id),
  }),
  change({
    id: 'waiting-lists.decline',
    method: 'POST',
    path: '/waiting/{id}/decline',
    summary: 'Note that a student does not want the place that was offered',
    description: 'The student leaves the list, and the place is free for the next.',
    access: 'enrollments.write',
    reply: Ok,
    fails: [NoPlaceOffered],
    handle: ({ tx, params }) => declinePlace(tx, params.id),
  }),
]
