import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '#kernel/basics/ids.ts'
import { Bucket, type StoreRequest } from '#ports/files/s3/requests.ts'
import type { S3Settings } from '#ports/files/s3/settings.ts'
import { elements } from '#ports/files/s3/xml.ts'
import type { Config } from '#app/config/config.ts'
import { startApp, type TestApp } from './app.ts'
import { freePort } from './free-port.ts'

/** What a store does with a request before it looks at it; undefined: it answers it. */
export type Fault = (
  request: http.IncomingMessage,
) => { status: number; code?: string; more?: string } | { cutAfter: number } | 'hang' | undefined

export interface TestStore {
  /** Of a new bucket. */
  settings: S3Settings
  url: string
  /** Makes a new bucket the store's. */
  emptyBucket(): Promise<S3Settings>
  fault: Fault
  /** The requests that came, as `PUT /bucket/key`. */
  seen: string[]
  /** The names of all files in the bucket. */
  held(): Promise<string[]>
  close(): Promise<void>
}

/** The S3-compatible server behind a store: a process of its own. */
export interface Behind {
  port: number
  keyId: string
  secret: string
  end(): Promise<void>
}

export const urlOf = ({ isPlain, keyId, secret, host, bucket, region, isVirtual }: S3Settings): string =>
  `s3${isPlain ? '+http' : ''}://${encodeURIComponent(keyId)}:${encodeURIComponent(secret)}@${host}/${bucket}?region=${region}&style=${isVirtual ? 'virtual' : 'path'}`

/** Sends the first bytes of a reply, and hangs up. */
const cut = (reply: http.IncomingMessage, response: http.ServerResponse, after: number): void => {
  let sent = 0
  reply.on('data', (chunk: Buffer) => {
    const rest = chunk.subarray(0, after - sent)
    sent += rest.length
    response.write(rest, () => {
      if (sent >= after) response.destroy()
    })
  })
}

/** Puts a door before the server, through which everything goes and which can be told to fail. */
export const openStore = async (behind: Behind): Promise<TestStore> => {
  const store: Pick<TestStore, 'fault' | 'seen'> = { fault: () => undefined, seen: [] }
  const door = http.createServer((request, response) => {
    store.seen.push(`${request.method} ${request.url?.split('?')[0]}`)
    const fault = store.fault(request)
    if (fault === 'hang') return
    if (fault && 'status' in fault) {
      request
        .resume()
        .once('end', () =>
          response
            .writeHead(fault.status)
            .end(`<Error><Code>${fault.code ?? 'SlowDown'}</Code>${fault.more ?? ''}</Error>`),
        )
      return
    }
    const { method, url, headers } = request
    const onward = http.request({ host: '127.0.0.1', port: behind.port, method, path: url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      if (fault) cut(reply, response, fault.cutAfter)
      else reply.pipe(response)
    })
    onward.on('error', () => response.headersSent || response.destroy())
    response.once('close', () => onward.destroy())
    request.pipe(onward)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const settings: S3Settings = {
    isPlain: true,
    host: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    bucket: '',
    region: 'us-east-1',
    isVirtual: false,
    keyId: behind.keyId,
    secret: behind.secret,
  }
  const opened: TestStore = Object.assign(store, {
    settings,
    url: '',
    emptyBucket: async () => {
      opened.settings = { ...settings, bucket: `institute-${newId()}` }
      opened.url = urlOf(opened.settings)
      await asked({ method: 'PUT' })
      return opened.settings
    },
    held: async () => elements(await asked({ method: 'GET', query: { 'list-type': '2' } }), 'Key'),
    close: async () => {
      door.closeAllConnections()
      await new Promise((resolve) => door.close(resolve))
      await behind.end()
    },
  })
  const asked = async (request: StoreRequest): Promise<string> => {
    const bucket = new Bucket(opened.settings)
    try {
      return (await bucket.ask(request)).body
    } finally {
      bucket.close()
    }
  }
  await opened.emptyBucket()
  return opened
}

export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Starts the program with a new bucket of a store, and with the time of the store: that of this machine. */
export const startAppWithBucket = async (store: TestStore, config: Partial<Config> = {}): Promise<TestApp> =>
  startApp({
    config: { s3: await store.emptyBucket(), accessTokenSeconds: 7 * 86_400, ...config },
    now: new Date().toISOString(),
  })

/** Puts a file into the bucket of a store. */
export const putInStore = async ({ settings }: TestStore, name: string, bytes: string | Buffer): Promise<void> => {
  const bucket = new Bucket(settings)
  try {
    await bucket.ask({ method: 'PUT', key: name, body: Buffer.from(bytes) })
  } finally {
    bucket.close()
  }
}

/** Waits until a server answers, whatever it says. */
export const answers = async (port: number, seconds = 20): Promise<void> => {
  for (let tries = 0; tries < seconds * 10; tries += 1) {
    const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await pause(100)
  }
  throw new Error(`nothing answers on port ${port}`)
}

const SCRIPT = `
const S3rver = require('@20minutes/s3rver')
const [port, directory] = process.argv.slice(1)
new S3rver({ port: Number(port), address: '127.0.0.1', silent: true, directory }).run()
`

/** A small server: it checks signatures, but neither MD5 nor what unsigned requests read. */
export const startS3rver = async (): Promise<TestStore> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'institute-s3-'))
  const port = await freePort()
  const child = spawn(process.execPath, ['-e', SCRIPT, String(port), directory], { stdio: 'ignore' })
  await answers(port)
  return openStore({
    port,
    keyId: 'S3RVER',
    secret: 'S3RVER',
    end: async () => {
      await ended(child)
      rmSync(directory, { recursive: true, force: true })
    },
  })
}
