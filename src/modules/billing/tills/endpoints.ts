import { change, read } from '#kernel/contract/endpoint.ts'
import { pageOf } from '#kernel/values/schema.ts'
import { SumTooLarge } from '#kernel/values/sums.ts'
import { closeTill, NothingToClose, readCloseRow, readOpenTill, showClose, TillChanged } from './close.ts'
import { listCloses, listEntries } from './lists.ts'
import { CloseTill, OpenTill, TillClose, TillCloseQuery, TillEntry, TillEntryQuery } from './schemas.ts'

const WHO = 'Who holds reports.read too sees those of everybody within that reach, others their own.'

export const tillEndpoints = [
  read({
    id: 'tills.today',
    path: '/tills/today',
    summary: 'Read what lies in the caller’s till',
    description:
      'What this person took since they closed their till last, whichever branch it is of: payments with provider `manual` and what was paid ahead, less what they took back or refunded themselves. A reversal is in the till of who reversed, not of who took the payment. The till of an API key is that of who made it. What was recorded before this version is in no till.',
    access: 'payments.record',
    reply: OpenTill,
    fails: [SumTooLarge],
    handle: readOpenTill,
  }),
  read({
    id: 'tills.entries',
    path: '/tills/entries',
    summary: 'List what lies in a till, or what a close counted, newest first',
    description: `Of closes: ${WHO}`,
    access: 'payments.record',
    query: TillEntryQuery,
    reply: pageOf(TillEntry),
    handle: listEntries,
  }),
  change({
    id: 'tills.close',
    method: 'POST',
    path: '/tills/close',
    summary: 'Close the caller’s till',
    description:
      'What was counted of each method and currency stands beside what was expected, and the difference is kept. A sum that something lies of must be given (422); one that nothing lies of may be. A close cannot be changed or taken back. What is recorded meanwhile, and by the close not told of, lies in the till that follows.',
    access: 'payments.record',
    body: CloseTill,
    status: 201,
    reply: TillClose,
    fails: [NothingToClose, TillChanged],
    handle: ({ tx, caller, body }) => closeTill(tx, caller, body),
  }),
  read({
    id: 'tills.closes',
    path: '/tills/closes',
    summary: 'List closes of tills, newest first',
    description: `${WHO} A close of what belongs to several branches is seen by who reaches all of the institute.`,
    access: 'payments.record',
    query: TillCloseQuery,
    reply: pageOf(TillClose),
    handle: listCloses,
  }),
  read({
    id: 'tills.read-close',
    path: '/tills/closes/{id}',
    summary: 'Read a close of a till',
    description: WHO,
    access: 'payments.record',
    reply: TillClose,
    handle: async ({ params, ...context }) => showClose(await readCloseRow(context, params.id)),
  }),
]
