import type { ReactElement } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './ui.module.css'

/** An API response, to read and to copy. */
export const JsonView = ({ value, label }: { value: unknown; label: string }): ReactElement => {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className={styles.json}>
      <CopyButton text={text} label={label} />
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
