/**
 * Only words know which language they are in: all other code asks what it needs of a language, such as its direction. And
 * only words keep what they are given from reordering a sentence.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rootOf } from './tables.mjs'

/** Where the languages of the program are listed. */
const LIST = 'src/shared/locale.ts'

/** @type {Map<string, Set<string>>} root → its languages */
const known = new Map()

/** @param {string} root @returns {Set<string>} */
const localesIn = (root) => {
  const file = path.join(root, LIST)
  if (!known.has(root) && existsSync(file)) {
    const [, listed = ''] = /LOCALES = \[([^\]]*)\]/.exec(readFileSync(file, 'utf8')) ?? []
    known.set(root, new Set([...listed.matchAll(/'(\w+)'/g)].map(([, locale]) => locale)))
  }
  return known.get(root) ?? new Set()
}

export const locales = {
  meta: { type: 'problem', docs: { description: 'No code decides by the name of a language' }, schema: [] },
  create(context) {
    const root = rootOf(context.filename)
    if (!root) return {}
    const named = localesIn(root)
    const look = (node) => {
      if (node?.type !== 'Literal' || !named.has(node.value)) return
      const message = `Ask ${LIST} or the words what follows from a language: this forgets the next one.`
      context.report({ node, message })
    }
    return {
      BinaryExpression({ operator, left, right }) {
        if (!['===', '!==', '==', '!='].includes(operator)) return
        look(left)
        look(right)
      },
      SwitchCase: ({ test }) => look(test),
    }
  },
}

const ISOLATES = /[\u2066-\u2069]/
const HOME = 'src/shared/isolate.ts'
/** Words, what fills in those of an institute, and what writes dates and lists in a language. */
const WORDS = /\/src\/(?:.*\/(?:words|texts)\/|modules\/papers\/text\.ts$)/

/** What is put into a sentence is isolated by the words, which get it as it is. */
export const isolation = {
  meta: { type: 'problem', docs: { description: 'Words isolate what they are given, in one way' }, schema: [] },
  create(context) {
    const file = context.filename.replaceAll(path.sep, '/')
    if (file.endsWith(HOME)) return {}
    const look = (node, text) => {
      if (typeof text === 'string' && ISOLATES.test(text)) context.report({ node, message: `Leave this to ${HOME}.` })
    }
    return {
      ImportDeclaration(node) {
        if (!WORDS.test(file) && node.source.value.endsWith('shared/isolate.ts'))
          context.report({ node, message: 'Give the words the value as it is: they isolate it.' })
      },
      Literal: (node) => look(node, node.value),
      TemplateElement: (node) => look(node, node.value.cooked),
    }
  },
}
