/** Lint rules of this project; `rules` says what each of them requires. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isolation, locales } from './locales.mjs'
import { rooms } from './rooms.mjs'
import { declaredReadsIn, foreignReadsIn, foreignReadsOf, hiddenReadsIn, ownerOf, ownersIn, rootOf } from './tables.mjs'

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'])
/** The function that declares a record. Calls that write a table pass such a record. */
const DECLARES = 'recordOf'

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
 * A module reads the tables of other modules that its declaration names, in `reads` of its index.ts, and no others; it
 * names none that it does not read, and hides no name of a table in a variable. src/runtime reads its own alone.
 */
const declaredReads = {
  meta: { type: 'problem', docs: { description: 'Reads of other modules’ tables are declared' }, schema: [] },
  create(context) {
    const file = context.filename
    const root = rootOf(file)
    const reader = ownerOf(file)
    if (!root || !reader) return {}
    const source = context.sourceCode.text
    const refuse = (index, message) => {
      const start = context.sourceCode.getLocFromIndex(index)
      context.report({ loc: { start, end: start }, message })
    }
    const index = path.join(root, 'src', reader, 'index.ts')
    const isIndex = path.resolve(file) === index
    const says = isIndex ? source : existsSync(index) ? readFileSync(index, 'utf8') : ''
    return {
      Program() {
        if (reader !== 'runtime') {
          for (const at of hiddenReadsIn(source))
            refuse(at, 'Write the name of the table here, so that it is seen who reads it.')
        }
        const declared = declaredReadsIn(says)
        for (const { table, owner, index: at } of foreignReadsIn(root, file, source)) {
          if (declared.some((one) => one.table === table && one.owner === owner)) continue
          refuse(
            at,
            `The table ${table} belongs to ${owner}: ask what that exports, or name it in reads of ${reader}/index.ts.`,
          )
        }
        if (!isIndex) return
        const made = foreignReadsOf(root, path.basename(reader))
        for (const { table, owner, index: at } of declared) {
          if (ownersIn(root).get(table) !== owner) refuse(at, `${owner} has no table ${table}.`)
          else if (!made.some((read) => read.table === table)) refuse(at, `${reader} does not read the table ${table}.`)
        }
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
      context.report({
        node,
        message:
          'Rows of every institute are out of reach here: name one, by inTenant. A sweep of all is listed in .oxlintrc.json.',
      })
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

/**
 * A form of the console is `useForm` of src/console/parts/form.tsx: what was tried, what is wrong with a field and what the
 * server refused of it are its to say. What a button changes is sent by `mutate`, with what follows in `onSuccess`.
 */
const oneForm = {
  meta: { type: 'problem', docs: { description: 'Forms and changes of the console are sent in one way' }, schema: [] },
  create(context) {
    const refuse = (node) => context.report({ node, message: 'Leave this to useForm of src/console/parts/form.tsx.' })
    const isNamed = (node, name) => node?.type === 'Identifier' && node.name === name
    return {
      VariableDeclarator({ id, init }) {
        const isState = init?.type === 'CallExpression' && isNamed(init.callee, 'useState')
        if (isState && id.type === 'ArrayPattern' && isNamed(id.elements[0], 'isTried')) refuse(id)
      },
      MemberExpression(node) {
        if (!node.computed && isNamed(node.property, 'issues')) refuse(node)
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern' && isNamed(node.key, 'issues')) refuse(node)
      },
      CallExpression(node) {
        const { callee } = node
        if (callee.type !== 'MemberExpression' || !['then', 'catch'].includes(callee.property.name)) return
        const asked = callee.object.type === 'CallExpression' ? callee.object.callee : undefined
        if (asked?.type !== 'MemberExpression' || !isNamed(asked.property, 'mutateAsync')) return
        context.report({
          node,
          message: 'Send it by mutate, with what follows in onSuccess, or by the send of a form.',
        })
      },
    }
  },
}

const SEEN_NOW = new Set(['count', 'isVisible', 'textContent', 'innerText', 'allTextContents', 'allInnerTexts'])

/**
 * What a page shows may come a moment later than what a test waited for before, which busy cores make rare and long. So a
 * test asks for it until it is there, by `expect.poll`. Only that something is absent is asked once.
 */
const waits = {
  meta: { type: 'problem', docs: { description: 'Tests of pages wait for what they expect' }, schema: [] },
  create(context) {
    return {
      CallExpression(node) {
        const [asked] = node.arguments
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'expect' || asked?.type !== 'AwaitExpression')
          return
        const call = asked.argument
        if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return
        if (!SEEN_NOW.has(call.callee.property.name) || call.arguments.length > 0) return
        const matcher = node.parent
        const expected = matcher.parent?.arguments?.[0]?.value
        if (matcher.property?.name === 'not' || expected === 0 || expected === false) return
        context.report({ node, message: 'Ask until it is there: await expect.poll(() => …).' })
      },
    }
  },
}

export default {
  meta: { name: 'institute' },
  rules: {
    'table-owner': tableOwner,
    'declared-reads': declaredReads,
    unscoped,
    rooms,
    locales,
    isolation,
    'one-form': oneForm,
    waits,
  },
}
