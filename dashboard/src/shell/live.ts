import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { streamHeaders } from '../api/client.ts'

export interface Hint {
  type: string
  id: string
  sequence: number
}

const retryMs = 5_000
const pollMs = 10_000

/** The queries that an event invalidates: the first part of the event's type, and of the query keys. */
const queriesOf: Readonly<Record<string, readonly string[]>> = {
  payment: ['payments', 'payment', 'approvals', 'waiting', 'trends', 'balances'],
  transaction: ['payments', 'payment', 'approvals', 'waiting'],
  payout_batch: ['payout-batches', 'waiting'],
  dispute: ['disputes', 'payment', 'waiting'],
  exception: ['exceptions', 'waiting'],
  virtual_account: ['virtual-accounts', 'balances'],
  escrow: ['escrows', 'virtual-accounts'],
}

const listeners = new Set<(hint: Hint) => void>()

/** Listens for changes, for a screen that decides when to show them. */
export function useHints(onHint: (hint: Hint) => void): void {
  useEffect(() => {
    listeners.add(onHint)
    return () => void listeners.delete(onHint)
  }, [onHint])
}

/** Follows the organisation's events while the tab is visible; polls if the server has no free stream. */
export function useLive(client: QueryClient): void {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const onChange = (): void => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [])
  useEffect(() => {
    if (!isVisible) return undefined
    const stop = new AbortController()
    follow(client, stop.signal).catch(() => undefined)
    return () => stop.abort()
  }, [client, isVisible])
}

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch('/auth/stream', { headers: streamHeaders(), signal }).catch(() => undefined)
    if (signal.aborted || response?.status === 401) return
    if (response?.status === 200 && response.body)
      await readHints(client, response.body).catch(() => undefined)
    else {
      if (response?.status === 204) await refresh(client, Object.values(queriesOf).flat())
      await pause(response?.status === 204 ? pollMs : retryMs, signal)
    }
  }
}

async function readHints(client: QueryClient, body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) onEvent(client, JSON.parse(event.replace(/^data: /, '')) as Hint) // our own server sends it
  }
}

/** Does not wait for the refetch: the next event may concern the open payment. */
function onEvent(client: QueryClient, hint: Hint): void {
  if (hint.type === 'keep-alive') return
  for (const listener of listeners) listener(hint)
  if (hint.type === 'everything') return
  void refresh(client, queriesOf[hint.type.split('.', 1)[0] ?? ''] ?? []).catch(() => undefined)
}

/** Lists are not refreshed, so that rows do not move under the pointer. */
async function refresh(client: QueryClient, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) =>
      client.invalidateQueries({
        predicate: ({ queryKey, meta }) => queryKey[0] === name && meta?.['isStill'] !== true,
      }),
    ),
  )
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
