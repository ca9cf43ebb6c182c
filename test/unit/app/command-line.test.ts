import { expect, test } from 'vitest'
import { commandLine, isService } from '#app/explain/command-line.ts'
import { lanUrls } from '#app/process/lan-addresses.ts'

test.each([
  ['/var/lib/institute', true, '/opt/institute/institute', 'institute backup'],
  ['/srv/data', true, '/opt/institute/institute', '/opt/institute/institute backup --data-dir /srv/data'],
  [
    "/srv/it's",
    true,
    '/home/noor/my files/institute',
    "'/home/noor/my files/institute' backup --data-dir '/srv/it'\\''s'",
  ],
  [`${process.cwd()}/data`, false, '/usr/bin/node', 'npm run institute -- backup'],
  ['/srv/data', false, '/usr/bin/node', 'npm run institute -- backup --data-dir /srv/data'],
])('a command on the data in %s (executable: %j, %s) is %s', (dataDir, isExecutable, program, line) => {
  expect(commandLine({ dataDir }, isExecutable, program)('backup')).toBe(line)
})

test.each([
  ['/var/lib/institute', ['/run/systemd/system', '/etc/systemd/system/institute.service'], true],
  ['/var/lib/institute', ['/run/systemd/system'], false],
  ['/var/lib/institute', ['/etc/systemd/system/institute.service'], false],
  ['/srv/data', ['/run/systemd/system', '/etc/systemd/system/institute.service'], false],
])('the institute in %s, where there is %j, is a service: %j', (dataDir, there, expected) => {
  expect(isService({ dataDir }, (file) => there.includes(file))).toBe(expected)
})

const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4' as const, internal: true }],
  eth0: [
    { address: '192.168.1.20', family: 'IPv4' as const, internal: false },
    { address: 'fe80::1', family: 'IPv6' as const, internal: false },
  ],
  docker0: [{ address: '172.17.0.1', family: 'IPv4' as const, internal: false }],
  wlan0: [{ address: '10.0.0.7', family: 'IPv4' as const, internal: false }],
}

test.each([
  [{ host: '0.0.0.0' }, [], ['http://192.168.1.20:8080', 'http://10.0.0.7:8080']],
  [
    { host: '::', tls: { certFile: 'cert', keyFile: 'key' } },
    [],
    ['https://192.168.1.20:8080', 'https://10.0.0.7:8080'],
  ],
  [{ host: '10.0.0.7' }, [], ['http://10.0.0.7:8080']],
  [{ host: '127.0.0.1' }, [], []],
  [{ host: '0.0.0.0' }, ['/.dockerenv'], []],
])('a server on %j, beside %j, is offered as %j', (where, there: string[], addresses) => {
  const config = { port: 8080, tls: undefined, ...where }
  expect(lanUrls(config, INTERFACES, (file) => there.includes(file))).toEqual(addresses)
})
