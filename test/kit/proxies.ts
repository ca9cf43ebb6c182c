import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { endProcess, untilUp } from './process.ts'

export type ProxyKind = 'nginx' | 'haproxy'

/** @returns why there is none; undefined: there is */
export const whyNoProxy = (kind: ProxyKind): string | undefined =>
  existsSync(`/usr/sbin/${kind}`)
    ? undefined
    : `${kind} is not installed (apt-get install ${kind === 'nginx' ? 'nginx-light' : kind})`

interface Wanted {
  /** Where it listens. */
  port: number
  /** The port of the server behind it. */
  to: number
  /** Lines of its configuration that matter. */
  lines: string
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const nginx = ({ port, to, lines }: Wanted, folder: string): string => `daemon off; master_process off;
pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${to}; ${lines} } }
}
`

const haproxy = ({ port, to, lines }: Wanted): string => `defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
listen institute
  bind 127.0.0.1:${port}
  ${lines}
  server one 127.0.0.1:${to}
`

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts the real program with Debian's defaults but for these lines, until the test has ended. */
export const startProxy = async (kind: ProxyKind, wanted: Wanted): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), `institute-${kind}-`))
  const file = path.join(folder, 'conf')
  writeFileSync(file, kind === 'nginx' ? nginx(wanted, folder) : haproxy(wanted))
  const given = kind === 'nginx' ? ['-p', folder, '-c', file] : ['-db', '-f', file]
  const child = spawn(`/usr/sbin/${kind}`, given, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    await endProcess(child, 'SIGKILL')
    rmSync(folder, { recursive: true })
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)))
  await untilUp(child, { isUp: () => answers(wanted.port), everyMillis: 20, output: () => output })
}
