import { isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import * as v from 'valibot'
import { email, integer, line } from '#kernel/values/schema.ts'

/** The host as a url contains it; '' for text that is no host name. */
const asHost = (text: string): string => {
  if (isIPv6(text)) return `[${text}]`
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : ''
}

/** The mail server that the person entered in the wizard, or gave a command. */
export const MailServer = v.object({
  host: v.pipe(
    line(253),
    v.transform(asHost),
    v.regex(/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i, 'Must be the name or address of a mail server.'),
  ),
  port: integer(1, 65_535),
  /** `starttls` upgrades to TLS where the server offers it, and requires it before it sends a password. */
  encryption: v.picklist(['tls', 'starttls']),
  user: v.optional(line(320), ''),
  password: v.optional(v.pipe(v.string(), v.maxLength(1000)), ''),
  sender: email,
})
export type MailServer = v.InferOutput<typeof MailServer>
