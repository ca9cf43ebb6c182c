import { expect, test } from 'vitest'
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
