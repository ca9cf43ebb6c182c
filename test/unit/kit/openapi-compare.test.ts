import { describe, expect, test } from 'vitest'
import { compareDocuments } from '#kit/openapi/compare.ts'
import type { Document, JsonSchema, Operation } from '#kit/openapi/document.ts'
import { printDocument } from '#kit/openapi/print.ts'

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

/** An API with one list and one POST. */
const pupils = () => ({
  paths: {
    '/pupils': {
      get: {
        operationId: 'pupils.list',
        security: [{ accessToken: [] }, { apiKey: [] }],
        parameters: [
          { name: 'q', in: 'query', required: false, schema: { type: 'string', maxLength: 200 } },
          { $ref: '#/components/parameters/Key' },
        ],
        responses: {
          '200': {
            description: 'Done',
            headers: { 'X-Total': {} },
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Pupil' } }),
          },
          '404': { description: 'None', ...json({ type: 'object' }) },
        },
      },
      post: {
        operationId: 'pupils.create',
        security: [],
        parameters: [],
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 100 },
              kind: { type: 'string', enum: ['day', 'boarding'] },
              born: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
              tags: { type: 'array', maxItems: 20, items: { type: 'string' } },
            },
          }),
        },
        responses: { '201': { description: 'Created', ...json({ $ref: '#/components/schemas/Pupil' }) } },
      },
    },
  },
  components: {
    parameters: { Key: { name: 'Key', in: 'header', required: false, schema: { type: 'string' } } },
    schemas: {
      Pupil: {
        type: 'object',
        required: ['id', 'name', 'grade'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string' },
          grade: { type: 'integer' },
          state: { type: 'string', enum: ['here', 'gone'] },
          left: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pupil' } },
        },
      },
    },
  },
})
type Pupils = ReturnType<typeof pupils>

const changed = (change: (api: Pupils) => void) => {
  const after = pupils()
  change(after)
  return compareDocuments(pupils() as Document, after as Document)
}

const asked = (api: Pupils) =>
  api.paths['/pupils'].post.requestBody.content['application/json'].schema as Required<JsonSchema>
const told = (api: Pupils) => api.components.schemas.Pupil as unknown as Required<JsonSchema>
const list = (api: Pupils) => api.paths['/pupils'].get as unknown as Operation

