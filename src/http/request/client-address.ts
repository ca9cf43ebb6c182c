import { plainAddress } from '#kernel/basics/network.ts'

/** An address with a port after it, as some proxies write it; IPv6 in brackets, with or without a port. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/

/**
 * The address of the client in its usual form. X-Forwarded-For may contain anything: what is no IP address does not
 * count.
 * @param forwarded what the trusted proxy says, or the peer itself
 */
export const clientAddress = (forwarded: string, peer: string | undefined): string => {
  const plain = plainAddress(forwarded)
  if (plain !== undefined) return plain
  const [, inBrackets, beforePort] = WITH_PORT.exec(forwarded) ?? []
  return plainAddress(inBrackets ?? beforePort ?? '') ?? plainAddress(peer ?? '') ?? ''
}
