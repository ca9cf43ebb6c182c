import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import PostalMime from 'postal-mime'
import type { Deployment } from './deployment.ts'
import { until } from './until.ts'

const MAIL_MILLIS = 30_000

type Mailing = Pick<Deployment, 'dataDirs'>

/** The mails that the processes keep while they have no mail server. */
const mailsOf = ({ dataDirs }: Mailing): string[] =>
  dataDirs
    .map((dataDir) => path.join(dataDir, 'mail-outbox'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => file.endsWith('.eml'))

/** Waits for the mail to an address whose link leads to a page. @returns the token of the link */
export const mailedToken = async (deployment: Mailing, email: string, page: string): Promise<string> => {
  const link = new RegExp(String.raw`/${page}\?token=(\S+)`)
  let found = ''
  await until(async () => {
    for (const file of mailsOf(deployment)) {
      const { text = '', to = [] } = await PostalMime.parse(readFileSync(file))
      const [, token] = link.exec(text) ?? []
      if (token !== undefined && to.some(({ address }) => address === email)) found = token
    }
    return found !== ''
  }, MAIL_MILLIS)
  return found
}
