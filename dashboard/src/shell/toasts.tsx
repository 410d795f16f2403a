import { useSyncExternalStore, type ReactElement } from 'react'
import styles from './shell.module.css'

interface Toast {
  id: number
  text: string
}

const shownMs = 6_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export function showToast(text: string): void {
  const toast = { id: ++lastId, text }
  change([...toasts.slice(-2), toast])
  setTimeout(() => change(toasts.filter(({ id }) => id !== toast.id)), shownMs)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A live region, so that screen readers announce each toast. */
export function Toasts(): ReactElement {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id} className={styles.toast}>
          {text}
        </p>
      ))}
    </div>
  )
}
