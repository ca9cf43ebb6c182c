import { https } from './https.ts'
import { meta } from './meta.ts'
import type { Fields, MailProvider, Provider, PushProvider, TextProvider } from './provider.ts'
import { smtp } from './smtp.ts'
import { twilio } from './twilio.ts'
import { webPush } from './web-push.ts'

/*
 * The providers by the names that they have in the API and in the database. A new one is a file, a line here, and a
 * migration step that lets the column `provider` take its name.
 */

type ByName<P> = Readonly<Record<string, P>>

export const MAIL_PROVIDERS: ByName<MailProvider> = { smtp }
export const TEXT_PROVIDERS: ByName<TextProvider> = { https, twilio, meta }
export const PUSH_PROVIDERS: ByName<PushProvider> = { web_push: webPush }

export const PROVIDERS: ByName<Provider> = { ...MAIL_PROVIDERS, ...TEXT_PROVIDERS, ...PUSH_PROVIDERS }

/** The fields of all providers: the API has one schema for all of them. */
export const ALL_FIELDS: Fields = Object.assign({}, ...Object.values(PROVIDERS).map(({ fields }) => fields))
