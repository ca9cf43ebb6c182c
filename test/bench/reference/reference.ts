import path from 'node:path'
import { ChildScript } from '#kit/child-script.ts'

/** What a row is measured against: a script beside this one, in a process of its own. */
export class Reference extends ChildScript {
  constructor(name: string, args: readonly string[] = []) {
    super(path.join(import.meta.dirname, `${name}.ts`), args)
  }
}
