import { useId, type ComponentProps, type ReactElement } from 'react'
import { Button } from './button.tsx'
import styles from './work.module.css'

type GuardedButtonProps = ComponentProps<typeof Button> & {
  /** Why it cannot be done now; without a reason it can. */
  reason: string | undefined
}

/** A button that says why it is disabled. It keeps the focus then, so that the keyboard reaches the reason. */
export function GuardedButton({ reason, onClick, ...props }: GuardedButtonProps): ReactElement {
  const id = useId()
  if (reason === undefined) return <Button {...props} onClick={onClick} />
  return (
    <div className={styles.guarded}>
      <Button {...props} isPrimary={false} aria-disabled="true" aria-describedby={id} />
      <p id={id}>{reason}</p>
    </div>
  )
}
