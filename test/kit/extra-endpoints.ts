import * as v from 'valibot'
import { change, read } from '#kernel/contract/endpoint.ts'
import { content, form, redirect, upload } from '#kernel/values/media.ts'
import type { Module } from '#kernel/contract/module.ts'
import { Ok, ok } from '#kernel/values/schema.ts'

/**
 * Endpoints of each kind other than plain JSON, or open to other origins, so that tests of all declarations meet every
 * kind even when the program has none of it.
 */
export const extraEndpoints: Module = {
  name: 'kinds',
  endpoints: [
    change({
      id: 'kinds.form',
      method: 'POST',
      path: '//kinds/form',
      summary: 'Takes a form',
      access: 'settings.manage',
      wholeTenant: true,
      body: form(v.object({ name: v.pipe(v.string(), v.maxLength(50)), count: v.pipe(v.number(), v.integer()) })),
      reply: Ok,
      handle: async () => ok,
    }),
    change({
      id: 'kinds.upload',
      method: 'PUT',
      path: '//kinds/upload/{name}',
      summary: 'Takes bytes',
      access: 'files.write',
      params: { name: v.pipe(v.string(), v.regex(/^\w{1,20}$/)) },
      body: upload({ types: ['image/png'], maxBytes: 100_000 }),
      reply: Ok,
      prepare: async ({ body }) => {
        for await (const piece of body.stream)
          if (piece.length > body.length) throw new Error('more than was announced')
      },
      handle: async () => ok,
    }),
    read({
      id: 'kinds.content',
      path: '//kinds/content',
      summary: 'Gives bytes',
      access: 'files.read',
      reply: content(['image/png']),
      handle: async ({ tenant }) => ({ type: 'image/png', etag: '"kinds"', body: Buffer.from(tenant.id) }),
    }),
    read({
      id: 'kinds.redirect',
      path: '//kinds/redirect',
      summary: 'Leads elsewhere',
      access: 'tenant',
      reply: redirect,
      handle: async () => ({ location: '/docs' }),
    }),
    change({
      id: 'kinds.public',
      method: 'POST',
      path: '/public/kinds',
      summary: 'Is called by pages of other origins',
      access: 'publishable',
      body: v.object({ name: v.pipe(v.string(), v.maxLength(50)) }),
      reply: Ok,
      handle: async () => ok,
    }),
  ],
}
