import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import { optOutLink, type OptOutTarget } from '#modules/notifications/preferences/opt-out-link.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { inAMinute, newSession } from '../api/examples/sessions.ts'
import { startApp, type TestApp } from './app.ts'
import { newFamily, type TestFamily } from './family.ts'
import { makeInstitute, type TestInstitute } from './institute.ts'
import { startSmtpSink, type ParsedMail, type SmtpSink } from './smtp-sink.ts'

/** What the links of mails begin with. */
export const BASE = 'https://school.example'
const TOKEN_SECONDS = 100 * 24 * 3600

/** What a browser accepts that shows a page. */
export const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

/** What mail programs send (RFC 8058). */
export const ONE_CLICK = {
  form: { raw: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  multipart: {
    raw: '--xyz\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--xyz--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  },
}

export const headerOf = (mail: ParsedMail | undefined, name: string): string | undefined =>
  mail?.headers.find(({ key }) => key === name)?.value

/** The path and query of the link in a mail's header, at the root of the server. */
export const linkIn = (mail: ParsedMail | undefined): string => {
  const [, link = ''] = /^<(.+)>$/.exec(headerOf(mail, 'list-unsubscribe') ?? '') ?? []
  expect(link.startsWith(`${BASE}/unsubscribe?token=`), link).toBe(true)
  return `/${link.slice(BASE.length)}`
}

/** Where the only button of a page leads. */
const actionOf = ({ body }: { body: string }): string => {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(body) ?? []
  expect(body.match(/<button/g)).toHaveLength(1)
  return action
}

/** The address of the page's button after mails were stopped by this link. */
export const undoOf = (link: string): string => link.replace('/unsubscribe', '/unsubscribe/undo')

/** One app for a file of tests, whose mails go to a mail server, with an institute and a family for each test. */
class OptOuts {
  sink!: SmtpSink
  app!: TestApp
  institute!: TestInstitute
  family!: TestFamily
  /** What the program has logged. */
  readonly logged: string[] = []
  /** How many mails the server had before the test. */
  #earlier = 0

  readonly fresh = async (): Promise<void> => {
    this.institute = await makeInstitute(this.app)
    this.family = await newFamily(this.institute)
    this.#earlier = (await this.sink.messages()).length
  }

  readonly mails = async (): Promise<ParsedMail[]> => (await this.sink.messages()).slice(this.#earlier)
  readonly mailsTo = async (address: string): Promise<ParsedMail[]> =>
    (await this.mails()).filter(({ envelope }) => envelope.to.includes(address))
  readonly lastLink = async (address: string): Promise<string> => linkIn((await this.mailsTo(address)).at(-1))

  /** Marks the family's student absent in a new lesson: both parents hear of it. */
  readonly absence = async (): Promise<void> => {
    const { institute, family, app } = this
    const sessionId = await newSession(institute, family.groupId, inAMinute(app))
    const entries = [{ studentId: family.studentId, status: 'absent' }]
    await institute.owner.put(`/sessions/${sessionId}/attendance`, { entries })
    await app.drain()
  }

  /** Sends by hand. */
  readonly send = (recipients: object, channels = ['email']) =>
    this.institute.owner.post('/notifications/send', {
      templateKey: 'message',
      data: { title: 'Closed', message: 'We are closed.' },
      channels,
      recipients,
    })

  readonly log = async () => (await this.institute.owner.get('/notifications?limit=100&channel=email')).body.data
  /** What became of the mails to an address, newest first: why they were skipped, or their status. */
  readonly reasonsFor = async (address: string): Promise<string[]> =>
    (await this.log())
      .filter(({ recipient }: { recipient: { address: string } }) => recipient.address === address)
      .map(({ status, reason }: { status: string; reason: string | null }) => reason ?? status)

  /** A link that the server would send; by default to an address that nobody has. */
  readonly linkFor = (target: Partial<OptOutTarget>): string => {
    const { id: tenantId } = this.institute.tenant
    const all: OptOutTarget = { tenantId, locale: 'en', who: { email: 'a@example.org' }, ...target }
    return `/${optOutLink(BASE, this.app.app.vault, all).slice(BASE.length)}`
  }

  /** What a mail program does when somebody stops the mails there. */
  readonly click = (link: string) => this.app.send('POST', link, ONE_CLICK.form)
  readonly open = (link: string, headers: Record<string, string> = HTML) => this.app.send('GET', link, { headers })
  /** Presses the page's button, as a browser does. */
  readonly press = (page: { body: string }) => {
    const headers = { ...HTML, ...ONE_CLICK.form.headers, origin: 'null' }
    return this.app.send('POST', `/${actionOf(page)}`, { raw: '', headers })
  }

  /** What a link can change. */
  readonly rows = async () => {
    const { read } = this.app.app.database
    const out = read.selectFrom('email_opt_out').selectAll().where('tenant_id', '=', this.institute.tenant.id)
    return {
      out: await out.orderBy('email_key').execute(),
      preferences: await read.selectFrom('notification_preference').selectAll().execute(),
      audits: (await read.selectFrom('audit_entry').select('id').execute()).length,
    }
  }
}

/** Call it once, outside the tests. */
export const useOptOuts = (): OptOuts => {
  const at = new OptOuts()
  beforeAll(async () => {
    at.sink = await startSmtpSink()
    at.app = await startApp({
      openMailer: () => createSmtpMailer({ url: at.sink.url, from: 'office@example.org', clock: systemClock }),
      config: { baseUrl: BASE, accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
      log: pino({ level: 'trace' }, { write: (line: string) => at.logged.push(line) }),
    })
  })
  afterAll(async () => {
    await at.app.close()
    await at.sink.stop()
  })
  beforeEach(at.fresh)
  return at
}
