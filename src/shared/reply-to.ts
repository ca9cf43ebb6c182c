/**
 * What all scripts for browsers share of sending a request: it tells a network that fails from a fault of the script
 * itself, which is thrown as it is. A browser calls both a TypeError.
 */

/** No reply came, or not the whole of one: nobody knows whether the request took effect. */
export class NoReply extends Error {}

/** Ends a request after this time. AbortSignal.timeout is missing in Chromium before 103. */
export const deadline = (millis: number): AbortSignal => {
  const limit = new AbortController()
  setTimeout(() => limit.abort(), millis)
  return limit.signal
}

/**
 * Sends a request.
 * @param request is made before, so that what is wrong with it is not taken for the network
 * @throws NoReply
 */
export const replyTo = async (request: Request): Promise<Response> => {
  try {
    return await fetch(request)
  } catch (cause) {
    throw new NoReply('No reply', { cause })
  }
}

/** Reads a reply to its end. @throws NoReply */
export const textOf = async (reply: Response): Promise<string> => {
  try {
    return await reply.text()
  } catch (cause) {
    throw new NoReply('The reply broke off', { cause })
  }
}
