import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { institute } from './institute.ts'

/** A script that runs before the program, and acts at the moment when the server starts to listen. */
const onceOpen = (what: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import net from 'node:net'
    const { listen } = net.Server.prototype
    net.Server.prototype.listen = function (...args) {
      return listen.apply(this.once('listening', () => {
        // The lock is a server too, but without a port.
        if (this.address()?.port) { ${what} }
      }), args)
    }`)}`

const serve = (dataDir: string, what: string) =>
  institute(['serve', '--port', '0'], { INSTITUTE_DATA_DIR: dataDir, NODE_OPTIONS: `--import=${onceOpen(what)}` })

test.each(['SIGTERM', 'SIGINT'])('a %s that comes with the first request ends the program cleanly', async (signal) => {
  const { code, stderr } = await serve(makeFolder(), `process.kill(process.pid, '${signal}')`)
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('"msg":"stopping"')
})

test('the first client finds the setup token in the data directory', async () => {
  const dataDir = makeFolder()
  const { stderr } = await serve(
    dataDir,
    `console.error('TOKEN ' + fs.readFileSync('${dataDir}/setup-token', 'utf8')); process.kill(process.pid, 'SIGTERM')`,
  )
  const [, token] = /^TOKEN (\S+)$/m.exec(stderr) ?? []
  expect(token, stderr).toBeDefined()
  expect(setupTokenIn(dataDir)).toBe(token)
})

test('a first start that cannot listen, or has no good certificate, says so and makes no database', async () => {
  const other = createServer()
  onTestFinished(() => void other.close())
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = path.join(makeFolder(), 'data')
  const from = (...args: string[]) =>
    institute(['serve', '--host', '127.0.0.1', ...args], { INSTITUTE_DATA_DIR: dataDir })
  expect(await from('--port', String(port))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^INSTITUTE_PORT=.*another program listens/),
  })
  expect(await from('--port', '0', '--tls-cert', '/no/cert.pem', '--tls-key', '/no/key.pem')).toMatchObject({
    code: 2,
    stderr: 'INSTITUTE_TLS_CERT, INSTITUTE_TLS_KEY: there is no /no/cert.pem.\n',
  })
  expect(readdirSync(dataDir).filter((name) => !name.startsWith('.lock'))).toEqual([])
})
