import type { ReactElement, ReactNode } from 'react'
import styles from './work.module.css'

interface CalloutProps {
  tone?: 'wait' | 'bad' | 'good'
  title: string
  /** Read out when it appears. */
  isAlert?: boolean
  children?: ReactNode
}

/** What a person should notice before they decide. */
export const Callout = ({ tone, title, isAlert = false, children }: CalloutProps): ReactElement => (
  <div
    className={`${styles.callout} ${tone === undefined ? '' : styles[tone]}`}
    {...(isAlert && { role: 'alert' })}
  >
    <strong>{title}</strong>
    {children !== undefined && <div>{children}</div>}
  </div>
)
