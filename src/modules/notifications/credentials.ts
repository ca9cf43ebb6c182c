import type { Credential } from '#kernel/contract/credential.ts'

export const NOTIFICATION_CREDENTIALS: readonly Credential[] = [
  {
    name: 'push-browser',
    of: 'user',
    opens: 'A browser gets the messages of a person, as long as the session lives in which it was registered.',
    lasting: true,
    columns: ['push_device.subscription', 'push_device.endpoint_tag'],
    purposes: ['push-device'],
    ends: ['logout', 'logout_all', 'password_changed', 'password_reset', 'user_disabled'],
    why: 'It ends with its session. Whoever is no member, or has no record here, is not told of anything, so nothing goes there; an impersonated session registers none.',
  },
  {
    name: 'opt-out-link',
    of: 'recipient',
    opens: 'Stops the mails of an institute to one address, or lets them come again. It shows nothing else.',
    lasting: true,
    purposes: ['email-opt-out'],
    ends: [],
    why: 'It stands in mails to people without an account, and must go on working (RFC 8058).',
  },
  {
    name: 'provider-credential',
    of: 'institute',
    opens: 'The institute’s account at a provider of mail, SMS, WhatsApp or push. It is never shown again.',
    lasting: true,
    columns: ['notification_provider.secret'],
    purposes: ['notification-provider'],
    ends: [],
    why: 'It opens nothing here: the institute was given it by the provider.',
  },
]
