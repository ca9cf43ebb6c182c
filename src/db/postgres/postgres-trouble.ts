import { SYSTEM } from '#executable/system-words.ts'

const MISSING = new Set(['ENOTFOUND', 'EAI_AGAIN'])
const SILENT = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/** What to correct in the setting, by the SQLSTATE code of the error. */
const SETTING: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user or the password: correct them in INSTITUTE_DATABASE_URL',
  '28000': 'lets this user in from here in no way: correct the user in INSTITUTE_DATABASE_URL, or pg_hba.conf there',
  '3D000': 'has no such database: createdb there, or correct the name in INSTITUTE_DATABASE_URL',
}

/** What to do on the server, by SQLSTATE code. */
const SERVER: Readonly<Record<string, string>> = {
  '57P03': 'is starting or stopping: wait a little and try again',
  '53300': 'has no connection left: raise max_connections there to 40 or more above what others need',
  '53100': 'has no room left on its disk: make room there',
  '0A000': 'lacks the extension pg_trgm: sudo apt-get install postgresql-contrib there',
  '42501':
    'does not let this user do what is needed: make the user the owner of the database (alter database … owner to …)',
}

const addressOf = ({ hostname, port, pathname }: URL): string =>
  `Postgres at ${hostname || 'localhost'}:${port || 5432}${pathname === '/' ? '' : `, database ${decodeURIComponent(pathname.slice(1))},`}`

interface Trouble {
  code?: string | undefined
  syscall?: string | undefined
  message: string
}

const isUnanswered = ({ code, syscall, message }: Trouble): boolean =>
  (code !== undefined && SILENT.has(code)) ||
  // The server is named by a Unix socket that does not exist.
  (code === 'ENOENT' && syscall === 'connect') ||
  /^timeout exceeded|^Connection terminated/.test(message)

/**
 * Words an error of a Postgres server or of the connection to it as one line that a person can act on. Never repeats the
 * password.
 * @returns also whether INSTITUTE_DATABASE_URL is what is wrong; undefined: it is another kind of error
 */
export const postgresTrouble = (error: Trouble, url: string): { text: string; isSetting: boolean } | undefined => {
  const { code = '', message } = error
  const place = addressOf(new URL(url))
  if (MISSING.has(code)) {
    const text = `${place} is not to be found: no machine has that name. Correct INSTITUTE_DATABASE_URL.`
    return { text, isSetting: true }
  }
  if (isUnanswered(error)) {
    const text = `${place} does not answer (${code || message}). Is it running (${SYSTEM.postgresState}), and INSTITUTE_DATABASE_URL right?`
    return { text, isSetting: false }
  }
  if (/unsupported startup parameter/i.test(message)) {
    const text = `${place} is PgBouncer, and INSTITUTE_DATABASE_URL does not say so: add pgbouncer=true to it (…/institute?pgbouncer=true).`
    return { text, isSetting: true }
  }
  if (/transaction blocks not allowed in statement pooling mode/i.test(message)) {
    const text = `${place} is PgBouncer in statement mode, which takes no transactions: set pool_mode = transaction there, for this database or for all, and reload it.`
    return { text, isSetting: false }
  }
  const answer = SETTING[code] ?? SERVER[code]
  if (answer !== undefined) return { text: `${place} ${answer} (${message}).`, isSetting: code in SETTING }
  if (!/SSL|certificate/i.test(message)) return undefined
  const text = `${place} and this program do not agree about TLS (${message}). Correct sslmode in INSTITUTE_DATABASE_URL.`
  return { text, isSetting: true }
}
