import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { percent } from '#kernel/values/percent.ts'
import {
  baseUrl,
  count,
  currency,
  date,
  day,
  emptyable,
  emptyableProse,
  expectedVersion,
  id,
  integer,
  list,
  locale,
  name,
  orNull,
  secret,
  title,
  timeOfDay,
  timezone,
  uuid,
} from '#kernel/values/schema.ts'

const words = {
  name: 'The institute’s name.',
  currency: 'The currency of new courses, groups and invoices. It stays once there is an invoice.',
  offerDays: 'Days for which a place that became free is offered to who waits for it; the last one is included.',
  teacherMessagesPerDay:
    'How many messages a day teachers may write to the families of one of their groups, whoever of them writes; 0: none. Whoever holds notifications.send writes as many as they like.',
  reportsApproval:
    'Whether progress reports that teachers write are read over by a holder of reports.write before they are sent.',
  invoiceDueDays: 'Days from the issue of an invoice to the day by which it is to be paid.',
  applyCredit: 'Whether an invoice that is issued is paid from what its payer has in credit.',
  siblingDiscounts:
    'What is taken off the fees of children for whom the same guardian pays: of those whom fees of groups and courses charge for the month, in whatever branch, the one with the dearest full prices in the institute’s currency is the first, and of two alike who was added first. Each entry holds from its child on, up to the next entry. Who was charged for the month before keeps their place, and who comes later takes the next one that is free. Empty: nothing is taken off.',
  child: 'From which child of a payer on it holds, 2 being the second.',
  percent: 'From 1 to 100, with at most two decimals.',
  invoiceFooter:
    'Text below the papers: invoices and statements; null: none. An issued invoice keeps the text that it was issued with.',
  terms: 'The terms of the year, by their first day.',
  attendance: 'How attendance is taken.',
  curriculum: 'How video courses are made.',
  registration: 'How people register on the institute’s website.',
  papers: 'The papers of the institute: invoices, receipts, statements and the like.',
  branding: 'How the institute looks.',
  lateAfterMinutes: 'Minutes after the beginning from which a student is late.',
  allowTerabox: 'Whether lessons may link to videos at terabox.',
  enabled: 'Whether people can register.',
  captcha: 'What keeps programs from registering; null: nothing.',
  provider: 'Whose captcha it is.',
  secret: 'The secret that the provider gave for the website. It is never shown; left out, the one that is kept stays.',
  taxNumber: 'The number under which the institute is known to the tax authority; null: it has none.',
  address:
    'The address of the institute, in lines as on an envelope; null: papers have that of the default branch. A paper of another branch has its name and address too.',
  inMails:
    'Whether mails about an invoice carry it as a PDF, and mails about a payment its receipt, in the language of the mail. A paper that cannot be made, or is larger than 5 MB, is left out; a summary of a day or a week carries none.',
  logoFileId: 'The image that is the logo; null: there is none.',
  color: '#RRGGBB; null: none is chosen.',
  startsOn: 'The first day.',
  quietHours:
    'Between these times, of the institute’s clocks, no mail, SMS, WhatsApp or push message goes out that can wait; null: there are none. What can wait is queued and goes out when they end: the message’s `nextAttemptAt` says when. At once goes what cannot: links to sign in, to choose a new password and to accept an invitation; that a student was marked absent, late or excused, and its correction; that the institute was locked; and what tells of a lesson or a closed day that begins less than two hours after the end of the quiet time, or within it. In the app everything stands at once.',
  quietDays: 'Days that are quiet from midnight to midnight, by the same rules.',
  from: 'HH:MM, the first minute that is quiet.',
  to: 'HH:MM, when it ends: on the next day where it is not later than `from`.',
  weekdays: 'The days of the week that are quiet, 0 being Sunday; at most six.',
  onClosedDays: 'Whether the days on which the institute, or the branch of which a message tells, is closed are quiet.',
}

const provider = named('CaptchaProvider', v.picklist(['turnstile', 'hcaptcha', 'recaptcha']))

const termWords = { name: 'The name of the term.', startsOn: 'Its first day.' }

const Term = named('NewTerm', v.object({ name: title(100), startsOn: date }), termWords)

