import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { id, list, uuid } from '#kernel/values/schema.ts'
import { unreachedList } from './reach.ts'

/** How many invoices one request may name. */
const MOST = 500

const ids = v.pipe(
  list(uuid),
  v.minLength(1, 'Must name an invoice.'),
  v.maxLength(MOST, `Must name at most ${MOST} invoices.`),
)
const idsWords = { ids: 'The invoices. One that is named twice counts once.' }

export const InvoiceIds = named('InvoiceIds', v.object({ ids }), idsWords)

export const InvoicesToRemind = named('InvoicesToRemind', v.object({ ids, toCall: v.optional(v.boolean(), false) }), {
  ...idsWords,
  toCall: 'true: who is reached by no message and has a phone is called by somebody of the office.',
})

const words = {
  done: 'Those with which it was done, in the order of the request.',
  refused: 'Those with which it was not, and why.',
}

const refusalWords = { id: 'The invoice.', reason: 'Why: the `details.reason` of the request for one, or `not_found`.' }

export const IssuedInvoices = named(
  'IssuedInvoices',
  v.object({
    done: list(id),
    refused: list(
      named('InvoiceNotIssued', v.object({ id, reason: v.picklist(['not_found', 'not_a_draft']) }), refusalWords),
    ),
    unreached: unreachedList,
  }),
  { ...words, unreached: 'Those that are issued, and whose payer no message reaches: they owe it all the same.' },
)

export const RemindedInvoices = named(
  'RemindedInvoices',
  v.object({
    done: list(id),
    refused: list(
      named(
        'InvoiceNotReminded',
        v.object({
          id,
          reason: v.picklist(['not_found', 'not_open', 'nobody_reached', 'record_sent_often', 'person_sent_often']),
        }),
        refusalWords,
      ),
    ),
    unreached: unreachedList,
  }),
  { ...words, unreached: 'Of those that were refused with nobody_reached: who is not reached, and why.' },
)
