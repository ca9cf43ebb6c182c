import type { Context } from 'koa'
import { Malformed } from '#kernel/values/errors.ts'

const VERSIONS: readonly string[] = ['1.1', '1.0']

/** The number of Host headers. Node keeps the first of them, and a proxy before it may have kept another. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Checks the first line and the headers of a request. @throws MALFORMED_REQUEST when they violate HTTP */
export const checkHead = ({ path, req }: Context): void => {
  const { host, expect, 'content-encoding': encoding } = req.headers
  if (!VERSIONS.includes(req.httpVersion)) {
    throw Malformed({ reason: `HTTP/${req.httpVersion} is not spoken here, only HTTP/1.1 and HTTP/1.0.` })
  }
  if (host === undefined && req.httpVersion !== '1.0') throw Malformed({ reason: 'The header Host is missing.' })
  if (countHosts(req.rawHeaders) > 1) throw Malformed({ reason: 'There is more than one header Host.' })
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw Malformed({ reason: 'Of what the header Expect can ask, only 100-continue is known.' })
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw Malformed({ reason: 'The header Content-Encoding names an encoding: bodies are taken as they are.' })
  }
  try {
    decodeURIComponent(path)
  } catch {
    throw Malformed({ reason: 'The path is not encoded well.' })
  }
}