/** The settings as the API returns them. */
export const Settings = named(
  'Settings',
  v.object({
    name: v.string(),
    defaultLocale: locale,
    timezone: v.string(),
    currency,
    baseUrl: orNull(v.string()),
    invoiceDueDays: count,
    applyCredit: v.boolean(),
    siblingDiscounts: list(named('SiblingDiscount', v.object({ child: count, percent: v.number() }), words)),
    offerDays: count,
    teacherMessagesPerDay: count,
    reportsApproval: v.boolean(),
    invoiceFooter: orNull(v.string()),
    terms: list(named('Term', v.object({ name: v.string(), startsOn: day }), termWords)),
    attendance: named('AttendanceSettings', v.object({ lateAfterMinutes: count }), words),
    curriculum: named('CurriculumSettings', v.object({ allowTerabox: v.boolean() }), words),
    registration: named(
      'RegistrationSettings',
      v.object({ enabled: v.boolean(), captcha: orNull(named('Captcha', v.object({ provider }), words)) }),
      words,
    ),
    papers: named(
      'PaperSettings',
      v.object({ taxNumber: orNull(v.string()), address: orNull(v.string()), inMails: v.boolean() }),
      words,
    ),
    quietHours: orNull(named('QuietHours', v.object({ from: v.string(), to: v.string() }), words)),
    quietDays: named('QuietDays', v.object({ weekdays: list(integer(0, 6)), onClosedDays: v.boolean() }), words),
    branding: named('Branding', v.object({ logoFileId: orNull(id), color: orNull(v.string()) }), words),
    version: count,
  }),
  words,
)
export type Settings = v.InferOutput<typeof Settings>

export const ChangedSettings = named(
  'ChangedSettings',
  v.object({ ...Settings.entries, movedSessions: orNull(count) }),
  {
    ...words,
    movedSessions:
      'How many sessions follow the new time zone, at once or soon: those that stand where the weekly times put them. null: the zone has not changed.',
  },
)
export type ChangedSettings = v.InferOutput<typeof ChangedSettings>

const terms = v.pipe(
  v.array(Term),
  v.maxLength(100, 'Must have at most 100 terms.'),
  v.check(
    (given) => new Set(given.map((term) => term.startsOn)).size === given.length,
    'Must not have two terms that start on the same date.',
  ),
  v.transform((given) => given.toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : 1))),
)

const siblingDiscounts = v.pipe(
  v.array(named('NewSiblingDiscount', v.object({ child: integer(2, 20), percent }), words)),
  v.maxLength(10, 'Must have at most 10 entries.'),
  v.check((given) => new Set(given.map(({ child }) => child)).size === given.length, 'Must not name a child twice.'),
  v.transform((given) => given.toSorted((one, other) => one.child - other.child)),
)

const weekdays = v.pipe(
  v.array(integer(0, 6)),
  v.transform((days) => [...new Set(days)].toSorted()),
  v.maxLength(6, 'Must leave one day on which messages go out.'),
)

export const SettingsChanges = named(
  'SettingsChanges',
  v.object({
    name: v.optional(name(200)),
    defaultLocale: v.optional(locale),
    timezone: v.optional(timezone),
    currency: v.optional(currency),
    baseUrl: v.optional(v.nullable(baseUrl)),
    invoiceDueDays: v.optional(integer(0, 365)),
    applyCredit: v.optional(v.boolean()),
    siblingDiscounts: v.optional(siblingDiscounts),
    offerDays: v.optional(integer(1, 60)),
    teacherMessagesPerDay: v.optional(integer(0, 20)),
    reportsApproval: v.optional(v.boolean()),
    invoiceFooter: v.optional(v.nullable(emptyableProse(2000))),
    terms: v.optional(terms),
    attendance: v.optional(
      named('AttendanceSettingsChanges', v.object({ lateAfterMinutes: v.optional(integer(0, 240)) }), words),
    ),
    curriculum: v.optional(
      named('CurriculumSettingsChanges', v.object({ allowTerabox: v.optional(v.boolean()) }), words),
    ),
    registration: v.optional(
      named(
        'RegistrationSettingsChanges',
        v.object({
          enabled: v.optional(v.boolean()),
          captcha: v.optional(
            v.nullable(named('CaptchaChanges', v.object({ provider, secret: v.optional(secret(1)) }), words)),
          ),
        }),
        words,
      ),
    ),
    papers: v.optional(
      named(
        'PaperSettingsChanges',
        v.object({
          taxNumber: v.optional(v.nullable(emptyable(50))),
          address: v.optional(v.nullable(emptyableProse(500))),
          inMails: v.optional(v.boolean()),
        }),
        words,
      ),
    ),
    quietHours: v.optional(
      v.nullable(
        named(
          'NewQuietHours',
          v.pipe(
            v.object({ from: timeOfDay, to: timeOfDay }),
            v.forward(
              v.check(({ from, to }) => from !== to, 'Must not be the same as from.'),
              ['to'],
            ),
          ),
          words,
        ),
      ),
    ),
    quietDays: v.optional(
      named(
        'QuietDaysChanges',
        v.object({ weekdays: v.optional(weekdays), onClosedDays: v.optional(v.boolean()) }),
        words,
      ),
    ),
    branding: v.optional(
      named(
        'BrandingChanges',
        v.object({
          logoFileId: v.optional(v.nullable(uuid)),
          color: v.optional(
            v.nullable(
              v.pipe(v.string(), v.trim(), v.regex(/^#[0-9a-f]{6}$/i, 'Must be a colour as #RRGGBB.'), v.toLowerCase()),
            ),
          ),
        }),
        words,
      ),
    ),
    version: expectedVersion,
  }),
  words,
)
export type SettingsChanges = v.InferOutput<typeof SettingsChanges>
