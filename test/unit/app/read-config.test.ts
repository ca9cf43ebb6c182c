import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SENDER, DEFAULTS } from '#app/config/config.ts'
import { readConfig, SETTINGS, WrongSetting } from '#app/config/read-config.ts'
import { TEST_VENDOR } from '#kit/vendor.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'institute-config-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const write = (text: string) => writeFileSync(path.join(dataDir, 'institute.conf'), text)
const messageOf = (work: () => void): string => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
const read = (environment: Record<string, string> = {}, flags: Record<string, string> = {}) =>
  readConfig(flags, { INSTITUTE_DATA_DIR: dataDir, ...environment })

describe('the configuration', () => {
  test('without a word is the defaults', () => {
    expect(read()).toEqual({ config: { ...DEFAULTS, dataDir }, unknownKeys: [] })
    expect(readConfig({}, {}).config.dataDir).toBe(path.resolve('data'))
  })

  test('is the same with every default given, as --help and the sample of institute.conf show them', () => {
    const given = Object.entries(SETTINGS).flatMap(([key, setting]) =>
      setting.default === undefined || key === 'INSTITUTE_DATA_DIR' ? [] : [[key, setting.default]],
    )
    expect(given.length).toBeGreaterThan(20)
    // What the environment gives is not for the wizard or the owner to change.
    const fixed = { mailFrom: DEFAULT_SENDER, mailIsFixed: true, lanNameIsFixed: true }
    expect(read(Object.fromEntries(given)).config).toEqual({ ...DEFAULTS, dataDir, ...fixed })
  })

  test('comes from flags before the environment before institute.conf', () => {
    write('INSTITUTE_PORT=1\nINSTITUTE_HOST=10.0.0.1\nINSTITUTE_LOG_LEVEL=debug\n')
    const { config } = read({ INSTITUTE_PORT: '2', INSTITUTE_HOST: '10.0.0.2' }, { INSTITUTE_PORT: '3' })
    expect(config).toMatchObject({ port: 3, host: '10.0.0.2', logLevel: 'debug' })
  })

  test('takes an empty value for none', () => {
    write('INSTITUTE_PORT=81\n')
    expect(read({ INSTITUTE_PORT: '' }).config.port).toBe(81)
  })

  test('file has blank lines, comments, spaces and quotes', () => {
    write('\n# a comment\n  INSTITUTE_PORT = 81 \r\nINSTITUTE_MAIL_FROM="Alia <alia@example.org>"\n')
    expect(read().config).toMatchObject({ port: 81, mailFrom: 'Alia <alia@example.org>' })
  })

  test('names the INSTITUTE_ keys of the environment that it does not know', () => {
    expect(read({ INSTITUTE_PROT: '80', PATH: '/bin' }).unknownKeys).toEqual(['INSTITUTE_PROT'])
  })

  test('blocks private addresses of webhooks in cloud mode unless told otherwise', () => {
    expect(read({ INSTITUTE_MODE: 'cloud' }).config.webhookBlockPrivate).toBe(true)
    expect(read({ INSTITUTE_MODE: 'cloud', INSTITUTE_WEBHOOK_BLOCK_PRIVATE: 'off' }).config.webhookBlockPrivate).toBe(
      false,
    )
    expect(read().config.webhookBlockPrivate).toBe(false)
  })

  test.each([
    ['INSTITUTE_TRUST_PROXY', 'off', { trustedProxies: 0 }],
    ['INSTITUTE_TRUST_PROXY', '2', { trustedProxies: 2 }],
    ['INSTITUTE_WEBHOOK_BACKOFF_SEC', '1, 2,3,4', { webhookBackoffSeconds: [1, 2, 3, 4] }],
    ['INSTITUTE_BASE_URL', 'https://school.example/', { baseUrl: 'https://school.example' }],
    ['INSTITUTE_OTHER_HOSTS', 'Office.lan, 10.8.0.1', { otherHosts: ['office.lan', '10.8.0.1'] }],
    ['INSTITUTE_LAN_NAME', 'Office', { lanName: 'office' }],
    ['INSTITUTE_LAN_NAME', 'off', { lanName: undefined }],
    [
      'INSTITUTE_FORMER_LAN_NAMES',
      'office/2027-01-31,school/2027-02-15',
      {
        formerLanNames: [
          { label: 'office', until: '2027-01-31' },
          { label: 'school', until: '2027-02-15' },
        ],
      },
    ],
    ['INSTITUTE_MASTER_KEY', Buffer.alloc(32, 5).toString('base64url'), { masterKey: Buffer.alloc(32, 5) }],
    ['INSTITUTE_REGISTRATION', 'on', { registration: true }],
  ])('%s=%s', (key, value, expected) => {
    expect(read({ [key]: value }).config).toMatchObject(expected)
  })
})

