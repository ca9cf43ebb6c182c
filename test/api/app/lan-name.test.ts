import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '#app/config/read-config.ts'
import { openLanName } from '#ports/lan-name/multicast.ts'
import type { LanName, Network } from '#ports/lan-name/port.ts'
import { AT_HOME, startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { freeUdpPort } from '#kit/free-port.ts'
import { newSetup } from '#kit/setup.ts'

/** The name of a server in its network, as its owner chooses it, over real multicast on the loopback card. */

let app: TestApp
let owner: Client
const others: LanName[] = []
afterEach(async () => {
  await Promise.all(others.splice(0).map((one) => one.close()))
  await app.close()
})

const at = (address: string): Network => ({ address, cidr: `${address}/8`, ipv6: [] })

/** @param networks undefined: each name is free there, and taken at once */
const start = async (
  networks?: () => Network[],
  { port, ...options }: TestAppOptions & { port?: number } = {},
): Promise<void> => {
  const udp = port ?? (await freeUdpPort())
  app = await startApp({
    ...(networks && { openLanName: (given) => openLanName({ ...given, networks, port: udp }) }),
    ...options,
    config: { accessTokenSeconds: 100 * 86_400, ...options.config },
  })
  const { body } = await app.post('/setup/bootstrap', newSetup(app.app.setupToken.ensure()))
  owner = app.as(body.accessToken)
  const { wanted } = await read()
  if (networks && networks().length > 0 && wanted !== null)
    await expect.poll(async () => (await read()).name).toBe(wanted)
}
const read = async () => (await owner.get('/server/lan-name')).body
const choose = (name: string) => owner.put('/server/lan-name', { name })
const institute = async (host: string) =>
  (await owner.send('GET', '/institute', { headers: { host: `${host}:8080` } })).body
const settings = () => readConfig({ INSTITUTE_DATA_DIR: app.dataDir }, {}).config

describe('the owner chooses a name', () => {
  test('and all that people are sent to follows; the one before leads here for thirty days', async () => {
    await start(() => [at('127.0.0.2')])
    await owner.put('/server/https', { way: 'local', name: null, leads: false })
    await owner.patch('/settings', { baseUrl: 'http://institute.local:8080' })
    const { status, body } = await choose(' School-Nablus.local ')
    expect(status).toBe(200)
    const former = [{ name: 'institute.local', until: '2026-04-01' }]
    expect(body).toEqual({
      name: 'school-nablus.local',
      wanted: 'school-nablus.local',
      isFixed: false,
      isPossible: true,
      former,
    })
    expect((await owner.get('/settings')).body.baseUrl).toBe('http://school-nablus.local:8080')
    const { ways } = (await owner.get('/server/address')).body
    expect(ways.at(-1).url).toMatch(/^http:\/\/school-nablus\.local:\d+$/)
    const https = (await owner.get('/server/https')).body
    expect(https.addresses[0]).toMatch(/^https:\/\/school-nablus\.local:\d+$/)
    expect(https.addresses.some((url: string) => url.includes('institute.local'))).toBe(false)
    expect(https.certificate.names).toEqual(expect.arrayContaining(['school-nablus.local', 'institute.local']))
    const entries: { entityType: string }[] = (await owner.get('/audit?action=server.choose-lan-name')).body.data
    expect(entries.map(({ entityType }) => entityType).toSorted()).toEqual(['program', 'settings'])

    // Whoever has it open by the name of before hears of it.
    const movesTo = { name: 'school-nablus.local', until: '2026-04-01' }
    expect((await institute('institute.local')).movesTo).toEqual(movesTo)
    expect((await institute('school-nablus.local')).movesTo).toBeNull()
    expect((await institute('127.0.0.1')).movesTo).toBeNull()

    app.clock.advance(31 * 86_400)
    expect(await read()).toMatchObject({ former: [] })
    expect((await institute('institute.local')).movesTo).toBeNull()
  })

  test('which stands in the settings, with those of before', async () => {
    await start()
    await choose('school')
    await choose('school-nablus')
    const { lanName, formerLanNames } = settings()
    expect(lanName).toBe('school-nablus')
    expect(formerLanNames).toEqual([
      { label: 'institute', until: '2026-04-01' },
      { label: 'school', until: '2026-04-01' },
    ])
    // Back again: it is none of before.
    await choose('school')
    expect(settings().formerLanNames.map(({ label }) => label)).toEqual(['institute', 'school-nablus'])
  })

  test('that somebody else has is refused with one that is free, and nothing changes', async () => {
    const port = await freeUdpPort()
    const other = openLanName({
      wanted: 'school',
      networks: () => [at('127.0.0.3')],
      log: pino({ level: 'silent' }),
      port,
    })
    others.push(other)
    await expect.poll(() => other.current()).toBe('school.local')
    await start(() => [at('127.0.0.2')], { port })
    const { status, body } = await choose('school')
    expect([status, body.error.details]).toEqual([409, { reason: 'lan_name_taken', free: 'school-2' }])
    expect(await read()).toMatchObject({ name: 'institute.local', wanted: 'institute.local', former: [] })
    expect(settings()).toMatchObject({ lanName: 'institute', formerLanNames: [] })
    expect((await choose('school-2')).status).toBe(200)
  })

  test('without a network, or in one that hears nothing, nothing changes', async () => {
    let networks: Network[] = []
    await start(() => networks)
    const unheard = { status: 409, body: { error: { details: { reason: 'lan_name_unheard' } } } }
    expect(await choose('school')).toMatchObject(unheard)
    // No card of this machine has the address.
    networks = [at('203.0.113.9')]
    expect(await choose('school')).toMatchObject(unheard)
    expect(settings().lanName).toBe('institute')
    expect((await read()).wanted).toBe('institute.local')
  })

  test.each([
    '',
    'a b',
    'مدرسة',
    'school.example',
    '-school',
    'school-',
    'xn--mgbc',
    'wpad',
    'localhost',
    'a'.repeat(61),
  ])('but not %j', async (name) => {
    await start(() => [])
    const { status, body } = await choose(name)
    expect([status, body.error.details.issues[0].path]).toEqual([422, ['name']])
  })

  test('and none where the configuration gives it, or the network is a container’s', async () => {
    await start(() => [], { config: { lanNameIsFixed: true, lanName: 'office' } })
    expect(await read()).toMatchObject({ wanted: 'office.local', isFixed: true })
    expect((await choose('school')).status).toBe(404)
    await app.close()
    await start(() => [], { machine: { ...AT_HOME, isInContainer: () => true } })
    expect(await read()).toMatchObject({ name: null, isPossible: false })
    expect((await choose('school')).status).toBe(404)
  })

  test('first one of a server that had none', async () => {
    await start(() => [at('127.0.0.2')], { config: { lanName: undefined } })
    expect(await read()).toMatchObject({ name: null, wanted: null })
    expect((await choose('school')).body).toMatchObject({ name: 'school.local', former: [] })
  })
})
