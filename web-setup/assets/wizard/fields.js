import { faultOfAddress, rootAddress } from '../lib/address.js'
import { byId } from '../lib/dom.js'
import { faultOfPassword, PASSWORD_MIN } from '../lib/password.js'
import { isEmail, isName } from '../lib/rules.js'
import { isSlug } from '../lib/slug.js'
import { zoneNames } from '../lib/zones.js'
import { isLanguage } from '../lib/text.js'

/** @typedef {'language' | 'institute' | 'owner' | 'address' | 'mail' | 'review'} Step */
/** @typedef {import('../lib/fields.js').Field & { step: Step, kept?: false }} WizardField `kept: false`: never stored */

/** @type {readonly Step[]} */
export const STEPS = ['language', 'institute', 'owner', 'address', 'mail', 'review']

/** Whether the person chose whose mail server it is; without one the other mail fields are ignored. */
export function isMailWanted() {
  return Reflect.get(byId('mail-provider'), 'value') !== ''
}

/**
 * @param {import('../lib/text.js').TextKey} missing
 * @returns {import('../lib/text.js').TextKey | undefined}
 */
function whereMailIsWanted(missing) {
  return isMailWanted() ? missing : undefined
}

/**
 * Every field of the wizard, in the order of its steps; `path` is its place in the body of POST /setup/bootstrap, or, for
 * those under `mail`, of POST /setup/mail.
 * @type {readonly WizardField[]}
 */
export const FIELDS = [
  {
    id: 'setup-token',
    step: 'language',
    path: ['setupToken'],
    missing: 'token.missing',
    wrong: 'token.wrong',
    accepts: () => true,
  },
  {
    id: 'institute-name',
    step: 'institute',
    path: ['institute', 'name'],
    missing: 'institute.name.missing',
    wrong: 'institute.name.wrong',
    accepts: (value) => value.length <= 200 && isName(value),
  },
  {
    id: 'institute-slug',
    step: 'institute',
    path: ['institute', 'slug'],
    missing: 'institute.slug.missing',
    wrong: 'institute.slug.wrong',
    accepts: isSlug,
  },
  {
    id: 'institute-locale',
    step: 'institute',
    path: ['institute', 'defaultLocale'],
    missing: 'institute.locale.wrong',
    wrong: 'institute.locale.wrong',
    accepts: isLanguage,
  },
  {
    id: 'institute-timezone',
    step: 'institute',
    path: ['institute', 'timezone'],
    missing: 'institute.timezone.wrong',
    wrong: 'institute.timezone.wrong',
    accepts: (value) => zoneNames().includes(value),
  },
  {
    id: 'institute-currency',
    step: 'institute',
    path: ['institute', 'currency'],
    missing: 'institute.currency.wrong',
    wrong: 'institute.currency.wrong',
    accepts: (value) => ['ILS', 'USD', 'EUR'].includes(value),
  },
  {
    id: 'owner-first-name',
    step: 'owner',
    path: ['owner', 'firstName'],
    missing: 'owner.firstName.missing',
    wrong: 'owner.name.wrong',
    accepts: (value) => value.length <= 100 && isName(value),
  },
  {
    id: 'owner-last-name',
    step: 'owner',
    path: ['owner', 'lastName'],
    missing: 'owner.lastName.missing',
    wrong: 'owner.name.wrong',
    accepts: (value) => value.length <= 100 && isName(value),
  },
  {
    id: 'owner-email',
    step: 'owner',
    path: ['owner', 'email'],
    missing: 'owner.email.missing',
    wrong: 'owner.email.wrong',
    accepts: isEmail,
  },
  {
    id: 'owner-password',
    step: 'owner',
    path: ['owner', 'password'],
    missing: 'owner.password.missing',
    wrong: 'owner.password.wrong',
    accepts: (value) => value.length >= PASSWORD_MIN,
    fault: faultOfPassword('owner-password'),
    verbatim: true,
    kept: false,
  },
  {
    id: 'base-url',
    step: 'address',
    path: ['institute', 'baseUrl'],
    missing: 'address.url.missing',
    wrong: 'address.url.wrong',
    accepts: (value) => rootAddress(value) !== null,
    fault: faultOfAddress,
  },
  {
    id: 'mail-provider',
    step: 'mail',
    path: ['mail', 'provider'],
    wrong: 'field.refused',
    accepts: () => true,
  },
  {
    id: 'mail-host',
    step: 'mail',
    path: ['mail', 'host'],
    get missing() {
      return whereMailIsWanted('mail.host.missing')
    },
    wrong: 'mail.host.wrong',
    accepts: (value) => /^[\p{L}\p{M}\p{N}.:-]{1,253}$/u.test(value),
  },
  {
    id: 'mail-encryption',
    step: 'mail',
    path: ['mail', 'encryption'],
    wrong: 'field.refused',
    accepts: (value) => ['starttls', 'tls'].includes(value),
  },
  {
    id: 'mail-port',
    step: 'mail',
    path: ['mail', 'port'],
    get missing() {
      return whereMailIsWanted('mail.port.wrong')
    },
    wrong: 'mail.port.wrong',
    accepts: (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
  },
  {
    id: 'mail-user',
    step: 'mail',
    path: ['mail', 'user'],
    wrong: 'field.refused',
    accepts: (value) => value.length <= 320,
  },
  {
    id: 'mail-password',
    step: 'mail',
    path: ['mail', 'password'],
    wrong: 'field.refused',
    accepts: (value) => value.length <= 1000,
    verbatim: true,
    kept: false,
  },
  {
    id: 'mail-sender',
    step: 'mail',
    path: ['mail', 'sender'],
    get missing() {
      return whereMailIsWanted('mail.sender.missing')
    },
    wrong: 'owner.email.wrong',
    accepts: isEmail,
  },
]

/**
 * The fields of a step that count: what stands in fields that are not shown does not.
 * @param {Step} step
 */
export function fieldsOf(step) {
  return FIELDS.filter((field) => field.step === step && (step !== 'mail' || isMailWanted()))
}
