/** What lint rules and `npm run reads` know of the tables: who owns each, and who reads those of others. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * @param {string} file @returns {string | undefined} the folder that owns a source file: a module, or a folder of src
 */
export const ownerOf = (file) => {
  const parts = file.split(path.sep)
  const src = parts.lastIndexOf('src')
  if (src < 0) return undefined
  return parts[src + 1] === 'modules' ? `modules/${parts[src + 2]}` : parts[src + 1]
}

/** @param {string} file @returns {string | undefined} the root of the checkout that contains the file */
export const rootOf = (file) => {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'src', 'modules'))) return folder
  }
  return undefined
}

/**
 * @type {Map<string, Map<string, string>>} root → table → owner, which is the folder that declares the table's columns
 */
const known = new Map()

/** @param {string} root @returns {Map<string, string>} */
export const ownersIn = (root) => {
  const found = known.get(root)
  if (found) return found
  const owners = new Map()
  const files = globSync(['src/modules/*/{,*/}tables.ts', 'src/runtime/change/tables.ts'], { cwd: root })
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    const declared = source.slice(source.indexOf('interface Tables {'))
    for (const [, table] of declared.matchAll(/^ {4}(\w+): \{$/gm)) owners.set(table, ownerOf(file))
  }
  known.set(root, owners)
  return owners
}

/**
 * Where a query names a table that it reads: what it selects from and joins, and the functions of src/runtime that look
 * up a row of a table by its name.
 */
const READS =
  /\b(?:(?:selectFrom|(?:inner|left|right|full|cross)Join|from|using)\(|(?:checkReached|lockReferenced)\(\s*\w+,|listUnder\(\s*\{\s*table:)\s*(\[[^\]]*\]|'[^']*')/g

/** The same places with a variable, which hides the name of the table. A query in place of a table has an alias. */
const HIDDEN =
  /\b(?:(?:selectFrom|(?:inner|left|right|full|cross)Join)\(|(?:checkReached|lockReferenced)\(\s*\w+,)\s*(?=\w+(?: as '\w+')?\s*[,)])/g

/** @param {string} source @returns {number[]} where it reads a table whose name is in a variable */
export const hiddenReadsIn = (source) =>
  [...source.matchAll(HIDDEN)].map(({ 0: before, index }) => index + before.length)

/**
 * @typedef {{ table: string, owner: string, index: number }} Read one that a source makes of a table of another owner
 * @param {string} root @param {string} file @param {string} source @returns {Read[]}
 */
export const foreignReadsIn = (root, file, source) => {
  const owners = ownersIn(root)
  const reader = ownerOf(file)
  return [...source.matchAll(READS)].flatMap(({ 0: whole, 1: names, index }) =>
    [...names.matchAll(/'(\w+)/g)].flatMap(([, table]) => {
      const owner = owners.get(table)
      return owner === undefined || owner === reader ? [] : [{ table, owner, index: index + whole.indexOf(names) }]
    }),
  )
}

/** @param {string} root @param {string} module @returns {Read[]} all that the files of a module make */
export const foreignReadsOf = (root, module) =>
  globSync(`src/modules/${module}/**/*.ts`, { cwd: root }).flatMap((file) =>
    foreignReadsIn(root, file, readFileSync(path.join(root, file), 'utf8')),
  )

/**
 * @typedef {{ table: string, owner: string, index: number }} Declared a table in `reads` of a module's declaration
 * @param {string} source its index.ts @returns {Declared[]}
 */
export const declaredReadsIn = (source) => {
  const declaration = /\breads: \{([^}]*)\}/.exec(source)
  if (!declaration) return []
  const start = declaration.index + declaration[0].indexOf('{') + 1
  return [...declaration[1].matchAll(/'?([\w-]+)'?: \[([^\]]*)\]/g)].flatMap(
    ({ 0: entry, 1: name, 2: tables, index }) =>
      [...tables.matchAll(/'(\w+)'/g)].map(({ 1: table, index: at }) => ({
        table,
        owner: name === 'runtime' ? name : `modules/${name}`,
        index: start + index + entry.indexOf('[') + 1 + at,
      })),
  )
}
