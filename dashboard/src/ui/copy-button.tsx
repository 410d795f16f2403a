import { useState, type ReactElement } from 'react'
import { states } from '../messages/generated/texts.ts'
import { Button } from './button.tsx'
import styles from './ui.module.css'

const shownMs = 2_000

/** Confirms the copy. The label names what is copied, for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactElement {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), shownMs)
      },
      () => setCopied(false),
    )
  }
  return (
    <Button className={styles.small} onClick={copy} aria-label={`${states.copy} ${label}`}>
      <span aria-live="polite">{isCopied ? states.copied : states.copy}</span>
    </Button>
  )
}
