import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { limits } from '../shared/limits.ts'

/** Follows the redirects from the provider's page through the bank's page back to the shop, as a browser would. */
export async function visitPages(startUrl: string, decision: 'pay' | 'decline'): Promise<void> {
  let url: string | undefined = startUrl
  for (let page = 0; page < limits.pages && url !== undefined; page += 1) {
    const isOurs = new URL(url).pathname.startsWith('/return/')
    url = isOurs ? await load(url, 'GET') : await load(url, 'POST', `decision=${decision}`)
  }
}

/** Returns the URL to which the page redirects. Retries a page that does not load. */
async function load(url: string, method: 'GET' | 'POST', body?: string): Promise<string | undefined> {
  for (let tries = 0; tries < limits.pageTries; tries += 1) {
    const answer = await request(url, {
      method,
      body: body ?? null,
      headers: body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      headersTimeout: limits.pageTimeoutMs,
      bodyTimeout: limits.pageTimeoutMs,
    }).catch(() => undefined)
    await answer?.body.dump().catch(() => undefined)
    const location = answer?.headers['location']
    if (answer && answer.statusCode < 500)
      return typeof location === 'string' ? new URL(location, url).href : undefined
    await delay(limits.retryPauseMs * (1 + tries))
  }
  return undefined
}
