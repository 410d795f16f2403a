import { ApiError } from '@switchyard/sdk'
import { lazy, Suspense, useSyncExternalStore, type ReactElement } from 'react'
import type { Ending } from './ending-dialog.tsx'

let ending: Ending | undefined
const listeners = new Set<() => void>()

/** Called for every failed request: some failures concern the whole page. */
export function noticeEnding(error: unknown, isRead: boolean): void {
  if (!(error instanceof ApiError)) return
  // A read cannot conflict, so the session must have switched to another organisation.
  const found = error.status === 401 ? 'ended' : error.status === 409 && isRead ? 'changed' : undefined
  if (found === undefined || ending !== undefined) return
  ending = found
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const EndingDialog = lazy(async () => ({ default: (await import('./ending-dialog.tsx')).EndingDialog }))

export function SessionEnding(): ReactElement {
  const reason = useSyncExternalStore(subscribe, () => ending)
  return <Suspense>{reason !== undefined && <EndingDialog reason={reason} />}</Suspense>
}
