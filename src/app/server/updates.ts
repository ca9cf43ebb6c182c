import * as v from 'valibot'
import { LOCALES, type Locale } from '#shared/locale.ts'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { failure, NotFound } from '#kernel/values/errors.ts'
import { upload } from '#kernel/values/media.ts'
import { explained, named } from '#kernel/values/named.ts'
import { count, integer, list, orNull, ts } from '#kernel/values/schema.ts'
import type { Config } from '#app/config/config.ts'
import { LARGEST_RELEASE, UPDATE_CHANNELS } from '#app/updates/manifest.ts'
import { lookSoon } from '#app/updates/module.ts'
import { UPDATE_REASONS, UpdateRefused } from '#app/updates/refused.ts'
import { UPDATE_MODES, type Done, type UpdateState } from '#app/updates/state-file.ts'
import { UpdaterBusy, type Updater } from '#app/updates/updater.ts'

const words = {
  version: 'The version that runs, or that it is about; null: none.',
  isConfigured:
    'Whether this server knows where to look (INSTITUTE_UPDATE_URL). Where it does not, nothing is looked for.',
  obstacle:
    'Why nothing is put in from here, so that new versions are only told of: `postgres`, whose database the updater cannot bring back; `container`; `no_systemd`; `not_installed` by install.sh; null: it can be.',
  mode: 'off: nothing is looked for; tell: the owner is told; install: it is put in by itself at the hour.',
  hour: 'The hour at which a new version is put in by itself, by the clocks of the institute.',
  channel: 'stable: what has been run by others first; early: new versions as soon as there are any.',
  offer: 'The new version that can be put in; null: none is known.',
  current: 'The version that runs, with what was new in it; null: it was not put in by the updater.',
  news: 'What is new in it, a line each, by language.',
  ar: 'In Arabic.',
  he: 'In Hebrew.',
  en: 'In English.',
  sizeBytes: 'How large its file is.',
  isFromStick: 'Whether an owner has sent it, so that nothing is fetched for it.',
  isPlanned: 'Whether the version that is offered is put in at the hour, whatever `mode` is.',
  check: 'The last look; null: none yet.',
  install: 'What became of the last version that was to be put in; null: none was.',
  nextCheckAt: 'When it looks next; null: within the hour, or never.',
  isInstalling: 'Whether a version is being fetched or put in now. The program is away for a minute or so then.',
  at: 'When that was.',
  result: 'ok; failed; skipped: there is a newer version, and this server does not take it.',
  reason: 'Why it failed or was left; null: neither.',
  detail: 'What was seen, in English, for whoever looks after the server; it may be empty.',
}

const lines = list(v.string())
const VersionNews = named(
  'VersionNews',
  v.object(Object.fromEntries(LOCALES.map((locale) => [locale, lines])) as Record<Locale, typeof lines>),
  words,
)

const Outcome = named(
  'UpdateOutcome',
  v.object({
    at: ts,
    result: v.picklist(['ok', 'failed', 'skipped']),
    reason: orNull(v.picklist(UPDATE_REASONS)),
    detail: v.string(),
    version: orNull(v.string()),
  }),
  words,
)

const ServerUpdates = named(
  'ServerUpdates',
  v.object({
    version: v.string(),
    isConfigured: v.boolean(),
    obstacle: orNull(v.picklist(UPDATE_REASONS)),
    mode: v.picklist(UPDATE_MODES),
    hour: integer(0, 23),
    channel: v.picklist(UPDATE_CHANNELS),
    current: orNull(named('CurrentVersion', v.object({ version: v.string(), news: VersionNews }), words)),
    offer: orNull(
      named(
        'OfferedVersion',
        v.object({ version: v.string(), news: VersionNews, sizeBytes: count, isFromStick: v.boolean() }),
        words,
      ),
    ),
    isPlanned: v.boolean(),
    check: orNull(Outcome),
    nextCheckAt: orNull(ts),
    install: orNull(Outcome),
    isInstalling: v.boolean(),
  }),
  words,
)

const Changes = named(
  'ServerUpdatesChanges',
  v.object({
    mode: v.optional(v.picklist(UPDATE_MODES)),
    hour: v.optional(integer(0, 23)),
    channel: v.optional(v.picklist(UPDATE_CHANNELS)),
    isPlanned: v.optional(v.boolean()),
  }),
  words,
)

const newsOf = (news: Partial<Record<Locale, readonly string[]>>) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, [...(news[locale] ?? [])]])) as Record<Locale, string[]>

const doneOf = (done: Done | null) => done && { ...done }

/** A folder of the vendor holds one file a machine and version. */
const MOST_BYTES = 16 * LARGEST_RELEASE

export interface UpdateDeps {
  config: Config
  version: string
  updater: Updater
}

