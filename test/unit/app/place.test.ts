import { expect, test } from 'vitest'
import { commandLine, isService } from '#app/place.ts'

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
