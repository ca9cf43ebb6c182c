/** Lint rules of this project; `rules` says what each of them requires. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rooms } from './rooms.mjs'

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])
/** The function that declares a record. Calls that write a table pass such a record. */
const DECLARES = 'recordOf'

/**
 * @param {string} file @returns {string | undefined} the folder that owns a source file: a module, or a folder of src
 */
const ownerOf = (file) => {
  const parts = file.split(path.sep)
  const src = parts.lastIndexOf('src')
  if (src < 0) return undefined
  return parts[src + 1] === 'modules' ? `modules/${parts[src + 2]}` : parts[src + 1]
}

/**
 * @type {Map<string, Map<string, string>>} root → table → owner, which is the folder that declares the table's columns
 */
const known = new Map()

/** @param {string} root @returns {Map<string, string>} */
const ownersIn = (root) => {
  const found = known.get(root)
  if (found) return found
  const owners = new Map()
  const files = globSync(['src/modules/*/{,*/}tables.ts', 'src/runtime/tables.ts'], { cwd: root })
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    const declared = source.slice(source.indexOf('interface Tables {'))
    for (const [, table] of declared.matchAll(/^ {4}(\w+): \{$/gm)) owners.set(table, ownerOf(file))
  }
  known.set(root, owners)
  return owners
}

/** @param {string} file @returns {string | undefined} the root of the checkout that contains the file */
const rootOf = (file) => {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'src', 'modules'))) return folder
  }
  return undefined
}

/** Only the module that declares a table may write to it; other modules call functions that it exports. */
const tableOwner = {
  meta: { type: 'problem', docs: { description: 'Only its owner writes a table' }, schema: [] },
  create(context) {
    const file = context.filename
    const root = rootOf(file)
    const writer = ownerOf(file)
    if (!root || !writer) return {}
    // src/db claims jobs for src/runtime, because the statement differs between the engines.
    const owners = ownersIn(root)
    return {
      CallExpression(node) {
        const { callee, arguments: given } = node
        const isWrite =
          callee.type === 'MemberExpression'
            ? callee.property.type === 'Identifier' && WRITES.has(callee.property.name)
            : callee.type === 'Identifier' && callee.name === DECLARES
        if (!isWrite) return
        const [table] = given
        if (table?.type !== 'Literal' || typeof table.value !== 'string') return
        const name = table.value.split(' ')[0]
        const owner = owners.get(name)
        if (owner === writer || (owner === 'runtime' && writer === 'db')) return
        context.report({
          node,
          message: owner
            ? `The table ${name} belongs to ${owner}: call what that exports.`
            : `The table ${name} has no owner: its module declares it in its tables.ts.`,
        })
      },
    }
  },
}

/**
 * Only code that cannot name an institute may use rows of all institutes: sign-in, links in mails, deliveries.
 * .oxlintrc.json switches this rule off for these files by name.
 */
const unscoped = {
  meta: { type: 'problem', docs: { description: 'The unscoped handle goes to few, by name' }, schema: [] },
  create(context) {
    const refuse = (node) =>
      context.report({ node, message: 'Rows of every institute are out of reach here: name one, by inTenant.' })
    return {
      ImportSpecifier(node) {
        if (node.imported.type === 'Identifier' && node.imported.name === 'SystemDb') refuse(node)
      },
      MemberExpression(node) {
        if (!node.computed && node.property.name === 'everywhere') refuse(node)
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern' && node.key.type === 'Identifier' && node.key.name === 'everywhere') {
          refuse(node)
        }
      },
    }
  },
}

export default { meta: { name: 'institute' }, rules: { 'table-owner': tableOwner, unscoped, rooms } }
