import { ApiError } from '@switchyard/sdk'
import type { ReactElement, ReactNode } from 'react'
import { states } from '../messages/generated/texts.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './ui.module.css'

export const EmptyState = ({
  title,
  text,
  action,
}: {
  title: string
  text?: string
  action?: ReactNode
}): ReactElement => (
  <div className={styles.state}>
    <p className={styles.stateTitle}>{title}</p>
    {text !== undefined && <p>{text}</p>}
    {action !== undefined && <div className={styles.stateActions}>{action}</div>}
  </div>
)

/** A placeholder with the final layout; it appears only if the response takes a while. */
export const Skeleton = ({ lines }: { lines: number }): ReactElement => (
  <div className={styles.dialogBody} role="status">
    <span className={styles.visuallyHidden}>{states.loading}</span>
    {Array.from({ length: lines }, (_line, index) => (
      <div key={index} className={styles.skeleton} />
    ))}
  </div>
)

/** For a page whose only purpose is an action that the person may not take. */
export const Forbidden = ({ permission }: { permission: string }): ReactElement => (
  <EmptyState title={states.forbidden} text={`${states.forbiddenHint} ${permission}.`} />
)

/** Shows what went wrong, with the request id to report, or which permission is missing. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactElement {
  if (error instanceof ApiError && error.status === 403)
    return <EmptyState title={states.forbidden} text={error.message} />
  const message = error instanceof ApiError ? error.message : states.offline
  return (
    <div className={styles.state} role="alert">
      <p className={styles.stateTitle}>{states.failed}</p>
      <p>{message}</p>
      <div className={styles.stateActions}>
        <Button onClick={onRetry}>{states.tryAgain}</Button>
        {error instanceof ApiError && error.requestId !== undefined && (
          <>
            <CopyButton text={error.requestId} label={states.requestId} />
            <span className={styles.requestId}>
              {states.requestId} {error.requestId}
            </span>
          </>
        )}
      </div>
    </div>
  )
}
