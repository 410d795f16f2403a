import type { ReactElement, ReactNode } from 'react'
import styles from './work.module.css'

interface CalloutProps {
  tone?: 'wait' | 'bad' | 'good'
  title: string
  /** Whether screen readers announce it when it appears. */
  isAlert?: boolean
  children?: ReactNode
}

/** A notice that a person should read before they decide. */
export const Callout = ({ tone, title, isAlert = false, children }: CalloutProps): ReactElement => (
  <div
    className={`${styles.callout} ${tone === undefined ? '' : styles[tone]}`}
    {...(isAlert && { role: 'alert' })}
  >
    <strong>{title}</strong>
    {children !== undefined && <div>{children}</div>}
  </div>
)
