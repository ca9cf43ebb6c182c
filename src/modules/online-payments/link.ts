import { parse, stringify } from 'uuid'
import type { Vault } from '#runtime/secrets/vault.ts'

/**
 * The link to pay that stands in mails: pages at a provider end within a day, and this one opens a new page each time. It
 * lives as long as something is to be paid, so nothing is kept of it.
 */

const PURPOSE = 'pay-link'
const ID = 22

const short = (id: string): string => Buffer.from(parse(id)).toString('base64url')

/** The institute and the invoice, and a tag that only this server can make. */
export const payCode = (vault: Vault, tenantId: string, invoiceId: string): string => {
  const name = short(tenantId) + short(invoiceId)
  return name + vault.tag(PURPOSE, name)
}

/** @returns undefined: this server has not made it */
export const openPayCode = (vault: Vault, code: string): { tenantId: string; invoiceId: string } | undefined => {
  const name = code.slice(0, 2 * ID)
  if (name.length < 2 * ID || !vault.hasTag(PURPOSE, name, code.slice(2 * ID))) return undefined
  const idAt = (from: number) => stringify(Buffer.from(name.slice(from, from + ID), 'base64url'))
  return { tenantId: idAt(0), invoiceId: idAt(ID) }
}

export const PAY_PATH = 'pay'