describe('breaks clients', () => {
  test.each<[string, (api: Pupils) => unknown]>([
    ['API: operation GET /pupils was removed', (api) => Reflect.deleteProperty(api.paths['/pupils'], 'get')],
    [
      'GET /pupils: operationId changed from pupils.list to pupils.all',
      (api) => (list(api).operationId = 'pupils.all'),
    ],
    ['GET /pupils: credential apiKey was removed', (api) => list(api).security.pop()],
    [
      'POST /pupils: a credential is needed now',
      (api) => (api.paths['/pupils'].post.security as object[]).push({ accessToken: [] }),
    ],
    ['GET /pupils: parameter query q was removed', (api) => list(api).parameters.shift()],
    ['GET /pupils: parameter header Key is required now', (api) => (api.components.parameters.Key.required = true)],
    [
      'GET /pupils: required parameter query year is new',
      (api) => list(api).parameters.push({ name: 'year', in: 'query', required: true, schema: { type: 'integer' } }),
    ],
    [
      'GET /pupils query q: maxLength changed from 200 to 50',
      (api) => (api.paths['/pupils'].get.parameters[0]!.schema!.maxLength = 50),
    ],
    ['GET /pupils: response status 404 was removed', (api) => delete list(api).responses['404']],
    ['GET /pupils 200: header X-Total was removed', (api) => delete list(api).responses['200']!.headers],
    ['GET /pupils 404: the body was removed', (api) => delete list(api).responses['404']!.content],
    [
      'GET /pupils 200: changed from array to object',
      (api) => (list(api).responses['200']!.content = json({ type: 'object' }).content),
    ],
    [
      'POST /pupils body: is not read any more',
      (api) => Reflect.deleteProperty(api.paths['/pupils'].post, 'requestBody'),
    ],
    [
      'POST /pupils body: required property grade is new',
      (api) => {
        asked(api).properties.grade = {}
        asked(api).required.push('grade')
      },
    ],
    ['POST /pupils body: property kind is required now', (api) => asked(api).required.push('kind')],
    ['POST /pupils body: property kind was removed', (api) => delete asked(api).properties.kind],
    ['POST /pupils body.kind: value boarding was removed', (api) => asked(api).properties.kind!.enum!.pop()],
    [
      'POST /pupils body.kind: changed from string to integer',
      (api) => (asked(api).properties.kind = { type: 'integer' }),
    ],
    ['POST /pupils body.name: takes only x now', (api) => (asked(api).properties.name!.enum = ['x'])],
    [
      'POST /pupils body.name: pattern changed from undefined to ^x',
      (api) => (asked(api).properties.name!.pattern = '^x'),
    ],
    ['POST /pupils body.name: minLength changed from 1 to 2', (api) => (asked(api).properties.name!.minLength = 2)],
    ['POST /pupils body.born: is never null any more', (api) => asked(api).properties.born!.anyOf!.pop()],
    ['POST /pupils body.tags: maxItems changed from 20 to 10', (api) => (asked(api).properties.tags!.maxItems = 10)],
    [
      'POST /pupils body.tags[]: format changed from undefined to uuid',
      (api) => (asked(api).properties.tags!.items!.format = 'uuid'),
    ],
    ['GET /pupils 200[]: property name was removed', (api) => delete told(api).properties.name],
    ['GET /pupils 200[]: property grade may be missing now', (api) => told(api).required.pop()],
    [
      'GET /pupils 200[].grade: may be null now',
      (api) => (told(api).properties.grade = { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
    ],
    [
      'GET /pupils 200[].grade: changed from integer to string',
      (api) => (told(api).properties.grade = { type: 'string' }),
    ],
    ['GET /pupils 200[].id: format changed from uuid to undefined', (api) => delete told(api).properties.id!.format],
    ['GET /pupils 200[].state: value gone was removed', (api) => told(api).properties.state!.enum!.pop()],
    ['GET /pupils 200[].state: may be other than here, gone now', (api) => delete told(api).properties.state!.enum],
  ])('%s', (line, change) => {
    expect(changed(change).breaking).toContain(line)
  })
})

describe('breaks nobody', () => {
  test.each<[string, (api: Pupils) => unknown]>([
    ['API: operation GET /teachers is new', (api) => Object.assign(api.paths, { '/teachers': { get: list(api) } })],
    [
      'POST /pupils: response status 409 is new',
      (api) => Object.assign(api.paths['/pupils'].post.responses, { 409: { description: '' } }),
    ],
    [
      'GET /pupils: parameter query year is new',
      (api) => list(api).parameters.push({ name: 'year', in: 'query', required: false, schema: { type: 'integer' } }),
    ],
    [
      'GET /pupils query q: maxLength changed from 200 to 300',
      (api) => (api.paths['/pupils'].get.parameters[0]!.schema!.maxLength = 300),
    ],
    ['POST /pupils body: property grade is new', (api) => (asked(api).properties.grade = {})],
    ['POST /pupils body: property name may be missing now', (api) => asked(api).required.pop()],
    ['POST /pupils body: may be left out now', (api) => (api.paths['/pupils'].post.requestBody.required = false)],
    ['POST /pupils body.kind: value weekly is new', (api) => asked(api).properties.kind!.enum!.push('weekly')],
    [
      'POST /pupils body.kind: may be null now',
      (api) => (asked(api).properties.kind = { anyOf: [asked(api).properties.kind!, { type: 'null' }] }),
    ],
    ['GET /pupils 200[]: property age is new', (api) => (told(api).properties.age = { type: 'integer' })],
    ['GET /pupils 200[]: property state is required now', (api) => told(api).required.push('state')],
    ['GET /pupils 200[].state: value ill is new', (api) => told(api).properties.state!.enum!.push('ill')],
    ['GET /pupils 200[].left: is never null any more', (api) => told(api).properties.left!.anyOf!.pop()],
  ])('%s', (line, change) => {
    const { breaking, harmless } = changed(change)
    expect(breaking).toEqual([])
    expect(harmless).toContain(line)
  })

  test('other words, and a schema that stands in place instead of under its name', () => {
    const { breaking, harmless } = changed((api) => {
      list(api).responses['404']!.description = 'Nobody'
      api.paths['/pupils'].post.responses['201'] = { description: '', ...json(structuredClone(told(api))) }
    })
    expect({ breaking, harmless }).toEqual({ breaking: [], harmless: [] })
  })
})

test('a document that is printed reads as the same document', () => {
  expect(JSON.parse(printDocument(pupils()))).toEqual(pupils())
  expect(printDocument({ a: {}, b: [] })).toBe('{\n "a": {},\n "b": []\n}')
})
