import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { limits } from '../shared/limits.ts'

/** From the page of a provider over that of a bank back to the shop, as a browser goes. */
export async function visitPages(startUrl: string, decision: 'pay' | 'decline'): Promise<void> {
  let url: string | undefined = startUrl
  for (let page = 0; page < limits.pages && url !== undefined; page += 1) {
    const isOurs = new URL(url).pathname.startsWith('/return/')
    url = isOurs ? await load(url, 'GET') : await load(url, 'POST', `decision=${decision}`)
  }
}

/** Where the page leads to. What does not load is loaded again, as long as a customer has patience. */
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
