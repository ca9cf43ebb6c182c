import * as v from 'valibot'
import { LOCALES, type Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { RECIPIENT_KINDS } from '../tables.ts'
import { findUsers } from './accounts.ts'
import type { Found } from './records.ts'

/** A person as messages are sent to them. It is a schema, because the job that sends a message by hand carries people. */
export const Person = v.object({
  kind: v.picklist(RECIPIENT_KINDS),
  id: v.string(),
  /** null: they have no active account here. */
  userId: v.nullable(v.string()),
  /** Their account, active or not: its preferences also apply to somebody who has left. */
  accountId: v.nullable(v.string()),
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  locale: v.picklist(LOCALES),
  branchId: v.nullable(v.string()),
  /** The names of the students because of whom they get a message. */
  students: v.array(v.string()),
})
export type Person = v.InferOutput<typeof Person>

/** The active accounts behind records, by their ids. */
export type Accounts = ReadonlyMap<string, Found>

export const accountsOf = async (whole: ScopedDb, found: readonly Found[]): Promise<Accounts> => {
  const userIds = found.flatMap(({ userId }) => userId ?? [])
  return new Map((await findUsers(whole, userIds)).map((account) => [account.id, account]))
}

/**
 * Turns records into people. All records of one active account become one person, with the email address and the language
 * of the account. Everybody comes once, with all their children.
 * @param defaultLocale the language of people whose records have none
 */
export const peopleOf = (accounts: Accounts, found: readonly Found[], defaultLocale: Locale): Person[] => {
  const people = new Map<string, Person>()
  for (const one of found) {
    const account = one.userId === null ? undefined : accounts.get(one.userId)
    const id = account?.id ?? one.id
    const known = people.get(id)
    people.set(id, {
      kind: account ? 'user' : one.kind,
      id,
      userId: account?.id ?? null,
      accountId: one.userId,
      name: known?.name ?? one.name,
      email: account?.email ?? one.email,
      phone: known?.phone ?? one.phone ?? account?.phone ?? null,
      locale: account?.locale ?? one.locale ?? defaultLocale,
      branchId: known?.branchId ?? one.branchId,
      students: [...new Set([...(known?.students ?? []), ...one.students])],
    })
  }
  return [...people.values()]
}
