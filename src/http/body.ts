import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { Malformed } from '#kernel/errors.ts'

export const MAX_BODY_BYTES = 1024 * 1024

/** The exact bytes of a request's body. @throws MALFORMED_REQUEST when it is over 1 MiB or breaks off */
export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  try {
    return await getRawBody(request, {
      length: request.headers['content-length'] ?? null,
      limit: MAX_BODY_BYTES,
    })
  } catch (error) {
    const { type } = error as { type?: string }
    throw Malformed({
      reason:
        type === 'entity.too.large'
          ? `The body is larger than ${MAX_BODY_BYTES} bytes.`
          : 'The body did not arrive as announced.',
    })
  }
}
