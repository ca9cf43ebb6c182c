import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { runInThisContext } from 'node:vm'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { latePlugin } from '../../build/late-packages.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Names each package when a file of it is loaded. */
const named: Plugin = {
  name: 'named packages',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/(?:marked|mime-types|pg|tar|yazl|pino-pretty)\// }, async ({ path: file }) => {
      const [, name] = /node_modules\/([\w-]+)\//.exec(file) ?? []
      return { contents: `globalThis.loaded.add('${name}');\n${await readFile(file, 'utf8')}` }
    })
  },
}

const bundled = async (source: string): Promise<unknown> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    external: ['pg-native'],
    plugins: [named, latePlugin],
    logLevel: 'silent',
  })
  const module = { exports: {} as { result?: unknown } }
  runInThisContext(`(function (module, exports, require) {${outputFiles[0]?.text}\n})`)(
    module,
    module.exports,
    createRequire(import.meta.url),
  )
  return module.exports.result
}

test('a late package is loaded when somebody uses it, and not before', async () => {
  const result = await bundled(`
    globalThis.loaded = new Set()
    const loaded = () => [...globalThis.loaded].toSorted()
    const { contentType } = require('mime-types')
    import { Marked } from 'marked'
    import { Pool, types } from 'pg'
    import pretty from 'pino-pretty'
    import { Header } from 'tar'
    import { ZipFile } from 'yazl'
    export const result = [
      loaded(),
      contentType('json'),
      loaded(),
      new ZipFile().outputStream.readable,
      pretty.prettyFactory({ colorize: false })('{"level":30,"msg":"hello"}'),
      types.getTypeParser(23)('7'),
      new Pool() instanceof Pool,
      new Header({ path: 'a' }).path,
      new Marked().parse('# a'),
      loaded(),
    ]
  `)
  expect(result).toEqual([
    [],
    'application/json; charset=utf-8',
    ['mime-types'],
    true,
    'INFO: hello\n',
    7,
    true,
    'a',
    '<h1>a</h1>\n',
    ['marked', 'mime-types', 'pg', 'pino-pretty', 'tar', 'yazl'],
  ])
})
