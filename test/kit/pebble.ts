import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generate } from 'selfsigned'
import { Agent, request } from 'undici'
import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'
import { freePort } from './free-port.ts'
import { endProcess, untilUp } from './process.ts'

const PROGRAM = '/usr/bin/pebble'

/** Why there is no pebble, the authority with which ACME is tried; undefined: there is. */
export const whyNoPebble = (): string | undefined => (existsSync(PROGRAM) ? undefined : 'pebble is not installed')

const textOf = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { ca }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.on('end', () => resolve(text))
    }).on('error', reject)
  })

/** A whole authority that speaks ACME, which looks for proofs by one name server. */
export class Pebble {
  readonly directory: string
  /** The root of what it gives. */
  readonly root: string
  readonly outbound: Outbound
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #agent: Agent

  private constructor(given: { directory: string; root: string; child: ChildProcess; folder: string; ca: string }) {
    this.directory = given.directory
    this.root = given.root
    this.#child = given.child
    this.#folder = given.folder
    this.#agent = new Agent({ connect: { ca: given.ca } })
    this.outbound = {
      get: (asked) => this.#send('GET', asked),
      post: (asked) => this.#send('POST', asked),
      close: () => this.#agent.close(),
    }
  }

  static async open(dnsPort: number): Promise<Pebble> {
    const folder = mkdtempSync(path.join(tmpdir(), 'institute-pebble-'))
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    })
    const [port, management] = [await freePort(), await freePort()]
    const file = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text)
      return path.join(folder, name)
    }
    const config = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: file('cert.pem', cert),
      privateKey: file('key.pem', key),
      httpPort: 9,
      tlsPort: 9,
      certificateValidityPeriod: 90 * 86_400,
    }
    const child = spawn(
      PROGRAM,
      ['-config', file('config.json', JSON.stringify({ pebble: config })), '-dnsserver', `127.0.0.1:${dnsPort}`],
      // Without these it waits at random, and refuses good nonces at random.
      { env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    const rootAt = `https://localhost:${management}/roots/0`
    const isUp = () =>
      textOf(rootAt, cert).then(
        () => true,
        () => false,
      )
    await untilUp(child, { isUp, everyMillis: 50, output: () => output })
    const directory = `https://localhost:${port}/dir`
    return new Pebble({ directory, root: await textOf(rootAt, cert), child, folder, ca: cert })
  }

  async close(): Promise<void> {
    await endProcess(this.#child, 'SIGKILL')
    await this.#agent.destroy()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #send(
    method: 'GET' | 'POST',
    {
      url,
      headers,
      reads = [],
      ...more
    }: { url: string; headers: Readonly<Record<string, string>>; body?: string | Buffer; reads?: readonly string[] },
  ): Promise<OutboundResult> {
    try {
      const reply = await request(url, { method, headers, body: more.body ?? null, dispatcher: this.#agent })
      const body = Buffer.from(await reply.body.arrayBuffer())
      const found = reads.flatMap((name) => {
        const value = reply.headers[name]
        return typeof value === 'string' ? [[name, value] as const] : []
      })
      return {
        ok: reply.statusCode >= 200 && reply.statusCode < 300,
        status: reply.statusCode,
        body,
        truncated: false,
        excerpt: body.toString('utf8', 0, 1000),
        headers: Object.fromEntries(found),
        durationMs: 1,
      }
    } catch (error) {
      return { ok: false, status: null, error: String(error), durationMs: 1 }
    }
  }
}
