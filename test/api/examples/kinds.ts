import type { Examples, World } from '#kit/examples.ts'

const ORIGIN = 'https://example.org'

/** A page of another origin, with its key. */
export const fromWebsite = async ({ app, owner }: World) => {
  const { body } = await owner.post('/api-keys', { name: 'Website', kind: 'publishable', allowedOrigins: [ORIGIN] })
  return { as: app.as(body.key), headers: { origin: ORIGIN } }
}

export const kindExamples: Examples = {
  'kinds.form': {
    make: async () => ({
      raw: 'name=Dana&count=2',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    branchless: 'it names no record',
  },
  'kinds.upload': {
    make: async () => ({
      params: { name: 'logo' },
      raw: Buffer.from('bytes'),
      headers: { 'content-type': 'image/png' },
    }),
    branchless: 'it names no record',
  },
  'kinds.content': { make: async () => ({}), branchless: 'it names no record' },
  'kinds.redirect': async () => ({}),
  'kinds.public': async (world) => ({ ...(await fromWebsite(world)), body: { name: 'Dana' } }),
}
