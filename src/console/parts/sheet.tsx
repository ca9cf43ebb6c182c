import { useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Problem } from '../api/problem.ts'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { ProblemNotice } from './problem-notice.tsx'

interface SheetProps {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  isBroad?: boolean
  /** Whether it must be answered: neither Escape nor a tap beside it closes it. */
  isFirm?: boolean
}

/** Something small over the page: from below on a phone, a window on a desk. Never one over another. */
export const Sheet = ({ title, isOpen, onClose, children, isBroad, isFirm = false }: SheetProps) => (
  <ModalOverlay
    className="veil"
    isOpen={isOpen}
    isDismissable={!isFirm}
    isKeyboardDismissDisabled={isFirm}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
  >
    <Modal className={isBroad ? 'sheet broad' : 'sheet'}>
      <Dialog>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
)

interface ConfirmProps {
  /** What will happen, by name: "Drop Dana Levi from Math A". */
  title: string
  /** What follows from it. */
  children?: ReactNode
  /** What the button does, as a verb. */
  verb: string
  isDangerous?: boolean
  isOpen: boolean
  onClose: () => void
  /** The question stays open until it is done, and shows what went wrong. @returns false: something is missing yet */
  onConfirm: () => Promise<unknown>
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ title, children, verb, isDangerous, isOpen, onClose, onConfirm }: ConfirmProps) => {
  const { shell } = useWords()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const confirm = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      if ((await onConfirm()) !== false) onClose()
    } catch (error) {
      setProblem(error as Problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      {problem && <ProblemNotice problem={problem} />}
      <div className="actions">
        <Button onPress={onClose}>{shell.leaveIt}</Button>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onPress={() => void confirm()}>
          {verb}
        </Button>
      </div>
    </Sheet>
  )
}
