import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { FromBucket } from '#app/server/from-bucket.ts'
import { Updater } from '#app/updates/updater.ts'
import type { Examples, World } from '#kit/examples.ts'
import { PASSWORD } from '#kit/sign-in.ts'
import { storeOfOne } from '#kit/store-of-one.ts'

/** @returns the name of a file among the backups of the data directory */
const backedUp = ({ app, serial }: World): string => {
  const folder = path.join(app.dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  const name = `of-example-${serial}.tar.gz`
  writeFileSync(path.join(folder, name), 'What is in it does not matter here.')
  return name
}

/** No program steps aside for it: `test/cli/restore-here` does that, with one that runs. */
const restorable = (world: World): string => {
  const { restoring } = world.app.app
  Object.defineProperty(restoring, 'canRestore', { value: true, configurable: true })
  restoring.replace = () => {}
  return backedUp(world)
}

/** @returns the name of the one that was brought here */
const broughtIn = ({ app, serial }: World): string => {
  const folder = path.join(app.dataDir, '.brought')
  mkdirSync(folder, { recursive: true })
  const name = `brought-of-example-${serial}.tar.gz`
  writeFileSync(path.join(folder, name), 'What is in it does not matter here.')
  return name
}

const STICK = Buffer.from('What is on it does not matter here.')
/** What tests send that send no bytes of an example. */
const NO_STICK = Buffer.from('{}')
const { takeStick } = Updater.prototype

/** What is taken of a real one, and what is refused: test/api/app/stick, which may run in this process too. */
const takesStickOfExample = (): void => {
  Updater.prototype.takeStick = async function takeOfExample(bytes, length) {
    if (length !== STICK.length && length !== NO_STICK.length) return takeStick.call(this, bytes, length)
    for await (const _ of bytes);
  }
}

const IN_BUCKET = 'nightly-2026-09-02T00-30-00-000Z.tar.gz'
const { begin } = FromBucket.prototype

/** A fetch that goes on beside the examples that follow would be in their replies, or not: test/api/app/from-bucket. */
const fetchesWhole = (): void => {
  FromBucket.prototype.begin = async function fetchWhole(name) {
    await begin.call(this, name)
    if (name !== IN_BUCKET) return
    while (this.state()?.fetched) await setImmediate()
  }
}

/** Has the settings name a bucket. @returns the name of what is in it */
const bucketOf = async (world: World): Promise<string> => {
  restorable(world)
  fetchesWhole()
  const { config } = world.app.app
  const to = await storeOfOne(IN_BUCKET, Buffer.from('What is in it does not matter here.'))
  Object.assign(config, { backups: { ...config.backups, to } })
  return IN_BUCKET
}

export const serverExamples: Examples = {
  'server.read-backups': async () => ({}),
  'server.make-backup': async () => ({}),
  'server.backup-address': async (world) => ({ params: { name: backedUp(world) }, body: { password: PASSWORD } }),
  'server.fetch-backup': async (world) => {
    const name = backedUp(world)
    const reply = await world.owner.post(`/server/backups/${name}/download`, { password: PASSWORD })
    return { params: { name }, query: new URL(reply.body.url as string, 'http://localhost').search, as: world.app }
  },
  'server.read-backup': async (world) => ({ params: { name: restorable(world) } }),
  'server.read-restore': async () => ({}),
  'server.restore-backup': async (world) => ({ params: { name: restorable(world) }, body: { password: PASSWORD } }),
  'server.bring-backup': async (world) => {
    restorable(world)
    return { raw: Buffer.from('a backup'), headers: { 'content-type': 'application/gzip' } }
  },
  'server.open-backup': async (world) => {
    restorable(world)
    return { params: { name: broughtIn(world) }, body: { key: 'no key' } }
  },
  'server.read-bucket': async (world) => {
    await bucketOf(world)
    return {}
  },
  'server.fetch-from-bucket': async (world) => ({ params: { name: await bucketOf(world) } }),
  'server.remove-brought': async () => ({}),
  'server.read-updates': async () => ({}),
  'server.change-updates': async () => ({ body: { mode: 'install', hour: 3 } }),
  'server.check-updates': async () => ({}),
  'server.send-update': async () => {
    takesStickOfExample()
    return { raw: STICK, headers: { 'content-type': 'application/x-tar' } }
  },
  'server.install-update': async () => ({}),
  'server.health': async () => ({}),
  'server.read-https': async () => ({}),
  'server.choose-https': async () => ({ body: { way: 'off', name: null, leads: false } }),
  'server.order-certificate': async () => ({}),
  'server.address': async () => ({}),
  'server.read-lan-name': async () => ({}),
  'server.choose-lan-name': async () => ({ body: { name: 'school-nablus' } }),
  'server.seen-address': async ({ app }) => {
    const expires = String(app.clock.millis() + 60_000)
    const query = new URLSearchParams({ expires, signature: app.app.vault.tag('seen-address', expires) })
    return { query: `?${query.toString()}`, as: app }
  },
}
