import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core'
import type { FullDocument } from './openapi/document.ts'

const FOLDER = path.resolve('.cache/clients')

const run = (script: string, ...given: string[]): string =>
  execFileSync(process.execPath, [path.resolve(script), ...given], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Writes the types of the document in TypeScript, where test/clients looks for them. */
export const makeTypes = (document: FullDocument): void => {
  mkdirSync(FOLDER, { recursive: true })
  const source = path.join(FOLDER, 'openapi.json')
  writeFileSync(source, JSON.stringify(document))
  run('test/kit/client-types.process.ts', source, path.join(FOLDER, 'api.d.ts'))
}

/** Checks the types of test/clients. @returns what the compiler says; nothing when all is well */
export const typeFaults = (): string => {
  const config = path.join(FOLDER, 'tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({ extends: '../../tsconfig.json', include: ['../../test/clients'], exclude: [] }),
  )
  try {
    return run('node_modules/typescript/bin/tsc', '--noEmit', '--project', config)
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

/** Times and ids stay text: parsing them would need a library that Python does not bring. */
const withoutFormats = (_: string, value: unknown): unknown => {
  const { format, ...rest } = (value ?? {}) as { format?: unknown }
  return typeof format === 'string' && value !== null && typeof value === 'object' ? rest : value
}

/** @returns the named schemas of the document as classes of Python */
export const pythonModels = async ({ components }: FullDocument): Promise<string> => {
  const definitions = JSON.parse(
    JSON.stringify(components.schemas, withoutFormats).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as Record<string, unknown>
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  )
  const schema = JSON.stringify({ type: 'object', properties, definitions })
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore())
  await input.addSource({ name: 'Everything', schema })
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({ inputData, lang: 'python', combineClasses: false })
  return lines.join('\n')
}
