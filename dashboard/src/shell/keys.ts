import { useEffect, useRef } from 'react'

interface KeyActions {
  onPalette: () => void
  onHelp: () => void
  /** The key that follows `g`. */
  onGo: (key: string) => void
}

const sequenceMs = 1_500

/** Single keys only navigate and never change anything. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    let goneAtMs = -Infinity
    const onKey = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.onPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
      if (performance.now() - goneAtMs < sequenceMs) {
        goneAtMs = -Infinity
        latest.current.onGo(event.key)
      } else if (event.key === 'g') goneAtMs = performance.now()
      else if (event.key === '?') latest.current.onHelp()
      else if (event.key === '/') {
        event.preventDefault()
        latest.current.onPalette()
      } else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null

const isDialogOpen = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const current = rows.indexOf(document.activeElement as HTMLElement) // -1 for any other element
  const next = current === -1 ? 0 : Math.min(Math.max(current + step, 0), rows.length - 1)
  rows[next]?.focus()
}
