import { useId, type ReactElement } from 'react'
import { Button } from './button.tsx'
import styles from './ui.module.css'

interface ActionButtonProps {
  label: string
  onClick: () => void
  isPrimary?: boolean
  /** Why the action is not possible now. The button stays visible and focusable, and shows the reason. */
  reason?: string | undefined
}

export function ActionButton({ label, onClick, isPrimary = false, reason }: ActionButtonProps): ReactElement {
  const id = useId()
  if (reason === undefined)
    return (
      <Button isPrimary={isPrimary} onClick={onClick}>
        {label}
      </Button>
    )
  return (
    <span className={styles.withReason}>
      <Button aria-disabled aria-describedby={id}>
        {label}
      </Button>
      <span id={id} role="tooltip" className={styles.reason}>
        {reason}
      </span>
    </span>
  )
}
