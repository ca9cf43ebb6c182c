import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { pageOf, pageQuery } from '#kernel/values/schema.ts'
import { Envelope, Heartbeat, LanNameEnvelope, LanNameRequest } from '#modules/licensing/index.ts'
import { PlanArchived } from '#modules/plans/index.ts'
import { TenantArchived, TenantNotFound } from '#modules/tenants/index.ts'
import { readRecord } from '#runtime/records/records.ts'
import { issueCommand, issueUnlockToken } from './commands.ts'
import { admitHeartbeat, HeartbeatRefused, receiveHeartbeat, TooManyInstalls, type HeartbeatDeps } from './heartbeat.ts'
import { listInstalls } from './installs.ts'
import { LanNameRefused, nameInstall } from './lan-names.ts'
import { changeLicense, createLicense } from './licenses.ts'
import {
  License,
  LicenseChanges,
  LicenseCommand,
  LicenseInstall,
  LicenseQuery,
  LockReason,
  NewLicense,
  UnlockToken,
} from './schemas.ts'
import { NoLicenseKey } from './license-key.ts'
import { LICENSE_TOKEN, UNLOCK_TOKEN } from './credentials.ts'

const access = 'platform'

/** @param zone in which installs get names; undefined: they get none */
export const licenseEndpoints = (deps: HeartbeatDeps, zone: string | undefined) => {
  const { licenses } = deps
  return [
    openRead({
      id: 'licenses.list',
      path: '/platform/licenses',
      summary: 'List licences, newest first',
      access,
      credential: LICENSE_TOKEN,
      query: LicenseQuery,
      reply: pageOf(License),
      handle: licenses.list,
    }),
    openChange({
      id: 'licenses.create',
      method: 'POST',
      path: '/platform/licenses',
      summary: 'Give an institute a licence for its own servers',
      description:
        'The owner of the install enters the token there. Where this server has no key for licences it is 409: `institute license-key create` makes one. `expiresAt` must be in the future; past it the install warns and goes on working. The plan is the licence’s own, whatever subscription the institute has; an archived plan is 409.',
      access,
      body: NewLicense,
      status: 201,
      reply: License,
      credential: LICENSE_TOKEN,
      fails: [TenantNotFound, TenantArchived, NotFound, PlanArchived, NoLicenseKey],
      handle: ({ tx, body }) => createLicense(tx, licenses, body),
    }),
    openRead({
      id: 'licenses.read',
      path: '/platform/licenses/{licenseId}',
      summary: 'Read a licence',
      access,
      credential: LICENSE_TOKEN,
      reply: License,
      handle: ({ db, params }) => readRecord(db, licenses.record, params.licenseId),
    }),
    openChange({
      id: 'licenses.update',
      method: 'PATCH',
      path: '/platform/licenses/{licenseId}',
      summary: 'Change a licence',
      description:
        'Makes its token anew. Installs that have the earlier token go on with it: features and limits of another plan come with their next heartbeat. Fewer installs than there are lock nobody out.',
      access,
      body: LicenseChanges,
      reply: License,
      credential: LICENSE_TOKEN,
      fails: [PlanArchived, NoLicenseKey],
      handle: ({ tx, params, body }) => changeLicense(tx, licenses, params.licenseId, body),
    }),
    openRead({
      id: 'licenses.installs',
      path: '/platform/licenses/{licenseId}/installs',
      summary: 'List the installs of a licence, the latest first',
      description:
        'Each is made by its first heartbeat, and has one signal of each kind at most. Of a licence, 20 more are kept than it is for; one that was not seen for 90 days makes room for another.',
      access,
      query: pageQuery({}),
      reply: pageOf(LicenseInstall),
      handle: (context) => listInstalls({ ...licenses, zone }, context),
    }),
    openChange({
      id: 'licenses.lock',
      method: 'POST',
      path: '/platform/licenses/{licenseId}/lock',
      summary: 'Lock the installs of a licence',
      description:
        'Queues a command, which every install of the licence applies at its next heartbeat. A locked one is queued another too: its reason replaces the earlier one.',
      access,
      body: LockReason,
      status: 201,
      reply: LicenseCommand,
      handle: ({ tx, params, body }) => issueCommand(tx, licenses, params.licenseId, { kind: 'lock', ...body }),
    }),
    openChange({
      id: 'licenses.unlock',
      method: 'POST',
      path: '/platform/licenses/{licenseId}/unlock',
      summary: 'Unlock the installs of a licence',
      description: 'Queues a command, which every install of the licence applies at its next heartbeat.',
      access,
      status: 201,
      reply: LicenseCommand,
      handle: ({ tx, params }) => issueCommand(tx, licenses, params.licenseId, { kind: 'unlock', reason: null }),
    }),
    openChange({
      id: 'licenses.unlock-token',
      method: 'POST',
      path: '/platform/licenses/{licenseId}/unlock-token',
      summary: 'Make a token that unlocks an install without a network',
      description:
        'It is shown this once, is good for 7 days, and works once on each install of the licence. It also queues the unlock command that it stands for. A lock that is issued later is not lifted by it.',
      access,
      status: 201,
      reply: UnlockToken,
      credential: UNLOCK_TOKEN,
      fails: [NoLicenseKey],
      handle: ({ tx, params }) => issueUnlockToken(tx, licenses, params.licenseId),
    }),
    openChange({
      id: 'licenses.heartbeat',
      method: 'POST',
      path: '/platform/licenses/heartbeat',
      summary: 'Tell the vendor that an install lives, and take its commands',
      description:
        'Install programs send it. `jti` is that of the licence token. The headers X-Install-Key and X-Install-Signature carry the install’s own Ed25519 key and its signature over the exact bytes of the body, both as base64url; the first signed heartbeat pins the key. From then on a heartbeat without the headers is 400 LICENSE_INVALID, as a wrong signature always is. One that another key has rightly signed is answered, raises a signal, and changes nothing else. The same heartbeat sent again is answered again. `commands` are those that the install has not acknowledged; one whose counter goes back gets the newest command again. An acknowledged command counts for those before it; ids of other licences are ignored. Signals are told once, and again after a week without them, or when they become more serious. After `nextHeartbeatSec` the install sends the next one: 6 hours, and a quarter of one hour while it is locked, so that an unlock arrives soon. A licence that has as many installs as are kept takes no new one: 409. `features` and `quotas` are those of the plan now; null: there is none.',
      access: 'anyone',
      body: Heartbeat,
      reply: Envelope,
      fails: [HeartbeatRefused, TooManyInstalls, NoLicenseKey],
      prepare: (context) => admitHeartbeat(deps, context),
      handle: ({ tx, body, prepared }) => receiveHeartbeat(tx, licenses, prepared, body),
    }),
    openChange({
      id: 'licenses.name-install',
      method: 'POST',
      path: '/platform/licenses/lan-name',
      summary: 'Take the name of an install on its own network',
      description:
        'Install programs send it, signed as their heartbeats are, once a heartbeat has pinned their key: when an address of theirs changes, every day, and while a certificate is ordered. The name is random, below the zone of the vendor (INSTITUTE_LAN_ZONE), and stays the install’s; the name servers of the zone answer it with `addresses`, and `_acme-challenge.` of it with `challenge`, until the next request or for an hour. A licence has as many names as it is for installs: from two days on after an install has last asked, another one of the licence can take its place and its name. After 90 days without a request the name leads nowhere. Where the vendor has no zone it is 404.',
      access: 'anyone',
      closed: zone === undefined ? NotFound : undefined,
      body: LanNameRequest,
      reply: LanNameEnvelope,
      fails: [HeartbeatRefused, LanNameRefused, NoLicenseKey, NotFound],
      prepare: (context) => admitHeartbeat(deps, context),
      handle: ({ tx, body, prepared }) => nameInstall(tx, { licenses, zone: zone ?? '' }, prepared, body),
    }),
  ]
}
