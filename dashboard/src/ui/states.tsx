import { useState, type ReactElement, type ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { en } from '../messages/en.ts'
import { Button } from './button.tsx'
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

/** In the final layout; it appears only if the answer takes a while. */
export const Skeleton = ({ lines }: { lines: number }): ReactElement => (
  <div className={styles.dialogBody} role="status">
    <span className={styles.visuallyHidden}>{en.states.loading}</span>
    {Array.from({ length: lines }, (_line, index) => (
      <div key={index} className={styles.skeleton} />
    ))}
  </div>
)

/** What went wrong, with the request id to report, or which permission is missing. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactElement {
  if (error instanceof ApiError && error.status === 403)
    return <EmptyState title={en.states.forbidden} text={error.message} />
  const message = error instanceof ApiError ? error.message : en.states.offline
  return (
    <div className={styles.state} role="alert">
      <p className={styles.stateTitle}>{en.states.failed}</p>
      <p>{message}</p>
      <div className={styles.stateActions}>
        <Button onClick={onRetry}>{en.states.tryAgain}</Button>
        {error instanceof ApiError && error.requestId !== '' && <CopyRequestId id={error.requestId} />}
      </div>
    </div>
  )
}

function CopyRequestId({ id }: { id: string }): ReactElement {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard.writeText(id).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <>
      <Button onClick={copy}>{isCopied ? en.states.copied : en.states.copy}</Button>
      <span className={styles.requestId}>
        {en.states.requestId} {id}
      </span>
    </>
  )
}
