import type { ReactElement } from 'react'
import { CopyButton } from './copy-button.tsx'
import { indentJson } from './indent-json.ts'
import styles from './ui.module.css'

/** A body as it was sent or received: indented if it is JSON, copied exactly. */
export const TextView = ({ text, label }: { text: string; label: string }): ReactElement => (
  <div className={styles.json}>
    <CopyButton text={text} label={label} />
    <pre tabIndex={0} role="group" aria-label={label}>
      {indentJson(text)}
    </pre>
  </div>
)
