import { postgresTrouble } from '#db/postgres/postgres-trouble.ts'
import { MailError } from '#ports/mail/port.ts'
import { CannotOpen } from '#runtime/secrets/vault.ts'
import { masterKeyCommand } from '#app/data-dir/restore-commands.ts'
import type { Config } from '#app/config/config.ts'
import { databaseTrouble } from './database-trouble.ts'
import { fileTrouble } from '#app/trouble/file-trouble.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { dataDirOf, readConfig } from '#app/config/read-config.ts'

type Where = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl' | 'masterKey'>>

/** Says that the master key is not the one of this database, and what to do. */
export const foreignKey = ({ dataDir, masterKey }: Where): string =>
  masterKey === undefined
    ? `The master key in ${dataDir} does not belong to this database; bring back the one that does: ${masterKeyCommand(dataDir)}`
    : 'The master key in INSTITUTE_MASTER_KEY does not belong to this database; give the one that does'

/** The error with the code. Node wraps the errors of several tried addresses into one without a message. */
const innermost = (error: unknown): unknown => {
  if (error instanceof AggregateError && error.message === '') return error.errors[0]
  const { cause, code } = error as { cause?: unknown; code?: unknown }
  const { code: codeOfCause } = (cause ?? {}) as { code?: unknown }
  return code === undefined && codeOfCause !== undefined ? cause : error
}

/** Words an error as one line that a person can act on: what is wrong, where, and what to do. */
export const explained = (error: unknown, where: Where): Error => {
  if (error instanceof Mistake) return error
  if (error instanceof CannotOpen) return new Error(`${foreignKey(where)}.`)
  if (error instanceof MailError && !error.permanent) {
    return new Error(
      `${error.message}; correct INSTITUTE_SMTP_URL, or see why this machine cannot reach the mail server.`,
    )
  }
  const known = innermost(error) as NodeJS.ErrnoException
  const { dataDir, databaseUrl } = where
  const ofPostgres = databaseUrl === undefined ? undefined : postgresTrouble(known, databaseUrl)
  if (ofPostgres) return ofPostgres.isSetting ? new Mistake(ofPostgres.text) : new Error(ofPostgres.text)
  const ofFiles = databaseTrouble(known, dataDir) ?? fileTrouble(known, dataDir)
  return ofFiles ?? (error instanceof Error && error.message !== '' ? error : new Error(known.message || String(known)))
}

/** The same for a command with these flags, whose configuration may itself be the problem. */
export const explainedFor = (error: unknown, flags: Readonly<Record<string, string | undefined>>): Error => {
  try {
    return explained(error, readConfig(flags).config)
  } catch {
    return explained(error, { dataDir: dataDirOf(flags) })
  }
}
