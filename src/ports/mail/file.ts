import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { moveFile } from '#executable/to-disk.ts'
import { newId } from '#kernel/basics/ids.ts'
import { once } from '#kernel/basics/once.ts'
import { createMailer, type MailerOptions } from './mailer.ts'
import { MailError, type Mailer } from './port.ts'

export interface FileMailerOptions extends MailerOptions {
  /** Created if it does not exist, with access for the owner only: mails contain invitations and password links. */
  folder: string
}

/** Stores each mail as an RFC 5322 file (.eml, mode 0600). The file names sort in the order of sending. */
export const createFileMailer = ({ folder, ...options }: FileMailerOptions): Mailer => {
  const transport = once(() => createTransport({ streamTransport: true, buffer: true, newline: 'windows' }))
  const mailer = createMailer(options, async (message) => {
    const instant = options.clock.now().replace(/[-:.]/g, '')
    // The ids of one process ascend, so they order mails of the same millisecond.
    const name = `${instant}-${newId()}`
    const draft = join(folder, `.${name}.part`)
    const file = join(folder, `${name}.eml`)
    try {
      const { message: content } = await transport().sendMail(message)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true })
      await moveFile(draft, file)
      return { answer: file, passwordUnused: false }
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw new MailError(`the mail could not be stored in ${folder}: ${(error as Error).message}`, false)
    }
  })
  return { ...mailer, keepsMails: true }
}
