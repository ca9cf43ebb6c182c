import type { ServerResponse } from 'node:http'
import type { Reply } from '#kernel/page.ts'

export type { Reply } from '#kernel/page.ts'

const hasNoBody = (status: number): boolean => status === 204 || status === 304

/** Writes a reply in one go; `common`: the headers that it has whatever it says. */
export const send = (response: ServerResponse, { status, headers, body }: Reply, common: Reply['headers']): void => {
  const all: Record<string, string | number> = { ...common, ...headers }
  if (!hasNoBody(status)) all['Content-Length'] = Buffer.byteLength(body)
  response.writeHead(status, all)
  response.end(body)
}
