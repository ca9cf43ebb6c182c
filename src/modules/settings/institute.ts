import * as v from 'valibot'
import type { Credential } from '#kernel/contract/credential.ts'
import { read, type Endpoint, type RequestInfo } from '#kernel/contract/endpoint.ts'
import { named } from '#kernel/values/named.ts'
import { count, currency, date, id, locale, orNull, ts } from '#kernel/values/schema.ts'
import { countryOfZone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { isLocked, isReadOnly } from '#kernel/who/tenant-state.ts'
import { localDate } from '#kernel/time/zone.ts'
import { readSettings, readTrialEnd } from './record.ts'

const Institute = named(
  'Institute',
  v.object({
    id,
    name: v.string(),
    defaultLocale: locale,
    timezone: v.string(),
    country: orNull(v.string()),
    currency,
    today: date,
    color: orNull(v.string()),
    logoUrl: orNull(v.string()),
    lateAfterMinutes: count,
    reportsApproval: v.boolean(),
    isLocked: v.boolean(),
    lockedReason: orNull(v.string()),
    isReadOnly: v.boolean(),
    writesEndAt: orNull(ts),
    trialEndsAt: orNull(ts),
    sendsMail: v.boolean(),
    movesTo: orNull(
      named('NewName', v.object({ name: v.string(), until: date }), {
        name: 'The name from now on, such as school-nablus.local.',
        until: 'The last day on which the name of before still leads here.',
      }),
    ),
  }),
  {
    name: 'The institute’s name.',
    country: 'The country of its time zone, by two letters (IL, PS, JO); null: the zone is of none.',
    currency: 'The currency of new courses, groups and invoices.',
    today: 'The day that it is at the institute.',
    color: '#RRGGBB; null: none is chosen.',
    logoUrl: 'Where the logo is, for five minutes, without any other credential; null: there is none.',
    lateAfterMinutes: 'Minutes after the beginning from which a student is late.',
    reportsApproval: 'Whether progress reports of teachers are read over before they are sent.',
    isLocked: 'Whether the licence has locked the institute: everything but this is refused.',
    lockedReason: 'Why it is locked; null: it is not, nobody said, or an API key asks.',
    isReadOnly: 'Whether it can only be read, because that time has come.',
    writesEndAt:
      'From when on the institute can only be read, because its subscription was cancelled; null: never, or an API key asks.',
    trialEndsAt: 'When its trial ends, or ended; null: it is on none, or an API key asks.',
    sendsMail:
      'Whether mails go out. false: the server has no mail server yet, so that whoever invites hands the link over, and nothing else reaches anybody.',
    movesTo:
      'Under which name its network finds the server now, where this was asked by a name of before; null: the name stays.',
  },
)

/** Signs the address of a logo; null: its file is gone. */
export type LogoAddress = (
  whole: ScopedDb,
  fileId: string,
  asked: { now: string; request: Pick<RequestInfo, 'origin'> },
) => Promise<string | null>

export interface InstituteDeps {
  logoAddress: LogoAddress
  /** Of what kind that address is: files are another module's, which reads these settings. */
  fileAddress: Credential
  /** Whether there is a mail server. */
  sendsMail: () => boolean
  /** The name in place of the one that was asked at; null: that one stays. */
  movesFrom: (host: string) => { name: string; until: string } | null
}

/** What the pages of the institute's people need before anything else. */
export const instituteEndpoint = ({ logoAddress, fileAddress, sendsMail, movesFrom }: InstituteDeps): Endpoint =>
  read({
    id: 'institute.read',
    path: '/institute',
    summary: 'What everybody in the institute may know of it',
    description:
      'Any caller inside the institute may read it, also while the institute is locked. What lies between the institute and who runs the server is for its people alone: `lockedReason`, `writesEndAt` and `trialEndsAt` are null for an API key, which a website or another firm may hold. What only those who manage the settings may know is at /settings.',
    access: 'tenant',
    lockExempt: true,
    credential: fileAddress,
    reply: Institute,
    handle: async ({ tenant, whole, caller, now, request }) => {
      const settings = await readSettings(whole)
      const { name, defaultLocale, timezone, currency: money, branding, attendance } = settings
      const isOurs = caller.actor.type === 'user'
      return {
        id: tenant.id,
        name,
        defaultLocale,
        timezone,
        country: countryOfZone(timezone) ?? null,
        currency: money,
        today: localDate(now, timezone),
        color: branding.color,
        logoUrl: branding.logoFileId === null ? null : await logoAddress(whole, branding.logoFileId, { now, request }),
        lateAfterMinutes: attendance.lateAfterMinutes,
        reportsApproval: settings.reportsApproval,
        isLocked: isLocked(tenant),
        lockedReason: isOurs ? tenant.lockedReason : null,
        isReadOnly: isReadOnly(tenant, now),
        writesEndAt: isOurs ? tenant.writesEndAt : null,
        trialEndsAt: isOurs ? await readTrialEnd(whole) : null,
        sendsMail: sendsMail(),
        movesTo: movesFrom(request.host),
      }
    },
  })
