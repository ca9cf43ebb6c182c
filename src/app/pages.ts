import type { Endpoint } from '#kernel/endpoint.ts'
import { openApiDocument } from '#http/openapi.ts'
import type { PageRoute } from '#http/page.ts'

/** What is served at the server's root, beside the API. */
export const allPages = ({ endpoints }: { endpoints: readonly Endpoint[] }): PageRoute[] => {
  const document = JSON.stringify(openApiDocument(endpoints))
  return [
    {
      path: '/openapi.json',
      reply: async () => ({ status: 200, headers: { 'Content-Type': 'application/json' }, body: document }),
    },
  ]
}
