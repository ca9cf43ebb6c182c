import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#kit/free-port.ts'
import { Trial } from './bad-day.ts'
import type { Ended } from './program.ts'

const trial = Trial.ofFile()

const ask = (dataDir: string, ...args: string[]): Promise<Ended> =>
  trial.run(['health', '--data-dir', dataDir, ...args])

const listening = async (server: Server): Promise<string> => {
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

describe('institute health', () => {
  test('0 once the server is ready, with its settings; 1 when it takes no changes, and when it has ended', async () => {
    const dataDir = trial.copy()
    const port = await freePort()
    writeFileSync(path.join(dataDir, 'institute.conf'), `INSTITUTE_PORT=${port}\n`)
    const at = `http://127.0.0.1:${port}`
    const ended = { code: 1, stdout: `not running: nothing listens at ${at}\n`, stderr: '' }
    expect(await ask(dataDir)).toEqual(ended)
    const server = await trial.serve(dataDir, [])
    expect(await ask(dataDir)).toEqual({ code: 0, stdout: `ready at ${at}\n`, stderr: '' })
    rmSync(path.join(dataDir, 'institute.db'))
    expect(await ask(dataDir)).toEqual({
      code: 1,
      stdout: `not ready at ${at}: the database file was removed or replaced while the program runs\n`,
      stderr: '',
    })
    await server.stop()
    expect(await ask(dataDir)).toEqual(ended)
  })

  test('over HTTPS, whatever name the certificate is for', async () => {
    const dataDir = trial.copy()
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'school.example' }])
    const files = { cert: path.join(dataDir, 'cert.pem'), key: path.join(dataDir, 'key.pem') }
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
    const port = await freePort()
    const settings = [`INSTITUTE_PORT=${port}`, `INSTITUTE_TLS_CERT=${files.cert}`, `INSTITUTE_TLS_KEY=${files.key}`]
    writeFileSync(path.join(dataDir, 'institute.conf'), settings.join('\n'))
    await trial.serve(dataDir, [])
    expect(await ask(dataDir)).toEqual({ code: 0, stdout: `ready at https://127.0.0.1:${port}\n`, stderr: '' })
  })

  test.each<[what: string, answer: RequestListener]>([
    ['another page', (_, response) => void response.end('<html>')],
    ['another 503', (_, response) => void response.writeHead(503).end('null')],
  ])('1 when another program answers: %s', async (_, answer) => {
    const port = await listening(createHttpServer(answer))
    expect(await ask(trial.copy(), '--port', port)).toEqual({
      code: 1,
      stdout: `not running: another program answers at http://127.0.0.1:${port}\n`,
      stderr: '',
    })
  })

  test('1 within seconds when nobody answers', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => {})))
    const began = performance.now()
    expect(await ask(trial.copy(), '--port', port)).toEqual({
      code: 1,
      stdout: `not ready: no answer at http://127.0.0.1:${port} within 5 seconds\n`,
      stderr: '',
    })
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('2 where nobody could know whom to ask', async () => {
    const says = 'INSTITUTE_PORT=0: with a port of the system’s choice nobody knows whom to ask.'
    expect(await trial.told(trial.copy(), ['health', '--port', '0'])).toEqual(trial.line(trial.copy(), 2, says))
  })
})

describe('output that nobody reads is no error:', () => {
  const COMMANDS = ['doctor', '--help', 'version', 'backup', 'migrate', 'health', 'backup --help', 'frobnicate']

  test.each(COMMANDS)('institute %s', async (command) => {
    const dataDir = trial.copy()
    const alone = await trial.run([...command.split(' '), '--data-dir', dataDir])
    for (const reader of ['true', 'head -n 1']) {
      const script = `set -o pipefail; '${trial.program}' ${command} --data-dir '${dataDir}' | ${reader}`
      const { code, stderr } = await trial.shell(script)
      expect({ reader, code, stderr }).toEqual({
        reader,
        code: alone.code,
        stderr: expect.not.stringMatching(/EPIPE|\bat /),
      })
    }
  })

  test('errors, too', async () => {
    const script = `set -o pipefail; '${trial.program}' frobnicate 2>&1 | true`
    expect(await trial.shell(script)).toEqual({ code: 2, stdout: '', stderr: '' })
  })

  test('but a result that cannot be written is one', async () => {
    expect(await trial.shell(`'${trial.program}' version >/dev/full`)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The result could not be written to standard output (ENOSPC).\n',
    })
  })

  test('a server goes on when whoever read its log is gone', async () => {
    const dataDir = trial.copy()
    const port = String(await freePort())
    const args = ['serve', '--port', port, '--data-dir', dataDir, '--log-level', 'info']
    const server = spawn(trial.program, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server.stderr, 'data')
    server.stderr.destroy()
    await expect.poll(async () => (await ask(dataDir, '--port', port)).code, { timeout: 15_000 }).toBe(0)
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/me`)).status).toBe(401)
    }
    expect((await ask(dataDir, '--port', port)).code).toBe(0)
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})