describe('a wrong value stops the start with one line naming the key, the value and what is allowed', () => {
  test.each([
    ['INSTITUTE_MODE', 'clowd', 'INSTITUTE_MODE=clowd: must be self_hosted or cloud.'],
    ['INSTITUTE_PORT', '65536', 'INSTITUTE_PORT=65536: must be 0 to 65535.'],
    ['INSTITUTE_PORT', '-1', 'INSTITUTE_PORT=-1: must be 0 to 65535.'],
    ['INSTITUTE_PORT', '8o8o', 'INSTITUTE_PORT=8o8o: must be 0 to 65535.'],
    [
      'INSTITUTE_OTHER_HOSTS',
      'office.lan:8080',
      'INSTITUTE_OTHER_HOSTS=office.lan:8080: must be names and addresses, separated by commas, such as office.lan,10.8.0.1.',
    ],
    ...['office.local', 'my office', '-a', 'مكتب'].map((name) => [
      'INSTITUTE_LAN_NAME',
      name,
      `INSTITUTE_LAN_NAME=${name}: must be letters, digits and hyphens, such as office; or off.`,
    ]),
    ['INSTITUTE_TRUST_PROXY', 'on', 'INSTITUTE_TRUST_PROXY=on: must be off, or 1 to 10.'],
    ...['school.example', 'https://school.example/office', 'https://school.example/?a=1'].map((address) => [
      'INSTITUTE_BASE_URL',
      address,
      `INSTITUTE_BASE_URL=${address}: must be http://… or https://… with no path behind the host, because pages and API lie at the root of the server.`,
    ]),
    [
      'INSTITUTE_WEBHOOK_BACKOFF_SEC',
      '60,300',
      'INSTITUTE_WEBHOOK_BACKOFF_SEC=60,300: must be four waits in seconds, such as 60,300,1800,7200.',
    ],
  ])('%s=%s', (key, value, message) => {
    expect(() => read({ [key]: value })).toThrow(new WrongSetting(message))
  })

  test.each(Object.entries(SETTINGS).filter(([, { secret }]) => secret))('and never repeats a secret: %s', (key) => {
    expect(() => read({ [key]: 'hunter2' })).toThrow(new RegExp(`^${key}=\\(not shown\\): must be `))
  })

  test('in institute.conf with its line, unless something that counts more is given', () => {
    write('# first\nINSTITUTE_PORT=x\n')
    expect(() => read()).toThrow(
      new WrongSetting(`${dataDir}/institute.conf, line 2: INSTITUTE_PORT=x: must be 0 to 65535.`),
    )
    expect(read({ INSTITUTE_PORT: '80' }).config.port).toBe(80)
    expect(() => read({ INSTITUTE_PORT: 'y' })).toThrow(new WrongSetting('INSTITUTE_PORT=y: must be 0 to 65535.'))
  })
})

