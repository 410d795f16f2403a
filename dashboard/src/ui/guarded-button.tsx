import { useId, type ComponentProps, type ReactElement } from 'react'
import { Button } from './button.tsx'
import styles from './work.module.css'

type GuardedButtonProps = ComponentProps<typeof Button> & {
  /** Why the action is not possible now; undefined if it is possible. */
  reason: string | undefined
}

/** A button that shows why it is disabled. It stays focusable, so that keyboard users can read the reason. */
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
