import type { Page, Request } from 'playwright-core'
import { until } from '../app/test-relay.ts'

/** It carries live updates and never ends. */
const stream = '/auth/stream'
/** A request begins at most this long after a click. */
const beginMs = 30

const pending = new WeakMap<Page, Set<Request>>()

/** Follows the requests of the page from now on. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  pending.set(page, requests)
  page.on('request', (request) => {
    if (!request.url().endsWith(stream)) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Until what a click has asked for is answered. */
export async function untilAnswered(page: Page): Promise<void> {
  await page.waitForTimeout(beginMs)
  await until('the answers to all requests', () => pending.get(page)?.size === 0)
}
