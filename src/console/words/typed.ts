// The server reads files of the same kind, so it reads what people type by the same rules.
export * from '../../kernel/typed.ts'
