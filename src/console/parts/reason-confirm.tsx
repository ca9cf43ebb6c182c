import type { ReactNode } from 'react'
import { BOUNDS } from '../api/bounds.ts'
import { useWords } from '../words/language.tsx'
import { LongField } from './field.tsx'
import { Form, useForm } from './form.tsx'
import { Sheet } from './sheet.tsx'

interface ReasonConfirmProps {
  /** What will happen, by name. */
  title: string
  /** What follows from it. */
  children?: ReactNode
  verb: string
  /** What the field is called, where somebody else reads the reason. Default: why. */
  label?: string
  isOpen: boolean
  onClose: () => void
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks why, before something that cannot be undone. What was typed stays until it is done. */
export const ReasonConfirm = ({ title, children, verb, label, isOpen, onClose, onConfirm }: ReasonConfirmProps) => {
  const { shell } = useWords()
  const form = useForm({
    start: { reason: '' },
    bounds: BOUNDS.Reason,
    missing: shell.reasonMissing,
    send: async ({ reason }) => {
      await onConfirm(reason.trim())
      form.reset()
      onClose()
    },
  })
  return (
    <Sheet title={title} isOpen={isOpen} onClose={onClose}>
      <Form form={form} verb={verb} look="danger" onCancel={onClose} cancelVerb={shell.leaveIt}>
        {children}
        <LongField label={label ?? shell.reason} {...form.field('reason')} autoFocus />
      </Form>
    </Sheet>
  )
}
