import { afterAll, beforeAll } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import type { MailError, Mail } from '#ports/mail/port.ts'
import { startApp, type TestApp } from './app.ts'
import type { Client } from './client.ts'
import { grant } from './grant.ts'
import { makeInstitute, type TestInstitute } from './institute.ts'

const TOKEN_SECONDS = 100 * 24 * 3600

type InstituteOptions = NonNullable<Parameters<typeof makeInstitute>[1]>

/** A message that staff write themselves. */
const message = { templateKey: 'message', data: { title: 'Closed', message: 'We are closed.\n\nSee you on Monday.' } }

/** One app for a file of tests, with a mail server that answers as the test says, and an institute for each test. */
class MailApp {
  app!: TestApp
  institute!: TestInstitute
  /** How the mail server refuses; undefined: it accepts. */
  refusal: MailError | undefined
  /** What was handed to the mail server, accepted or not. */
  mails: Mail[] = []

  readonly fresh = async (options: InstituteOptions = {}): Promise<void> => {
    this.refusal = undefined
    this.mails = []
    this.institute = await makeInstitute(this.app, options)
  }

  /** Limits the messages of a month, as a plan would. */
  readonly limit = (maxMonthlyMessages: number): Promise<void> =>
    grant(this.app, this.institute, { quotas: { maxMonthlyMessages } })

  /** Sends by mail, unless `more` says otherwise. */
  readonly send = (recipients: object, more: object = {}, as: Client = this.institute.owner) =>
    as.post('/notifications/send', { ...message, channels: ['email'], recipients, ...more })

  readonly log = async (query = '', as: Client = this.institute.owner) =>
    (await as.get(`/notifications?limit=100${query}`)).body.data

  readonly newStudent = async (fields: object, branchId = this.institute.branchId): Promise<string> =>
    (await this.institute.owner.post('/students', { branchId, firstName: 'Noor', lastName: 'Haddad', ...fields })).body
      .id

  /** @returns the id of a student with an email address */
  readonly student = (fields: object = {}): Promise<string> =>
    this.newStudent({ email: `s${newId()}@example.org`, ...fields })
}

/** Call it once, outside the tests. */
export const useMailApp = (): MailApp => {
  const at = new MailApp()
  beforeAll(async () => {
    at.app = await startApp({
      config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
      openMailer: () => ({
        send: async (mail) => {
          at.mails.push(mail)
          if (at.refusal) throw at.refusal
          return { answer: 'taken', passwordUnused: false }
        },
        close: async () => {},
      }),
    })
  })
  afterAll(() => at.app.close())
  return at
}
