import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startBadMailServer } from '#kit/bad-mail-server.ts'
import { startSmtpSink, type SmtpSinkOptions } from '#kit/smtp-sink.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = path.join(makeFolder(), 'data')
  await command(['migrate', '--data-dir', dataDir])
})

const openSink = async (options?: SmtpSinkOptions) => {
  const sink = await startSmtpSink(options)
  onTestFinished(() => sink.stop())
  return sink
}
const mailTest = (env: Record<string, string> = {}, address = 'owner@example.org') =>
  command(['mail-test', address], { INSTITUTE_DATA_DIR: dataDir, ...env })
const about = (findings: string, what: string) => findings.split('\n').find((line) => line.includes(` ${what} `))

describe('institute mail-test', () => {
  test('sends a mail as the program does, and says what the mail server answered', async () => {
    const sink = await openSink()
    writeFileSync(
      path.join(dataDir, 'institute.conf'),
      `INSTITUTE_SMTP_URL=${sink.url}\nINSTITUTE_MAIL_FROM=office@noor.example.org\n`,
    )
    const { code, stdout, stderr } = await mailTest()
    expect(code).toBe(0)
    expect(stdout).toContain(
      `The mail server ${new URL(sink.url).host} took the mail from office@noor.example.org to owner@example.org. It said: 250 `,
    )
    expect(stderr).not.toContain('not used')
    const unused = await mailTest({ INSTITUTE_SMTP_URL: sink.url.replace('//', '//office:secret@') })
    expect(unused).toMatchObject({ code: 0, stderr: expect.stringContaining('the password were not used') })
    expect((await sink.messages()).slice(0, 1)).toMatchObject([
      { envelope: { from: 'office@noor.example.org', to: ['owner@example.org'] }, subject: 'Test mail' },
    ])
  })

  test('says in which file the mail lies where there is no mail server, and that nothing was sent', async () => {
    const { code, stdout, stderr } = await mailTest()
    expect(code).toBe(1)
    expect(stderr).toContain(
      'Nothing was sent: there is no mail server (INSTITUTE_SMTP_URL); institute mail-setup names one.',
    )
    expect(path.dirname(stdout)).toBe(path.join(dataDir, 'mail-outbox'))
    expect(readFileSync(stdout.trimEnd(), 'utf8')).toContain('To: owner@example.org')
  })

  test('says in plain words why the mail was not taken, and exits 1', async () => {
    const sink = await openSink({ account: { user: 'office', password: 'right' } })
    const url = new URL(sink.url)
    url.password = 'hunter2'
    const refused = await mailTest({ INSTITUTE_SMTP_URL: url.href })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('does not accept the user or the password (INSTITUTE_SMTP_URL)')
    expect(refused.stderr).toContain('535')
    expect(refused.stderr).not.toContain('hunter2')
    const absent = await mailTest({ INSTITUTE_SMTP_URL: 'smtp://127.0.0.1:1' })
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing answers there') })
  })

  test('does not repeat the password in any form, whether the mail server takes the mail or not', async () => {
    const server = await startBadMailServer()
    onTestFinished(() => server.stop())
    const password = 'planted-secret'
    const hex = Buffer.from(password).toString('hex')
    const echo = `<${password}> <${hex.replaceAll(/../g, '%$&')}> <${hex}> <${Buffer.from(`${password}!`).toString('base64')}>`
    for (const [behaviour, code] of [
      [{ AUTH: `535 ${echo}` }, 1],
      [{ dot: `250 ${echo}` }, 0],
    ] as const) {
      server.behave(behaviour)
      const ended = await mailTest({ INSTITUTE_SMTP_URL: server.url(`office:${password}`) })
      expect(ended.code).toBe(code)
      expect(ended.stdout + ended.stderr).toContain('<***> <***> <***> <***>')
    }
  })

  test('takes one address and nothing else', async () => {
    expect(await mailTest({}, 'nobody')).toEqual({ code: 2, stdout: '', stderr: '"nobody" is not an email address.\n' })
  })
})

test('doctor warns of a sender that others refuse, and of no mail server', async () => {
  const sink = await openSink()
  const doctor = async (env: Record<string, string>) =>
    about((await command(['doctor'], { INSTITUTE_DATA_DIR: dataDir, ...env })).stdout, 'mail')
  expect(await doctor({})).toMatch(/^warning .*there is no mail server/)
  expect(await doctor({ INSTITUTE_SMTP_URL: sink.url })).toMatch(/^warning .*institute@localhost, which others refuse/)
  expect(await doctor({ INSTITUTE_SMTP_URL: sink.url, INSTITUTE_MAIL_FROM: 'Noor <a@noor.example.org>' })).toMatch(
    /^ok .*the mail server answers/,
  )
})