describe('a line of institute.conf that is no setting stops the start, with what to do about it', () => {
  test.each([
    ['institute_port=80', 'institute_port must be written INSTITUTE_PORT.'],
    ['port=80', 'port must be written INSTITUTE_PORT.'],
    ['smtp-url = smtp://x', 'smtp-url must be written INSTITUTE_SMTP_URL.'],
    ['INSTITUTE_PROT=80', 'INSTITUTE_PROT is no setting of this program; institute --help lists them.'],
    ['export INSTITUTE_PORT=80', 'leave "export" out; it must begin with INSTITUTE_PORT=.'],
    ['INSTITUTE_PORT: 80', 'it must be written INSTITUTE_PORT=value, with =.'],
    ['INSTITUTE_PORT', 'INSTITUTE_PORT has no value; it must be written INSTITUTE_PORT=value.'],
    ['INSTITUTE_DATA_DIR=/elsewhere', /^INSTITUTE_DATA_DIR cannot stand in institute\.conf/],
    ['[server]', /^it is no setting, written KEY=value /],
    ['OTHER=2', /^it is no setting, written KEY=value /],
  ])('%s', (line, expected) => {
    write(`\n${line}\n`)
    const [, told] = /^(?:.*)institute\.conf, line 2: (.*)$/.exec(messageOf(() => read())) ?? []
    expect(told).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  test.each(['hunter2==', 'password hunter2', 'hunter2: yes', '"hunter2"'])(
    'and never repeats a secret: %s',
    (line) => {
      write(`${line}\n`)
      expect(messageOf(() => read())).not.toContain('hunter2')
    },
  )

  test('with a mark at its beginning and CRLF, as Windows writes it, it is as good as any', () => {
    write('\uFEFFINSTITUTE_PORT="81"\r\n\r\nINSTITUTE_LOG_LEVEL=debug\r\n')
    expect(read().config).toMatchObject({ port: 81, logLevel: 'debug' })
  })

  test('in two bytes a letter it is no plain text', () => {
    writeFileSync(path.join(dataDir, 'institute.conf'), Buffer.from('\uFEFFINSTITUTE_PORT=81\n', 'utf16le'))
    expect(messageOf(() => read())).toMatch(/institute\.conf is no plain text: save it again as UTF-8\.$/)
  })
})

describe('settings that hang together', () => {
  test.each([
    [{ INSTITUTE_BACKUP_KEEP: '0' }, 'INSTITUTE_BACKUP_KEEP is 0'],
    [{ INSTITUTE_DATABASE_URL: 'postgres://x/y' }, 'the database is in Postgres'],
    [{ INSTITUTE_MODE: 'cloud' }, 'INSTITUTE_MODE is cloud'],
  ])('where no nightly backup is made, none can be taken anywhere: %j', (settings, why) => {
    const refused = new WrongSetting(
      `INSTITUTE_BACKUP_TO and INSTITUTE_BACKUP_COMMAND: must be left out where no nightly backup is made (${why}).`,
    )
    expect(() => read({ ...settings, INSTITUTE_BACKUP_TO: '/mnt/share' })).toThrow(refused)
    expect(() => read({ ...settings, INSTITUTE_BACKUP_COMMAND: '/bin/true' })).toThrow(refused)
    expect(read(settings).config.backups).toMatchObject({ to: undefined, command: undefined })
  })

  test('what takes backups elsewhere leaves their number alone', () => {
    expect(read({ INSTITUTE_BACKUP_TO: '/mnt/share', INSTITUTE_BACKUP_COMMAND: '/bin/true' }).config.backups).toEqual({
      keep: 14,
      to: { folder: '/mnt/share' },
      key: undefined,
      command: '/bin/true',
    })
  })

  test('backups go into a bucket, or into a folder of it; what is wrong is refused without its secret', () => {
    const bucketOf = (address: string) => read({ INSTITUTE_BACKUP_TO: address }).config.backups.to
    const s3 = { host: 'store.example', bucket: 'backups', region: 'eu-1', keyId: 'A', secret: 'b/c', isPlain: false }
    expect(bucketOf('s3://A:b%2Fc@store.example/backups?region=eu-1')).toMatchObject({ s3, under: '' })
    expect(bucketOf('s3://A:b%2Fc@store.example/backups/al-amal/2026/?region=eu-1')).toMatchObject({
      s3,
      under: 'al-amal/2026/',
    })
    for (const wrong of [
      's3://store.example/backups',
      's3://A:hidden@store.example/backups/a//b',
      's3://A:hidden@h/B',
    ]) {
      expect(() => bucketOf(wrong)).toThrow(/^INSTITUTE_BACKUP_TO=(?!.*hidden).*: must be a folder, or s3:/)
    }
  })

  test('a certificate needs its key, and a key its certificate', () => {
    const together = new WrongSetting('INSTITUTE_TLS_CERT and INSTITUTE_TLS_KEY: must be given together.')
    expect(() => read({ INSTITUTE_TLS_CERT: 'c.pem' })).toThrow(together)
    expect(() => read({ INSTITUTE_TLS_KEY: 'k.pem' })).toThrow(together)
    expect(read({ INSTITUTE_TLS_CERT: '/c.pem', INSTITUTE_TLS_KEY: '/k.pem' }).config.tls).toEqual({
      certFile: '/c.pem',
      keyFile: '/k.pem',
    })
  })

  describe('the zone of the vendor', () => {
    const given = {
      INSTITUTE_LAN_ZONE: 'Lan.Vendor.example.',
      INSTITUTE_LAN_ZONE_SERVERS: 'ns1.vendor.example, ns2.org',
    }
    const zone = { name: 'lan.vendor.example', nameServers: ['ns1.vendor.example', 'ns2.org'] }

    test.each([
      [undefined, { host: '0.0.0.0', port: 53 }],
      ['127.0.0.1:5300', { host: '127.0.0.1', port: 5300 }],
      ['[::]:53', { host: '::', port: 53 }],
      ['off', undefined],
    ])('is answered at %s', (where, listen) => {
      expect(read({ ...given, ...(where && { INSTITUTE_LAN_ZONE_DNS: where }) }).config.lanZone).toEqual({
        ...zone,
        listen,
      })
    })

    test.each([
      ['INSTITUTE_LAN_ZONE', 'lan'],
      ['INSTITUTE_LAN_ZONE', 'lan..vendor.example'],
      ['INSTITUTE_LAN_ZONE', '10.0.0.1'],
      ['INSTITUTE_LAN_ZONE_SERVERS', 'ns1.vendor.example,,ns2.org'],
      ['INSTITUTE_LAN_ZONE_DNS', '53'],
      ['INSTITUTE_LAN_ZONE_DNS', 'vendor.example:53'],
      ['INSTITUTE_LAN_ZONE_DNS', '0.0.0.0:70000'],
    ])('%s is not %s', (key, value) => {
      expect(() => read({ ...given, [key]: value })).toThrow(`${key}=${value}: must be`)
    })

    test('is none unless its name servers are named with it', () => {
      expect(read({}).config.lanZone).toBeUndefined()
      for (const [key, value] of Object.entries({ ...given, INSTITUTE_LAN_ZONE_DNS: 'off' })) {
        expect(() => read({ [key]: value })).toThrow('must be given together')
      }
    })
  })

  describe('the vendor of licences', () => {
    const KEY = TEST_VENDOR.publicKey.text
    const given = (url: string, key = KEY) => ({
      INSTITUTE_LICENSE_VENDOR_URL: url,
      INSTITUTE_LICENSE_PUBLIC_KEY: key,
    })

    test.each([
      ['https://vendor.example.org', 'https://vendor.example.org'],
      ['https://vendor.example.org:8443/', 'https://vendor.example.org:8443'],
      ['http://localhost:8080', 'http://localhost:8080'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
      ['http://[::1]:8080', 'http://[::1]:8080'],
    ])('is reached at %s', (url, vendorUrl) => {
      const { license } = read({ ...given(url), INSTITUTE_LICENSE_HEARTBEAT_SEC: '60' }).config
      expect(license).toMatchObject({ vendorUrl, heartbeatSeconds: 60, publicKey: { text: KEY } })
    })

    test.each([
      'http://vendor.example.org',
      'http://192.168.1.20',
      'http://127.0.0.1.example.org',
      'https://vendor.example.org/path',
      'https://vendor.example.org/?query',
      'https://user:password@vendor.example.org',
      'ftp://vendor.example.org',
      'vendor.example.org',
    ])('is not reached at %s', (url) => {
      expect(() => read(given(url))).toThrow(/INSTITUTE_LICENSE_VENDOR_URL=.*: must be the root of a server/)
    })

    test.each([KEY.slice(1), `${KEY}=`, `${KEY.slice(0, -1)}!`, Buffer.alloc(32).toString('base64url')])(
      'does not have the key %s',
      (key) => {
        expect(() => read(given('https://vendor.example.org', key))).toThrow(/INSTITUTE_LICENSE_PUBLIC_KEY=/)
      },
    )

    test('needs both, an address and a key', () => {
      const together = new WrongSetting(
        'INSTITUTE_LICENSE_VENDOR_URL and INSTITUTE_LICENSE_PUBLIC_KEY: must be given together.',
      )
      expect(() => read({ INSTITUTE_LICENSE_VENDOR_URL: 'https://vendor.example.org' })).toThrow(together)
      expect(() => read({ INSTITUTE_LICENSE_PUBLIC_KEY: KEY })).toThrow(together)
      expect(read({}).config.license).toEqual({
        vendorUrl: undefined,
        publicKey: undefined,
        heartbeatSeconds: 21_600,
      })
    })
  })
})
