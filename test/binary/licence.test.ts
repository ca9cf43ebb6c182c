import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { client } from '#kit/client.ts'
import { signEnvelope, signHeartbeat, signUnlockToken, type Envelope } from '#modules/licensing/protocol.ts'
import { newSigningSecret, signerOf } from '#modules/licensing/signing.ts'
import { saidIn, type Exchange, type Interference } from '#kit/heartbeat-proxy.ts'
import { Install } from './install.ts'
import { makeFolder } from './program.ts'
import { bodyOf, Vendor } from './vendor.ts'

/** For what an install's next heartbeat brings, which is five seconds away at the most. */
const SOON = { timeout: 20_000, interval: 50 }

const REASON = 'unpaid since March'

const folder = makeFolder()
let vendor: Vendor
beforeAll(async () => {
  vendor = await Vendor.start(folder)
})
afterAll(async () => {
  await vendor?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const newInstall = async (): Promise<Install> => {
  const install = await Install.start(vendor, folder)
  onTestFinished(() => install.end())
  await expect
    .poll(() => install.status(), SOON)
    .toMatchObject({ state: 'active', lastHeartbeatAt: expect.any(String) })
  return install
}

const untilLocked = async (install: Install) => {
  await expect.poll(() => install.daily(), SOON).toBe(402)
}
const untilOpen = async (install: Install) => {
  await expect.poll(() => install.daily(), SOON).toBe(200)
}
const untilAcknowledged = async (install: Install) => {
  await expect.poll(() => install.pending(), SOON).toEqual([])
}
const untilError = async (install: Install, error: string) => {
  await expect.poll(async () => (await install.status()).lastError, SOON).toContain(error)
}

/** Has the vendor lock it, and the install take that up at once. */
const lock = async (install: Install): Promise<void> => {
  await install.license.lock(REASON)
  await install.heartbeat()
  await untilLocked(install)
  await untilAcknowledged(install)
}

/** Has the vendor give a command. @returns the envelope that brings it, which did not reach the install */
const withheld = async (install: Install, give: () => Promise<{ id: string }>): Promise<Envelope> => {
  const { proxy } = install
  proxy.answerBy(() => undefined)
  const { id } = await give()
  await install.heartbeat()
  const bringing = () =>
    proxy.exchanges
      .map(({ envelope }) => envelope)
      .find((one) => saidIn(one).commands.some((command) => command.id === id))
  await expect.poll(bringing, SOON).toBeDefined()
  return bringing() as Envelope
}

/** Answers a heartbeat in the vendor's place. That the install tells the error shows that it has looked at the answer. */
const refuse = async (install: Install, interference: Interference, error: string): Promise<void> => {
  const before = await install.status()
  // What is told of the answer before must not be taken for what is told of this one.
  install.proxy.answerBy(() => undefined)
  await install.heartbeat()
  await untilError(install, 'The vendor did not answer')
  install.proxy.answerBy(interference)
  await install.heartbeat()
  await untilError(install, error)
  expect(await install.status()).toEqual({
    ...before,
    nextHeartbeatAt: expect.any(String),
    lastError: expect.any(String),
  })
  expect(await install.daily()).toBe(before.state === 'locked' ? 402 : 200)
}

/** An envelope of before, made to answer this heartbeat. */
const renewed = (envelope: Envelope, { heartbeat: { nonce } }: Exchange): Envelope => ({
  ...envelope,
  payload: Buffer.from(JSON.stringify({ ...saidIn(envelope), nonce })).toString('base64url'),
})

/** What the vendor answers to another install of the licence that sends the same nonce. */
const toAnotherInstall = async ({ heartbeat }: Exchange): Promise<Envelope> => {
  const raw = Buffer.from(JSON.stringify({ ...heartbeat, installId: randomUUID(), appliedCommandIds: [] }))
  const headers = signHeartbeat(raw, signerOf(newSigningSecret()))
  return bodyOf(await client(vendor.heartbeatUrl).send('POST', '/platform/licenses/heartbeat', { raw, headers }))
}

const usedToken = { status: 400, body: { error: { code: 'LICENSE_INVALID', details: { reason: 'used' } } } }

describe('a vendor of two processes and an install', () => {
  test('a lock comes with the next heartbeat and stays, until a token offline or a command online lifts it', async () => {
    const install = await newInstall()
    const { license, proxy } = install
    expect(await install.daily()).toBe(200)
    expect(await license.lock(REASON)).toMatchObject({ kind: 'lock', reason: REASON, acknowledgedAt: null })
    await untilLocked(install)
    expect((await install.owner.get('/branches')).body.error.code).toBe('SUBSCRIPTION_SUSPENDED')
    expect(await install.status()).toMatchObject({ state: 'locked', reason: REASON })
    await untilAcknowledged(install)
    expect(await license.commands()).toEqual([['lock', true]])

    proxy.cut()
    await install.stop('SIGKILL')
    await install.serve()
    expect(await install.daily()).toBe(402)
    await untilError(install, 'The vendor did not answer')
    expect(await install.daily()).toBe(402)
    const token = await license.unlockToken()
    expect(await install.enter(token)).toMatchObject({ status: 200, body: { state: 'active', reason: null } })
    expect(await install.daily()).toBe(200)
    expect(await install.enter(token)).toMatchObject(usedToken)
    expect(await install.pending()).toEqual(['unlock'])
    proxy.pass()
    await install.heartbeat()
    await untilAcknowledged(install)
    expect(await install.daily()).toBe(200)

    await lock(install)
    await license.unlock()
    await untilOpen(install)
    await untilAcknowledged(install)
    expect(await license.commands()).toEqual([
      ['lock', true],
      ['unlock', true],
      ['lock', true],
      ['unlock', true],
    ])
  })

  test('an envelope that comes late, was changed or is another’s neither unlocks nor locks', async () => {
    const install = await newInstall()
    const { license, proxy } = install
    await lock(install)

    const unlocking = await withheld(install, () => license.unlock())
    await refuse(install, () => unlocking, 'for another heartbeat')
    await refuse(install, (exchange) => renewed(unlocking, exchange), 'does not have the vendor’s signature')
    const forger = signerOf(newSigningSecret())
    const forged = (exchange: Exchange): Envelope =>
      signEnvelope(saidIn(exchange.envelope), exchange.heartbeat.jti, forger)
    await refuse(install, forged, 'signed with another key')
    const { keyId } = unlocking
    await refuse(install, (exchange) => ({ ...forged(exchange), keyId }), 'does not have the vendor’s signature')
    await refuse(install, toAnotherInstall, 'for another install')
    expect(await install.status()).toMatchObject({ state: 'locked', reason: REASON })
    expect(await install.pending()).toEqual(['unlock'])

    const claims = { jti: randomUUID(), licenseId: license.id, seq: 9, iat: 0, exp: 4_102_444_800, reason: null }
    const invalid = (reason: string) => ({
      status: 400,
      body: { error: { code: 'LICENSE_INVALID', details: { reason } } },
    })
    expect(await install.enter(signUnlockToken(claims, forger))).toMatchObject(invalid('other_key'))
    expect(await install.enter(license.token)).toMatchObject(invalid('wrong_kind'))
    expect(await install.daily()).toBe(402)

    proxy.pass()
    await install.heartbeat()
    await untilOpen(install)
    await untilAcknowledged(install)
    const locking = await withheld(install, () => license.lock(REASON))
    await refuse(install, () => locking, 'for another heartbeat')
    await refuse(install, (exchange) => renewed(locking, exchange), 'does not have the vendor’s signature')
    expect(await install.status()).toMatchObject({ state: 'active' })
    expect(await install.daily()).toBe(200)
  })

  test('an old backup neither lifts a lock nor brings back a used token', async () => {
    const install = await newInstall()
    const { license, proxy } = install
    const open = await install.backup()
    await lock(install)
    const locked = await install.backup()

    proxy.cut()
    await install.restore(open)
    expect(await install.daily()).toBe(402)
    expect(await install.status()).toMatchObject({ state: 'locked', reason: REASON })
    const token = await license.unlockToken()
    expect((await install.enter(token)).status).toBe(200)
    expect(await install.daily()).toBe(200)

    await install.restore(locked)
    expect(await install.daily()).toBe(200)
    expect(await install.enter(token)).toMatchObject(usedToken)
    proxy.pass()
    await install.heartbeat()
    await untilAcknowledged(install)
    await lock(install)
    expect(await install.enter(token)).toMatchObject(usedToken)
    expect(await install.daily()).toBe(402)
  })
})
