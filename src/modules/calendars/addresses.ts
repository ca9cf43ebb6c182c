import { parse, stringify } from 'uuid'
import type { Vault } from '#runtime/secrets/vault.ts'

const PURPOSE = 'calendar-address'
const ID_CHARACTERS = 22
const ENDING = '.ics'

/**
 * The last part of an address: its id, and a tag that only this server can make. So the database keeps no secret, the
 * address can be shown again, and it ends with its row.
 */
export const fileName = (vault: Vault, id: string): string => {
  const name = Buffer.from(parse(id)).toString('base64url')
  return name + vault.tag(PURPOSE, name) + ENDING
}

/** @returns undefined: this server has not made the address */
export const idOfFile = (vault: Vault, file: string): string | undefined => {
  if (!file.endsWith(ENDING)) return undefined
  const name = file.slice(0, ID_CHARACTERS)
  if (!vault.hasTag(PURPOSE, name, file.slice(ID_CHARACTERS, -ENDING.length))) return undefined
  return stringify(Buffer.from(name, 'base64url'))
}
