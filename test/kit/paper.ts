import { request } from 'undici'
import type { Client } from './client.ts'
import type { TestApp } from './app.ts'

export interface PdfReply {
  status: number
  headers: Record<string, string>
  bytes: Buffer
}

/** Asks for a paper: its bytes, which `Client` would read as text. */
export const pdf = async (
  { url }: Pick<TestApp, 'url'>,
  { credential }: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<PdfReply> => {
  const response = await request(`${url}/api/v1${path}`, {
    headers: { ...(credential !== null && { authorization: `Bearer ${credential}` }), ...headers },
  })
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  }
}

/** How many sheets a PDF has: the count of its page tree. */
export const sheetsOf = (bytes: Buffer): number =>
  Math.max(...Array.from(bytes.toString('latin1').matchAll(/\/Count (\d+)/g), ([, count]) => Number(count)))
