import path from 'node:path'
import { ChildScript } from '#kit/child-script.ts'

/** The reference of a row: a script in this folder, in a process of its own. */
export class Reference extends ChildScript {
  constructor(name: string, args: readonly string[] = []) {
    super(path.join(import.meta.dirname, `${name}.ts`), args)
  }
}
