import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'

/** A reference in a process of its own: it answers each message with one. */
export class Reference {
  readonly #child: ChildProcess

  constructor(name: string, args: readonly string[] = []) {
    this.#child = fork(path.join(import.meta.dirname, `${name}.ts`), [...args], { execPath: process.execPath })
  }

  ask<T>(question: object): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const ended = () => reject(new Error('a reference ended before its answer'))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer) => {
        this.#child.off('exit', ended)
        resolve(answer as T)
      })
      this.#child.send(question)
    })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Answers the questions of the process that started this one. */
export const answering = (answer: (question: never) => unknown): void => {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as never)).then((reply) => process.send?.(reply))
  })
}
