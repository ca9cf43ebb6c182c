/** `node client-types.process.ts DOCUMENT TARGET`: writes the types of an OpenAPI document, for openapi-fetch. */
import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// The generator needs the API of the compiler, which TypeScript 7 no longer has: give it TypeScript 5.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
const { default: openapiTS, astToString } = await import('openapi-typescript')

const [document = '', target = ''] = process.argv.slice(2)
// What has a default may be left out.
const types = await openapiTS(readFileSync(document, 'utf8'), { defaultNonNullable: false })
writeFileSync(target, astToString(types))
