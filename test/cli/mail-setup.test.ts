import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startSmtpSink, type SmtpSinkOptions } from '#kit/smtp-sink.ts'
import { makeFolder } from './folder.ts'
import { institute, startProgram } from './institute.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = path.join(makeFolder(), 'data')
  await institute(['migrate', '--data-dir', dataDir])
})

const openSink = async (options?: SmtpSinkOptions) => {
  const sink = await startSmtpSink(options)
  onTestFinished(() => sink.stop())
  return { ...sink, host: new URL(sink.url).host }
}
const conf = () => path.join(dataDir, 'institute.conf')
const mailSetup = (
  args: readonly string[],
  { input, env = {} }: { input?: string; env?: Record<string, string> } = {},
) => institute(['mail-setup', ...args], { INSTITUTE_DATA_DIR: dataDir, ...env }, input)

const ACCOUNT = { user: 'office@noor.example.org', password: 'p@ss/w:rd#1' }

describe('institute mail-setup', () => {
  test('sends a test mail, and writes what it went through into institute.conf, where it holds', async () => {
    const sink = await openSink({ account: ACCOUNT })
    writeFileSync(conf(), '# of the office\nINSTITUTE_PORT=8081\nINSTITUTE_MAIL_FROM=old@noor.example.org\n')
    const { code, stdout, stderr } = await mailSetup(
      ['--server', sink.host, '--sender', ACCOUNT.user, '--to', 'owner@example.org', '--password-stdin'],
      { input: `${ACCOUNT.password}\n` },
    )
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Mails come from ${ACCOUNT.user} and go out through ${sink.host}.\n`,
    })
    expect(stderr).toContain('The mail server took it: 250 ')
    expect(stderr).toContain(`${conf()} says so now.`)
    expect(stderr + stdout).not.toContain(ACCOUNT.password)
    expect(statSync(conf()).mode & 0o777).toBe(0o600)
    expect(readFileSync(conf(), 'utf8')).toBe(
      `# of the office\nINSTITUTE_PORT=8081\nINSTITUTE_MAIL_FROM=${ACCOUNT.user}\nINSTITUTE_SMTP_URL=smtp://office%40noor.example.org:p%40ss%2Fw%3Ard%231@${sink.host}\n`,
    )
    expect(await institute(['mail-test', 'owner@example.org'], { INSTITUTE_DATA_DIR: dataDir })).toMatchObject({
      code: 0,
    })
    expect(await sink.messages()).toMatchObject(
      [1, 2].map(() => ({ envelope: { from: ACCOUNT.user, to: ['owner@example.org'] }, subject: 'Test mail' })),
    )
  })

  test('keeps nothing that does not work, says why, and exits 1; with --untested it keeps it', async () => {
    const sink = await openSink({ account: ACCOUNT })
    const args = ['--server', sink.host, '--sender', ACCOUNT.user, '--password-stdin']
    const refused = await mailSetup(args, { input: 'hunter2' })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('does not accept the user or the password')
    expect(refused.stderr).toContain('Nothing was changed')
    expect(refused.stderr).not.toContain('hunter2')
    expect(() => statSync(conf())).toThrow('ENOENT')
    expect(await mailSetup([...args, '--untested'], { input: 'hunter2' })).toMatchObject({ code: 0 })
    expect(readFileSync(conf(), 'utf8')).toContain(`:hunter2@${sink.host}\n`)
  })

  test('knows the mail servers of the usual providers', async () => {
    for (const [provider, url] of [
      ['gmail', 'smtp://a%40noor.example.org:secret@smtp.gmail.com:587'],
      ['microsoft', 'smtp://a%40noor.example.org:secret@smtp.office365.com:587'],
      ['yahoo', 'smtps://a%40noor.example.org:secret@smtp.mail.yahoo.com:465'],
      ['zoho', 'smtps://a%40noor.example.org:secret@smtp.zoho.com:465'],
    ] as const) {
      const args = ['--provider', provider, '--sender', 'a@noor.example.org', '--password-stdin', '--untested']
      expect((await mailSetup(args, { input: 'secret' })).code).toBe(0)
      expect(readFileSync(conf(), 'utf8')).toContain(`INSTITUTE_SMTP_URL=${url}\n`)
    }
    const own = ['--server', 'mail.example.org:465', '--user', '', '--sender', 'a@noor.example.org', '--untested']
    expect((await mailSetup(own)).code).toBe(0)
    expect(readFileSync(conf(), 'utf8')).toContain('INSTITUTE_SMTP_URL=smtps://mail.example.org:465\n')
  })

  test('says to a running program’s people that it has to be started again', async () => {
    const server = await startProgram(dataDir)
    const args = ['--server', 'mail.example.org', '--user', '', '--sender', 'a@noor.example.org', '--untested']
    expect((await mailSetup(args)).stderr).toContain('takes it up when it starts: stop it, and start it again.')
    await server.stop()
    expect((await mailSetup(args)).stderr).not.toContain('is running')
  })

  test.each<[string[], string]>([
    [[], 'institute mail-setup needs --provider (gmail, microsoft, yahoo, zoho, own) or --server.'],
    [['--provider', 'aol'], '"aol" is no provider: it is one of gmail, microsoft, yahoo, zoho, own.'],
    [['--provider', 'gmail', '--sender', 'مكتب@example.org'], '"مكتب@example.org" is not an email address.'],
    [
      ['--server', 'no host', '--user', '', '--sender', 'a@b.example'],
      'host: Must be the name or address of a mail server.',
    ],
    [['--provider', 'gmail'], 'There is no terminal to ask: The address that mails come from'],
    [
      ['--provider', 'gmail', '--sender', 'a@b.example'],
      'There is no terminal to ask for the password: send it to standard input with --password-stdin.',
    ],
  ])('%j is wrong usage', async (args, says) => {
    expect(await mailSetup([...args, '--untested'])).toEqual({ code: 2, stdout: '', stderr: `${says}\n` })
  })

  test('changes nothing where the environment names the mail server', async () => {
    const fixed = await mailSetup(['--provider', 'gmail'], { env: { INSTITUTE_SMTP_URL: 'smtp://mail.example.org' } })
    expect(fixed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('come before institute.conf: change it there'),
    })
  })
})
