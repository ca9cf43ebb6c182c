import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generate } from 'selfsigned'
import { onTestFinished } from 'vitest'
import { endProcess, untilUp } from './process.ts'

/** The files of installer/proxies, each under the main file that Debian has around it, in a folder of its own. */

export interface Ports {
  http: number
  https: number
  /** Of the program behind it. */
  program: number
  /** Between two that stand one behind the other. */
  between: number
}

interface Around extends Ports {
  folder: string
  /** The file as it is pasted. */
  pasted: string
}

interface Kind {
  file: string
  programs: readonly string[]
  packages: string
  /** @returns the commands that start it, and their environment */
  start(around: Around): { commands: string[][]; env?: Record<string, string> }
}

const FOLDER = path.resolve('installer/proxies')
const isRoot = process.getuid?.() === 0

const lay = (folder: string, name: string, text: string): string => {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

/** What each of them is pasted into names the port; the name and the certificate are those of the test. */
const fitted = (file: string, { http, https, program, between, folder }: Around): string =>
  readFileSync(path.join(FOLDER, file), 'utf8')
    .replaceAll('/etc/letsencrypt/live/institute.example.org/', `${folder}/`)
    .replaceAll(/\/etc\/(?:haproxy|hitch)\/institute\.pem/g, `${folder}/institute.pem`)
    .replaceAll('https://institute.example.org', `https://localhost:${https}`)
    .replaceAll('institute.example.org', 'localhost')
    .replaceAll(/(?<=[\s:"])80(?=[;>"\s])/g, String(http))
    .replaceAll(/(?<=[\s:"])443(?=[;>"\s])/g, String(https))
    .replaceAll(/(?<=[\s:"])8080\b/g, String(program))
    .replaceAll('6086', String(between))

const APACHE_MODULES = 'mpm_event authz_core alias filter deflate headers env socache_shmcb ssl proxy proxy_http'.split(
  ' ',
)

const kinds = {
  nginx: {
    file: 'nginx.conf',
    programs: ['/usr/sbin/nginx'],
    packages: 'nginx-light',
    start: ({ folder, pasted }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ')
      const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { sendfile on; tcp_nopush on; gzip on; access_log off; ${temporary} include ${pasted}; }\n`
      return { commands: [['/usr/sbin/nginx', '-p', folder, '-c', lay(folder, 'main', main)]] }
    },
  },
  apache: {
    file: 'apache.conf',
    programs: ['/usr/sbin/apache2'],
    packages: 'apache2',
    start: ({ folder, pasted, http, https }) => {
      const main = `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
${isRoot ? 'User www-data\nGroup www-data\n' : ''}Listen ${http}
Listen ${https}
${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
<Directory />
  Require all denied
</Directory>
AddOutputFilterByType DEFLATE text/html text/plain text/css text/javascript application/javascript
Include ${pasted}
`
      return { commands: [['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', lay(folder, 'main', main)]] }
    },
  },
  haproxy: {
    file: 'haproxy.cfg',
    programs: ['/usr/sbin/haproxy'],
    packages: 'haproxy',
    start: ({ folder, pasted }) => {
      const main = `defaults
  mode http
  timeout connect 5000
  timeout client 50000
  timeout server 50000
`
      return { commands: [['/usr/sbin/haproxy', '-db', '-f', lay(folder, 'main', main), '-f', pasted]] }
    },
  },
  caddy: {
    file: 'Caddyfile',
    programs: ['/usr/bin/caddy'],
    packages: 'caddy',
    start: ({ folder, pasted, http, https }) => {
      // For a name that is no public one Caddy signs the certificate itself.
      const main = `{
	admin off
	skip_install_trust
	http_port ${http}
	https_port ${https}
}
import ${pasted}
`
      const file = lay(folder, 'main', main)
      return {
        commands: [['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file]],
        env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      }
    },
  },
  lighttpd: {
    file: 'lighttpd.conf',
    programs: ['/usr/sbin/lighttpd', '/usr/lib/lighttpd/mod_openssl.so'],
    packages: 'lighttpd lighttpd-mod-openssl',
    start: ({ folder, pasted, http }) => {
      const options = (/^server\.http-parseopts = \([^]*?^\)$/m.exec(
        readFileSync('/etc/lighttpd/lighttpd.conf', 'utf8'),
      ) ?? [''])[0]
      const main = `server.modules = ( "mod_indexfile", "mod_access", "mod_alias", "mod_redirect" )
server.document-root = "${folder}/empty"
server.upload-dirs = ( "${folder}" )
server.port = ${http}
${options}
include "${pasted}"
server.modules += ( "mod_dirlisting", "mod_staticfile" )
`
      mkdirSync(path.join(folder, 'empty'))
      return { commands: [['/usr/sbin/lighttpd', '-D', '-f', lay(folder, 'main', main)]] }
    },
  },
  varnish: {
    file: 'varnish.vcl',
    programs: ['/usr/sbin/varnishd', '/usr/sbin/hitch'],
    packages: 'varnish hitch',
    start: (around) => {
      const { folder, pasted } = around
      const hitch = lay(folder, 'hitch.conf', fitted('hitch.conf', around))
      const [, given = ''] = /^ExecStart=(\/.*)$/m.exec(fitted('varnish-service.conf', around)) ?? []
      const varnish = given.replace('unix,user=vcache', 'none').replace('/etc/varnish/default.vcl', pasted).split(' ')
      return {
        commands: [
          [...varnish, '-n', `${folder}/varnish`],
          ['/usr/sbin/hitch', '--config', hitch, '--quiet', ...(isRoot ? ['--user=_hitch', '--group=_hitch'] : [])],
        ],
      }
    },
  },
} satisfies Record<string, Kind>

export type PastedKind = keyof typeof kinds
export const PASTED_KINDS = Object.keys(kinds) as PastedKind[]

/** @returns why it cannot be tried; undefined: it can */
export const whyNotPasted = (kind: PastedKind): string | undefined =>
  kinds[kind].programs.every((program) => existsSync(program))
    ? undefined
    : `${kind} is not installed (apt-get install ${kinds[kind].packages})`

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts the real program on the pasted file, until the test has ended. @returns the certificate to trust */
export const startPasted = async (kind: PastedKind, ports: Ports): Promise<string> => {
  const folder = mkdtempSync(path.join(tmpdir(), `institute-${kind}-`))
  const { file, start }: Kind = kinds[kind]
  const { private: key, cert } = await generate([{ name: 'commonName', value: kind }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  lay(folder, 'fullchain.pem', cert)
  lay(folder, 'privkey.pem', key)
  lay(folder, 'institute.pem', `${cert}\n${key}`)
  const pasted = lay(folder, file, fitted(file, { ...ports, folder, pasted: '' }))
  const { commands, env } = start({ ...ports, folder, pasted })
  const children: ChildProcess[] = []
  onTestFinished(async () => {
    for (const child of children)
      await endProcess(child, kind === 'apache' || kind === 'varnish' ? 'SIGTERM' : 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let output = ''
  for (const [program = '', ...args] of commands) {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env && { env }) })
    children.push(child)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  }
  const isUp = async () => (await takesConnections(ports.http)) && (await takesConnections(ports.https))
  for (const child of children) await untilUp(child, { isUp, everyMillis: 20, output: () => output })
  const own = path.join(folder, 'caddy/pki/authorities/local/root.crt')
  return kind === 'caddy' ? readFileSync(own, 'utf8') : cert
}
