import { useState, type ReactNode } from 'react'
import { useWords } from '../words/language.tsx'
import { LongField } from './field.tsx'
import { Confirm } from './sheet.tsx'

/** As many letters as a reason may have. */
const MOST = 500

interface ReasonConfirmProps {
  /** What will happen, by name. */
  title: string
  /** What follows from it. */
  children?: ReactNode
  verb: string
  isOpen: boolean
  onClose: () => void
  onConfirm: (reason: string) => Promise<unknown>
}

/** Asks why, before something that cannot be undone. What was typed stays until it is done. */
export const ReasonConfirm = ({ title, children, verb, isOpen, onClose, onConfirm }: ReasonConfirmProps) => {
  const { shell } = useWords()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const text = reason.trim()
  const error = isTried && text === '' ? shell.reasonMissing : undefined
  const confirm = async (): Promise<boolean> => {
    setTried(true)
    if (text === '' || text.length > MOST) return false
    await onConfirm(text)
    setReason('')
    setTried(false)
    return true
  }
  return (
    <Confirm title={title} verb={verb} isDangerous isOpen={isOpen} onClose={onClose} onConfirm={confirm}>
      {children}
      <LongField
        label={shell.reason}
        value={reason}
        onChange={setReason}
        maxLength={MOST}
        autoFocus
        {...(error !== undefined && { error })}
      />
    </Confirm>
  )
}
