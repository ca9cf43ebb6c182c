import type { Examples, World } from '#kit/examples.ts'
import { signHeartbeat } from '#modules/licensing/protocol.ts'
import { newLicense, TestInstall, vendorKeyOf } from '#kit/licenses.ts'
import { platformAdmin } from '#kit/platform-admin.ts'

const asPlatform = async ({ app }: World) => ({ as: await platformAdmin(app) })

const ofLicense = async (world: World) => {
  const { id } = await newLicense(world.app, world.institute)
  return { ...(await asPlatform(world)), params: { licenseId: id } }
}

export const licenseExamples: Examples = {
  'licenses.list': asPlatform,
  'licenses.create': async (world) => {
    await vendorKeyOf(world.app)
    return { ...(await asPlatform(world)), body: { tenantId: world.institute.tenant.id, maxInstalls: 2 } }
  },
  'licenses.read': ofLicense,
  'licenses.update': async (world) => ({ ...(await ofLicense(world)), body: { maxInstalls: 5 } }),
  'licenses.installs': async (world) => {
    const license = await newLicense(world.app, world.institute)
    await new TestInstall(world.app, license).beat({
      counter: 7,
      clientTime: '2020-01-01T00:00:00.000Z',
      updater: { channel: 'stable', lastResult: 'ok' },
    })
    return { ...(await asPlatform(world)), params: { licenseId: license.id } }
  },
  'licenses.lock': async (world) => ({ ...(await ofLicense(world)), body: { reason: 'Unpaid since March.' } }),
  'licenses.unlock': ofLicense,
  'licenses.unlock-token': ofLicense,
  'licenses.heartbeat': async ({ app, institute }) => ({
    body: new TestInstall(app, await newLicense(app, institute)).next(),
  }),
  'licenses.name-install': async ({ app, institute }) => {
    const license = await newLicense(app, institute)
    const install = new TestInstall(app, license)
    await install.beat()
    const body = {
      installId: install.installId,
      jti: license.jti,
      clientTime: app.clock.now(),
      nonce: 'bm9uY2Utb2YtYW4tZXhhbXBsZQ',
      addresses: ['192.168.1.20'],
      challenge: null,
    }
    return { body, headers: signHeartbeat(Buffer.from(JSON.stringify(body)), install.key) }
  },
}