const shown = ({ version, updater }: UpdateDeps, state: UpdateState): v.InferOutput<typeof ServerUpdates> => {
  const { settings, current, offer, isPlanned, check, install, nextCheckAt } = state
  return {
    version,
    isConfigured: updater.isConfigured,
    obstacle: updater.obstacle() ?? null,
    ...settings,
    current: current && current.version === version ? { version, news: newsOf(current.news) } : null,
    offer: offer && {
      version: offer.version,
      news: newsOf(offer.news),
      sizeBytes: offer.file.size,
      isFromStick: offer.isFromStick,
    },
    isPlanned,
    check: doneOf(check),
    nextCheckAt: updater.isConfigured && settings.mode !== 'off' ? nextCheckAt : null,
    install: doneOf(install),
    isInstalling: updater.isInstalling,
  }
}

const UpdateNotTaken = failure(
  'CONFLICT',
  'update_not_taken',
  'The file was not taken, and nothing of it was kept: see `why`.',
  {
    details: {
      schema: explained(v.object({ why: v.picklist(UPDATE_REASONS), detail: v.string() }), {
        why: 'Why it cannot be put in here.',
        detail: words.detail,
      }),
      example: { why: 'bad_signature', detail: '0 of 1 keys signed it' },
    },
  },
)

const UpdateBusy = failure(
  'CONFLICT',
  'update_busy',
  'Another file is being received, or a version is being put in: wait for its end.',
)

const asFailure = (error: unknown): unknown => {
  if (error instanceof UpdaterBusy) return UpdateBusy()
  return error instanceof UpdateRefused ? UpdateNotTaken({ why: error.reason, detail: error.detail }) : error
}

/** New versions of the program, for the owner of a self-hosted server. */
export const updateEndpoints = (deps: UpdateDeps): readonly Endpoint[] => {
  const { config, updater } = deps
  const common = { access: 'owner', closed: config.mode === 'cloud' ? NotFound : undefined } as const
  const show = () => shown(deps, updater.state())
  return [
    read({
      ...common,
      id: 'server.read-updates',
      path: '/server/updates',
      summary: 'Which version runs, and which there is',
      description: 'In cloud mode 404.',
      reply: ServerUpdates,
      fails: [NotFound],
      handle: async () => show(),
    }),
    change({
      ...common,
      id: 'server.change-updates',
      method: 'PATCH',
      path: '/server/updates',
      summary: 'Say whether new versions are looked for, and put in by themselves',
      description:
        'It is kept beside the database, so that a restored backup does not change it. With another channel what was offered is forgotten until the next look. In cloud mode 404.',
      body: Changes,
      reply: ServerUpdates,
      fails: [NotFound],
      handle: async ({ tx, body }) => {
        updater.set(body)
        tx.audit({ entityType: 'program', entityId: null, metadata: body })
        return show()
      },
    }),
    change({
      ...common,
      id: 'server.check-updates',
      method: 'POST',
      path: '/server/updates/check',
      summary: 'Look for a new version now',
      description: 'Waits for the vendor’s answer; `check` says what became of it. In cloud mode 404.',
      limits: [{ per: 'caller', requests: 10, seconds: 60 }],
      reply: ServerUpdates,
      fails: [NotFound],
      prepare: async () => {
        await updater.check()
      },
      handle: async ({ tx }) => {
        tx.audit({ entityType: 'program', entityId: null })
        return show()
      },
    }),
    change({
      ...common,
      id: 'server.send-update',
      method: 'PUT',
      path: '/server/updates/file',
      summary: 'Send a new version that came on a stick',
      description:
        'The vendor’s folder as a tar file, as `institute update` takes it. What is whole, signed by the vendor, newer and for this machine is offered, and waits to be put in; anything else is refused by name, and nothing of it is kept. One before it is removed. In cloud mode 404.',
      limits: [{ per: 'caller', requests: 10, seconds: 60 }],
      body: upload({
        types: ['application/octet-stream', 'application/x-tar', 'application/gzip'],
        maxBytes: MOST_BYTES,
      }),
      reply: ServerUpdates,
      fails: [NotFound, UpdateBusy, UpdateNotTaken],
      prepare: async ({ body }) => {
        try {
          await updater.takeStick(body.stream, body.length)
        } catch (error) {
          throw asFailure(error)
        }
      },
      handle: async ({ tx }) => {
        tx.audit({
          entityType: 'program',
          entityId: null,
          metadata: { version: updater.state().offer?.version ?? null },
        })
        return show()
      },
    }),
    change({
      ...common,
      id: 'server.install-update',
      method: 'POST',
      path: '/server/updates/install',
      summary: 'Put the new version in now',
      description:
        'Begins to fetch it, unless it came on a stick or that goes on already, and answers at once. Once it is there, the program is stopped, backed up, replaced and started; a version that does not answer goes back by itself, with the data as it was. Ask GET /server/updates until `isInstalling` is false; then `install` says what became of it, also where there was nothing to put in, or `obstacle` keeps it from this server. In cloud mode 404.',
      limits: [{ per: 'caller', requests: 10, seconds: 60 }],
      status: 202,
      reply: ServerUpdates,
      fails: [NotFound],
      prepare: async () => {
        void updater.install()
      },
      handle: async ({ tx }) => {
        tx.audit({
          entityType: 'program',
          entityId: null,
          metadata: { version: updater.state().offer?.version ?? null },
        })
        lookSoon(tx)
        return show()
      },
    }),
  ]
}
