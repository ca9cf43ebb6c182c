import { useFirstWords } from '../../src/console/words/language.tsx'
import { ownOf } from '../words/index.ts'

/** The words that only these pages have. */
export const useOwnWords = <Name extends Parameters<typeof ownOf>[1]>(name: Name) => ownOf<Name>(useFirstWords(), name)
