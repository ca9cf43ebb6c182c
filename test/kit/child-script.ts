import { fork, type ChildProcess } from 'node:child_process'

/** Runs a script in a separate process; it answers each message with one, one at a time. */
export class ChildScript {
  readonly #child: ChildProcess

  constructor(file: string, args: readonly string[] = []) {
    this.#child = fork(file, [...args], { execPath: process.execPath, execArgv: [] })
  }

  ask<T>(question: object): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const ended = () => reject(new Error('a script ended before its answer'))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer) => {
        this.#child.off('exit', ended)
        resolve(answer as T)
      })
      this.#child.send(question)
    })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** Answers the messages of the parent process. */
export const answering = (answer: (question: never) => unknown): void => {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as never)).then((reply) => process.send?.(reply))
  })
  // The parent process has gone, so this one exits.
  process.once('disconnect', () => process.exit(0))
}
