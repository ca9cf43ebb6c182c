import { answer, api, type Schemas } from '../client.ts'
import { keptSenderOf } from './kept-sender.ts'

/** Families that are registered. */
export const registrations = keptSenderOf<Schemas['NewRegistration'], Schemas['Registration']>({
  kind: 'registration',
  change: 'registration',
  send: ({ body }, header) => answer(api.POST('/registrations', { params: { header }, body })),
})
