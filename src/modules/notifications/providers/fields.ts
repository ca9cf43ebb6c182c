import * as v from 'valibot'
import { email, secret, text } from '#kernel/values/schema.ts'
import { secretField, setting } from './provider.ts'

// Fields that several providers have. The API has one of each name, so they are the same for all.

export const from = setting(
  text(254),
  'Who messages come from: an email address; a phone number or a name that the provider knows; at twilio also a messaging service (MG…); null: the provider knows.',
  { words: 'Who messages come from; null: the provider knows.' },
)

export const token = secretField(
  // It stands in a header.
  v.pipe(secret(1, 2000), v.regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII without blanks.')),
  'The bearer token, the auth token at twilio, the access token at meta. It is never shown.',
)

export const isEmail = (value: string): boolean => v.is(email, value)
