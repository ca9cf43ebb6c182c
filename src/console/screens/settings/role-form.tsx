import type { ReactNode } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { Problem } from '../../api/problem.ts'
import { Field, LongField } from '../../parts/field.tsx'
import { Form, useForm, type Fields } from '../../parts/form.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { PermissionChecks } from './permission-checks.tsx'
import type { Role } from './reads.ts'

export interface TypedRole {
  name: string
  description: string
  permissions: Role['permissions']
}

/** The form of a role of the institute's own. */
export const useRoleForm = (start: TypedRole, send: (typed: TypedRole) => Promise<unknown>): Fields<TypedRole> => {
  const { roles: words, refusals } = useWords()
  return useForm<TypedRole>({
    start,
    bounds: BOUNDS.NewRole,
    missing: { name: words.nameMissing, permissions: words.mayMissing },
    refusals: { role_name_taken: 'name', permission_escalation: 'permissions' },
    refused: { name: refusals.reasons.role_name_taken },
    send: (typed) => send({ ...typed, name: typed.name.trim(), description: typed.description.trim() }),
  })
}

interface RoleFormProps {
  form: Fields<TypedRole>
  verb: string
  onCancel?: () => void
  /** Above what it may do. */
  children?: ReactNode
}

export const RoleForm = ({ form, verb, onCancel, children }: RoleFormProps) => {
  const { roles: words, members } = useWords()
  const format = useFormat()
  const { error, ...permissions } = form.field('permissions')
  const { problem } = form
  const lacking =
    problem instanceof Problem && problem.reason === 'permission_escalation'
      ? ((problem.details['permissions'] ?? []) as Role['permissions'])
      : []
  const names = lacking.map((one) => members.permissions[one])
  return (
    <Form form={form} verb={verb} hasRetry {...(onCancel && { onCancel })}>
      <Field label={words.name} hint={words.nameHint} {...form.field('name')} autoFocus />
      <LongField label={words.about} isOptional {...form.field('description')} />
      {children}
      <PermissionChecks
        label={words.may}
        hint={words.mayHint}
        {...permissions}
        error={error !== undefined && names.length > 0 ? words.notHeld(format.list(names)) : error}
      />
    </Form>
  )
}
