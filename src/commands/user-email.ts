import type { Invocation, Option } from './command.ts'

/** Whom a command is about. */
export const EMAIL: Option = { value: 'EMAIL', about: 'The email with which they sign in', required: true }

export const emailIn = ({ options }: Invocation): string => options.email as string
