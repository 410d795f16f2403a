const firstPollMs = 2_000
const slowestPollMs = 15_000

/** Reloads the page as soon as the server has a new state. It listens to events and falls back to polling. */
export function followState(): void {
  const main = document.querySelector<HTMLElement>('main[data-state]')
  if (!main) return
  const { events = '', status = '', state } = main.dataset
  const isForm = document.querySelector('[data-pay]') !== null
  const reloadIfChanged = (latest: string): boolean => {
    if (latest === state) return false
    location.replace(location.pathname)
    return true
  }
  const checkStatus = async (): Promise<boolean> => {
    const response = await fetch(status, { headers: { accept: 'application/json' } })
    if (!response.ok) return false
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && 'state' in body && reloadIfChanged(String(body.state))
  }
  const poll = (waitMs: number): void => {
    setTimeout(() => {
      const pollAgainUnless = (isReloading: boolean): void => {
        if (!isReloading) poll(Math.min(waitMs * 1.5, slowestPollMs))
      }
      checkStatus().then(pollAgainUnless, () => pollAgainUnless(false))
    }, waitMs)
  }
  // The payer may have continued the payment in another tab.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkStatus().catch(() => undefined)
  })
  if (isForm) return
  if (!('EventSource' in window)) return poll(firstPollMs)
  const source = new EventSource(events)
  source.addEventListener('message', (event) => {
    if (reloadIfChanged(String(event.data))) source.close()
  })
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) poll(firstPollMs)
  })
}
