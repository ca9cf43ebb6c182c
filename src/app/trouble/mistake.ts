/**
 * An error that the caller of the program can correct: the command line, a setting, or the user who runs it. The message
 * says in one line what is wrong, where, and what to do. The program ends with exit code 2.
 */
export class Mistake extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Mistake'
  }
}
